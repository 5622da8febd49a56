"""Ops that do not fit the TCM: named with the bytes that they need, which are enough."""

import pytest
from htp_mlir.dialects.attributes import DEFAULT_PLACEMENT
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.checks.check_level import TooLarge, too_large, warnings
from xdsl.dialects.builtin import ModuleOp

from tests.support.graph import Graph
from tests.support.lowered_spotter import lowered_spotter
from tests.support.paths import SPOTTER_MODEL

TABLES = installed().tables


@pytest.fixture(scope="module")
def crowded() -> ModuleOp:
    return lowered_spotter(12 << 10)


def test_every_op_from_main_memory_is_counted(crowded: ModuleOp) -> None:
    rows = too_large(crowded, TABLES)
    marked = sum(DEFAULT_PLACEMENT in op.attributes for op in crowded.walk())
    assert sum(row.count for row in rows) == marked > 0
    assert [row.need for row in rows] == sorted((row.need for row in rows), reverse=True)
    assert all(row.need > 12 << 10 for row in rows)


@pytest.mark.slow
def test_the_advised_size_is_enough_and_the_next_smaller_need_is_not(crowded: ModuleOp) -> None:
    first, second, *_ = too_large(crowded, TABLES)
    enough, less = (lower(load_module(SPOTTER_MODEL), tcm_bytes=n.need) for n in (first, second))
    assert warnings(enough, TABLES) == []
    assert first.op in {row.op for row in too_large(less, TABLES)}


def test_the_warning_is_a_line_for_each_op_and_a_remedy(crowded: ModuleOp) -> None:
    rows = too_large(crowded, TABLES)
    lines = warnings(crowded, TABLES)
    assert len(lines) == len(rows) + 1
    assert f"{rows[0].need} bytes of TCM, there are 12288" in lines[0]
    assert lines[-1] == f"  give tcm-bytes={rows[0].need} at least, and all of them fit"


def test_tiles_and_whole_ops_are_told_apart() -> None:
    assert TooLarge("htp.Relu", 1, 6).text(4).startswith("runs from main memory: it needs 6 bytes")
    assert TooLarge("htp.Relu", 3, 6).text(None).startswith("3 tiles of it run")


def test_a_tcm_without_room_for_a_chunk_is_refused_unless_allowed() -> None:
    graph = Graph()
    graph.give("y", graph.op("Relu", graph.input(1, 8, 8, 32)))
    module = graph.model().module
    with pytest.raises(HtpError, match="less than the 2048 of one chunk"):
        lower(module, tcm_bytes=2047)
    assert too_large(lower(module, tcm_bytes=2047, allow_reference=True), TABLES)
