"""The context of an importer: one node's inputs and attributes, and a builder of graph ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Operation, SSAValue

from .....dialects.dense import Array
from .....dialects.qti_aisw.ops.custom import CustomParam
from .....dialects.value.spec import TensorSpec
from ...graph.builder import GraphBuilder
from ...graph.emitter import Emitter
from .faults import MAKE_CONSTANT, NodeFault, UnknownInput

if TYPE_CHECKING:
    from onnx import AttributeProto, NodeProto

T = TypeVar("T")


class NodeContext(GraphBuilder):
    """One node under import. It notes what is read: what nobody read is not supported."""

    def __init__(
        self, node: NodeProto, emitter: Emitter, outputs: Sequence[TensorSpec | None]
    ) -> None:
        super().__init__(emitter)
        self.node = node
        self.outputs = outputs
        self._attributes = {attribute.name: attribute for attribute in node.attribute}
        self._read: set[str | int] = set()

    # inputs

    def has(self, index: int) -> bool:
        """Tell whether the input is given."""
        return index < len(self.node.input) and bool(self.node.input[index])

    def value(self, index: int) -> SSAValue:
        """Return a mandatory input; NodeFault where it is left out."""
        self._read.add(index)
        if not self.has(index):
            raise NodeFault(f"input {index} is missing", "it is mandatory")
        value = self.emitter.value(self.node.input[index])
        if value is None:
            raise UnknownInput
        return value

    def optional(self, index: int) -> SSAValue | None:
        """Return an optional input, None where it is left out."""
        self._read.add(index)
        return self.value(index) if self.has(index) else None

    def values(self) -> list[SSAValue]:
        """Return all inputs of a variadic op."""
        return [self.value(index) for index in range(len(self.node.input))]

    def constant(self, index: int) -> Array:
        """Return the data of a mandatory input; NodeFault where it is not constant."""
        self._read.add(index)
        if not self.has(index):
            raise NodeFault(f"input {index} is missing", "it is mandatory")
        name = self.node.input[index]
        array = self.emitter.constants.get(name)
        if array is None:
            value = self.emitter.value(name)
            if value is None or _is_of_faulty(value):
                raise UnknownInput
            raise NodeFault(f"input {index} ('{name}') is not constant", MAKE_CONSTANT)
        return array

    def optional_constant(self, index: int) -> Array | None:
        """Return the data of an optional input that must be constant, None where it is left out."""
        self._read.add(index)
        return self.constant(index) if self.has(index) else None

    def integers_at(self, index: int) -> tuple[int, ...] | None:
        """Return an optional constant input as a tuple of ints."""
        array = self.optional_constant(index)
        return None if array is None else tuple(int(v) for v in array.reshape(-1))

    # attributes

    def _attribute(self, name: str, kind: Callable[[AttributeProto], T], default: T) -> T:
        self._read.add(name)
        return kind(self._attributes[name]) if name in self._attributes else default

    def integer(self, name: str, default: int = 0) -> int:
        """Return an int attribute."""
        return self._attribute(name, lambda a: a.i, default)

    def axis(self, rank: int, default: int) -> int:
        """Return the attribute `axis`, counted from the front; NodeFault where no dim is there."""
        axis = self.integer("axis", default)
        self.require(-rank <= axis < rank, f"attribute 'axis' is {axis}, the rank is {rank}")
        return axis % rank

    def real(self, name: str, default: float) -> float:
        """Return a float attribute, of f32 as all are, its default too."""
        return self._attribute(name, lambda a: a.f, float(np.float32(default)))

    def optional_real(self, name: str) -> float | None:
        """Return a float attribute that may be absent."""
        return self.real(name, 0.0) if self.given(name) else None

    def text(self, name: str, default: str) -> str:
        """Return a string attribute."""
        return self._attribute(name, lambda a: a.s.decode(errors="replace"), default)

    def integers(self, name: str) -> tuple[int, ...] | None:
        """Return a list of ints, None where it is absent."""
        return self._attribute(name, lambda a: tuple(a.ints), None)

    def reals(self, name: str) -> tuple[float, ...]:
        """Return a list of floats, empty where it is absent."""
        return self._attribute(name, lambda a: tuple(a.floats), ())

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of strings, empty where it is absent."""
        return self._attribute(
            name, lambda a: tuple(s.decode(errors="replace") for s in a.strings), ()
        )

    def array(self, name: str) -> Array:
        """Return the data of a tensor attribute, empty where it is absent."""
        from .attributes import array_of

        return self._attribute(name, array_of, np.zeros(0))

    def params(self) -> dict[str, CustomParam]:
        """Return all attributes, numbers, text and lists of numbers, as ops of packages do."""
        from .attributes import params_of

        self._read.update(self._attributes)
        return params_of(self.node)

    def given(self, name: str) -> bool:
        """Tell whether the attribute is written out."""
        return name in self._attributes

    def only(self, name: str, *allowed: int | str) -> None:
        """Accept an attribute only with values that change nothing; NodeFault for another."""
        self._read.add(name)
        if not self.given(name):
            return
        from .attributes import attribute_value

        value = attribute_value(self._attributes[name])
        if value not in allowed:
            names = " or ".join(map(str, allowed))
            raise NodeFault(f"attribute '{name}' is {value}, only {names} is supported")

    def require(self, condition: bool, problem: str, remedy: str = "") -> None:
        """Raise a NodeFault, which names this node, unless the condition holds."""
        if not condition:
            raise NodeFault(problem, remedy)

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

    # results

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
