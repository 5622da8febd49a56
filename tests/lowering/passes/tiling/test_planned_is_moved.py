"""The bytes that a plan says are those that move, also where the TCM is scarce."""

from collections.abc import Callable

import pytest
from htp_mlir.dialects.qti_aisw.choices import BufferMode
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.tiling.plan_tiles import collecting_plans
from htp_mlir.lowering.passes.traffic import traffic
from xdsl.ir import SSAValue

from tests.support.graph import Graph, Model, u8

SAME = {"stride": (1, 1), "pad_amount": (1, 1, 1, 1)}


def residual() -> Model:
    """Two convolutions with a skip around them, after one."""
    graph = Graph()
    x = graph.op("Conv2d", graph.input(1, 49, 49, 3), graph.weights(3, 3, 3, 24), **SAME)
    y = x
    for _ in range(2):
        y = graph.op("Relu", graph.op("Conv2d", y, graph.weights(3, 3, 24, 24), **SAME))
    graph.give("out", graph.op("ElementWiseAdd", x, y))
    return graph.model()


def bottleneck() -> Model:
    """Wide, depthwise, narrow: what lies between is four times as deep."""
    graph = Graph()
    x = graph.op("Conv2d", graph.input(1, 56, 56, 16), graph.weights(1, 1, 16, 96))
    x = graph.op("Relu", graph.op("DepthWiseConv2d", x, graph.weights(3, 3, 1, 96), **SAME))
    graph.give("out", graph.op("Conv2d", x, graph.weights(1, 1, 96, 16)))
    return graph.model()


def lstm(inputs: int, hidden: int) -> Model:
    """An LSTM over 20 steps."""
    graph = Graph()
    weights = [graph.weights(1, 4 * hidden, n) for n in (inputs, hidden)]
    outputs = graph.ops("Lstm", graph.input(20, 1, inputs), *weights, hidden_size=hidden)
    graph.give("out", outputs[0])
    return graph.model()


def recurrent() -> Model:
    """An LSTM whose recurrent weights take 256 KiB."""
    return lstm(64, 128)


def wide_recurrent() -> Model:
    """An LSTM whose weights of the input are larger than the TCM, which may stay in main memory."""
    return lstm(512, 32)


def gated() -> Model:
    """An image that is scaled by what its mean gives, and a product of that."""
    graph = Graph()
    x = graph.op(
        "Relu", graph.op("Conv2d", graph.input(1, 19, 19, 16), graph.weights(1, 1, 16, 192))
    )
    mean = graph.op("ReduceMean", x, axes=(1, 2), keep_dims=True)
    gate = graph.op("Sigmoid", graph.op("Conv2d", mean, graph.weights(1, 1, 192, 192)))
    scaled = graph.op("ElementWiseMultiply", x, gate)
    graph.give("out", graph.op("Conv2d", scaled, graph.weights(1, 1, 192, 24)))
    return graph.model()


def averaged() -> Model:
    """A mean over an image, whose parts are summed as they are made."""
    graph = Graph()
    x = graph.op("Conv2d", graph.input(1, 33, 33, 24), graph.weights(3, 3, 24, 96), **SAME)
    mean = graph.op("ReduceMean", graph.op("Relu", x), axes=(1, 2), keep_dims=True)
    graph.give("out", graph.op("Conv2d", mean, graph.weights(1, 1, 96, 120)))
    return graph.model()


def pair_of_products(rows: int, depth: int, hidden: int) -> Model:
    """Two matrix products with a skip around them; what is between them does not fit."""
    graph = Graph()
    x = graph.input(1, 1, rows, depth)
    inner = graph.op("Gelu", graph.op("FullyConnected", x, graph.weights(hidden, depth)))
    product = graph.op("FullyConnected", inner, graph.weights(depth, hidden))
    graph.give("out", graph.op("ElementWiseAdd", x, product))
    return graph.model()


def feed_forward() -> Model:
    """Products of weights that are larger than the rows."""
    return pair_of_products(128, 256, 1024)


def long_feed_forward() -> Model:
    """Products of many rows, for each part of which the weights are read again."""
    return pair_of_products(260, 64, 256)


def dense() -> Model:
    """Three convolutions, each of all that came before it."""
    graph = Graph()
    x, channels = graph.input(1, 28, 28, 24), 24
    for _ in range(3):
        y = graph.op("Conv2d", x, graph.weights(3, 3, channels, 16), **SAME)
        x, channels = graph.op("Concat", [x, graph.op("Relu", y)], axis=3), channels + 16
    graph.give("out", x)
    return graph.model()


def streaming() -> Model:
    """A buffer of 64 frames, which is kept from inference to inference."""
    graph = Graph()
    params = {"buffer_size": 64, "buffer_dim": 1, "mode": BufferMode.NON_BLOCKING_LEFT}
    frames = graph.op("Buffer", graph.input(1, 1, 64), **params)
    graph.give("out", graph.op("Relu", frames))
    return graph.model()


