"""The dims of an op that belong together, found by trial on the example of its docstring.

One dim of the example is made one more, alone, then together with equal dims of the same place and
dtype, of the same place, of any, and with multiples; the first set that the op's own `infer`
accepts is a letter. A dim that may be 1 instead, with the same results, broadcasts. Dims of results
that are the same multiple of a letter, or are a number of a param, in all trials follow it.

Cost: at most 15 trials for each dim of the operands, once for an op; each makes one op.

Example: of a Gru with X [5, 2, 3], W [12, 3] and R [12, 4] the letter 3 is in X and W. The 4 of R
alone is refused; 4 and its multiple 12 are accepted as 5 and 15.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from random import Random

from .....dialects.htp.base import NativeOp
from .....dialects.value import RANK, DType
from ..drawing.template import ELEMENTS
from .inferred import OperandRow, Specs, results_of

_EXAMPLE = re.compile(r"Example:\s*`[^`]*:\s*\(([^`]*?)\)\s*->")
_TYPE = re.compile(r"(?:tensor|!htp\.shape)<([\dx]*\d)(?:x([a-z]+\d+))?")
_DTYPES = {"f32": DType.Float32, "f16": DType.Float16, "i32": DType.Int32, "ui8": DType.UInt8}
_STEPS = 1, 2, 4
"""The steps in which a dim may grow."""
_TRIES, _PARAMS = 400, 4
"""The rows of params that are drawn for an example, and those with which it is tried."""
Numbers = Sequence[Sequence[int]]
"""The numbers of the params, by operand."""
Place = tuple[int, int]
"""An operand or a result, and a dim of it or a number that it holds."""


@dataclass(frozen=True)
class Shown:
    """An operand of an example: its dims, and its dtype; none for a shape."""

    dims: tuple[int, ...]
    dtype: DType | None


@dataclass(frozen=True)
class Letter:
    """Dims that change together: a least extent, and the places with their factors."""

    least: int
    most: int | None
    operands: Mapping[Place, int]
    results: Mapping[Place, int]


@lru_cache(maxsize=1024)
def shown(native: type[NativeOp]) -> tuple[Shown, ...]:
    """Return the operands of the example in an op's docstring; none where a dtype is not known."""
    match = _EXAMPLE.search(" ".join((native.__doc__ or "").split()))
    types = _TYPE.findall(match[1]) if match else []
    if any(dtype and dtype not in _DTYPES for _, dtype in types):
        return ()
    return tuple(
        Shown(tuple(map(int, dims.split("x"))), _DTYPES.get(dtype)) for dims, dtype in types
    )


@dataclass(frozen=True)
class Relations:
    """The letters of an example, and the places of operands whose dim may be 1 instead.

    Numbers of params are `stated` dims of results, or `fixed`.
    """

    letters: Sequence[Letter]
    free: AbstractSet[Place]
    stated: Mapping[Place, Place]
    fixed: Mapping[Place, int]

    @cached_property
    def places(self) -> AbstractSet[Place]:
        """The dims of results that letters or params say."""
        return {*self.stated.values(), *(p for letter in self.letters for p in letter.results)}


@lru_cache(maxsize=1024)
def relations(
    native: type[NativeOp],
    rows: tuple[OperandRow, ...],
    usual: tuple[tuple[tuple[int, int], ...], ...],
) -> Relations:
    """Return how the dims of an op depend on each other, by trial."""
    trial = _Trial(native, rows, usual)
    data = trial.data
    fixed = {place: Letter(extent, extent, {place: 1}, {}) for place, extent in data.items()}
    if not trial.drawn:
        return Relations([*fixed.values()], frozenset(), {}, {})
    letters, taken = list[Letter](), set[Place]()
    for place in sorted(data, key=lambda place: data[place]):
        if place not in taken:
            tried = (trial.letter(s, step) for step in _STEPS for s in trial.sets(place, taken))
            letters.append(next(filter(None, tried), fixed[place]))
            taken |= letters[-1].operands.keys()
    free = {place for place, extent in data.items() if extent > 1 and trial.broadcasts(place)}
    return Relations(letters, free, *trial.params(letters))


