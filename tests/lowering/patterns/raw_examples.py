"""Graphs of raw ops, with params as operands, for the rules that make core ops of them."""

import numpy as np
from htp_mlir.dialects.spec_of import spec_of
from xdsl.dialects.builtin import ModuleOp

from tests.support.native_graph import NativeGraph


def raw_convolution(name: str, filters: tuple[int, ...], out: tuple[int, ...]) -> ModuleOp:
    """A convolution as the graph adds it: stride 2 x 1, uneven pads, bias."""
    graph = NativeGraph()
    x, weights = graph.input(2, 9, 7, 6), graph.random(*filters)
    bias, ones = graph.random(filters[3], seed=8), graph.ints(1, 1)
    pads = graph.const(np.array([[[[1, 0], [2, 1]]]], np.int32))
    params = [graph.ints(2, 1), pads, ones]
    params += [graph.ints(1)] if name == "Conv2d" else []
    return graph.module(graph.op(name, x, weights, bias, *params, out=out))


def spaced_convolution(
    name: str, act: tuple[int, ...], filters: tuple[int, ...], pad: int = 0, group: int = 1
) -> ModuleOp:
    """A convolution of two filters' distance from tap to tap, or of one in groups."""
    spacing = 1 if group > 1 else 2
    return windowed(name, act, filters, (1, spacing, pad, pad), group)


def windowed(
    name: str,
    act: tuple[int, ...],
    filters: tuple[int, ...],
    window: tuple[int, ...],
    group: int = 1,
) -> ModuleOp:
    """A convolution of stride, dilation, and padding before and after, the same in both dims."""
    graph, (stride, spacing, *pads) = NativeGraph(), window
    size = [
        (n + sum(pads) - spacing * (k - 1) - 1) // stride + 1
        for n, k in zip(act[1:3], filters, strict=False)
    ]
    around = graph.const(np.full((1, 1, 2, 2), pads, np.int32))
    params = [graph.ints(stride, stride), around, graph.ints(spacing, spacing)]
    params += [graph.ints(group)] if name == "Conv2d" else []
    operands = [graph.input(*act), graph.random(*filters), graph.random(filters[3], seed=8)]
    return graph.module(graph.op(name, *operands, *params, out=(act[0], *size, filters[3])))


def patches() -> ModuleOp:
    """A convolution of 3 x 4 windows side by side, with a row behind the last ones."""
    graph = NativeGraph()
    x, weights = graph.input(2, 7, 8, 3), graph.random(3, 4, 3, 5)
    pads = graph.const(np.zeros((1, 1, 2, 2), np.int32))
    params = [graph.random(5, seed=8), graph.ints(3, 4), pads, graph.ints(1, 1), graph.ints(1)]
    return graph.module(graph.op("Conv2d", x, weights, *params, out=(2, 2, 2, 5)))


def raw_transposed(stride: int, size: int = 2) -> ModuleOp:
    """A transposed convolution; its windows lie side by side where the stride is their size."""
    graph = NativeGraph()
    x, weights = graph.input(2, 9, 7, 6), graph.random(size, size, 6, 5)
    pads, none = graph.const(np.zeros((1, 1, 2, 2), np.int32)), graph.ints(0, 0)
    params = [graph.random(5, seed=8), graph.ints(stride, stride), pads, none, graph.ints(1)]
    out = (2, stride * 8 + size, stride * 6 + size, 5)
    return graph.module(graph.op("TransposeConv2d", x, weights, *params, out=out))


def raw_pool(name: str, hangs: bool = False) -> ModuleOp:
    """A pool as the graph adds it, with pads; its last windows may hang over."""
    graph = NativeGraph()
    x = graph.input(2, 9, 7, 6)
    pads = graph.const(np.array([[[[1, 0], [1, 1]]]], np.int32))
    params = [graph.ints(3, 3), graph.ints(2 + hangs, 1), pads, graph.ints(int(hangs))]
    params += [graph.ints(1)] if name == "PoolAvg2d" else []
    return graph.module(graph.op(name, x, *params, out=(2, 4, 7, 6)))