def heads() -> Model:
    """Attention of 4 heads, taken from products by other shapes and axes in another order."""
    graph = Graph()
    x = graph.input(128, 256)

    def head(axes: tuple[int, ...]) -> SSAValue:
        product = graph.op("FullyConnected", x, graph.weights(256, 256))
        split = graph.op("Reshape", product, shape=(1, 128, 4, 64))
        return graph.op("Transpose", split, perm=axes)

    scores = graph.op("MatMul", head((0, 2, 1, 3)), head((0, 2, 3, 1)))
    mixed = graph.op("MatMul", graph.op("Softmax", scores), head((0, 2, 1, 3)))
    merged = graph.op("Transpose", mixed, perm=(0, 2, 1, 3))
    flat = graph.op("Reshape", merged, shape=(128, 256))
    graph.give("out", graph.op("FullyConnected", flat, graph.weights(256, 256)))
    return graph.model()


def quantised() -> Model:
    """A convolution on an image that is quantised on the way in: tiles of it stay in TCM."""
    graph = Graph()
    image = graph.op("Quantize", graph.input(1, 160, 160, 3), out=u8(), to=u8())
    x = graph.op("Conv2d", image, graph.weights(3, 3, 3, 8, of=u8()), out=u8(0.2), **SAME)
    graph.give("out", graph.op("Dequantize", graph.op("Relu", x)))
    return graph.model()


def over_time() -> Model:
    """A convolution over 600 steps with a skip: in croutons seven rows of eight would be empty."""
    graph = Graph()
    x = graph.op("Relu", graph.input(1, 1, 600, 36))
    causal = {"stride": (1, 1), "pad_amount": (0, 0, 2, 2), "dilation": (1, 2)}
    y = graph.op("Relu", graph.op("Conv2d", x, graph.weights(1, 3, 36, 36), **causal))
    graph.give("out", graph.op("ElementWiseAdd", y, x))
    return graph.model()


def temporal() -> Model:
    """Two dilated convolutions over time, each with a skip around it."""
    graph = Graph()
    x = graph.op("Relu", graph.input(1, 1, 300, 40))
    for dilation in (1, 2):
        causal = {
            "stride": (1, 1),
            "pad_amount": (0, 0, 2 * dilation, 0),
            "dilation": (1, dilation),
        }
        y = graph.op("Conv2d", x, graph.weights(1, 3, 40, 40), **causal)
        x = graph.op("ElementWiseAdd", graph.op("Relu", y), x)
    graph.give("out", x)
    return graph.model()


def attention() -> Model:
    """Attention of two heads, whose keys come with their axes in the other order."""
    graph = Graph()
    scores = graph.op("MatMul", graph.input(1, 2, 96, 64), graph.input(1, 2, 64, 96))
    mixed = graph.op("MatMul", graph.op("Softmax", scores), graph.input(1, 2, 96, 64))
    graph.give("out", mixed)
    return graph.model()


def channels_first() -> Model:
    """A convolution whose input comes, and whose output goes, with the channels in front."""
    graph = Graph()
    x = graph.op("Transpose", graph.input(1, 16, 40, 40), perm=(0, 2, 3, 1))
    x = graph.op("Relu", graph.op("Conv2d", x, graph.weights(3, 3, 16, 24), **SAME))
    graph.give("out", graph.op("Transpose", x, perm=(0, 3, 1, 2)))
    return graph.model()


def two_outputs() -> Model:
    """An image of half the side that is repeated and joined, and an output of each side."""
    graph = Graph()
    x = graph.op("Conv2d", graph.input(1, 40, 40, 16), graph.weights(3, 3, 16, 32), **SAME)
    halved = {"stride": (2, 2), "pad_amount": (1, 1, 1, 1)}
    small = graph.op("Relu", graph.op("Conv2d", x, graph.weights(3, 3, 32, 48), **halved))
    joined = graph.op("Concat", [x, graph.op("Resize", small, size=(40, 40))], axis=3)
    large = graph.op("Relu", graph.op("Conv2d", joined, graph.weights(3, 3, 80, 32), **SAME))
    graph.give("large", graph.op("Conv2d", large, graph.weights(1, 1, 32, 21)))
    graph.give("small", graph.op("Conv2d", small, graph.weights(1, 1, 48, 21)))
    return graph.model()


def mixed_channels() -> Model:
    """A layer whose channels are put into another order, between two of the same."""
    graph = Graph()
    x = graph.op("Conv2d", graph.input(1, 28, 28, 24), graph.weights(3, 3, 24, 48), **SAME)
    turned = graph.op("Transpose", graph.op("Reshape", x, shape=(784, 2, 24)), perm=(0, 2, 1))
    mixed = graph.op("Reshape", turned, shape=(1, 28, 28, 48))
    graph.give("out", graph.op("Conv2d", mixed, graph.weights(3, 3, 48, 48), **SAME))
    return graph.model()