class _Trial:
    """An example whose dims are changed.

    `data` are those of operands without numbers, `drawn` are rows of params that it takes.
    """

    def __init__(
        self,
        native: type[NativeOp],
        rows: Sequence[OperandRow],
        usual: Sequence[Sequence[tuple[int, int]]],
    ) -> None:
        self._native, self._rows, self._reach = native, rows, usual
        self._example = example = shown(native)
        self.data = {
            (operand, dim): extent
            for operand, (own, numbers) in enumerate(zip(example, usual, strict=True))
            for dim, extent in enumerate(own.dims)
            if not numbers
        }
        random, drawn = Random(0), list[Numbers]()
        for _ in range(_TRIES):
            numbers = [[random.randrange(*reach) for reach in each] for each in usual]
            if numbers not in drawn and self.results({}, numbers):
                drawn.append(numbers)
            if len(drawn) == _PARAMS:
                break
        self.drawn = drawn

    def accepted(self, changed: Mapping[Place, int]) -> Specs:
        """Return the results with other dims; none where the op refuses them."""
        return self.results(changed, self.drawn[0])

    def results(self, changed: Mapping[Place, int], params: Numbers) -> Specs:
        """Return the results with other dims and params; none where the op refuses them."""
        row: list[int] = []
        for operand, (own, numbers) in enumerate(zip(self._example, params, strict=True)):
            row += (changed.get((operand, dim), n) for dim, n in enumerate(own.dims))
            if own.dtype is not None:
                row.append(ELEMENTS.index(own.dtype))
            row += numbers
        return results_of(self._native, self._rows, *row)

    def sets(self, place: Place, taken: set[Place]) -> Iterator[list[Place]]:
        """Yield the sets of dims that may be one letter with a dim, the least first."""
        (operand, dim), extent = place, self.data[place]
        dtype = self._example[operand].dtype
        others = [each for each in self.data if each not in taken]
        equal = [each for each in others if self.data[each] == extent]
        aligned = [each for each in equal if each[1] == dim]
        yield [place]
        yield [each for each in aligned if self._example[each[0]].dtype is dtype]
        yield aligned
        if extent > 1:
            yield equal
            if dtype is not None:
                tensors = [each for each in others if self._example[each[0]].dtype is not None]
                yield [each for each in tensors if self.data[each] % extent == 0]

    def letter(self, places: Sequence[Place], step: int) -> Letter | None:
        """Return the letter of some dims in steps; None where they do not change together."""
        extent, rest = divmod(min(self.data[place] for place in places), step)
        factors = {place: self.data[place] // extent for place in places} if extent else {}
        if rest or not all(self._with(factors, extent + more) for more in (1, 2) if factors):
            return None
        least = next(n for n in range(1, extent + 1) if self._with(factors, n))
        return Letter(least, None, factors, self._tracked(factors, extent))

    def _with(self, factors: Mapping[Place, int], extent: int) -> Specs:
        return self.accepted({place: factor * extent for place, factor in factors.items()})

    def _tracked(self, factors: Mapping[Place, int], extent: int) -> Mapping[Place, int]:
        """Return the dims of results that are multiples of an extent, whatever the params are."""
        rows = [(params, extent + more) for params in self.drawn for more in (0, 1, 2)]
        seen = [
            (specs, n)
            for params, n in rows
            if (specs := self.results({place: by * n for place, by in factors.items()}, params))
        ]
        return _multiples(seen)

    def params(
        self, letters: Sequence[Letter]
    ) -> tuple[Mapping[Place, Place], Mapping[Place, int]]:
        """Return the numbers of params that are dims of results, and those that cannot change."""
        grown = {
            place: self.data[place] + factor
            for letter in letters
            for place, factor in letter.operands.items()
            if letter.most is None
        }
        stated, fixed = dict[Place, Place](), dict[Place, int]()
        numbers = ((at, n) for at, each in enumerate(self._reach) for n in range(len(each)))
        for place in numbers:
            seen = [
                (specs, number)
                for params in self.drawn
                for number in range(*self._reach[place[0]][place[1]])
                for changed in ({}, grown)
                if (specs := self.results(changed, _with(params, place, number)))
            ]
            tried = {number for _, number in seen}
            same = (dim for dim, factor in _multiples(seen).items() if factor == 1)
            if len(tried) == 1:
                fixed[place] = tried.pop()
            elif dim := next(same, None):
                stated[place] = dim
        return stated, fixed

    def broadcasts(self, place: Place) -> bool:
        """Test that a dim may be 1 with the same results."""
        return self.accepted({place: 1}) == self.accepted({})


def _with(params: Numbers, place: Place, number: int) -> Numbers:
    changed = [list(each) for each in params]
    changed[place[0]][place[1]] = number
    return changed


def _multiples(seen: Sequence[tuple[Specs, int]]) -> Mapping[Place, int]:
    """Return the dims that are the same multiple of a number in all results, and the factor."""
    multiples: dict[Place, int] = {}
    for at, dim in product(range(len(seen[0][0])), range(RANK)):
        ratios = {divmod(spec.shape[dim], n) for specs, n in seen if (spec := specs[at]) and n}
        factor, rest = ratios.pop() if len(ratios) == 1 else (0, 0)
        if factor and not rest:
            multiples[at, dim] = factor
    return multiples