def large_pool() -> ModuleOp:
    """A PoolAvg2d without padding, too large for its share of the TCM along every dim."""
    graph = NativeGraph()
    x, pads = graph.input(3, 21, 21, 65), graph.const(np.zeros((1, 1, 2, 2), np.int32))
    params = [graph.ints(3, 3), graph.ints(1, 1), pads, graph.ints(0), graph.ints(0)]
    return graph.module(graph.op("PoolAvg2d", x, *params, out=(3, 19, 19, 65)))


def raw_resize(interpolation: int) -> ModuleOp:
    """Twice and four times the extent, from the left edge."""
    graph = NativeGraph()
    modes = [graph.ints(mode) for mode in (interpolation, 3, 2, 0)]
    params = [graph.ints(18, 28), *modes, graph.scalar(-0.75)]
    return graph.module(graph.op("Resize", graph.input(2, 9, 7, 6), *params, out=(2, 18, 28, 6)))


def raw_shuffle(name: str, out: tuple[int, ...]) -> ModuleOp:
    """Blocks of 2 x 4 pixels as the graph adds them, the last part of the depth."""
    graph = NativeGraph()
    params = [graph.ints(2, 4), graph.ints(1)]
    return graph.module(graph.op(name, graph.input(2, 6, 8, 16), *params, out=out))


def raw_slices() -> ModuleOp:
    """A StridedSlice of stride 1, a Pad, and a SlicePad_shape that does nothing."""
    graph = NativeGraph()
    x = graph.input(2, 9, 7, 6)
    ranges = np.array([[0, 2, 1], [1, 8, 1], [3, 7, 1], [0, 6, 1]], np.int32)
    cut = graph.op("StridedSlice", x, graph.const(ranges), out=(2, 7, 4, 6))
    amounts = np.array([[0, 0], [1, 2], [0, 3], [2, 0]], np.int32)
    padded = graph.op("Pad", cut, graph.const(amounts), graph.scalar(1.5), out=(2, 10, 7, 8))
    none, size = graph.shape(0, 0, 0, 0), graph.shape(2, 10, 7, 8)
    return graph.module(graph.op("SlicePad_shape", padded, none, none, size, graph.scalar(0.0)))


def turned() -> ModuleOp:
    """A slice of a Transpose, a padding of one, and a Transpose of joined parts."""
    graph = NativeGraph()
    x, perm, axis = graph.input(2, 9, 4, 6), graph.ints(0, 3, 1, 2), graph.ints(1)
    whole = graph.op("Transpose", x, perm, out=(2, 6, 9, 4))
    start, size = graph.shape(1, 2, 3, 0), (1, 3, 5, 4)
    part = graph.op("Slice_shape", whole, start, graph.shape(*size), out=size)
    before, origin, size = graph.shape(0, 1, 2, 0), graph.shape(0, 0, 0, 0), (2, 4, 6, 4)
    bounds = [before, origin, graph.shape(*size), graph.scalar(0.5)]
    padded = graph.op("SlicePad_shape", whole, *bounds, out=size)
    longer = spec_of(x).with_shape((2, 12, 4, 6))
    joined = graph.op("Concat", axis, x, graph.input(2, 3, 4, 6), out=longer)
    return graph.module(part, padded, graph.op("Transpose", joined, perm, out=(2, 6, 12, 4)))


def matmul(turned: int) -> ModuleOp:
    """A MatMul by constant weights."""
    graph = NativeGraph()
    x, weights = graph.input(2, 3, 5, 8), graph.random(*((6, 8) if turned else (8, 6)))
    out = graph.op("MatMul", x, weights, graph.ints(0), graph.ints(turned), out=(2, 3, 5, 6))
    return graph.module(out)
