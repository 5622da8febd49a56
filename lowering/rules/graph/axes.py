"""Params that are axes, moved where a graph tensor of a lower rank is back-filled to rank 4.

Source: QNN HTP op package documentation, list of axis params.
"""

from __future__ import annotations

from ....dialects.diagnostics import fail
from ....dialects.value.layout import RANK


def shifted_axis(axis: int, rank: int) -> int:
    """Return an axis of a tensor of `rank` dims at rank 4; a negative one counts from the end.

    Above rank 4 the leading dims of extent 1 fold away. HtpError for an axis that the tensor does
    not have, and for one that folds away.

    Example: `shifted_axis(-1, 3) == shifted_axis(2, 3) == 3 and shifted_axis(0, 3) == 1`
    """
    if not -rank <= axis < rank:
        remedy = f"take one from {-rank} to {rank - 1}" if rank else "leave it out"
        raise fail(f"axis {axis}", f"the tensor has {rank} dims", remedy)
    shifted = axis % rank + RANK - rank
    if shifted < 0:
        fault = f"is one of the first {rank - RANK} dims, native tensors have rank {RANK}"
        raise fail(f"axis {axis}", fault, "fold leading dims before")
    return shifted


def is_axis(value: object) -> bool:
    """Test that a param's value can be an axis: an integer, and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool)
