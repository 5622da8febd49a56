"""Stripes around strips: what lies between convolutions of a large image never leaves TCM."""

import pytest
from htp_mlir.dialects.attributes import IN_PLACE
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.tiling.plan_tiles import collecting_plans
from htp_mlir.lowering.passes.traffic import least_traffic, traffic
from htp_mlir.runtime import Session

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model

TCM = 184 << 10


def convolutions(size: int, depth: int, joined: bool) -> Model:
    """Three convolutions of 3 x 3; the last one reads both others, joined, or the second alone."""
    graph = Graph()
    image = graph.input(1, size, size, depth)
    same = {"stride": (1, 1), "pad_amount": (1, 1, 1, 1)}
    first = graph.op("Conv2d", image, graph.weights(3, 3, depth, depth), **same)
    second = graph.op("Conv2d", first, graph.weights(3, 3, depth, depth), **same)
    both = graph.op("Concat", [first, second], axis=3) if joined else second
    last = graph.weights(3, 3, depth * (1 + joined), depth)
    graph.give("out", graph.op("Conv2d", both, last, **same))
    return graph.model()


@pytest.mark.slow
@pytest.mark.parametrize("joined", [False, True])
def test_every_stripe_makes_its_halos_anew(joined: bool) -> None:
    model = convolutions(96, 16, joined)
    with collecting_plans() as plans:
        lowered = lower(model.module, tcm_bytes=TCM)
    (plan,) = plans.values()
    segment = max(plan.segments, key=lambda each: len(each.ops))
    cut = [op.tiles for op in segment.ops if op.tiles]
    assert [len(tiles) for tiles in cut] == [1, 1, 2]
    # The plan is what moves, but for biases and bounds; halos cost less than an image.
    moved = traffic(lowered).bytes
    assert plan.bytes == pytest.approx(moved, rel=0.01)
    assert moved < 1.6 * least_traffic(lowered)
    # Blocks of blocks of the result are written where they belong.
    joins = [
        op for op in lowered.walk() if op.name == "htp.Concat" and "ddr" in str(op.results[0].type)
    ]
    assert joins
    assert all(IN_PLACE in op.attributes for op in joins)
    feeds = model.feeds(0)
    expected = Session(model.module).run(feeds)
    assert_same(Session(lowered, check=True).run(feeds), expected)
