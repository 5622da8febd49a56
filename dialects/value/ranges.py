"""Ranges of a StridedSlice as value objects."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Range:
    """Elements begin, begin + stride, ... on this side of end; resolved, nothing is implied.

    With a negative stride, end -1 represents the place before element 0.
    """

    begin: int
    end: int
    stride: int

    @property
    def count(self) -> int:
        """The number of elements that it takes."""
        return -((self.begin - self.end) // self.stride)

    def fits(self, size: int) -> bool:
        """Tell whether the range is inside `size` elements, and the stride leads to its end."""
        if self.stride > 0:
            return 0 <= self.begin <= self.end <= size
        return self.stride < 0 and -1 <= self.end <= self.begin < size

    def __str__(self) -> str:
        return f"{self.begin}:{self.end}:{self.stride}"


def ranges_of(values: Sequence[int]) -> tuple[Range, ...]:
    """The ranges of a flattened list begin, end, stride, begin, ..."""
    triples = zip(values[::3], values[1::3], values[2::3], strict=True)
    return tuple(Range(*triple) for triple in triples)
