"""Small native graphs of element-wise ops."""

from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.patterns.properties import ELEMENTWISE
from xdsl.dialects.builtin import ModuleOp

from tests.support.native_graph import NativeGraph

COMPARISONS = {"Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual"}
LOGIC = {"And", "Or", "Xor", "Not"}
BIG = (3, 17, 17, 65)
"""More than one chunk along every dim, none of them whole."""


def binary(name: str, *dims: int, logic: bool = False, compares: bool = False) -> ModuleOp:
    """name(x, y) with y broadcast along height."""
    graph = NativeGraph()
    spec = TensorSpec(dims, DType.Bool8 if logic else DType.Float32)
    x = graph.input(spec=spec)
    y = graph.input(spec=spec.with_shape((dims[0], 1, *dims[2:])))
    out = spec.with_dtype(DType.Bool8) if compares else spec
    return graph.module(graph.op(name, x, y, out=out))


def unary(name: str, *dims: int, logic: bool = False) -> ModuleOp:
    """name(x)."""
    graph = NativeGraph()
    spec = TensorSpec(dims, DType.Bool8 if logic else DType.Float32)
    return graph.module(graph.op(name, graph.input(spec=spec)))


def select(name: str, *dims: int) -> ModuleOp:
    """Select of two tensors by a third, which is broadcast along height."""
    graph = NativeGraph()
    condition = graph.input(spec=TensorSpec((dims[0], 1, *dims[2:]), DType.Bool8))
    a, b = graph.input(*dims), graph.input(*dims)
    return graph.module(graph.op(name, condition, a, b, out=a))


def elementwise(name: str) -> ModuleOp:
    """An element-wise op of one, two or three large tensors."""
    if name == "Select":
        return select(name, *BIG)
    if len(ELEMENTWISE[name]) == 1:
        return unary(name, *BIG, logic=name in LOGIC)
    return binary(name, *BIG, logic=name in LOGIC, compares=name in COMPARISONS)


def clamped(name: str, *dims: int) -> ModuleOp:
    """A clamp with bounds that bite."""
    graph = NativeGraph()
    out = graph.op(name, graph.input(*dims), graph.scalar(-0.25), graph.scalar(0.5))
    return graph.module(out)


def bias_on(side: int) -> ModuleOp:
    """An Add of a constant per channel, on either side."""
    graph = NativeGraph()
    operands = [graph.input(1, 4, 3, 8), graph.random(8)]
    return graph.module(
        graph.op("Add", *(operands if side == 0 else operands[::-1]), out=operands[0])
    )


def by_scalar(name: str) -> ModuleOp:
    """name(x, 0.5)."""
    graph = NativeGraph()
    return graph.module(graph.op(name, graph.input(*BIG), graph.scalar(0.5)))


def by_channel(name: str) -> ModuleOp:
    """name(x, y) with one number of each further operand for each channel."""
    graph = NativeGraph()
    numbers = [graph.random(65) for _ in NATIVE_OPS[name].OPERANDS[1:]]
    return graph.module(graph.op(name, graph.input(*BIG), *numbers))
