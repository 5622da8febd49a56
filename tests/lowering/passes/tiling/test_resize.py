"""Resize in tiles: every mode, any ratio, up and down; fewer bytes move than from main memory."""

from collections.abc import Callable

import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.report.plan import plan_of
from htp_mlir.runtime import Session
from xdsl.ir import SSAValue

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model

NEAREST, LINEAR, CUBIC = 0, 1, 2
TCM = 1 << 17


def resized(size: tuple[int, int], interpolation: int, place: int) -> Model:
    graph = Graph()
    params = {"interpolation_mode": interpolation, "transformation_mode": place}
    graph.give("out", graph.op("Resize", graph.input(1, 24, 20, 32), size=size, **params))
    return graph.model()


@pytest.mark.sampled("mode", "size")
@pytest.mark.one_per("mode")
@pytest.mark.parametrize("size", [(48, 40), (37, 61), (17, 40)], ids=str)
@pytest.mark.parametrize("mode", [NEAREST, LINEAR, CUBIC])
@pytest.mark.parametrize("place", [0, 2, 3])
def test_the_numbers_stay(size: tuple[int, int], mode: int, place: int) -> None:
    model = resized(size, mode, place)
    feeds = model.feeds(0)
    lowered = lower(model.module, tcm_bytes=TCM)
    assert "htp.Resize" not in [op.name for op in lowered.walk()]
    outputs = Session(lowered, check=True).run(feeds)
    assert_same(outputs, Session(model.module).run(feeds), tolerance=1e-6)


@pytest.mark.parametrize(("mode", "rows"), [(LINEAR, 1), (CUBIC, 2)])
def test_a_tile_reads_the_rows_in_reach(mode: int, rows: int) -> None:
    """A tile of some rows reads half as many, and as many more at each side as the mode reaches."""
    lowered = lower(resized((48, 40), mode, 0).module, level="native", tcm_bytes=TCM)
    tiles = [op for op in lowered.walk() if op.name == "htp.Resize_places"]
    assert len(tiles) > 2
    for tile in tiles[1:-1]:
        written, read = (value.type.get_shape()[1] for value in (tile.results[0], tile.operands[0]))
        assert read == written // 2 + 2 * rows


def convolved(graph: Graph, image: SSAValue, depth: int, filters: int, side: int) -> SSAValue:
    pads = (side // 2,) * 4
    return graph.op("Conv2d", image, graph.weights(side, side, depth, filters), pad_amount=pads)


def between(place: int) -> Model:
    """A linear Resize of 33 rows to 65 between two convolutions."""
    graph, params = Graph(), {"interpolation_mode": LINEAR, "transformation_mode": place}
    image = convolved(graph, graph.input(1, 33, 33, 32), 32, 32, 3)
    larger = graph.op("Resize", image, size=(65, 65), **params)
    graph.give("out", convolved(graph, larger, 32, 32, 3))
    return graph.model()


def head(place: int) -> Model:
    """Scores of 21 classes made eight times as large, behind a convolution."""
    graph, params = Graph(), {"interpolation_mode": LINEAR, "transformation_mode": place}
    scores = convolved(graph, graph.input(1, 33, 33, 32), 32, 21, 1)
    larger = graph.op("Resize", scores, size=(257, 257), **params)
    graph.give("out", graph.op("Sigmoid", larger))
    return graph.model()


@pytest.mark.slow
@pytest.mark.parametrize("make", [between, head])
@pytest.mark.parametrize("place", [0, 2])
def test_any_ratio_goes_in_step_with_its_neighbours(
    make: Callable[[int], Model], place: int
) -> None:
    """What is between the ops never leaves TCM: little moves but inputs, weights and outputs."""
    model = make(place)
    lowered = lower(model.module, tcm_bytes=1 << 20)
    totals = plan_of(lowered, installed()).totals
    assert totals.moved < 1.1 * totals.least
    feeds = model.feeds(0)
    outputs = Session(lowered, check=True).run(feeds)
    assert_same(outputs, Session(model.module).run(feeds), tolerance=1e-5)


@pytest.mark.exhaustive
def test_a_coarse_ratio_may_pay_by_halves() -> None:
    """At a scarce TCM the plan with exact ratios alone moves less, and is taken."""
    lowered = lower(between(0).module, tcm_bytes=TCM)
    assert plan_of(lowered, installed()).totals.moved < 3.7e6
    feeds = between(0).feeds(0)
    outputs = Session(lowered, check=True).run(feeds)
    assert_same(outputs, Session(between(0).module).run(feeds), tolerance=1e-5)
