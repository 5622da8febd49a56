"""The scratch that the tiling planner is told of: that of the kernel for a tile's tensors."""

import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.packages.packages import Packages
from htp_mlir.lowering.passes.allocation.does_not_fit import smallest_tile, tensors_in_tcm
from htp_mlir.lowering.passes.tiling.tile_program import TileReader
from htp_mlir.lowering.planner.tiling import TilingOp

from tests.support.graph import F16, F32, Element, Graph

H, W = 1, 2
ROOM = 1 << 30
TABLES = Packages().tables


def attentions(of: Element = F32, queries: int = 512) -> Graph:
    """Two layers of attention with the same tensors, and a Relu."""
    graph = Graph()
    q = graph.input(1, 4, queries, 64, of=of)
    k, v = (graph.input(1, 4, 512, 64, of=of) for _ in range(2))
    first = graph.op("Attention", q, k, v)
    graph.give("y", graph.op("Relu", graph.op("Attention", first, k, v)))
    return graph


def seen(graph: Graph) -> list[TilingOp]:
    """What the planner is told of the ops."""
    (block,) = bodies(lower(graph.model().module, level="native", tcm_bytes=ROOM))
    reader = TileReader(TABLES)
    for op in block.ops:
        reader.read(op)
    return [op for op in reader.program().ops if op.name != "htp.Reshape"]


@pytest.mark.slow
@pytest.mark.parametrize("of", [F32, F16])
def test_smaller_tiles_need_less(of: Element) -> None:
    """Of f16, too, scores are f32. A block has 128 queries and 256 keys at most."""
    op, *_ = seen(attentions(of))
    block = 4 * (128 * 256 * 5 // 4 + 128 * 132)
    assert op.scratch_bytes({}) == op.scratch_bytes({H: 2}) == block
    assert op.scratch_bytes({H: 1, W: 64}) < op.scratch_bytes({H: 1, W: 256}) < block


@pytest.mark.slow
def test_ops_of_the_same_tensors_are_priced_once() -> None:
    first, second, relu = seen(attentions())
    assert first.scratch is not None
    assert first.scratch == second.scratch
    assert first.scratch != seen(attentions(queries=256))[0].scratch
    assert relu.scratch is None


def test_the_smallest_tile_of_an_op_that_does_not_fit_has_its_own_scratch() -> None:
    placed = lower(attentions().model().module, level="placed", tcm_bytes=ROOM)
    op = next(op for op in placed.walk() if op.name == "htp.Attention")
    sizes = dict(smallest_tile(op, tensors_in_tcm(op), TABLES, 2048).sizes)
    assert sizes["'q'"] == 2048
    assert sizes["scratch"] == 2048 * 8
