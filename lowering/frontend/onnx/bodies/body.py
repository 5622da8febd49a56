"""A body: the functions that a node calls in place of its op, until they are inlined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onnx import AttributeProto, FunctionProto, GraphProto, NodeProto, TypeProto

from .....dialects.dense import Array
from ....importers.support.faults import MAKE_CONSTANT, NodeFault, UnknownInput
from ....importers.support.types import shape_of_onnx

BODY, STEP = "htp.body", "htp.step"
"""The domains of the functions that represent nodes, and of those that bodies call in turn."""


MAX_NODES = 50_000
"""Nodes of a model with all bodies in place; the import takes about half a minute for them."""


@dataclass(frozen=True)
class Scope:
    """A graph with its opsets by domain, and what is known of its values."""

    graph: GraphProto
    opsets: Mapping[str, int]
    constants: Mapping[str, Array]
    types: Mapping[str, TypeProto]
    makers: Mapping[str, NodeProto]

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a tensor; UnknownInput where it is not static, or no tensor."""
        if name in self.constants:
            return tuple(self.constants[name].shape)
        shape = shape_of_onnx(self.types.get(name, TypeProto()))
        if shape is None:
            raise UnknownInput
        return shape

    def integers(self, node: NodeProto, index: int, named: str) -> list[int] | None:
        """Return a constant input, None where it is left out; NodeFault where it is computed."""
        if index >= len(node.input) or not node.input[index]:
            return None
        name = node.input[index]
        if name not in self.constants:
            self.shape(name)
            raise NodeFault(f"its {named} '{name}' is not constant", MAKE_CONSTANT)
        array = self.constants[name]
        if array.dtype.kind not in "biu":
            raise NodeFault(f"its {named} '{name}' is {array.dtype}", "it must be whole numbers")
        return [int(number) for number in array.reshape(-1)]

    def integer(self, node: NodeProto, index: int, named: str) -> int | None:
        """Return a constant input of one number, None where it is left out."""
        numbers = self.integers(node, index, named)
        if numbers is not None and len(numbers) != 1:
            raise NodeFault(f"its {named} has {len(numbers)} numbers", "it must have one")
        return numbers[0] if numbers else None


@dataclass(frozen=True)
class Body:
    """A function, the inputs of its call, its attributes, and the functions that it calls."""

    function: FunctionProto
    inputs: Sequence[str]
    attributes: Sequence[AttributeProto] = ()
    steps: Sequence[FunctionProto] = ()


def key_of(node: NodeProto) -> str:
    """Return the name of a node's function: its first output's, which no other node has."""
    return next((name for name in node.output if name), "")
