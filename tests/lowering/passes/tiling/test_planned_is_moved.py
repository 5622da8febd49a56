"""The bytes that a plan says are those that move, also where the TCM is scarce."""

from collections.abc import Callable

import pytest
from htp_mlir.dialects.qti_aisw.choices import BufferMode
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.tiling.plan_tiles import collecting_plans
from htp_mlir.lowering.passes.traffic import least_traffic, traffic
from htp_mlir.lowering.planner.allocation.step_list import STEP
from xdsl.ir import SSAValue

from tests.support.graph import Graph, Model, u8
from tests.support.small_networks import SMALL

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


def feed_forward() -> Model:
    """Two matrix products with a skip around them; what is between them does not fit."""
    graph = Graph()
    x = graph.input(1, 1, 128, 256)
    hidden = graph.op("Gelu", graph.op("FullyConnected", x, graph.weights(1024, 256)))
    product = graph.op("FullyConnected", hidden, graph.weights(256, 1024))
    graph.give("out", graph.op("ElementWiseAdd", x, product))
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


def over_65_steps() -> Model:
    """A convolution over 65 steps, of which croutons have seven empty rows of eight."""
    graph = Graph()
    causal = {"stride": (1, 1), "pad_amount": (0, 0, 1, 1)}
    x = graph.op("Conv2d", graph.input(1, 1, 65, 60), graph.weights(1, 3, 60, 164), **causal)
    graph.give("out", graph.op("Relu", x))
    return graph.model()


SIZES = {
    "attention, turned keys": (83, 94, 135, 173, 221),
    "averaged": (250, 751),
    "branches": (107, 173, 1084),
    "channels first": (107, 242),
    "feed-forward": (40,),
    "feed-forward, long": (65, 120),
    "forked": (73, 665),
    "gated": (140, 221, 407),
    "grouped": (173,),
    "mirrored": (119, 200),
    "mixed channels": (51, 173),
    "normalised": (106,),
    "over time": (40, 153, 588),
    "pre-activated": (173,),
    "skipped": (40,),
    "two outputs": (135, 173, 360),
}
"""KiB of the TCM at which these networks moved something else than was planned."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "kib"),
    [
        *(
            pytest.param(SMALL[name], kib, id=f"{name}-{kib}")
            for name, sizes in SIZES.items()
            for kib in sizes
        ),
        (residual, 256),
        (bottleneck, 96),
        (bottleneck, 256),
        (recurrent, 96),
        (recurrent, 256),
        (wide_recurrent, 96),
        (gated, 112),
        (feed_forward, 600),
        (feed_forward, 1024),
        (streaming, 256),
        (heads, 192),
        (heads, 256),
        (quantised, 64),
        (over_time, 280),
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
        lowered = lower(SMALL["dense, joined"]().module, tcm_bytes=153 << 10)
    (plan,) = plans.values()
    assert plan.bytes == pytest.approx(traffic(lowered).bytes, rel=0.1)


def test_an_image_is_averaged_where_it_is_made() -> None:
    """The image, its weights and little else move; the result of the convolution stays in TCM."""
    moved = traffic(lower(SMALL["averaged"]().module, tcm_bytes=250 << 10)).bytes
    image, filters, last = 33 * 33 * 24 * 4, 9 * 24 * 96 * 4, 96 * 120 * 4
    assert moved < 2 * image + filters + last + (64 << 10)


def test_inputs_are_joined_in_tcm() -> None:
    """No op makes them where they are joined: in main memory each would be read and written."""
    graph = Graph()
    parts = [graph.input(1, depth, 40, 40) for depth in (16, 32)]
    x = graph.op("Transpose", graph.op("Concat", parts, axis=1), perm=(0, 2, 3, 1))
    graph.give("out", graph.op("Relu", graph.op("Conv2d", x, graph.weights(1, 1, 48, 8))))
    module = graph.model().module
    least = least_traffic(lower(module, level="native"))
    assert traffic(lower(module)).bytes < 1.01 * least


def test_mirrored_margins_go_along_in_step() -> None:
    """Rows and columns of the image itself around it do not end a chain of tiles."""
    moved = traffic(lower(SMALL["mirrored"]().module, tcm_bytes=152 << 10)).bytes
    image, filters, result = 48 * 48 * 3 * 4, 9 * (3 + 8) * 32 * 4, 48 * 48 * 8 * 4
    assert moved < 1.2 * (image + filters + result)


@pytest.mark.slow
def test_more_tcm_moves_no_more() -> None:
    """Estimates with padding differ from what moves: each nest of dims is tried."""
    sizes = (64, 72, 80, 88, 96, 104)
    moved = [traffic(lower(over_65_steps().module, tcm_bytes=kib << 10)).bytes for kib in sizes]
    assert moved == sorted(moved, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "less", "more"), [("resized", 195, 221), ("mixed channels", 319, 360)]
)
def test_more_room_moves_no_more(name: str, less: int, more: int) -> None:
    """Plans that differ by less than a step weighs are as good."""
    before, after = (
        traffic(lower(SMALL[name]().module, tcm_bytes=kib << 10)).bytes for kib in (less, more)
    )
    assert after < before + STEP


def test_scratch_is_that_of_the_kernel_that_runs() -> None:
    """A mask that main memory has as well is not read there, where another kernel would take it."""
    lowered = lower(SMALL["attention, turned keys"]().module, tcm_bytes=106 << 10)
    lowered.verify()
