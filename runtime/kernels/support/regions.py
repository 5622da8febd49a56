"""The elements that a slice shares with its input, and the filler for the others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....dialects.value import TensorSpec
from ...functions.support.arrays import Array
from ...tensors.tensor_classes import new_tensor

Region = tuple[slice, ...]


@dataclass(frozen=True)
class Overlap:
    """The elements that a slice and its input share, by their position in each of the two."""

    source: Region
    target: Region

    @property
    def empty(self) -> bool:
        """Tell whether the slice is wholly outside the input."""
        return any(span.stop <= span.start for span in self.target)


def overlap(shape: Sequence[int], first: Sequence[int], size: Sequence[int]) -> Overlap:
    """Find which of `size` elements from index `first` on, maybe negative, are inside `shape`."""
    lows = [max(0, -begin) for begin in first]
    highs = [min(n, whole - begin) for n, whole, begin in zip(size, shape, first, strict=True)]
    target = tuple(slice(low, max(low, high)) for low, high in zip(lows, highs, strict=True))
    source = tuple(
        slice(span.start + begin, span.stop + begin)
        for span, begin in zip(target, first, strict=True)
    )
    return Overlap(source, target)


def everything(shape: Sequence[int], start: Sequence[int] | None = None) -> Region:
    """Slice the block of this shape that begins at `start`, by default the origin."""
    begins = start if start is not None else [0] * len(shape)
    return tuple(slice(begin, begin + n) for begin, n in zip(begins, shape, strict=True))


def filler(value: float, spec: TensorSpec) -> Array:
    """Store a real number as the spec does; the array broadcasts to the spec's shape."""
    axis = spec.quant.axis if spec.quant else None
    shape = tuple(n if i == axis else 1 for i, n in enumerate(spec.shape))
    tensor = new_tensor(spec.with_shape(shape).with_place(None))
    tensor.store(
        np.full(shape, value, np.float32 if spec.quant or spec.dtype.is_float else np.int64)
    )
    return tensor.stored()
