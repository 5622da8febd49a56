"""The context of an importer: one node's inputs and attributes, of which it notes what is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Operation, SSAValue

from .....dialects.dense import Array
from .....dialects.qti_aisw.ops.custom import CustomParam
from .....dialects.value.spec import TensorSpec
from ...graph.emitter import Emitter
from ...graph.value import Value
from .binding import Ints, NodeReader, Reals, Texts
from .faults import MAKE_CONSTANT, NodeFault, UnknownInput

if TYPE_CHECKING:
    from onnx import AttributeProto, NodeProto


class NodeContext(NodeReader):
    """One node under import."""

    def __init__(
        self, node: NodeProto, emitter: Emitter, outputs: Sequence[TensorSpec | None]
    ) -> None:
        super().__init__(node)
        self.emitter = emitter
        self.outputs = outputs

    def input(self, index: int, parameter: Parameter) -> object:
        """Return an input as a parameter takes it; TypeError for a type that no input has."""
        kind = parameter.annotation
        if kind not in _INPUTS:
            raise TypeError(f"parameter '{parameter.name}' is {kind}, which no input is")
        return _INPUTS[kind](self, index)

    def attribute(self, name: str, kind: Any) -> object:
        """Return an attribute that is there; TypeError for a type that none has."""
        if kind not in _READERS:
            raise TypeError(f"parameter '{name}' is {kind}, which no attribute is")
        return _READERS[kind](self.attributes[name])

    def value(self, index: int) -> Value:
        """Return a mandatory input; NodeFault where it is left out."""
        value = self.emitter.value(self._name(index))
        if value is None:
            raise UnknownInput
        return Value(value, self.emitter)

    def optional(self, index: int) -> Value | None:
        """Return an optional input, None where it is left out."""
        return self.value(index) if self.has(index) else None

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
        self.read.add(index)
        if not self.has(index):
            raise NodeFault(f"input {index} is missing", "it is mandatory")
        return str(self.node.input[index])

    def params(self) -> dict[str, CustomParam]:
        """Return all attributes, numbers, text and lists of numbers, as ops of packages do."""
        from .attributes import params_of

        self.read.update(self.attributes)
        return params_of(self.node)

    def uses(self, index: int) -> bool:
        """Tell whether somebody asks for this output."""
        return index < len(self.node.output) and self.node.output[index] in self.emitter.used

    # results

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
    """Tell whether a value is computed from one that takes the place of a faulty node's."""
    ops, seen = [value.owner], set[object]()
    while ops:
        op = ops.pop()
        if isinstance(op, UnrealizedConversionCastOp):
            return True
        if isinstance(op, Operation) and op not in seen:
            seen.add(op)
            ops += [operand.owner for operand in op.operands]
    return False


def _array(attribute: AttributeProto) -> Array:
    from .attributes import array_of

    return array_of(attribute)


def _ints(array: Array) -> Ints:
    return tuple(int(number) for number in array.reshape(-1))


def _optional_ints(ctx: NodeContext, index: int) -> Ints | None:
    array = ctx.optional_constant(index)
    return None if array is None else _ints(array)


_INPUTS: Mapping[object, Callable[[NodeContext, int], object]] = {
    Value: NodeContext.value,
    Parameter.empty: NodeContext.value,
    Value | None: NodeContext.optional,
    Array: NodeContext.constant,
    Array | None: NodeContext.optional_constant,
    Ints: lambda ctx, index: _ints(ctx.constant(index)),
    Ints | None: _optional_ints,
}
"""The readers of an input by its number, by the type of the parameter."""

_ATTRIBUTES: Mapping[Any, Callable[[AttributeProto], object]] = {
    int: lambda attribute: attribute.i,
    bool: lambda attribute: bool(attribute.i),
    float: lambda attribute: attribute.f,
    str: lambda attribute: attribute.s.decode(errors="replace"),
    Ints: lambda attribute: tuple(attribute.ints),
    Reals: lambda attribute: tuple(attribute.floats),
    Texts: lambda attribute: tuple(s.decode(errors="replace") for s in attribute.strings),
    Array: _array,
}
_READERS = {kind: read for each, read in _ATTRIBUTES.items() for kind in (each, each | None)}
"""The readers of an attribute, by the type of the parameter."""