def forked() -> Model:
    """Two branches, of whose joined channels tiles of rows are read."""
    graph = Graph()
    x = graph.op("Relu", graph.input(1, 26, 26, 32))
    one = graph.op("Conv2d", x, graph.weights(1, 1, 32, 40))
    three = graph.op("Conv2d", x, graph.weights(3, 3, 32, 40), **SAME)
    joined = graph.op("Concat", [graph.op("Relu", one), graph.op("Relu", three)], axis=3)
    graph.give("out", graph.op("Conv2d", joined, graph.weights(1, 1, 80, 32)))
    return graph.model()


def scaled() -> Model:
    """An image that is scaled by what its mean gives: no stripe of it can run by itself."""
    graph = Graph()
    x = graph.op("Conv2d", graph.input(1, 20, 20, 24), graph.weights(1, 1, 24, 144))
    mean = graph.op("ReduceMean", graph.op("Relu", x), axes=(1, 2), keep_dims=True)
    gate = graph.op("Sigmoid", graph.op("Conv2d", mean, graph.weights(1, 1, 144, 144)))
    product = graph.op("ElementWiseMultiply", graph.op("Relu", x), gate)
    graph.give("out", graph.op("Conv2d", product, graph.weights(1, 1, 144, 32)))
    return graph.model()


def normalised() -> Model:
    """A norm of 100 rows, which are no whole chunks, and a product that reads all of them."""
    graph = Graph()
    x = graph.input(1, 1, 100, 192)
    norm = graph.op("LayerNorm", x, graph.weights(192), graph.weights(192), axes=(3,))
    product = graph.op("FullyConnected", norm, graph.weights(192, 192))
    graph.give("out", graph.op("ElementWiseAdd", x, product))
    return graph.model()


def over_65_steps() -> Model:
    """A convolution over 65 steps, of which croutons have seven empty rows of eight."""
    graph = Graph()
    causal = {"stride": (1, 1), "pad_amount": (0, 0, 1, 1)}
    x = graph.op("Conv2d", graph.input(1, 1, 65, 60), graph.weights(1, 3, 60, 164), **causal)
    graph.give("out", graph.op("Relu", x))
    return graph.model()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "kib"),
    [
        (residual, 256),
        (bottleneck, 96),
        (bottleneck, 256),
        (recurrent, 96),
        (recurrent, 256),
        (wide_recurrent, 96),
        (gated, 104),
        (averaged, 250),
        (averaged, 751),
        (long_feed_forward, 65),
        (long_feed_forward, 120),
        (feed_forward, 600),
        (feed_forward, 1024),
        (streaming, 256),
        (heads, 192),
        (heads, 256),
        (quantised, 64),
        (over_time, 280),
        (temporal, 40),
        (temporal, 153),
        (temporal, 588),
        (attention, 173),
        (attention, 221),
        (channels_first, 107),
        (channels_first, 242),
    ],
)
def test_what_is_planned_moves(build: Callable[[], Model], kib: int) -> None:
    with collecting_plans() as plans:
        lowered = lower(build().module, tcm_bytes=kib << 10)
    (plan,) = plans.values()
    assert plan.bytes == pytest.approx(traffic(lowered).bytes, rel=0.02)


def test_all_that_runs_is_planned() -> None:
    """What a join of the results is cut into runs none of them: three layers moved nothing."""
    with collecting_plans() as plans:
        lowered = lower(dense().module, tcm_bytes=153 << 10)
    (plan,) = plans.values()
    assert plan.bytes == pytest.approx(traffic(lowered).bytes, rel=0.1)


def test_an_image_is_averaged_where_it_is_made() -> None:
    """The image, its weights and little else move; the result of the convolution stays in TCM."""
    model = averaged()
    moved = traffic(lower(model.module, tcm_bytes=250 << 10)).bytes
    image, filters, last = 33 * 33 * 24 * 4, 9 * 24 * 96 * 4, 96 * 120 * 4
    assert moved < 2 * image + filters + last + (64 << 10)


@pytest.mark.slow
def test_more_tcm_moves_no_more() -> None:
    """Estimates with padding differ from what moves: each nest of dims is tried."""
    sizes = (64, 72, 80, 88, 96, 104)
    moved = [traffic(lower(over_65_steps().module, tcm_bytes=kib << 10)).bytes for kib in sizes]
    assert moved == sorted(moved, reverse=True)


def test_scratch_is_that_of_the_kernel_that_runs() -> None:
    """A mask that main memory has as well is not read there, where another kernel would take it."""
    lowered = lower(attention().module, tcm_bytes=106 << 10)
    lowered.verify()
