"""Masks in the forms that models have, and in the two that MaskedSoftmax takes.

Between all forms stands one: truth values [batch, columns], true where a column takes part. The
block-diagonal ones [batch, rows, columns] stand between packed sequences and their lengths.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....dialects.diagnostics import HtpError, fail
from ....dialects.faults.arguments import WHOLE, arguments

Truth = NDArray[np.bool_]
Ints = NDArray[np.int32]

MASKED = -10_000
"""The number that masks a column: exp(-10000) is 0, and f16 holds it exactly."""


def from_additive(mask: ArrayLike) -> Truth:
    """Tell which columns of an additive mask [batch, columns] take part: those that are 0.

    All others are to be MASKED or less, -inf among them. HtpError where a number in between would
    change scores without masking them.
    """
    numbers = _of_rank(np.asarray(mask), 2).astype(np.float64)
    between = (numbers != 0) & ~(numbers <= MASKED)
    if between.any():
        row, column = (int(place[0]) for place in between.nonzero())
        problem = f"row {row}, column {column} is {numbers[row, column]:g}"
        raise _wrong(problem, f"write 0 for what takes part, {MASKED} or less for what does not")
    return np.asarray(numbers == 0)


@arguments(columns=WHOLE)
def from_lengths(lengths: ArrayLike, columns: int) -> Truth:
    """Tell which columns take part where row b has lengths[b] of them, from the front."""
    counts = _lengths(_of_rank(np.asarray(lengths), 1), columns)
    return np.arange(columns) < counts[:, None]


def to_lengths(keep: ArrayLike) -> Ints:
    """Count the columns that take part in each row; HtpError where they have a gap in front."""
    truth = _of_rank(_truth(keep), 2)
    counts: Ints = truth.sum(axis=1, dtype=np.int32)
    gaps = (truth != from_lengths(counts, truth.shape[1])).any(axis=1)
    if gaps.any():
        problem = f"row {int(gaps.argmax())} has a gap before its last column that takes part"
        raise _wrong(problem, "lengths say rows without gaps; use the uncompressed mask")
    return counts


def to_additive(keep: ArrayLike) -> NDArray[np.float32]:
    """Make the additive mask [batch, columns]: 0 for what takes part, MASKED for the rest."""
    return to_uncompressed(keep).astype(np.float32)


def to_uncompressed(keep: ArrayLike) -> Ints:
    """Make MaskedSoftmax's uncompressed mask [batch, columns]: 0 or MASKED."""
    return np.where(_of_rank(_truth(keep), 2), 0, MASKED).astype(np.int32)


def from_uncompressed(mask: ArrayLike) -> Truth:
    """Tell which columns of an uncompressed mask [batch, columns] take part."""
    return from_additive(mask)


def to_compressed(blocks: ArrayLike) -> Ints:
    """Find the lengths [batch, sequences] of sequences packed back to back.

    blocks[b, i, j] is true where row i sees column j, [batch, n, n]: squares along the diagonal,
    from its start on. Batches of fewer sequences get zeros behind. HtpError for any other form.
    """
    truth = _of_rank(_truth(blocks), 3)
    rows = [_diagonal(batch, row) for batch, row in enumerate(truth)]
    lengths = np.zeros((len(rows), max(1, *map(len, rows))), np.int32)
    for row, packed in zip(lengths, rows, strict=True):
        row[: len(packed)] = packed
    return lengths


@arguments(columns=WHOLE)
def from_compressed(lengths: ArrayLike, columns: int) -> Truth:
    """Tell which columns each row sees, [batch, columns, columns], from a compressed mask."""
    counts = _lengths(_of_rank(np.asarray(lengths), 2), columns)
    ends = counts.cumsum(axis=1)
    places = np.arange(columns)
    # The sequence of a place is the number of sequences that end at it or before.
    sequence = (ends[:, None, :] <= places[None, :, None]).sum(axis=2)
    inside = places < ends[:, -1:]
    same = sequence[:, :, None] == sequence[:, None, :]
    return np.asarray(same & inside[:, :, None] & inside[:, None, :])


def _diagonal(batch: int, truth: Truth) -> list[int]:
    """Walk along the diagonal, a square at a time."""
    lengths: list[int] = []
    start, size = 0, len(truth)
    is_square = truth.shape == (size, size)
    while is_square and start < size and truth[start, start]:
        rest = truth[start, start:]
        length = int(rest.argmin()) if not rest.all() else len(rest)
        lengths.append(length)
        start += length
    if not is_square or (truth != from_compressed([lengths or [0]], size)[0]).any():
        problem = f"batch {batch} is no row of squares along the diagonal"
        raise _wrong(problem, "only sequences packed back to back have lengths")
    return lengths


def _truth(mask: ArrayLike) -> Truth:
    array = np.asarray(mask)
    if array.dtype != np.bool_:
        raise _wrong(f"has element type {array.dtype}", "truth values are expected")
    return array


def _of_rank(array: NDArray[np.generic], rank: int) -> NDArray[np.generic]:
    if array.ndim != rank:
        raise _wrong(f"has rank {array.ndim}", f"rank {rank} is expected")
    return array


def _lengths(counts: NDArray[np.generic], columns: int) -> Ints:
    """Check lengths, [batch] or those of sequences [batch, n], against the number of columns."""
    if counts.dtype.kind not in "iu":
        raise _wrong(f"lengths have element type {counts.dtype}", "integers are expected")
    ints = counts.astype(np.int64)
    total = ints if ints.ndim == 1 else ints.sum(axis=1)
    if (ints < 0).any() or (total > columns).any():
        problem = f"lengths {counts.tolist()} do not lie within {columns} columns"
        raise _wrong(problem, "each is 0 or more, and those of a row add up to the columns at most")
    return ints.astype(np.int32)


def _wrong(problem: str, remedy: str) -> HtpError:
    return fail("mask", problem, remedy)
