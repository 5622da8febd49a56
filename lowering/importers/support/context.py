"""The context of an importer: one node, of which it notes what is read, and its faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Operation, SSAValue

from ....dialects.dense import Array
from ....dialects.qti_aisw.base import CustomParam
from ....dialects.value import TensorSpec
from ..graph.value import Emitter, Value

if TYPE_CHECKING:
    from onnx import AttributeProto, NodeProto

_CHANGE = "change it in the model, or express the node in other ops"
MAKE_CONSTANT = "make it an initializer, or fix an input: htp-opt --const NAME=VALUE"
"""The remedy for what has to be known when a model is imported."""


class NodeFault(Exception):
    """A fault of the node at hand, with a remedy."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy or _CHANGE


class UnknownInput(Exception):
    """An input comes from a node that has a fault of its own: nothing more to say here."""


Refusal = NodeFault | UnknownInput


def require(condition: bool, problem: str, remedy: str = "") -> None:
    """Raise a NodeFault, which names the node at hand, unless the condition holds."""
    if not condition:
        raise NodeFault(problem, remedy)


def counted_axis(axis: int, rank: int) -> int:
    """Return the attribute `axis`, counted from the front; NodeFault where no dim is there."""
    require(-rank <= axis < rank, f"attribute 'axis' is {axis}, the rank is {rank}")
    return axis % rank


class NodeContext:
    """One node under import. It notes what is read: what nobody read is not supported."""

    def __init__(
        self, node: NodeProto, emitter: Emitter, outputs: Sequence[TensorSpec | None]
    ) -> None:
        self.node = node
        self.emitter = emitter
        self.outputs = outputs
        self._attributes = {attribute.name: attribute for attribute in node.attribute}
        self._read: set[str | int] = set()

    def has(self, index: int) -> bool:
        """Tell whether the input is given."""
        return index < len(self.node.input) and bool(self.node.input[index])

    def value(self, index: int) -> Value:
        """Return a mandatory input; NodeFault where it is left out."""
        value = self.emitter.value(self._name(index))
        if value is None:
            raise UnknownInput
        return Value(value, self.emitter)

    def optional(self, index: int) -> Value | None:
        """Return an optional input, None where it is left out.

        A constant becomes an op when it is first read, as it may be read in another form.
        """
        if not self.has(index):
            return None
        name = self._name(index)
        if name in self.emitter.values or name not in self.emitter.constants:
            return self.value(index)
        return Value(name, self.emitter)

    def constant(self, index: int) -> Array:
        """Return the data of a mandatory input; NodeFault where it is not constant."""
        name = self._name(index)
        array = self.emitter.constants.get(name)
        if array is None:
            value = self.emitter.value(name)
            if value is None or _is_of_faulty(value):
                raise UnknownInput
            raise NodeFault(f"input {index} ('{name}') is not constant", MAKE_CONSTANT)
        return array

    def optional_constant(self, index: int) -> Array | None:
        """Return the data of an optional input that must be constant, None where it is left out."""
        return self.constant(index) if self.has(index) else None

    def _name(self, index: int) -> str:
        """Return the name of an input that is read; NodeFault where it is left out."""
        self._read.add(index)
        if not self.has(index):
            raise NodeFault(f"input {index} is missing", "it is mandatory")
        return str(self.node.input[index])

    def attribute(self, name: str) -> AttributeProto | None:
        """Return an attribute; None where it is left out."""
        self._read.add(name)
        return self._attributes.get(name)

    def params(self) -> dict[str, CustomParam]:
        """Return all attributes, numbers, text and lists of numbers, as ops of packages do."""
        self._read.update(self._attributes)
        return params_of(self.node)

    def check_all_read(self) -> None:
        """Raise a NodeFault for an attribute or input that was not read: it is not supported."""
        for name in self._attributes:
            if name not in self._read:
                raise NodeFault(f"attribute '{name}' is not supported", "leave it out")
        for index, name in enumerate(self.node.input):
            if name and index not in self._read:
                raise NodeFault(f"input {index} ('{name}') is not supported", "leave it out")

    def uses(self, index: int) -> bool:
        """Tell whether somebody asks for this output."""
        return index < len(self.node.output) and self.node.output[index] in self.emitter.used

    def const(self, array: Array) -> Value:
        """Return a constant; equal ones are one op."""
        return Value(self.emitter.const(array), self.emitter)

    def out(self, index: int = 0) -> TensorSpec:
        """Return the inferred spec of an output; NodeFault where it is not static."""
        spec = self.outputs[index] if index < len(self.outputs) else None
        if spec is None:
            remedy = "make its shape follow from constants, or fix the model's dims"
            raise NodeFault(f"output {index} has no static shape or no known type", remedy)
        return spec


def _is_of_faulty(value: SSAValue) -> bool:
    """Tell whether a value is computed from one that replaces a faulty node's."""
    ops, seen = [value.owner], set[object]()
    while ops:
        op = ops.pop()
        if isinstance(op, UnrealizedConversionCastOp):
            return True
        if isinstance(op, Operation) and op not in seen:
            seen.add(op)
            ops += [operand.owner for operand in op.operands]
    return False


def params_of(node: NodeProto) -> dict[str, CustomParam]:
    """Return attributes as params of a package's op; NodeFault for one that cannot be one."""
    return {attribute.name: _param(attribute) for attribute in node.attribute}


def _param(attribute: AttributeProto) -> CustomParam:
    """Return an attribute's value; NodeFault where it is a matrix, a graph or a list of texts."""
    from onnx import AttributeProto as Proto

    kind = str(Proto.AttributeType.Name(attribute.type))
    if kind not in _PARAM_KINDS or attribute.ref_attr_name:
        allowed = ", ".join(_PARAM_KINDS)
        raise NodeFault(f"attribute '{attribute.name}' is {kind}", f"it may be {allowed}")
    return _PARAM_KINDS[kind](attribute)


def array_of(attribute: AttributeProto) -> Array:
    """Return the data of a tensor attribute; NodeFault where they are not sound."""

    from onnx import numpy_helper

    try:
        return numpy_helper.to_array(attribute.t)
    except (ValueError, TypeError, KeyError) as error:
        problem = f"attribute '{attribute.name}' holds data that do not fit its type: {error}"
        raise NodeFault(problem, "export the model again") from error


def _numbers(attribute: AttributeProto) -> CustomParam:
    """Return a tensor of one number or of a row of numbers."""
    array = array_of(attribute)
    if array.ndim > 1 or array.dtype.kind not in "biuf":
        problem = f"attribute '{attribute.name}' is a tensor {list(array.shape)} of {array.dtype}"
        raise NodeFault(problem, "it may be a number or one row of numbers")
    values: list[float] = array.reshape(-1).tolist()
    return tuple(values) if array.ndim else values[0]


_PARAM_KINDS: dict[str, Callable[[AttributeProto], CustomParam]] = {
    "INT": lambda attribute: int(attribute.i),
    "FLOAT": lambda attribute: float(attribute.f),
    "STRING": lambda attribute: str(attribute.s.decode(errors="replace")),
    "INTS": lambda attribute: tuple(int(number) for number in attribute.ints),
    "FLOATS": lambda attribute: tuple(float(number) for number in attribute.floats),
    "TENSOR": _numbers,
}
"""The readers of attributes, by the kinds that a package's op may have."""
