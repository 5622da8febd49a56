"""The elements of an operand that a tile of a result is computed from, along one dim."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm


@dataclass(frozen=True)
class Footprint:
    """The elements of a tensor, along one dim, that one tile of a result needs.

    `step` elements belong to one element of the result. A tile reads `before` more in front of its
    own elements and `after` more behind them: the halo.
    """

    dim: int
    step: Fraction
    before: Fraction = Fraction(0)
    after: Fraction = Fraction(0)

    def joined(self, other: Footprint) -> Footprint:
        """Reach as far as both."""
        before, after = max(self.before, other.before), max(self.after, other.after)
        return replace(self, before=before, after=after)

    @cached_property
    def _whole_parts(self) -> tuple[int, int, int, int]:
        """Step, before and after in equal parts of an element, and the parts of an element."""
        lengths = self.step, self.before, self.after
        parts = lcm(*(length.denominator for length in lengths))
        step, before, after = (int(length * parts) for length in lengths)
        return step, before, after, parts

    def own(self, size: int) -> int:
        """Count the elements that belong to a tile of `size` elements, begun ones included."""
        step, _, _, parts = self._whole_parts
        return -(-size * step // parts)

    def span(self, own: int) -> int:
        """Count the elements of the result that this many elements of the tensor belong to."""
        step, _, _, parts = self._whole_parts
        return -(-own * parts // step)

    def window(self, size: int) -> int:
        """Count the elements that such a tile reads."""
        step, before, after, parts = self._whole_parts
        return max(1, -(-(size * step + before + after) // parts))

    def touched(self, size: int, tile: int) -> int:
        """Count the tiles of the tensor, of `tile` elements, in which such a tile reads."""
        step, before, after, parts = self._whole_parts
        if size * step == tile * parts:
            return 1 + sum(-(-side // (size * step)) for side in (before, after) if side > 0)
        # Both kinds of tiles begin at different places.
        return 1 - (1 - self.window(size)) // tile

    def halo(self, count: int, line: int) -> int:
        """Count the bytes that two of `count` tiles read, for the bytes of one element."""
        _, before, after, parts = self._whole_parts
        return -(-(count - 1) * max(0, before + after) * line // parts)


@dataclass(frozen=True)
class AccessMap:
    """The elements along an operand's dim that one element of the result is computed from.

    They are `taps` elements, `stride` further on for the next element of the result. Both are below
    1 where one element of the operand makes several of the result. Element 0 of the result reads
    from `-shift` on: there is padding in front.
    """

    dim: int
    stride: Fraction = Fraction(1)
    taps: Fraction = Fraction(1)
    shift: int = 0

    @cached_property
    def multiple(self) -> int:
        """The elements of the result of which a tile holds a multiple.

        It is above 1 where one element of the operand makes several of the result, and no others.
        """
        return self.stride.denominator if self.taps == self.stride else 1

    @cached_property
    def in_parts(self) -> tuple[int, int, int, int]:
        """Stride, shift and taps in equal parts of an element, and the parts of an element."""
        parts = lcm(self.stride.denominator, self.taps.denominator)
        return int(self.stride * parts), self.shift * parts, int(self.taps * parts), parts

    @cached_property
    def footprint(self) -> Footprint:
        """The footprint of a tile of the result."""
        return self.through(Footprint(self.dim, Fraction(1)))

    def through(self, result: Footprint) -> Footprint:
        """Compose the map with the footprint of the result in what reads that."""
        return _composed(self, result)


@lru_cache(maxsize=1 << 14)
def _composed(access: AccessMap, result: Footprint) -> Footprint:
    return Footprint(
        access.dim,
        result.step * access.stride,
        result.before * access.stride + access.shift,
        result.after * access.stride + access.taps - access.stride - access.shift,
    )
