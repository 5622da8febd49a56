"""Stripes whose halos are made anew: the blocks that ops make, who finds them, and what moves."""

from dataclasses import replace
from fractions import Fraction

import pytest
from htp_mlir.lowering.planner.allocation.replay import moved_bytes
from htp_mlir.lowering.planner.tiling import (
    AccessMap,
    TileProgram,
    TilingOp,
    TilingOperand,
    TilingTensor,
)
from htp_mlir.lowering.planner.tiling.tilings import Windows, windows_of

from .expanded import expand

H, W = 1, 2
COLUMN = 4 * 64 * 32
"""Bytes of a column."""
LARGE = 1 << 26
STRIPS, BOTH = ((H, 8),), ((W, 32), (H, 8))


def layers(stride: int = 1, between: str = "op") -> TileProgram:
    """Two layers of 3 columns with padding, to 64 columns, from DDR and back."""
    first = {H: AccessMap(H), W: AccessMap(W, taps=Fraction(3), shift=1)}
    second = {**first, W: AccessMap(W, Fraction(stride), Fraction(3), 1)}
    widths = (64 * stride, 64 * stride, 64 * stride, 64)
    tensors = [
        TilingTensor((1, 64, width, 32), 4, in_ddr=at in (0, 3)) for at, width in enumerate(widths)
    ]
    same = {H: AccessMap(H), W: AccessMap(W)}
    ops = [
        TilingOp("first", (1,), (TilingOperand(0, first),), (H, W)),
        TilingOp(between, (2,), (TilingOperand(1, same),), (H, W), moves_only=between != "op"),
        TilingOp("second", (3,), (TilingOperand(2, second),), (H, W)),
    ]
    return TileProgram(tensors, ops, frozenset({3}))


def test_each_op_makes_what_a_stripe_needs() -> None:
    blocks = windows_of(layers(), 0, 3, {0: STRIPS, 1: STRIPS, 2: BOTH})
    assert blocks == dict.fromkeys((0, 1), Windows(W, ((0, 33), (31, 64))))


def test_stripes_may_end_in_front_of_ops_that_are_cut_along_fewer_dims() -> None:
    blocks = windows_of(layers(), 0, 3, {0: STRIPS, 1: BOTH, 2: STRIPS})
    assert blocks == {0: Windows(W, ((0, 32), (32, 64)))}


def test_a_stride_doubles_the_blocks() -> None:
    blocks = windows_of(layers(stride=2), 0, 3, {0: STRIPS, 1: STRIPS, 2: BOTH})
    assert blocks[1] == Windows(W, ((0, 64), (63, 128)))


@pytest.mark.parametrize(
    "cuts",
    [
        {0: STRIPS, 1: STRIPS, 2: STRIPS},
        {0: BOTH, 1: BOTH, 2: BOTH},
        {0: BOTH, 1: STRIPS, 2: BOTH},
        {2: BOTH},
    ],
    ids=["strips", "nested", "mixed", "alone"],
)
def test_elsewhere_nothing_is_made_anew(cuts: dict[int, tuple[tuple[int, int], ...]]) -> None:
    assert windows_of(layers(), 0, 3, cuts) == {}


def test_blocks_are_found_through_paddings_and_joins_alone() -> None:
    cuts = {0: STRIPS, 2: BOTH}
    assert windows_of(layers(between="htp.SlicePad_shape"), 0, 3, cuts)
    assert windows_of(layers(between="htp.Transpose"), 0, 3, cuts) == {}


def test_what_is_read_behind_the_segment_is_not_made_anew() -> None:
    program, cuts = layers(), {0: STRIPS, 1: STRIPS, 2: BOTH}
    assert windows_of(program, 0, 3, cuts)
    for kept in (1, 2):
        assert windows_of(replace(program, kept=frozenset({kept, 3})), 0, 3, cuts) == {}


def test_a_reader_takes_the_block_around_whose_middle_it_reads() -> None:
    windows = Windows(W, ((0, 33), (21, 54), (42, 64)))
    assert [windows.holding(span) for span in ((0, 33), (21, 30), (24, 33), (44, 54))] == [
        0,
        0,
        1,
        2,
    ]
    assert windows.holding((0, 34)) is None
    assert windows.parts == ((0, 27), (27, 48), (48, 64))


def test_nothing_waits_for_the_next_stripe() -> None:
    """Halos of 2 columns are read twice; between the stripes the TCM is empty."""
    program, cuts = layers(), {0: STRIPS, 1: STRIPS, 2: BOTH}
    steps = expand(program, cuts, (2,), LARGE, windows_of(program, 0, 3, cuts))
    assert moved_bytes(steps, LARGE) == (64 + 4 + 64) * COLUMN
    strip = 4 * 8 * 34 * 32
    assert moved_bytes(steps, 3 * strip) == moved_bytes(steps, LARGE)
