"""What rules ask about nodes: inputs, dims, encoding, comparison, consumers."""

from __future__ import annotations

from ...dialects.spec import TensorSpec
from .env import Env
from .expr import Call
from .function import INTEGER, NODE, TEXT, Function, strict
from .graph import Node
from .names import resolve
from .types import EvaluationError, Kind, Value


def at(nodes: tuple[Node, ...], index: int) -> Node:
    """The node at a position; EvaluationError where there are fewer."""
    if not 0 <= index < len(nodes):
        raise EvaluationError(f"number {index} of {len(nodes)} inputs or outputs")
    return nodes[index]


def dim_of(node: Node, dim: int) -> int:
    """One dim of a node's output."""
    if not 0 <= dim < len(node.shape):
        raise EvaluationError(f"dim {dim} of a node of rank {len(node.shape)}")
    return node.shape[dim]


def tensor(node: Node) -> TensorSpec:
    """The spec of a node that is a tensor and no shape."""
    if node.is_shape:
        raise EvaluationError(f"{node.name} is a shape and has no dtype")
    return node.spec


def _step_size(node: Node) -> float:
    quant = tensor(node).quant
    return quant.scale if quant else 1.0


def _zero_offset(node: Node) -> int:
    quant = tensor(node).quant
    return quant.zero_point if quant else 0


def _same_encoding(a: Node, b: Node) -> bool:
    return tensor(a).same_encoding(tensor(b))


def _same_quant(a: Node, b: Node) -> bool:
    return tensor(a).quant == tensor(b).quant


def _has_consumer(env: Env, call: Call) -> Value:
    node, name = (arg.evaluate(env) for arg in call.args)
    if not isinstance(node, Node):
        raise TypeError(f"{call.args[0]} is no node")
    return resolve(str(name), env.package) in node.consumers


def _inputs(node: Node, index: int) -> Node:
    return at(node.inputs, index)


def _outputs(node: Node, index: int) -> Node:
    return at(node.outputs, index)


INPUT_OF = Function("INPUT_OF", (NODE, INTEGER), Kind.NODE, strict(_inputs))
OUTPUT_OF = Function("OUTPUT_OF", (NODE, INTEGER), Kind.NODE, strict(_outputs))

RANK_OF = Function("RANK_OF", (NODE,), Kind.SIZE, strict(lambda node: len(node.shape)))
DIM_OF = Function("DIM_OF", (NODE, INTEGER), Kind.SIZE, strict(dim_of))
STEPSIZE_OF = Function("STEPSIZE_OF", (NODE,), Kind.FLOAT, strict(_step_size))
"""1 where the node is not quantised."""
ZERO_OFFSET_OF = Function("ZERO_OFFSET_OF", (NODE,), Kind.INT, strict(_zero_offset))
"""0 where the node is not quantised."""
DTYPE_OF = Function("DTYPE_OF", (NODE,), Kind.DTYPE, strict(lambda node: tensor(node).dtype))
ELEMENTSIZE_OF = Function(
    "ELEMENTSIZE_OF", (NODE,), Kind.SIZE, strict(lambda node: tensor(node).dtype.itemsize)
)
INPUTS_OF = Function("INPUTS_OF", (NODE,), Kind.SIZE, strict(lambda node: len(node.inputs)))
OUTPUTS_OF = Function("OUTPUTS_OF", (NODE,), Kind.SIZE, strict(lambda node: len(node.outputs)))

SAME_ENCODING = Function("SAME_ENCODING", (NODE, NODE), Kind.BOOL, strict(_same_encoding))
SAME_QUANT = Function("SAME_QUANT", (NODE, NODE), Kind.BOOL, strict(_same_quant))
SAME_SHAPE = Function(
    "SAME_SHAPE", (NODE, NODE), Kind.BOOL, strict(lambda a, b: a.shape == b.shape)
)
SAME_OP = Function("SAME_OP", (NODE, NODE), Kind.BOOL, strict(lambda a, b: a == b))
"""The two references mean one node."""

PRODUCER_FOR = Function("PRODUCER_FOR", (NODE, TEXT), Kind.BOOL, _has_consumer)
