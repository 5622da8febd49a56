"""Resize in tiles: every mode, any ratio, up and down; fewer bytes move than from main memory."""

from __future__ import annotations

import pytest
from htp_mlir.lowering import lower
from htp_mlir.runtime import Session

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model

NEAREST, LINEAR, CUBIC = 0, 1, 2
TCM = 1 << 17


def resized(size: tuple[int, int], interpolation: int, place: int) -> Model:
    graph = Graph()
    params = {"interpolation_mode": interpolation, "transformation_mode": place}
    graph.give("out", graph.op("Resize", graph.input(1, 24, 20, 32), size=size, **params))
    return graph.model()


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
