"""Boxes by hand: tiles of a shape, what they read, what they share, and their bytes."""

from fractions import Fraction

import pytest
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import FLAT_DDR, TensorSpec, byte_offset
from htp_mlir.lowering.planner.tiling import AccessMap, TilingTensor
from htp_mlir.lowering.planner.tiling.boxes import (
    common,
    flat_bytes,
    flattened,
    is_run,
    padded_bytes,
    reach,
    tile_boxes,
)
from hypothesis import given
from hypothesis import strategies as st

TENSOR = TilingTensor((1, 10, 7, 40), 2)


def test_the_last_tile_is_what_is_left() -> None:
    rows = [box[1] for box in tile_boxes((1, 10, 7, 40), [(1, 4)])]
    assert rows == [(0, 4), (4, 8), (8, 10)]


def test_the_first_dim_is_the_outermost_loop() -> None:
    boxes = [*tile_boxes((1, 4, 4, 1), [(1, 2), (2, 2)])]
    assert [box[1:3] for box in boxes[:2]] == [((0, 2), (0, 2)), ((0, 2), (2, 4))]
    assert [flattened(index, (2, 2)) for index in ((0, 0), (0, 1), (1, 0), (1, 1))] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("access", "span", "rows"),
    [
        (AccessMap(1), (4, 8), (4, 8)),
        (AccessMap(1, taps=Fraction(3)), (4, 8), (4, 10)),
        (AccessMap(1, Fraction(2), Fraction(3)), (1, 3), (2, 7)),
        (AccessMap(1, Fraction(1, 2), Fraction(1, 2)), (4, 8), (2, 4)),
        (AccessMap(1, shift=2), (0, 1), (0, 0)),
        (AccessMap(1, taps=Fraction(3)), (8, 10), (8, 10)),
    ],
    ids=["own rows", "three taps", "stride 2", "repeated", "all padding", "up to the end"],
)
def test_reach(access: AccessMap, span: tuple[int, int], rows: tuple[int, int]) -> None:
    assert reach(access, span, 10) == rows


def test_boxes_that_do_not_meet_share_nothing() -> None:
    assert common(((0, 4), (0, 9)), ((2, 6), (3, 5))) == ((2, 4), (3, 5))
    assert flat_bytes(TilingTensor((9,), 4), common(((0, 4),), ((6, 9),))) == 0


def test_bytes_with_and_without_padding() -> None:
    box = TENSOR.whole
    assert flat_bytes(TENSOR, box) == 2 * 10 * 7 * 40
    assert padded_bytes(TENSOR, box, (1, 8, 4, 32)) == 2 * 16 * 8 * 64


SPANS = st.tuples(st.integers(1, 3), st.integers(1, 20), st.integers(1, 9), st.integers(1, 70))


@given(SPANS, st.data())
def test_a_run_is_a_block_that_has_an_offset(shape: tuple[int, ...], data: st.DataObject) -> None:
    """As the bytes of a flat tensor tell."""
    starts = [data.draw(st.integers(0, extent - 1)) for extent in shape]
    ends = [
        data.draw(st.sampled_from([extent, *range(start + 1, extent)]))
        for start, extent in zip(starts, shape, strict=True)
    ]
    spec = TensorSpec(shape, DType.Float32).with_place(FLAT_DDR)
    sizes = [end - start for start, end in zip(starts, ends, strict=True)]
    run = is_run(TilingTensor(shape, 4), tuple(zip(starts, ends, strict=True)))
    assert run is (byte_offset(spec, starts, sizes) is not None)
