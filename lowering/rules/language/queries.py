"""Queries about nodes: inputs, dims, encoding, comparison, consumers."""

from typing import Annotated

from ....dialects.value import DType, TensorSpec
from ..graph.env import Env
from ..graph.graph import Node
from ..graph.names import resolve
from ..graph.types import EvaluationError, ExprKind
from ..tree.expr import Expr, tags_in
from ..tree.function import Parameter, Size, as_written, function


def at(nodes: tuple[Node, ...], index: int) -> Node:
    """Return the node at a position; EvaluationError where there are fewer."""
    if not 0 <= index < len(nodes):
        raise EvaluationError(f"number {index} of {len(nodes)} inputs or outputs")
    return nodes[index]


def dim_of(node: Node, dim: int) -> int:
    """Return one dim of a node's output."""
    if not 0 <= dim < len(node.shape):
        raise EvaluationError(f"dim {dim} of a node of rank {len(node.shape)}")
    return node.shape[dim]


def tensor(node: Node) -> TensorSpec:
    """Return the spec of a tensor; EvaluationError for a shape."""
    if node.is_shape:
        raise EvaluationError(f"{node.name} is a shape and has no dtype")
    return node.spec


_Named = Annotated[Expr, Parameter("tag", frozenset({ExprKind.NODE}), as_written)]


@function
def BOUND(env: Env, tag: _Named) -> bool:
    """The match has bound this tag of an alternative. Example: `SELECT(BOUND("B"), "B", "X")`"""
    return next(tags_in(tag)) in env.bindings


@function
def INPUT_OF(node: Node, index: int) -> Node:
    """The input at an index of the op that makes the node. Example: `INPUT_OF("C", 1)`"""
    return at(node.inputs, index)


@function
def OUTPUT_OF(node: Node, index: int) -> Node:
    """The output at an index of the op that makes the node. Example: `OUTPUT_OF("G", 1)`"""
    return at(node.outputs, index)


@function
def RANK_OF(node: Node) -> Size:
    """The number of dims. Example: `EQ(RANK_OF("X"), 4)`"""
    return len(node.shape)


@function
def DIM_OF(node: Node, dim: int) -> Size:
    """The size of a dim. Example: `DIM_OF("X", 3)`"""
    return dim_of(node, dim)


@function
def STEPSIZE_OF(node: Node) -> float:
    """The scale of the quantisation; 1 where there is none. Example: `STEPSIZE_OF("X")`"""
    quant = tensor(node).quant
    return quant.scale if quant else 1.0


@function
def ZERO_OFFSET_OF(node: Node) -> int:
    """The zero point of the quantisation; 0 where there is none. Example: `ZERO_OFFSET_OF("X")`"""
    quant = tensor(node).quant
    return quant.zero_point if quant else 0


@function
def DTYPE_OF(node: Node) -> DType:
    """The dtype. Example: `EQ(DTYPE_OF("X"), DTYPE_OF("*"))`"""
    return tensor(node).dtype


@function
def ELEMENTSIZE_OF(node: Node) -> Size:
    """Bytes of one element. Example: `ELEMENTSIZE_OF("X")`"""
    return tensor(node).dtype.itemsize


@function
def INPUTS_OF(node: Node) -> Size:
    """The number of inputs of the op that makes the node. Example: `GT(INPUTS_OF("*"), 3)`"""
    return len(node.inputs)


@function
def OUTPUTS_OF(node: Node) -> Size:
    """The number of outputs of the op that makes the node. Example: `EQ(OUTPUTS_OF("G"), 2)`"""
    return len(node.outputs)


@function
def SAME_ENCODING(a: Node, b: Node) -> bool:
    """One dtype and, if quantised, one quantisation. Example: `SAME_ENCODING("*", "X")`"""
    return tensor(a).same_encoding(tensor(b))


@function
def SAME_QUANT(a: Node, b: Node) -> bool:
    """One quantisation. Example: `SAME_QUANT("*", "X")`"""
    return tensor(a).quant == tensor(b).quant


@function
def SAME_SHAPE(a: Node, b: Node) -> bool:
    """Equal dims. Example: `SAME_SHAPE("*", "X")`"""
    return a.shape == b.shape


@function
def SAME_OP(a: Node, b: Node) -> bool:
    """The two references are one node. Example: `SAME_OP("A", INPUT_OF("C", 0))`"""
    return a == b


@function
def PRODUCER_FOR(env: Env, node: Node, name: str) -> bool:
    """An op of this name reads the node; `*Output` is the graph's end.

    Example: `PRODUCER_FOR("*", "Relu")`
    """
    return resolve(name, env.package) in node.consumers
