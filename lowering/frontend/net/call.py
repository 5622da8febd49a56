"""A node of the converter's graph under import, and the graph op that it appends."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import OptOperandDef, PropertyDef, VarOperandDef
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from ....dialects.qti_aisw import GRAPH_OPS
from ....dialects.qti_aisw.base import (
    GraphOp,
    Operand,
    bool_attr,
    build,
    float_attr,
    int_attr,
    ints_attr,
)
from ....dialects.spec_of import element_type, spec_of, text, type_of
from ....dialects.value import DType, TensorSpec
from ...importers.graph.value import Emitter, Value
from ...importers.support.registry import NodeFault, require
from .file import NetNode, Param

IDLE: dict[str, float] = {
    **dict.fromkeys(("reuse_sparse_indicies", "antialias", "select_last_index", "scheme"), 0),
    **{"new_axes_mask": 0, "dilation": 1, "beta": 1, "sorted": 1},
}
"""The value with which a param changes nothing, by name."""


@dataclass
class NetCall:
    """A node under import: its inputs, the specs that the file gives its outputs, and its params.

    A param that is read is taken out of `params`.
    """

    node: NetNode
    emitter: Emitter
    inputs: Sequence[Value | None]
    outputs: Sequence[TensorSpec]
    params: dict[str, Param]

    def input(self, index: int) -> Value:
        """Return an input; NodeFault where it is absent."""
        value = self.inputs[index] if index < len(self.inputs) else None
        if value is None:
            raise NodeFault(f"input {index} is absent")
        return value

    def present(self) -> list[Value]:
        """List the inputs that are there."""
        return [value for value in self.inputs if value is not None]

    def number(self, name: str, default: float | None = None) -> float:
        """Take a param that is a number."""
        value = self.params.pop(name, default)
        if not isinstance(value, bool | int | float):
            raise NodeFault(f"param '{name}' is {value}, not a number")
        return value

    def whole(self, name: str, default: int | None = None) -> int:
        """Take a param that is a whole number."""
        return int(self.number(name, default))

    def forget(self, *names: str) -> None:
        """Drop params that have no say."""
        for name in names:
            self.params.pop(name, None)

    def emit(self, name: str, *operands: Value | None, **params: Param) -> list[Value]:
        """Append a graph op with these params, and those of the node that it has.

        Quantised results have the encodings of the file. Where the op takes no quantised operands
        it is computed in reals.
        """
        op_class = GRAPH_OPS[name]
        params = {**self.params, **params}
        properties = {
            key: _attribute(name, key, declared, params.pop(key))
            for key, declared in op_class.get_irdl_definition().properties.items()
            if key in params
        }
        for key, value in params.items():
            idle = all(n == IDLE.get(key) for n in (value if isinstance(value, tuple) else [value]))
            require(idle, f"param '{key}' is {value}, which {name} has no param for")
        try:
            op = _typed(build(op_class, _slots(op_class, operands), properties), self.outputs)
        except VerifyException:
            reals = [each and in_reals(each) for each in operands]
            if reals == [*operands]:
                raise
            op = build(op_class, _slots(op_class, reals), properties)
        return [Value(result, self.emitter) for result in self.emitter.add(op)]


def in_reals(value: Value) -> Value:
    """Return a value in floats, itself where it is not quantised."""
    return value.op("Dequantize") if value.dtype.is_quantized else value


def _slots(op_class: type[GraphOp], operands: Sequence[Value | None]) -> list[Operand]:
    """Share operands out to the op's own."""
    values = [None if each is None else each.ssa for each in operands]
    names, declared = zip(*op_class.get_irdl_definition().operands, strict=True)
    if isinstance(declared[0], VarOperandDef) and not isinstance(declared[0], OptOperandDef):
        return [[value for value in values if value is not None]]
    require(len(values) <= len(declared), f"has {len(values)} inputs, at most {len(declared)} fit")
    slots: list[Operand] = [*values, *[None] * (len(declared) - len(values))]
    for name, definition, value in zip(names, declared, slots, strict=True):
        is_there = value is not None or isinstance(definition, VarOperandDef)
        require(is_there, f"has {len(values)} inputs and none for '{name}'")
    return slots


def _attribute(op: str, name: str, declared: PropertyDef, value: Param) -> Attribute:
    """Return a param as the op keeps it."""
    default, numbers = declared.default_value, value if isinstance(value, tuple) else (value,)
    if isinstance(default, EnumAttribute):
        choices = [*type(default.data).__members__.values()]
        if value in range(len(choices)):
            return type(default)(choices[int(str(value))])
    elif not any(isinstance(number, str) for number in numbers):
        reals = [float(number) for number in numbers]
        forms: list[Attribute] = []
        if len(reals) == 1:
            forms += [bool_attr(bool(reals[0])), float_attr(reals[0])]
        if all(real.is_integer() for real in reals):
            forms += [ints_attr([int(n) for n in numbers]), *map(int_attr, map(int, numbers[:1]))]
        if fitting := [form for form in forms if declared.constr.verifies(form)]:
            return fitting[0]
    raise NodeFault(f"param '{name}' is {value}, which {op} does not take")


def _typed(op: GraphOp, specs: Sequence[TensorSpec]) -> GraphOp:
    """Give quantised results the encodings that the file states, where the op leaves them free."""
    for result, spec in zip(list(op.results), specs, strict=False):
        own = spec_of(result)
        if own.dtype.is_quantized and spec.dtype.is_quantized and not op.keeps_encoding:
            Rewriter.replace_value_with_new_type(result, type_of(own.with_type(spec)))
    op.verify()
    return op


def settled(value: Value, spec: TensorSpec) -> SSAValue:
    """Return a result as the file states it, converted where its element type is another one."""
    if value.shape != spec.shape:
        problem = f"gives {text(value.shape)}, the file says {text(spec.shape)}"
        raise NodeFault(problem, "its params and its tensors do not go together")
    if value.spec.same_encoding(spec):
        return value.ssa
    if spec.dtype.is_quantized:
        real = value if value.dtype.is_quantized else value.cast(DType.Float32)
        return real.op("Quantize", to=element_type(spec.dtype, spec.quant)).ssa
    return in_reals(value).cast(spec.dtype).ssa
