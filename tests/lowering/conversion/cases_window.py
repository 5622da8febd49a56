"""Convolutions, pools and matrix products: strides, pads, dilation, groups, absent biases."""

from collections.abc import Callable
from functools import partial

from htp_mlir.dialects.value.dtypes import DType, Quant

from tests.support.graph import F16, I32, Graph, Model, u8

PADS = (1, 0, 2, 1)
I32_BIAS = (DType.QInt32, Quant((0.001,), (0,)))


def conv2d() -> Model:
    graph = Graph()
    x = graph.input(2, 9, 7, 6)
    w, bias = graph.weights(3, 2, 6, 4), graph.weights(4)
    give, conv = graph.give, partial(graph.op, "Conv2d")
    give("plain", conv(x, w))
    give("bias", conv(x, w, bias))
    give("strided and padded", conv(x, w, bias, stride=(2, 1), pad_amount=PADS))
    give("dilated", conv(x, w, bias, dilation=(2, 3), pad_amount=(2, 2, 2, 2)))
    give("grouped", conv(x, graph.weights(3, 2, 3, 4), group=2, stride=(1, 2)))
    give("pointwise", conv(x, graph.weights(1, 1, 6, 40)))
    give("f16", conv(graph.input(1, 5, 5, 3, of=F16), graph.weights(3, 3, 3, 4, of=F16)))
    give("weights fed", conv(graph.input(1, 5, 5, 3), graph.input(2, 2, 3, 4), graph.input(4)))
    give("then Relu", graph.op("Relu", conv(x, w, bias, pad_amount=PADS)))
    return graph.model()


def conv2d_quantised() -> Model:
    graph = Graph()
    x = graph.input(1, 9, 8, 3, of=u8())
    w, bias = graph.weights(3, 3, 3, 32, of=u8(0.02, 120)), graph.weights(32, of=I32_BIAS)
    out = u8(0.2, 100)
    graph.give("padded", graph.op("Conv2d", x, w, pad_amount=PADS, out=out))
    graph.give("stem", graph.op("Conv2d", x, w, bias, stride=(2, 2), out=out))
    return graph.model()


def depthwise() -> Model:
    graph = Graph()
    x = graph.input(2, 9, 7, 6)
    give, conv = graph.give, partial(graph.op, "DepthWiseConv2d")
    give("plain", conv(x, graph.weights(3, 2, 1, 6)))
    give("bias", conv(x, graph.weights(3, 2, 1, 6), graph.weights(6), stride=(2, 1)))
    give("multiplied", conv(x, graph.weights(3, 2, 1, 12), graph.weights(12), pad_amount=PADS))
    give("dilated", conv(x, graph.weights(3, 2, 1, 6), dilation=(2, 2)))
    quantised = graph.input(1, 5, 5, 4, of=u8())
    give(
        "u8", conv(quantised, graph.weights(3, 3, 1, 4, of=u8(0.02)), pad_amount=PADS, out=u8(0.1))
    )
    return graph.model()


def transposed() -> Model:
    graph = Graph()
    x = graph.input(2, 4, 3, 6)
    give, conv = graph.give, partial(graph.op, "TransposeConv2d")
    give("plain", conv(x, graph.weights(3, 2, 6, 4)))
    give("bias", conv(x, graph.weights(3, 2, 6, 4), graph.weights(4), stride=(2, 3)))
    give(
        "extended",
        conv(x, graph.weights(3, 3, 6, 4), stride=(2, 2), pad_amount=PADS, output_padding=(1, 1)),
    )
    give("grouped", conv(x, graph.weights(2, 2, 6, 2), group=3))
    give(
        "u8",
        conv(graph.input(1, 3, 3, 4, of=u8()), graph.weights(2, 2, 4, 3, of=u8(0.02)), out=u8(0.1)),
    )
    return graph.model()


def pool(name: str, **params: bool) -> Model:
    graph = Graph()
    x = graph.input(2, 9, 7, 6)
    give, op = graph.give, partial(graph.op, name, **params)
    give("plain", op(x, filter_size=(3, 2)))
    give("strided", op(x, filter_size=(3, 3), stride=(2, 3)))
    give("padded", op(x, filter_size=(3, 3), stride=(2, 1), pad_amount=(1, 0, 1, 1)))
    give(
        "ceil",
        op(x, filter_size=(2, 2), stride=(2, 2), pad_amount=(0, 1, 1, 0), rounding_mode=1),
    )
    give("global", op(x, filter_size=(9, 7)))
    give("u8", op(graph.input(1, 6, 6, 3, of=u8()), filter_size=(2, 3), pad_amount=(1, 0, 1, 1)))
    give("f16", op(graph.input(1, 6, 6, 3, of=F16), filter_size=(2, 3), stride=(2, 2)))
    return graph.model()


