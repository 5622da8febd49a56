"""A block of a diffusion model: norms of groups, and attention of its pixels to some words.

Every tensor of the image takes all of the TCM. It is read for the mean, for the variance and for
the result of a norm; from there to the sum behind the attention rows of pixels stay in TCM.
"""

import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.tiling.plan_tiles import collecting_plans
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.runtime import Session
from xdsl.ir import SSAValue

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model

SIDE, CHANNELS, GROUPS, HEADS, WORDS = 32, 64, 8, 4, 20
IMAGE = SIDE * SIDE * CHANNELS * 4


def mean(graph: Graph, x: SSAValue) -> SSAValue:
    """Of the group of each channel, for each channel."""
    each = CHANNELS // GROUPS
    means = graph.op("ReduceMean", x, axes=(1, 2), keep_dims=True)
    groups = graph.op("Reshape", means, shape=(1, GROUPS, each))
    of_groups = graph.op("ReduceMean", groups, axes=(2,), keep_dims=True)
    again = graph.op("Tile", of_groups, multiples=(1, 1, each))
    return graph.op("Reshape", again, shape=(1, 1, 1, CHANNELS))


def normalised(graph: Graph, x: SSAValue) -> SSAValue:
    centre = mean(graph, x)
    variance = mean(graph, graph.op("ElementWiseSquaredDifference", x, centre))
    factor = graph.op("ElementWiseRsqrt", variance)
    return graph.op("ElementWiseMultiply", graph.op("ElementWiseSubtract", x, centre), factor)


def heads(graph: Graph, x: SSAValue, count: int, depth: int) -> SSAValue:
    product = graph.op("FullyConnected", x, graph.weights(CHANNELS, depth))
    split = graph.op("Reshape", product, shape=(1, count, HEADS, CHANNELS // HEADS))
    return graph.op("Transpose", split, perm=(0, 2, 1, 3))


def block() -> Model:
    graph = Graph()
    same = {"stride": (1, 1), "pad_amount": (1, 1, 1, 1)}
    words, pixels = graph.input(WORDS, 48), SIDE * SIDE
    x = graph.op("Conv2d", graph.input(1, SIDE, SIDE, 4), graph.weights(3, 3, 4, CHANNELS), **same)
    tokens = graph.op("Reshape", normalised(graph, x), shape=(pixels, CHANNELS))
    # Queries come first, as exporters write them.
    parts = [
        heads(graph, tokens, pixels, CHANNELS),
        *(heads(graph, words, WORDS, 48) for _ in "kv"),
    ]
    mixed = graph.op("Transpose", graph.op("Attention", *parts), perm=(0, 2, 1, 3))
    joined = graph.op("Reshape", mixed, shape=(pixels, CHANNELS))
    product = graph.op("FullyConnected", joined, graph.weights(CHANNELS, CHANNELS))
    after = graph.op("Reshape", product, shape=(1, SIDE, SIDE, CHANNELS))
    total = graph.op("ElementWiseAdd", x, after)
    graph.give("out", graph.op("Conv2d", total, graph.weights(3, 3, CHANNELS, 4), **same))
    return graph.model()


def test_an_image_is_read_for_each_pass_over_it_alone() -> None:
    with collecting_plans() as plans:
        lowered = lower(block().module, tcm_bytes=IMAGE)
    (plan,) = plans.values()
    moved = traffic(lowered).bytes
    assert moved == pytest.approx(plan.bytes, rel=1e-3)
    # Written and read three times, then the sum is written and read, with halos.
    assert moved < 6.5 * IMAGE


@pytest.mark.slow
@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_the_numbers_stay_at_every_level(level: str) -> None:
    model = block()
    lowered = lower(model.module, tcm_bytes=IMAGE, level=level)
    feeds = model.feeds(0)
    outputs = Session(lowered, check=True).run(feeds)
    assert_same(outputs, Session(model.module).run(feeds), tolerance=1e-4)
