"""The dims of an op's tensors by letter, and which of them merge into one.

Algorithm: greedy merging of neighbours. Dims that share a letter have one extent, or 1 where an
operand is stretched. A letter of extent 1 goes. Two letters merge where they are neighbours in
each tensor that has one of them, both stretched or both not, and a param speaks of neither, or of
both in one breath. The leftmost pair of a tensor of too high a rank merges first, so that last
dims stay unchanged. Cost: letters squared, times tensors. For a Transpose of 2x3x4x5x6 by
[0, 3, 4, 1, 2],

    in[a, b, c, d, e] -> out[a, d, e, b, c]

only b and c, and d and e, are neighbours in both: in[a, bc, de] -> out[a, de, bc]; rank 4 is
reached with in[a, bc, d, e] already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod

from ....dialects.value import Shape

Letters = tuple[int, ...]
Groups = tuple[Letters, ...]


@dataclass(frozen=True)
class Dims:
    """The letter and the extent of each dim of each operand, then of each result."""

    letters: tuple[Letters, ...]
    shapes: tuple[Shape, ...]
    named: Mapping[int, int]
    """The letters that a param speaks of; those of equal number may merge with each other."""

    def extent(self, tensor: int, letter: int) -> int:
        """Return the extent of a letter in one tensor."""
        return self.shapes[tensor][self.letters[tensor].index(letter)]

    def full(self, letter: int) -> int:
        """Return the extent of a letter where it is not stretched."""
        extents = {
            self.extent(tensor, letter)
            for tensor, letters in enumerate(self.letters)
            if letter in letters
        }
        return next((extent for extent in sorted(extents) if extent != 1), 1)

    def stretched(self, tensor: int) -> list[int]:
        """Return the letters along which an operand is stretched."""
        free = [letter for letter in self.letters[tensor] if letter not in self.named]
        return [letter for letter in free if self.extent(tensor, letter) != self.full(letter)]

    def with_full(self, tensor: int, letter: int) -> Dims:
        """Return the dims once an operand has the full extent of a letter."""
        shape = tuple(
            self.full(letter) if own == letter else extent
            for own, extent in zip(self.letters[tensor], self.shapes[tensor], strict=True)
        )
        shapes = (*self.shapes[:tensor], shape, *self.shapes[tensor + 1 :])
        return replace(self, shapes=shapes)

    def merged(self, rank: int) -> Merged:
        """Merge letters until no tensor has more dims than `rank`, or none can be merged."""
        needless = {a for own in self.letters for a in own if self.full(a) == 1} - {*self.named}
        tensors: list[Groups] = [
            tuple((a,) for a in own if a not in needless) for own in self.letters
        ]
        while (pair := self._pair(tensors, rank)) is not None:
            tensors = [_joined(groups, *pair) for groups in tensors]
        return Merged(self, tuple(tensors))

    def _pair(self, tensors: list[Groups], rank: int) -> tuple[Letters, Letters] | None:
        """Return two groups to merge next."""
        pairs = (pair for groups in tensors if len(groups) > rank for pair in pairwise(groups))
        return next((pair for pair in pairs if self._merge(tensors, *pair)), None)

    def _merge(self, tensors: list[Groups], one: Letters, other: Letters) -> bool:
        """Tell whether two groups move together in every tensor."""
        if self.named.get(one[0]) != self.named.get(other[0]):
            return False
        for tensor, groups in enumerate(tensors):
            if (one in groups) != (other in groups):
                return False
            if one in groups and groups.index(other) != groups.index(one) + 1:
                return False
            if one in groups and len(self._forms(tensor, one + other)) > 1:
                return False
        return True

    def _forms(self, tensor: int, group: Letters) -> set[bool]:
        """Return which letters of a group are stretched, but for those of extent 1 everywhere."""
        sizes = [(self.extent(tensor, letter), self.full(letter)) for letter in group]
        return {extent != full for extent, full in sizes if full != 1}


@dataclass(frozen=True)
class Merged:
    """The dims of an op's tensors as groups of letters."""

    dims: Dims
    tensors: tuple[Groups, ...]

    @property
    def rank(self) -> int:
        """The number of dims of the tensor that has most."""
        return max(map(len, self.tensors))

    def shape(self, tensor: int) -> Shape:
        """Return the shape of one tensor."""
        return tuple(
            prod(self.dims.extent(tensor, letter) for letter in group)
            for group in self.tensors[tensor]
        )

    def position(self, letter: int) -> int:
        """Return the place of the first operand's dim that a letter has become part of."""
        groups = self.tensors[0]
        return next(place for place, group in enumerate(groups) if letter in group)


def _joined(groups: Groups, one: Letters, other: Letters) -> Groups:
    if one not in groups:
        return groups
    place = groups.index(one)
    return (*groups[:place], one + other, *groups[place + 2 :])