def fully_connected() -> Model:
    graph = Graph()
    w, bias = graph.weights(6, 8), graph.weights(6)
    for dims in ((8,), (3, 8), (2, 3, 8), (2, 3, 4, 8)):
        x = graph.input(*dims)
        graph.give(f"rank {len(dims)}", graph.op("FullyConnected", x, w))
        graph.give(f"bias, rank {len(dims)}", graph.op("FullyConnected", x, w, bias))
    fed = (graph.input(2, 8), graph.input(6, 8), graph.input(6))
    graph.give("weights fed", graph.op("FullyConnected", *fed))
    x = graph.input(3, 8, of=u8())
    quantised = (x, graph.weights(6, 8, of=u8(0.02)), graph.weights(6, of=I32_BIAS))
    graph.give("u8", graph.op("FullyConnected", *quantised, out=u8(0.1)))
    for then in ("Relu", "Gelu"):
        product = graph.op("FullyConnected", graph.input(3, 8), w, bias)
        graph.give(f"then {then}", graph.op(then, product))
    return graph.model()


def coded(fully_connected: bool) -> Model:
    """Codes of 4, 8 and 2 bits, with scales of rows, blocks and all."""
    graph = Graph()
    for entries, scales in ((16, (6, 2)), (256, (1, 8)), (4, (1, 1))):
        width = {256: 8, 16: 4, 4: 2}[entries]
        codes = graph.input(6, width, of=DType.UInt8, low=0, high=255)
        zeros = graph.input(1, 1, of=DType.UInt8, low=0, high=3)
        table = graph.weights(entries)
        parts = (codes, table, graph.weights(*scales), zeros)
        if fully_connected:
            out = graph.op("CodedFullyConnected", graph.input(3, 8), *parts, graph.weights(6))
        else:
            out = graph.op("DecodeWeights", *parts)
        graph.give(f"table of {entries}", out)
    return graph.model()


def matmul() -> Model:
    graph = Graph()
    give, op = graph.give, partial(graph.op, "MatMul")
    a = graph.input(2, 3, 4, 5)
    give("batches", op(a, graph.input(2, 3, 5, 6)))
    give("broadcast", op(a, graph.input(3, 5, 6)))
    give("one matrix", op(a, graph.input(5, 6)))
    give("left broadcast", op(graph.input(4, 5), graph.input(2, 3, 5, 6)))
    give("turned right", op(a, graph.input(2, 3, 6, 5), transpose_in1=True))
    give("turned left", op(graph.input(5, 4), graph.input(5, 6), transpose_in0=True))
    give(
        "turned both",
        op(graph.input(3, 5, 4), graph.input(6, 5), transpose_in0=True, transpose_in1=True),
    )
    give("weights", op(a, graph.weights(5, 6)))
    give("weights turned", op(graph.input(4, 5), graph.weights(6, 5), transpose_in1=True))
    give(
        "i32",
        op(graph.input(2, 3, of=I32, low=-9, high=9), graph.input(3, 4, of=I32, low=-9, high=9)),
    )
    give("u8", op(graph.input(3, 8, of=u8()), graph.weights(8, 4, of=u8(0.02)), out=u8(0.1)))
    return graph.model()


CASES: dict[str, Callable[[], Model]] = {
    "Conv2d": conv2d,
    "Conv2d u8": conv2d_quantised,
    "DepthWiseConv2d": depthwise,
    "TransposeConv2d": transposed,
    "PoolMax2d": partial(pool, "PoolMax2d"),
    "PoolAvg2d": partial(pool, "PoolAvg2d"),
    "PoolAvg2d counting pads": partial(pool, "PoolAvg2d", count_pad_for_edges=True),
    "FullyConnected": fully_connected,
    "DecodeWeights": partial(coded, False),
    "CodedFullyConnected": partial(coded, True),
    "MatMul": matmul,
}
"""What makes each model; the op is the first word of the key."""
