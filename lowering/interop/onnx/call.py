"""One graph op while it is written: its params, its operands as tensors, and nodes for it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from onnx import TensorProto, defs
from xdsl.ir import Attribute, SSAValue

from ....dialects.diagnostics import Fault, HtpError
from ....dialects.locations import called
from ....dialects.qti_aisw import GraphOp
from ....dialects.qti_aisw.base import param_value
from ....dialects.qti_aisw.ops.quantize import QuantizeOp
from ....dialects.spec_of import Array, dtype_of, spec_of
from ....dialects.value import DType, TensorSpec
from ....runtime.functions.quantize import dequantize
from ...importers.graph.moves import Perm, inverse
from ...quantization.groups import laid
from ...quantization.params import FLOAT_OPS, constant_operands, mnemonic
from .draft import ELEMENTS, Draft, ModelTensor, Ordered, order

Printed = ModelTensor | Ordered | Sequence[ModelTensor | Ordered]
Print = TypeVar("Print", bound="Callable[[PrintedOp], Printed]")


class PrintedOp:
    """An op to be written; a Transpose before its operands may stand behind its results instead.

    `names` are those that its results would like to have.
    """

    def __init__(
        self,
        draft: Draft,
        op: GraphOp,
        properties: dict[str, Attribute],
        operands: Sequence[Ordered],
        names: Sequence[str],
        place: int,
        after: Perm | None,
    ) -> None:
        self.draft, self.op, self.properties, self.place = draft, op, properties, place
        self.names, self.after = names, after
        self.operands = list(operands)
        self.by_name = dict(zip(op.named_operands(), self.operands, strict=False))
        specs = [spec_of(result) for result in op.results]
        self.specs = specs if after is None else [s.transposed(inverse(after)) for s in specs]

    @property
    def opset(self) -> int:
        """The version of ONNX that the model states."""
        return self.draft.opset

    @property
    def mnemonic(self) -> str:
        """The op's name in its specification."""
        return mnemonic(self.op)

    @property
    def spec(self) -> TensorSpec:
        """The spec of the first result."""
        return self.specs[0]

    def param(self, name: str) -> Any:
        """Return a param, a truth value as 0 or 1."""
        value = param_value(self.properties[name])
        return int(value) if isinstance(value, bool) else value

    def params(self, *names: str) -> dict[str, Any]:
        """Return those of some params that the op has, for an ONNX op that names them alike."""
        return {name: self.param(name) for name in names if name in self.properties}

    def element(self, name: str) -> DType:
        """Return an element type."""
        return dtype_of(self.properties[name])[0]

    def shape(self, operand: str | int = 0) -> tuple[int, ...]:
        """Return the shape of an operand in the order of the IR."""
        value = self._operand(operand)
        return () if value is None else value.shape

    def _operand(self, operand: str | int) -> Ordered | None:
        return self.operands[operand] if isinstance(operand, int) else self.by_name.get(operand)

    def stored(self, operand: str | int = 0, perm: Perm | None = None) -> ModelTensor:
        """Return an operand with its dims in an order, integers of a quantised one."""
        value = self._operand(operand)
        assert value is not None
        return self.draft.ordered(value, perm or order(len(value.order)))

    def real(self, operand: str | int = 0, perm: Perm | None = None) -> ModelTensor:
        """Return an operand with its dims in an order, the reals of a quantised one."""
        return self.draft.real(self.stored(operand, perm))

    def optional(self, operand: str, perm: Perm | None = None) -> ModelTensor | None:
        """Return an operand that may be absent."""
        return self.real(operand, perm) if operand in self.by_name else None

    def numbers(self, real: ModelTensor) -> Array | None:
        """Return the numbers of a constant, be it stored as integers; None for what is computed."""
        tensor = self.draft.stored.get(real, real)
        quant = tensor.spec.quant if tensor.spec else None
        if tensor.data is None or quant is None:
            return tensor.data
        return dequantize(tensor.data, *laid(quant), quant.axis)

    def const(self, value: ArrayLike, dtype: DType | None = None) -> ModelTensor:
        """Return a new constant; of a float out of range infinity."""
        try:
            with np.errstate(over="ignore"):
                array = np.asarray(value, None if dtype is None else dtype.storage)
        except OverflowError as error:
            problem = f"{value!s} is beyond the integers of {dtype.name if dtype else 'ONNX'}"
            raise self.refuse(problem, "give it one of them") from error
        return ModelTensor(f"{self.mnemonic.lower()}_constant", None, array)

    def like(self, value: ArrayLike, operand: str | int = 0) -> ModelTensor:
        """Return a new constant of the type of an operand's reals."""
        known = self._operand(operand)
        spec = None if known is None else known.tensor.spec
        plain = spec is not None and spec.quant is None
        return self.const(value, spec.dtype if spec and plain else DType.Float32)

    def nodes(
        self, op: str, *inputs: ModelTensor | None, outputs: int = 1, **attributes: Any
    ) -> list[ModelTensor]:
        """Append a node of several outputs; HtpError where ONNX has no such op of this type."""
        self._check_types(op, inputs)
        results = [ModelTensor(op.lower()) for _ in range(outputs)]
        kept = {name: value for name, value in attributes.items() if value is not None}
        self.draft.add_new(op, inputs, results, self.place, **kept)
        return results

    def _check_types(self, op: str, inputs: Sequence[ModelTensor | None]) -> None:
        """Ask that operands whose types are known have those that ONNX's op takes."""
        if not defs.has(op):
            return
        if not defs.has(op, self.opset):
            remedy = f"give the model opset {defs.get_schema(op).since_version}"
            raise self.refuse(f"opset {self.opset} has no {op}", remedy)
        declared = defs.get_schema(op, self.opset).inputs
        for tensor, parameter in zip(inputs, declared, strict=False):
            if tensor is None or tensor.spec is None:
                continue
            element = TensorProto.DataType.ValueType(ELEMENTS[tensor.spec.dtype])
            kind = TensorProto.DataType.Name(element).lower()
            if f"tensor({kind})" not in parameter.types:
                problem = f"ONNX's {op} of opset {self.opset} takes no {kind}"
                raise self.refuse(problem, "cast its operands, or what the model gives it")

    def node(self, op: str, *inputs: ModelTensor | None, **attributes: Any) -> ModelTensor:
        """Append a node."""
        (result,) = self.nodes(op, *inputs, **attributes)
        return result

    def wholes(self, values: Iterable[int]) -> ModelTensor:
        """Return a new constant of i64, as ONNX takes shapes, axes and counts."""
        return self.const(np.array([*values], np.int64))

    def cast(self, tensor: ModelTensor, dtype: DType) -> ModelTensor:
        """Append a Cast."""
        return self.node("Cast", tensor, to=ELEMENTS[dtype])

    def reshaped(self, tensor: ModelTensor, shape: Sequence[int]) -> ModelTensor:
        """Append a Reshape."""
        allowzero = 1 if 0 in shape else None
        return self.node("Reshape", tensor, self.wholes(shape), allowzero=allowzero)

    def reduced(
        self, op: str, tensor: ModelTensor, axes: Sequence[int], keep: int = 1
    ) -> ModelTensor:
        """Append a reduction, whose axes were an attribute before opset 18, but for sums."""
        if op != "ReduceSum" and self.opset < 18:
            return self.node(op, tensor, axes=axes, keepdims=keep)
        return self.node(op, tensor, self.wholes(axes), keepdims=keep)

    def cut(self, tensor: ModelTensor, axis: int, start: int, end: int, step: int) -> ModelTensor:
        """Append a Slice along an axis."""
        bounds = (self.wholes([number]) for number in (start, end, axis, step))
        return self.node("Slice", tensor, *bounds)

    def results(self, printed: Printed, stored: bool) -> list[Ordered]:
        """Return the results, quantised where the op's are and what was printed is not."""
        every = [printed] if isinstance(printed, ModelTensor | Ordered) else [*printed]
        written = []
        for result, each, name in zip(self.op.results, every, self.names, strict=True):
            plain = self.after or order(spec_of(result).rank)
            value = each if isinstance(each, Ordered) else Ordered(each, plain)
            spec = value.spec_of(spec_of(result))
            tensor = value.tensor
            if spec.quant is not None and self.draft.floats:
                # The import joins Reshapes: a file has the encoding of what they read.
                if self.op.name != "qti_aisw.Reshape":
                    self._encode(result, tensor, spec)
                spec = spec.with_dtype(DType.Float32)
            elif spec.quant is not None and not stored:
                tensor = ModelTensor(value.tensor.wanted)
                self.draft.linear("QuantizeLinear", value.tensor, tensor, spec)
            tensor.spec = tensor.spec or spec
            tensor.wanted = name or tensor.wanted
            written.append(Ordered(tensor, value.order))
        return written

    def _encode(self, result: SSAValue, tensor: ModelTensor, spec: TensorSpec) -> None:
        """Note the encoding of a result, which may be the operand of a Quantize."""
        remedy = "a file has one for each: write QuantizeLinear instead"
        if isinstance(self.op, QuantizeOp):
            maker = self.op.inp.owner
            others = [u.operation for u in self.op.inp.uses if u.operation.name != self.op.name]
            if others:
                raise self.refuse(f"{called(others[0])} reads its operand in floats", remedy)
            if isinstance(maker, GraphOp) and mnemonic(maker) not in FLOAT_OPS:
                free = [array for _, _, array in constant_operands(maker)]
                # What is not finite gets no encoding, and keeps its op in floats.
                if free and all(np.isfinite(array).all() for array in free):
                    problem = f"{called(maker)} is computed in floats, by constants of no encoding"
                    raise self.refuse(problem, "a file would give them one: write QuantizeLinear")
        if not self.draft.encode(tensor, spec):
            raise self.refuse("its tensor has another encoding already", remedy)

    def refuse(self, problem: str, remedy: str) -> HtpError:
        """Return the error that the op cannot be written."""
        return HtpError(Fault(called(self.op), problem, remedy))


def is_grid_constant(written: Ordered) -> bool:
    """Tell whether a value is a constant of integers that an encoding makes numbers of."""
    tensor = written.tensor
    return tensor.data is not None and tensor.spec is not None and tensor.spec.quant is not None


class Printer(NamedTuple):
    """The function that writes an op; `stored` where it gives a quantised result its integers."""

    write: Callable[[PrintedOp], Printed]
    stored: bool


class PrinterSet(dict[str, Printer]):
    """The printers of one module by graph op; the decorator is `PrinterSet().op`."""

    def op(self, *ops: str, stored: bool = False) -> Callable[[Print], Print]:
        """Declare a function as that of graph ops by mnemonic."""

        def declare(write: Print) -> Print:
            self.update({f"qti_aisw.{op}": Printer(write, stored) for op in ops})
            return write

        return declare
