"""The bounds of dtypes, and PyTorch's promotion. Source: PyTorch's tensor attributes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec
from ..graph.arrays import spec_of_array

_OF_NUMBER = {bool: DType.Bool8, int: DType.Int64, float: DType.Float32}


def promoted_dtype(specs: Iterable[TensorSpec], numbers: Iterable[float] = ()) -> DType:
    """Return the dtype of tensors and numbers together.

    Tensors with dims come first, then those without, then numbers; each group counts where it is
    of a higher class (bool, integer, float) than those before it.
    """
    listed = list(specs)
    groups = (
        [spec.dtype for spec in listed if spec.rank],
        [spec.dtype for spec in listed if not spec.rank],
        [_OF_NUMBER[type(number)] for number in numbers],
    )
    chosen = DType.Bool8
    for group in filter(None, groups):
        highest = max(map(_class, group))
        same = [dtype.storage for dtype in group if _class(dtype) == highest]
        if highest > _class(chosen):
            chosen = spec_of_array(np.zeros((), np.result_type(*same))).dtype
    return chosen


def _class(dtype: DType) -> int:
    return 2 if dtype.is_float else int(dtype is not DType.Bool8)


def bounds(dtype: DType) -> tuple[float, float]:
    """Return the least and the largest number of a dtype, of floats the infinities."""
    if dtype.is_float:
        return -np.inf, np.inf
    numbers = np.iinfo(dtype.storage.name)
    return int(numbers.min), int(numbers.max)
