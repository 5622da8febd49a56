"""Masks from one form into another and back."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.importers.graph import masks
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

_SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 9))
_KEEP = hnp.arrays(bool, _SHAPES)


@given(_KEEP)
def test_truth_survives_both_additive_forms(keep: masks.Truth) -> None:
    assert (masks.from_additive(masks.to_additive(keep)) == keep).all()
    assert (masks.from_uncompressed(masks.to_uncompressed(keep)) == keep).all()


@given(
    st.integers(0, 9).flatmap(
        lambda n: st.tuples(st.lists(st.integers(0, n), min_size=1), st.just(n))
    )
)
def test_lengths_survive(case: tuple[list[int], int]) -> None:
    lengths, columns = case
    assert masks.to_lengths(masks.from_lengths(lengths, columns)).tolist() == lengths


@given(st.lists(st.lists(st.integers(1, 4), max_size=4), min_size=1, max_size=3))
def test_packed_lengths_survive(batches: list[list[int]]) -> None:
    longest = max(1, *map(len, batches))
    lengths = np.array([[*row, *[0] * (longest - len(row))] for row in batches], np.int32)
    blocks = masks.from_compressed(lengths, 17)
    assert masks.to_compressed(blocks).tolist() == lengths.tolist()


def test_packed_lengths_are_squares_along_the_diagonal() -> None:
    """Lengths 1 and 2 of 4 columns: the last row and column take no part."""
    rows = ["X...", ".XX.", ".XX.", "...."]
    blocks = masks.from_compressed([[1, 2]], 4)
    assert ["".join(".X"[int(seen)] for seen in row) for row in blocks[0]] == rows


@pytest.mark.parametrize(
    ("form", "mask", "message"),
    [
        (masks.from_additive, [[0.0, -5.0]], "row 0, column 1 is -5"),
        (masks.from_additive, [[0.0, np.nan]], "row 0, column 1 is nan"),
        (masks.from_additive, [0.0], "has rank 1"),
        (masks.to_lengths, [[True, False], [False, True]], "row 1 has a gap"),
        (masks.to_uncompressed, [[1, 0]], "has element type int64"),
        (masks.to_compressed, [[[True, True], [False, True]]], "batch 0 is no row of squares"),
        (masks.to_compressed, [[[True], [True]]], "batch 0 is no row of squares"),
        (lambda m: masks.from_lengths(m, 3), [4], "do not lie within 3 columns"),
        (lambda m: masks.from_lengths(m, 3), [-1], "do not lie within 3 columns"),
        (lambda m: masks.from_lengths(m, 3), [1.5], "lengths have element type float64"),
        (lambda m: masks.from_compressed(m, 3), [[2, 2]], "do not lie within 3 columns"),
    ],
)
def test_other_forms_are_refused(form: object, mask: object, message: str) -> None:
    assert callable(form)
    with pytest.raises(HtpError, match=message):
        form(mask)
