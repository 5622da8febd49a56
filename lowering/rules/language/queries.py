"""What rules ask about nodes: inputs, dims, encoding, comparison, consumers."""

from __future__ import annotations

from ....dialects.value.spec import TensorSpec
from ..graph.env import Env
from ..graph.graph import Node
from ..graph.names import resolve
from ..graph.types import EvaluationError, Kind, Value
from ..tree.expr import Call
from ..tree.function import INTEGER, NODE, TEXT, Function, strict


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


INPUT_OF = Function(
    "INPUT_OF",
    (NODE, INTEGER),
    Kind.NODE,
    strict(_inputs),
    doc='The input at an index of the op that makes the node. Example: `INPUT_OF("C", 1)`',
)
OUTPUT_OF = Function(
    "OUTPUT_OF",
    (NODE, INTEGER),
    Kind.NODE,
    strict(_outputs),
    doc='The output at an index of the op that makes the node. Example: `OUTPUT_OF("G", 1)`',
)

RANK_OF = Function(
    "RANK_OF",
    (NODE,),
    Kind.SIZE,
    strict(lambda node: len(node.shape)),
    doc='The number of dims. Example: `EQ(RANK_OF("X"), 4)`',
)
DIM_OF = Function(
    "DIM_OF",
    (NODE, INTEGER),
    Kind.SIZE,
    strict(dim_of),
    doc='The size of a dim. Example: `DIM_OF("X", 3)`',
)
STEPSIZE_OF = Function(
    "STEPSIZE_OF",
    (NODE,),
    Kind.FLOAT,
    strict(_step_size),
    doc='The scale of the quantisation; 1 where there is none. Example: `STEPSIZE_OF("X")`',
)
ZERO_OFFSET_OF = Function(
    "ZERO_OFFSET_OF",
    (NODE,),
    Kind.INT,
    strict(_zero_offset),
    doc=(
        'The zero point of the quantisation; 0 where there is none. Example: `ZERO_OFFSET_OF("X")`'
    ),
)
DTYPE_OF = Function(
    "DTYPE_OF",
    (NODE,),
    Kind.DTYPE,
    strict(lambda node: tensor(node).dtype),
    doc='The dtype. Example: `EQ(DTYPE_OF("X"), DTYPE_OF("*"))`',
)
ELEMENTSIZE_OF = Function(
    "ELEMENTSIZE_OF",
    (NODE,),
    Kind.SIZE,
    strict(lambda node: tensor(node).dtype.itemsize),
    doc='Bytes of one element. Example: `ELEMENTSIZE_OF("X")`',
)
INPUTS_OF = Function(
    "INPUTS_OF",
    (NODE,),
    Kind.SIZE,
    strict(lambda node: len(node.inputs)),
    doc='The number of inputs of the op that makes the node. Example: `GT(INPUTS_OF("*"), 3)`',
)
OUTPUTS_OF = Function(
    "OUTPUTS_OF",
    (NODE,),
    Kind.SIZE,
    strict(lambda node: len(node.outputs)),
    doc=('The number of outputs of the op that makes the node. Example: `EQ(OUTPUTS_OF("G"), 2)`'),
)

SAME_ENCODING = Function(
    "SAME_ENCODING",
    (NODE, NODE),
    Kind.BOOL,
    strict(_same_encoding),
    doc='One dtype and, if quantised, one quantisation. Example: `SAME_ENCODING("*", "X")`',
)
SAME_QUANT = Function(
    "SAME_QUANT",
    (NODE, NODE),
    Kind.BOOL,
    strict(_same_quant),
    doc='One quantisation. Example: `SAME_QUANT("*", "X")`',
)
SAME_SHAPE = Function(
    "SAME_SHAPE",
    (NODE, NODE),
    Kind.BOOL,
    strict(lambda a, b: a.shape == b.shape),
    doc='Equal dims. Example: `SAME_SHAPE("*", "X")`',
)
SAME_OP = Function(
    "SAME_OP",
    (NODE, NODE),
    Kind.BOOL,
    strict(lambda a, b: a == b),
    doc='The two references mean one node. Example: `SAME_OP("A", INPUT_OF("C", 0))`',
)

PRODUCER_FOR = Function(
    "PRODUCER_FOR",
    (NODE, TEXT),
    Kind.BOOL,
    _has_consumer,
    doc=(
        "An op of this name reads the node; `*Output` is the graph's end. Example: "
        '`PRODUCER_FOR("*", "Relu")`'
    ),
)
