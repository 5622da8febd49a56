"""Tiles that leave for main memory as they are made: where they are joined, and the numbers."""

import pytest
from htp_mlir.dialects.attributes import DRAINED, IN_PLACE
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import LayoutKind, Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model

SHAPE = (1, 64, 32, 32)
TCM = 1 << 16


def across() -> Model:
    """A convolution, whose tiles are rows, and a search of all rows, whose tiles are columns."""
    graph = Graph()
    image, filters = graph.input(*SHAPE), graph.weights(3, 3, 32, 32)
    rows = graph.op("Conv2d", image, filters, pad_amount=(1, 1, 1, 1))
    graph.give("y", graph.op("Argmax", rows, axis=1))
    return graph.model()


def joins(module: ModuleOp) -> list[Operation]:
    """The joins of all that the convolution makes."""
    concats = [op for op in module.walk() if op.name == "htp.Concat"]
    return [op for op in concats if spec_of(op.results[0]).shape == SHAPE]


@pytest.mark.one_per("level")
@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_the_numbers_stay_at_every_level(level: str) -> None:
    model = across()
    feeds = model.feeds(0)
    lowered = lower(model.module, tcm_bytes=TCM, level=level)
    (joined,) = joins(lowered)
    assert (DRAINED in joined.attributes) == (level != "allocated")
    outputs = Session(lowered, check=True).run(feeds)
    assert_same(outputs, Session(model.module).run(feeds), tolerance=1e-5)


def test_what_is_drained_moves_out_and_in_once() -> None:
    """No tile is spilled: it is written to its place in the join, and read from there."""
    lowered = lower(across().module, tcm_bytes=TCM)
    (joined,) = joins(lowered)
    place = spec_of(joined.results[0]).place
    assert place is not None
    assert (place.layout, place.memory) == (LayoutKind.FLAT, Memory.DDR)
    assert IN_PLACE in joined.attributes
    assert not [op for op in lowered.walk() if op.name in ("htp.Spill", "htp.Fill")]
    # The input with its halos, all rows out and in, and the filters.
    size = spec_of(joined.results[0]).nbytes
    assert traffic(lowered).bytes < 3.8 * size
