"""A body: the functions that a node calls in place of its op, until they are inlined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onnx import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    NodeProto,
    TypeProto,
)

from .....dialects.dense import Array
from ..support.faults import UnknownInput
from ..support.types import shape_of_onnx

BODY, STEP = "htp.body", "htp.step"
"""The domains of the functions that stand for nodes, and of those that bodies call in turn."""


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
