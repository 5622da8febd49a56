"""The tile table follows from access maps; no op is left out of it by mistake."""

import pytest
from htp_mlir.dialects.htp import CORE_OF, NATIVE_OPS
from htp_mlir.dialects.htp.access import Number
from htp_mlir.dialects.htp.ops.copies import CopyOp
from htp_mlir.dialects.htp.ops.rnn import RecurrentOp
from htp_mlir.dialects.value.spec import Memory
from htp_mlir.lowering.patterns.properties import PROPERTIES
from htp_mlir.lowering.patterns.tile_table import IN_EITHER, ROWS, D, H, W

IN_DDR = {
    *("Conv2d_valid", "ReluMinMax"),
    *("ConvLayer.opt.im2col_stride2", "ConvLayer.opt.weights_for_im2col"),
}
"""Ops without tensor properties: those that rules replace or fold."""


@pytest.mark.parametrize("name", sorted(NATIVE_OPS.keys() - CORE_OF.keys()))
def test_every_op_has_properties_or_stays_in_ddr(name: str) -> None:
    without = name in IN_DDR or issubclass(NATIVE_OPS[name], CopyOp)
    assert (name not in PROPERTIES) == without, f"{name}: give it a row in properties.py"


@pytest.mark.parametrize("name", sorted(PROPERTIES))
def test_every_op_with_its_result_in_tcm_is_cut(name: str) -> None:
    uncut = issubclass(NATIVE_OPS[name], RecurrentOp)
    in_tcm = PROPERTIES[name].memory("*") is Memory.TCM or name in IN_EITHER
    assert (f"htp.{name}" in ROWS) == (in_tcm and not uncut), f"{name}: state its ACCESS"


def test_a_window_is_cut_with_its_halo() -> None:
    row = ROWS["htp.ConvLayer_valid"]
    height, width, depth, batch = row.cuts
    (rows,) = height.follows.values()
    assert (rows.dim, rows.index.by, rows.taps) == (H, Number("stride", 1), Number("weights", 0))
    assert (height.windows, width.windows, depth.windows) == (True, True, False)
    assert {name: follow.dim for name, follow in depth.follows.items()} == {"weights": 3, "bias": 3}
    assert batch.follows.keys() == {"act"}


def test_tiles_begin_where_what_an_index_is_divided_by_begins() -> None:
    assert ROWS["htp.TransposeConvLayer_valid"].cuts[0].strides == (Number("stride", 1),)
    assert ROWS["htp.ConvLayer_valid"].cuts[0].strides == ()


def test_a_sum_is_cut_where_all_factors_have_it() -> None:
    summed = ROWS["htp.FullyConnected.clamp"].sums[0]
    assert summed.dims == {"in": D, "weights": D}
    assert (summed.plain, summed.once, summed.then) == ("FullyConnected", "bias", "Clamp")
    assert summed.params == ("min", "max")
    assert ROWS["htp.DepthwiseConvLayer_valid"].sums == ()
    assert ROWS["htp.MaxPool_valid"].sums == ()


def test_what_is_read_along_an_axis_is_not_cut_there() -> None:
    assert [cut.dim for cut in ROWS["htp.Softmax"].cuts] == [H, W, 0]


def test_distances_count_from_the_start_of_a_tile_of_rows() -> None:
    """Attention is cut by batches, heads and queries; a query keeps all of its keys."""
    batch, heads, queries = ROWS["htp.Attention"].cuts
    assert [cut.dim for cut in (batch, heads, queries)] == [0, H, W]
    assert heads.follows.keys() == {"q", "k", "v", "mask"}
    assert queries.follows.keys() == {"q", "mask"}
    assert (heads.counted, queries.counted) == ((), ("first", "last"))
