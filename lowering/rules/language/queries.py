"""Queries about nodes: inputs, dims, encoding, layout, comparison, consumers; and shorthands."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from ....dialects.diagnostics import fail, listed
from ....dialects.value import LAYOUTS, DType, LayoutKind, TensorSpec, round_up
from ..graph.env import Env
from ..graph.graph import EvaluationError, ExprKind, Node, Value, convert, resolve
from ..tree.expr import Expr, Literal, tags_in
from ..tree.function import Call, Function, Parameter, Size, as_written, function
from .operators import AND


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


def _is(name: str, *dtypes: DType) -> Function:
    def test(node: Node) -> bool:
        return not node.is_shape and node.spec.dtype in dtypes

    known = " or ".join(dtype.name for dtype in dtypes)
    return function(test, name, f'The dtype is {known}. Example: `{name}("X")`')


def _all(test: Function) -> Callable[..., Call]:
    """Make the conjunction of a test over any number of nodes, short for an AND of tests."""
    return lambda *nodes: AND(*map(test, nodes))


def _dim(name: str, dim: int) -> Function:
    def size(node: Node) -> Size:
        return dim_of(node, dim)

    return function(size, name, f'The size of dim {dim}. Example: `EQ({name}("X"), 1)`')


def _option(name: str, kind: ExprKind) -> Function:
    def value(env: Env, option: str) -> Value:
        number = env.options.value(option)
        return bool(number) if kind is ExprKind.BOOL else convert(number, kind)

    doc = f'A graph option, as {kind.value}. Example: `{name}("tile_height")`'
    return function(value, name, doc, kind)


CLASS_LAYOUTS: dict[str, tuple[LayoutKind, int]] = {
    "QUint8CroutonTensor": (LayoutKind.CROUTON, 1),
    "Bool8CroutonTensor": (LayoutKind.CROUTON, 1),
    "QInt8CroutonTensor": (LayoutKind.CROUTON, 1),
    "QUint16CroutonTensor": (LayoutKind.CROUTON, 2),
    "QInt16CroutonTensor": (LayoutKind.CROUTON, 2),
    "F16CroutonTensor": (LayoutKind.CROUTON, 2),
    "Int32CroutonTensor": (LayoutKind.CROUTON, 4),
    "QInt32CroutonTensor": (LayoutKind.CROUTON, 4),
    "FloatCroutonTensor": (LayoutKind.CROUTON, 4),
    **{
        name: (LayoutKind.FLAT, size)
        for name, size in (
            ("PlainFloatTensor", 4),
            ("PlainFloat16Tensor", 2),
            ("QuantUint8Tensor", 1),
            ("QuantInt8Tensor", 1),
            ("QuantUint16Tensor", 2),
            ("QuantInt16Tensor", 2),
            ("QuantInt32Tensor", 4),
            ("Int32Tensor", 4),
            ("Int64Tensor", 8),
            ("Bool8Tensor", 1),
        )
    },
}
"""Layout family and element size in bytes of the tensor classes; `_TCM` makes no difference."""


IS_QUINT8 = _is("IS_QUINT8", DType.QUInt8)
IS_QINT8 = _is("IS_QINT8", DType.QInt8)
IS_QUINT16 = _is("IS_QUINT16", DType.QUInt16)
IS_QINT16 = _is("IS_QINT16", DType.QInt16)
IS_QINT32 = _is("IS_QINT32", DType.QInt32)
IS_INT32 = _is("IS_INT32", DType.Int32)
IS_FLOAT16 = _is("IS_FLOAT16", DType.Float16)
IS_FLOAT32 = _is("IS_FLOAT32", DType.Float32)
IS_FLOAT = _is("IS_FLOAT", DType.Float32)
IS_QUANT_TYPE = _is("IS_QUANT_TYPE", *(dtype for dtype in DType if dtype.is_quantized))

CONJUNCTIONS = {
    f"{test.name}_ALL": _all(test)
    for test in (
        *(IS_QUINT8, IS_QINT8, IS_QUINT16, IS_QINT16, IS_QINT32, IS_INT32),
        *(IS_FLOAT16, IS_FLOAT32, IS_FLOAT, IS_QUANT_TYPE),
    )
}
"""C++ shorthands, as `IS_FLOAT32_ALL("X", "Y")`, each for the AND of a test of every node."""

DIM_BATCHES, DIM_FILTHEIGHT = _dim("DIM_BATCHES", 0), _dim("DIM_FILTHEIGHT", 0)
DIM_HEIGHT, DIM_FILTWIDTH = _dim("DIM_HEIGHT", 1), _dim("DIM_FILTWIDTH", 1)
DIM_WIDTH, DIM_FILTDEPTH = _dim("DIM_WIDTH", 2), _dim("DIM_FILTDEPTH", 2)
DIM_DEPTH, DIM_NFILTS = _dim("DIM_DEPTH", 3), _dim("DIM_NFILTS", 3)


@function
def IS_SCALAR(node: Node) -> bool:
    """Every dim is 1. Example: `IS_SCALAR("B")`"""
    return all(n == 1 for n in node.shape)


@function
def IS_SHAPE_1x1x1xd(node: Node) -> bool:
    """Four dims, the first three of them 1. Example: `IS_SHAPE_1x1x1xd("B")`"""
    return len(node.shape) == 4 and node.shape[:3] == (1, 1, 1)


OPTION_INT = _option("OPTION_INT", ExprKind.INT)
OPTION_UINT = _option("OPTION_UINT", ExprKind.SIZE)
OPTION_BOOL = _option("OPTION_BOOL", ExprKind.BOOL)
OPTION_FLOAT = _option("OPTION_FLOAT", ExprKind.FLOAT)
TCM_MAXTENSOR_SIZE = OPTION_UINT("tcm_size_for_tiling")
TILE_HEIGHT = OPTION_UINT("tile_height")
CHANNEL_SPLIT_SIZE = Literal(256, ExprKind.INT)


@function
def ESTIMATE_TENSOR_SIZE(env: Env, node: Node) -> Size:
    """Bytes of a tensor whose height is rounded up to tile_height, its rows to 8 bytes, its depth
    to 32.

    Example: `LT(ESTIMATE_TENSOR_SIZE("*"), TCM_MAXTENSOR_SIZE)`
    """
    if len(node.shape) != 4:
        raise EvaluationError("ESTIMATE_TENSOR_SIZE needs a node of rank 4")
    batches, height, width, depth = node.shape
    size = tensor(node).dtype.itemsize
    rows = round_up(height, env.options.tile_height)
    return batches * rows * round_up(width * size, 8) * round_up(depth, 32)


@function
def LAYOUT_CHUNKSIZE(class_name: str, dim: int) -> Size:
    """The size of a tensor class's chunk along a dim.

    Example: `LAYOUT_CHUNKSIZE("QUint8CroutonTensor", 1)`
    """
    key = CLASS_LAYOUTS.get(class_name.removesuffix("_TCM"))
    if key is None:
        known = listed(class_name, CLASS_LAYOUTS)
        raise fail(f"LAYOUT_CHUNKSIZE of '{class_name}'", "unknown tensor class", known)
    if not 0 <= dim < 4:
        raise EvaluationError(f"dim {dim} of a tensor of rank 4")
    return LAYOUTS[key].chunk[dim]


@function
def MESSAGE(env: Env, text: str) -> bool:
    """Prints the text and holds. Example: `MESSAGE("got here")`"""
    env.report(text)
    return True


@function
def MESSAGE_IF(env: Env, condition: bool, text: str) -> bool:
    """Prints the text where the condition holds; gives the condition.

    Example: `MESSAGE_IF(IS_FLOAT32("X"), "found")`
    """
    if condition:
        env.report(text)
    return condition


@function
def MESSAGE_IFNOT(env: Env, condition: bool, text: str) -> bool:
    """Prints the text where the condition does not hold; gives the condition.

    Example: `MESSAGE_IFNOT(IS_FLOAT32("X"), "found")`
    """
    if not condition:
        env.report(text)
    return condition


@partial(function, result=lambda kinds: kinds[0])
def MESSAGE_VALUE(env: Env, value: Value, text: str) -> Value:
    """Prints the text and the value; gives the value.

    Example: `GT(MESSAGE_VALUE(DIM_DEPTH("X"), "depth "), 32)`
    """
    shown = value.name if isinstance(value, DType | Node) else value
    env.report(f"{text}{shown}")
    return value
