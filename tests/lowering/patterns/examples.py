"""Small native graphs, one per family of rules; together they let every rule fire alone."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from htp_mlir.dialects.attributes import MADE_ANEW, TILE_PLAN
from htp_mlir.dialects.htp import CORE_OF, NATIVE_OPS
from htp_mlir.dialects.htp.base import inferred
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.patterns.properties import ELEMENTWISE, POOLS
from htp_mlir.lowering.patterns.tile_table import RETYPED
from htp_mlir.lowering.planner.tiling.tilings import Windows
from htp_mlir.lowering.rules.language.tile_plan import plan_attr, windows_attr
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.native_graph import NativeGraph

from .pointwise_examples import (
    BIG,
    COMPARISONS,
    LOGIC,
    bias_on,
    binary,
    by_channel,
    by_scalar,
    clamped,
    elementwise,
    select,
    unary,
)
from .product_examples import attention, big_matmul, coded, codes, dense, half_biased
from .raw_examples import (
    large_pool,
    matmul,
    patches,
    raw_convolution,
    raw_pool,
    raw_resize,
    raw_shuffle,
    raw_slices,
    raw_transposed,
    spaced_convolution,
    turned,
    windowed,
)
from .view_examples import VIEWS


def slices_and_concats() -> ModuleOp:
    """A slice of a slice, a slice of everything, a Concat of a Concat."""
    graph = NativeGraph()
    x, axis = graph.input(1, 9, 4, 6), graph.ints(1)
    part = graph.op(
        "Slice_shape", x, graph.shape(0, 2, 0, 0), graph.shape(1, 6, 4, 6), out=(1, 6, 4, 6)
    )
    half = graph.op(
        "Slice_shape", part, graph.shape(0, 3, 1, 0), graph.shape(1, 3, 3, 6), out=(1, 3, 3, 6)
    )
    same = graph.op("Slice_shape", half, graph.shape(0, 0, 0, 0), graph.shape(1, 3, 3, 6))
    inner = graph.op("Concat", axis, same, half, out=spec_of(half).with_shape((1, 6, 3, 6)))
    tile = graph.op(
        "Slice_shape",
        inner,
        graph.shape(0, 4, 0, 2),
        graph.shape(1, 2, 3, 4),
        out=spec_of(half).with_shape((1, 2, 3, 4)),
    )
    outer = graph.op("Concat", axis, inner, half, out=spec_of(half).with_shape((1, 9, 3, 6)))
    return graph.module(outer, tile)


def paddings() -> ModuleOp:
    """Tiles of a padded Concat of tiles: rows of two parts, of one with padding, and columns."""
    graph = NativeGraph()
    axis, value = graph.ints(1), graph.scalar(0.5)
    parts = [graph.input(1, rows, 4, 6) for rows in (3, 3, 2)]
    joined = graph.op("Concat", axis, *parts, out=spec_of(parts[0]).with_shape((1, 8, 4, 6)))
    before, start, size = graph.shape(0, 1, 2, 0), graph.shape(0, 0, 0, 0), (1, 10, 8, 6)
    padded = graph.op("SlicePad_shape", joined, before, start, graph.shape(*size), value, out=size)
    tiles = [
        graph.op("Slice_shape", padded, graph.shape(0, row, column, 0), graph.shape(*out), out=out)
        for row, column, out in [(3, 0, (1, 4, 8, 6)), (7, 0, (1, 3, 8, 6)), (1, 2, (1, 8, 4, 6))]
    ]
    narrow = graph.shape(0, 2, 0, 0), graph.shape(0, 0, 0, 0), graph.shape(1, 5, 4, 6)
    top = graph.op("SlicePad_shape", joined, *narrow, value, out=(1, 5, 4, 6))
    whole = graph.shape(0, 2, 0, 0), graph.shape(1, 5, 4, 6)
    rows = graph.op("Slice_shape", joined, *whole, out=(1, 5, 4, 6))
    edge = graph.shape(0, 0, 1, 0), graph.shape(0, 0, 0, 0), graph.shape(1, 5, 3, 6)
    side = graph.op("SlicePad_shape", rows, *edge, value, out=(1, 5, 3, 6))
    return graph.module(*tiles, top, side)


def made_anew() -> ModuleOp:
    """Readers of blocks that overlap: slices, also of a join, a padding, a slice of a padding."""
    graph = NativeGraph()
    windows, rows = Windows(2, ((0, 7), (5, 12))), (1, 4)
    x, axis = graph.input(*rows, 12, 6), graph.ints(2)
    parts: list[SSAValue] = []
    for (low, high), (first, last) in zip(windows.spans, windows.parts, strict=True):
        size, own = (*rows, high - low, 6), (*rows, last - first, 6)
        block = graph.op("Slice_shape", x, graph.shape(0, 0, low, 0), graph.shape(*size), out=size)
        begin = graph.shape(0, 0, first - low, 0)
        parts.append(
            graph.op("Slice_shape", graph.op("Neg", block), begin, graph.shape(*own), out=own)
        )
    joined = graph.op("Concat", axis, *parts, out=x)
    joined.owner.attributes[MADE_ANEW] = windows_attr(windows)
    last, start = (*rows, 7, 6), graph.shape(0, 0, 5, 0)
    part = graph.op("Slice_shape", joined, start, graph.shape(*last), out=last)
    twice, depth = spec_of(x).with_shape((*rows, 12, 12)), graph.ints(3)
    both = graph.op("Concat", depth, joined, graph.op("Neg", joined), out=twice)
    wide = (*rows, 7, 12)
    parts = [part, graph.op("Slice_shape", both, start, graph.shape(*wide), out=wide)]
    before, origin, value = graph.shape(0, 1, 1, 0), graph.shape(0, 0, 0, 0), graph.scalar(0.5)
    size = (1, 6, 7, 6)
    left = graph.op("SlicePad_shape", joined, before, origin, graph.shape(*size), value, out=size)
    whole, size = (1, 6, 14, 6), (1, 6, 8, 6)
    padded = graph.op(
        "SlicePad_shape", joined, before, origin, graph.shape(*whole), value, out=whole
    )
    start = graph.shape(0, 0, 6, 0)
    return graph.module(
        *parts, left, graph.op("Slice_shape", padded, start, graph.shape(*size), out=size)
    )


def unpadded() -> ModuleOp:
    """A SlicePad_shape that takes away as much in front as it pads."""
    graph = NativeGraph()
    x, one = graph.input(1, 8, 4, 6), graph.shape(0, 1, 0, 0)
    from_two = graph.shape(0, 2, 1, 0), graph.shape(1, 7, 3, 6), graph.scalar(0.5)
    return graph.module(graph.op("SlicePad_shape", x, one, *from_two, out=(1, 7, 3, 6)))


def padded_twice() -> ModuleOp:
    """A padding of columns around one of rows."""
    graph = NativeGraph()
    value, tall, whole = graph.scalar(0.5), (1, 10, 4, 6), (1, 9, 6, 6)
    above = graph.shape(0, 1, 0, 0), graph.shape(0, 0, 0, 0), graph.shape(*tall)
    rows = graph.op("SlicePad_shape", graph.input(1, 8, 4, 6), *above, value, out=tall)
    beside = graph.shape(0, 0, 1, 0), graph.shape(0, 1, 0, 0), graph.shape(*whole)
    return graph.module(graph.op("SlicePad_shape", rows, *beside, value, out=whole))


def layer(name: str, *scalars: float, dims: tuple[int, ...]) -> ModuleOp:
    """A valid convolution with bias and, for a fused form, its clamp."""
    graph = NativeGraph()
    depthwise, filters, taps = name.startswith("Depthwise"), 65, 3
    x = graph.input(*dims)
    weights = graph.random(
        taps, taps, 1 if depthwise else dims[3], dims[3] if depthwise else filters
    )
    depth = dims[3] if depthwise else filters
    operands = [x, weights, graph.shape(1, 1, 1, 1), graph.random(depth, seed=9)]
    operands += [graph.scalar(value) for value in scalars]
    return graph.module(graph.op(name, *operands, out=(*BIG[:3], depth)))


def transposed() -> ModuleOp:
    """A transposed convolution whose windows lie side by side."""
    graph = NativeGraph()
    operands = [graph.input(3, 9, 10, 40), graph.random(2, 2, 40, 65), graph.shape(1, 2, 2, 1)]
    bias = graph.random(65, seed=9)
    return graph.module(graph.op("TransposeConvLayer_valid", *operands, bias, out=(3, 18, 20, 65)))


def stored(graph: NativeGraph, *dims: int) -> SSAValue:
    """Weights of int8, with a scale for each output."""
    data = np.random.default_rng(7).integers(-127, 128, dims)
    scales = tuple(0.005 * (1 + index) for index in range(dims[3]))
    return graph.const(data, TensorSpec(dims, DType.QInt8, Quant(scales, (0,) * dims[3], 3)))


def fused(first: str, then: str, *, quantised: bool = False) -> ModuleOp:
    """A layer (or FullyConnected) followed by what the fusion rules take into it."""
    graph = NativeGraph()
    x = graph.input(1, 6, 5, 8)
    if first == "FullyConnected":
        product = graph.op(first, x, graph.random(8, 8), graph.random(8, seed=3))
    elif first == "CodedFullyConnected":
        product = graph.op(first, x, *codes(graph, 8, 8), graph.random(8, seed=3))
    else:
        depthwise = first.startswith("Depthwise")
        dims = (3, 3, 1 if depthwise else 8, 8)
        weights = stored(graph, *dims) if quantised else graph.random(*dims)
        operands = [x, weights, graph.shape(1, 1, 1, 1)]
        operands += [] if first == "Conv2d_valid" else [graph.random(8, seed=3)]
        product = graph.op(first, *operands, out=(1, 4, 3, 8))
    extra = {
        "BiasAdd": lambda: [graph.random(8, seed=4)],
        "Batchnorm": lambda: [graph.random(8, seed=4), graph.random(8, seed=5)],
        "Clamp": lambda: [graph.scalar(-0.25), graph.scalar(0.5)],
    }.get(then, list)()
    return graph.module(graph.op(then, product, *extra))


def stem() -> ModuleOp:
    """A quantised stride-2 convolution of three channels into 32."""
    graph = NativeGraph()
    act = TensorSpec((1, 9, 11, 3), DType.QUInt8, Quant((0.05,), (128,)))
    weights = TensorSpec((3, 3, 3, 32), DType.QUInt8, Quant((0.02,), (120,)))
    out = TensorSpec((1, 4, 5, 32), DType.QUInt8, Quant((0.1,), (100,)))
    data = np.random.default_rng(1).integers(0, 256, weights.shape)
    bias = TensorSpec((1, 1, 1, 32), DType.QInt32, Quant((0.001,), (0,)))
    values = graph.const(np.arange(-160, 160, 10).reshape(bias.shape), bias)
    operands = [graph.input(spec=act), graph.const(data, weights), graph.shape(1, 2, 2, 1), values]
    return graph.module(graph.op("ConvLayer_valid", *operands, out=out))


def pool(name: str) -> ModuleOp:
    """A valid pool over a big tensor."""
    graph = NativeGraph()
    x, window, stride = graph.input(3, 19, 19, 65), graph.shape(1, 3, 3, 1), graph.shape(1, 1, 1, 1)
    return graph.module(graph.op(name, x, window, stride, out=BIG))


def interpolated() -> ModuleOp:
    """A big tensor made larger by a factor that is no whole number."""
    graph = NativeGraph()
    lines = graph.ints(36, 3, -1, 6, 1), graph.ints(36, 1, 0, 2, 1)
    modes = [graph.ints(mode) for mode in (1, 0, 0)]
    x = graph.input(3, 19, 19, 65)
    out = graph.op("Resize_places", x, *lines, *modes, graph.scalar(-0.75), out=(3, 36, 36, 65))
    return graph.module(out)


def repeated() -> ModuleOp:
    """Each pixel of a big tensor in blocks of 2 x 4."""
    graph = NativeGraph()
    x, factor = graph.input(3, 9, 9, 65), graph.shape(1, 2, 4, 1)
    out = graph.op("ResizeNearestNeighbor_shape", x, factor, out=(3, 18, 36, 65))
    return graph.module(out)


def shuffled(name: str, dims: tuple[int, ...], out: tuple[int, ...]) -> ModuleOp:
    """Blocks of 2 x 2 pixels of a big tensor, the first part of the depth."""
    graph = NativeGraph()
    params = [graph.shape(1, 2, 2, 1), graph.ints(0)]
    return graph.module(graph.op(name, graph.input(*dims), *params, out=out))


def along_depth(name: str) -> ModuleOp:
    """A softmax or a norm over the depth of a big tensor."""
    graph = NativeGraph()
    x, axis = graph.input(*BIG), graph.ints(3)
    if name in SOFTMAXES:
        return graph.module(graph.op(name, x, axis, graph.scalar(0.5)))
    weights = [graph.random(65), graph.random(65, seed=2)]
    return graph.module(graph.op(name, x, *weights, axis, graph.scalar(1e-5)))


def recurrent(name: str, directions: int) -> ModuleOp:
    """A layer over a sequence, whose results are all read."""
    graph = NativeGraph()
    steps, batch, inputs, hidden = 5, 2, 3, 9
    rows, states = {"Lstm": (4 * hidden, 2), "Gru": (3 * hidden, 1)}[name]
    state = (1, directions, batch, hidden)
    operands = [
        graph.input(1, steps, batch, inputs),
        *(graph.random(1, directions, rows, n, seed=n) for n in (inputs, hidden)),
        graph.random(1, 1, directions, 2 * rows),
        graph.const(np.array([5, 4], np.int32).reshape(1, 1, 1, batch)),
        *(graph.input(*state) for _ in range(states)),
        *([graph.random(1, 1, directions, 3 * hidden)] if name == "Lstm" else []),
        *(graph.ints(2 * (directions - 1)), graph.scalar(0.0), graph.ints(0)),
    ]
    layer = inferred(NATIVE_OPS[name], operands)
    graph.block.add_op(layer)
    return graph.module(*layer.results)


def retyped(name: str, dim: int) -> ModuleOp:
    """A change of type with a plan along a dim: it may run from DDR, so no size asks for tiles."""
    graph, scale = NativeGraph(), Quant((0.05,), (3,))
    x = graph.input(2, 16, 16, 64)
    coded = replace(spec_of(x), dtype=DType.QUInt8, quant=scale)
    if name == "Dequantize":
        out = graph.op(name, graph.op("Quantize", x, out=coded), out=spec_of(x))
    else:
        half = spec_of(x).with_dtype(DType.Float16)
        out = graph.op(name, x, out=coded if name == "Quantize" else half)
    out.owner.attributes[TILE_PLAN] = plan_attr([(dim, (1, 8, 8, 32)[dim])])
    return graph.module(out)


_SMALL = (1, 3, 5, 7)
_LAYERS = ("ConvLayer_valid", "DepthwiseConvLayer_valid")
SOFTMAXES, _BOUNDS = ("Softmax", "LogSoftmax"), (-0.25, 0.5)
_IMAGE = (3, 19, 19, 40)


EXAMPLES: dict[str, Callable[[], ModuleOp]] = {
    **{
        raw: partial(binary, raw, *_SMALL, logic=core in LOGIC, compares=core in COMPARISONS)
        for raw, core in CORE_OF.items()
        if len(NATIVE_OPS[raw].OPERANDS) == 2
    },
    **{
        raw: partial(unary, raw, *_SMALL, logic=core in LOGIC)
        for raw, core in CORE_OF.items()
        if len(NATIVE_OPS[raw].OPERANDS) == 1
    },
    "ElementWiseSelect": partial(select, "ElementWiseSelect", *_SMALL),
    "ReluMinMax": partial(clamped, "ReluMinMax", *_SMALL),
    "Conv2d": partial(raw_convolution, "Conv2d", (3, 2, 6, 5), (2, 4, 9, 5)),
    "DepthWiseConv2d": partial(raw_convolution, "DepthWiseConv2d", (3, 2, 1, 12), (2, 4, 9, 12)),
    "few groups": partial(spaced_convolution, "Conv2d", (1, 5, 4, 6), (3, 2, 3, 4), 1, 2),
    "many groups": partial(spaced_convolution, "Conv2d", (1, 4, 3, 128), (3, 3, 32, 128), 1, 4),
    "groups": partial(spaced_convolution, "Conv2d", (1, 4, 3, 128), (3, 3, 32, 128), 0, 4),
    "dilated": partial(spaced_convolution, "Conv2d", (1, 5, 4, 6), (3, 2, 6, 4), 1),
    "big dilated": partial(spaced_convolution, "Conv2d", (3, 21, 21, 40), (3, 3, 40, 65)),
    "depthwise dilated": partial(
        spaced_convolution, "DepthWiseConv2d", (1, 5, 4, 6), (3, 2, 1, 6), 1
    ),
    "big depthwise dilated": partial(
        spaced_convolution, "DepthWiseConv2d", (3, 21, 21, 65), (3, 3, 1, 65)
    ),
    "outer taps": partial(windowed, "Conv2d", (1, 5, 4, 6), (3, 3, 6, 4), (1, 5, 5, 5)),
    "depthwise outer taps": partial(
        windowed, "DepthWiseConv2d", (1, 1, 1, 6), (3, 3, 1, 6), (1, 1, 1, 1)
    ),
    "patches": patches,
    "TransposeConv2d": partial(raw_transposed, 2),
    "overlapping TransposeConv2d": partial(raw_transposed, 2, 3),
    "PoolMax2d": partial(raw_pool, "PoolMax2d"),
    "PoolMax2d hanging": partial(raw_pool, "PoolMax2d", hangs=True),
    "PoolAvg2d": partial(raw_pool, "PoolAvg2d"),
    "big PoolAvg2d": large_pool,
    "Resize": partial(raw_resize, 0),
    "Resize linear": partial(raw_resize, 1),
    "DepthToSpace": partial(raw_shuffle, "DepthToSpace", (2, 12, 32, 2)),
    "SpaceToDepth": partial(raw_shuffle, "SpaceToDepth", (2, 3, 2, 128)),
    "slices": raw_slices,
    "half_biased": half_biased,
    "matmul": partial(matmul, 0),
    "matmul turned": partial(matmul, 1),
    **{
        f"{name} of {directions}": partial(recurrent, name, directions)
        for name in ("Lstm", "Gru")
        for directions in (1, 2)
    },
    "tiles": slices_and_concats,
    "paddings": paddings,
    "made anew": made_anew,
    "unpadded": unpadded,
    "padded twice": padded_twice,
    "turned": turned,
    **{
        f"{first} {then}": partial(fused, first, then)
        for first in _LAYERS
        for then in ("BiasAdd", "Batchnorm", "Relu", "Clamp")
    },
    **{
        f"FullyConnected {then}": partial(fused, "FullyConnected", then)
        for then in ("BiasAdd", "Relu", "Clamp", "Gelu")
    },
    **{
        f"stored {layer} Batchnorm": partial(fused, layer, "Batchnorm", quantised=True)
        for layer in _LAYERS
    },
    "CodedFullyConnected BiasAdd": partial(fused, "CodedFullyConnected", "BiasAdd"),
    "Conv2d_valid BiasAdd": partial(fused, "Conv2d_valid", "BiasAdd"),
    "bias right": partial(bias_on, 0),
    "bias left": partial(bias_on, 1),
    "stem": stem,
    **{f"big {name}": partial(layer, name, dims=_IMAGE) for name in _LAYERS},
    **{
        f"big {name}.clamp": partial(layer, f"{name}.clamp", *_BOUNDS, dims=_IMAGE)
        for name in _LAYERS
    },
    "big TransposeConvLayer_valid": transposed,
    "big ResizeNearestNeighbor_shape": repeated,
    "big Resize_places": interpolated,
    "big DepthToSpace_shape": partial(
        shuffled, "DepthToSpace_shape", (3, 9, 9, 64), (3, 18, 18, 16)
    ),
    "big SpaceToDepth_shape": partial(
        shuffled, "SpaceToDepth_shape", (3, 34, 34, 12), (3, 17, 17, 48)
    ),
    "big CodedFullyConnected": coded,
    "big FullyConnected": partial(dense, "FullyConnected"),
    "big FullyConnected.clamp": partial(dense, "FullyConnected.clamp", *_BOUNDS),
    "big FullyConnected.gelu": partial(dense, "FullyConnected.gelu"),
    **{f"big {name}": partial(pool, name) for name in POOLS},
    **{f"big {name}": partial(elementwise, name) for name in ELEMENTWISE},
    **{
        f"planned {name}, {'BHWD'[dim]}": partial(retyped, name, dim)
        for name in RETYPED
        for dim in range(4)
    },
    **VIEWS,
    "big Clamp": partial(clamped, "Clamp", *BIG),
    **{f"big {name}": partial(by_channel, name) for name in ("BiasAdd", "Prelu", "Batchnorm")},
    **{f"big {name}": partial(by_scalar, name) for name in ("Elu", "LeakyRelu", "Swish")},
    "big MatMul": partial(big_matmul, 0),
    "big MatMul turned": partial(big_matmul, 1),
    "big Attention": partial(attention, first=-20, last=0, masked=True),
    "Attention far": partial(attention, first=5, last=9, masked=False),
    "Attention near": partial(attention, first=-3, last=-2, masked=False),
    **{f"big {name}": partial(along_depth, name) for name in (*SOFTMAXES, "LayerNorm", "RmsNorm")},
}
"""What makes each example, by its name."""
