"""Whole numbers that are not known yet, what is known about them, and finding values for them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .choices import Choices

FEW, MANY = 5, 16
"""How far above its least value a number is drawn: mostly, and now and then."""


_USUAL = 7
"""Of the values that are allowed one by one, so many are drawn."""


class Contradiction(Exception):
    """What is asked of the numbers of a case cannot hold together."""


class IntVar:
    """A whole number between `low` and `high` (None: no bound), or one of `allowed`.

    It is drawn from `base` on where that is allowed, else from `low` on, `spread` is how far
    usually. `hinted`: a rule's constraint speaks of it, so it is drawn before the numbers that
    follow from it.
    """

    __slots__ = ("_same", "allowed", "base", "high", "hinted", "low", "spread", "value")

    def __init__(self, low: int, high: int | None, spread: int, base: int | None = None) -> None:
        self.low = low
        self.base = low if base is None else base
        self.high = high
        self.allowed: tuple[int, ...] | None = None
        self.spread = spread
        self.hinted = False
        self.value: int | None = None
        self._same: IntVar | None = None

    @property
    def root(self) -> IntVar:
        """The unknown that stands for all that were joined with this one."""
        found = self
        while found._same is not None:
            found = found._same
        return found

    @property
    def known(self) -> int:
        """The value; Contradiction where there is none yet."""
        value = self.root.value
        if value is None:
            raise Contradiction("a number was left open")
        return value

    def holds(self, value: int) -> bool:
        """The value is allowed."""
        top = self.root
        if top.allowed is not None and value not in top.allowed:
            return False
        return top.low <= value and (top.high is None or value <= top.high)

    def narrow(self, low: int | None = None, high: int | None = None, hinted: bool = False) -> None:
        """Allow only values from `low` to `high`."""
        top = self.root
        top.low = top.low if low is None else max(low, top.low)
        if high is not None:
            top.high = high if top.high is None else min(high, top.high)
        top.hinted |= hinted
        top.check()

    def restrict(self, allowed: Iterable[int]) -> None:
        """Allow only these values; the first ones are the simplest."""
        top = self.root
        held = top.allowed
        top.allowed = tuple(v for v in allowed if held is None or v in held)
        top.check()

    def join(self, other: IntVar) -> None:
        """From now on both are one number."""
        mine, theirs = self.root, other.root
        if mine is theirs:
            return
        theirs._same = mine
        mine.spread = min(mine.spread, theirs.spread)
        mine.narrow(theirs.low, theirs.high, theirs.hinted)
        if theirs.allowed is not None:
            mine.restrict(theirs.allowed)
        if theirs.value is not None:
            mine.fix(theirs.value)

    def fix(self, value: int) -> None:
        """Give it its value."""
        top = self.root
        if not top.holds(value) or top.value not in (None, value):
            raise Contradiction(f"{value} where it cannot be")
        top.value = value

    def check(self) -> None:
        """Contradiction where no value, or not the one it has, is left."""
        top = self.root
        empty = top.high is not None and top.high < top.low
        if empty or top.allowed == () or (top.value is not None and not top.holds(top.value)):
            raise Contradiction("no value is left")


class Relation(ABC):
    """Something that holds between unknowns."""

    @abstractmethod
    def advance(self) -> bool:
        """Fix what follows from what is known; true once nothing more can follow."""

    def targets(self) -> Iterator[tuple[IntVar, int]]:
        """The unknowns that may follow from others; the higher the number, the better they do."""
        return iter(())


@dataclass(frozen=True, eq=False)
class Derivation:
    """The target follows from the sources; `compute` gives None where there is no value."""

    target: IntVar
    sources: tuple[IntVar, ...]
    compute: Callable[..., int | None]


class Derivations(Relation):
    """Derivations: the first whose sources are known is taken.

    The last way's target is the one that is best left to follow from the others.
    """

    def __init__(self, *derivations: Derivation) -> None:
        self._derivations = derivations

    def advance(self) -> bool:
        for derivation in self._derivations:
            if all(source.root.value is not None for source in derivation.sources):
                value = derivation.compute(*(source.known for source in derivation.sources))
                if value is None:
                    raise Contradiction("nothing follows")
                derivation.target.fix(value)
                return True
        return False

    def targets(self) -> Iterator[tuple[IntVar, int]]:
        for place, derivation in enumerate(self._derivations):
            yield derivation.target.root, 2 if place == len(self._derivations) - 1 else 1


class Sum(Relation):
    """factor * unknown, added up, and a constant are 0.

    Each unknown is held within what the bounds of the others leave it; the first is best left to
    follow.
    """

    def __init__(self, terms: Iterable[tuple[IntVar, int]], constant: int = 0) -> None:
        self._terms = tuple(terms)
        self._constant = constant

    def advance(self) -> bool:
        rest, open_ = self._open()
        if not open_:
            if rest:
                raise Contradiction("a sum does not come out")
            return True
        for var, factor in open_.items():
            others = [(u, f) for u, f in open_.items() if u is not var]
            _narrow(var, factor, rest, others)
        return len(open_) == 1

    def targets(self) -> Iterator[tuple[IntVar, int]]:
        yield self._terms[0][0].root, 2

    def _open(self) -> tuple[int, dict[IntVar, int]]:
        """The constant with all that is known, and the unknowns that are left with a factor."""
        rest, open_ = self._constant, dict[IntVar, int]()
        for var, factor in self._terms:
            top = var.root
            if top.value is None:
                open_[top] = open_.get(top, 0) + factor
            else:
                rest += factor * top.value
        return rest, {top: factor for top, factor in open_.items() if factor}


def _narrow(var: IntVar, factor: int, rest: int, others: Sequence[tuple[IntVar, int]]) -> None:
    """factor * unknown = -(rest + others): the bounds of the others bound it, alone it is fixed."""
    if not others and rest % factor:
        raise Contradiction("no whole number fits")
    low, high = _range(rest, others)
    ends = [None if end is None else Fraction(-end, factor) for end in (low, high)]
    least, most = ends if factor < 0 else reversed(ends)
    var.narrow(
        None if least is None else math.ceil(least), None if most is None else math.floor(most)
    )
    if var.low == var.high:
        var.fix(var.low)


def _range(rest: int, others: Sequence[tuple[IntVar, int]]) -> tuple[int | None, int | None]:
    """The least and the greatest value of a sum; None where there is no bound."""
    low: int | None = rest
    high: int | None = rest
    for var, factor in others:
        ends = (var.low, var.high) if factor > 0 else (var.high, var.low)
        low = None if low is None or ends[0] is None else low + factor * ends[0]
        high = None if high is None or ends[1] is None else high + factor * ends[1]
    return low, high


class ConstraintSystem:
    """Relations between unknowns. `landmarks` are values that rules speak of: worth drawing."""

    def __init__(self, boundary_values: Sequence[int] = ()) -> None:
        self._boundary_values = boundary_values
        self._relations: list[Relation] = []

    def add(self, relation: Relation) -> None:
        """Demand a further relation."""
        self._relations.append(relation)

    def solve(self, variables: Iterable[IntVar], choices: Choices) -> None:
        """Give every unknown a value; Contradiction where the values drawn do not agree."""
        ranks = self._ranks()
        tops = {var.root: None for var in variables}
        self.settle()
        for top in sorted(tops, key=lambda top: 0 if top.hinted else ranks.get(top, 0)):
            if top.value is None:
                top.fix(self._drawn(top, choices))
                self.settle()

    def settle(self) -> None:
        """Let all relations advance until none of them comes to its end."""
        done = True
        while done:
            waiting = [relation for relation in self._relations if not relation.advance()]
            done = len(waiting) < len(self._relations)
            self._relations = waiting

    def _ranks(self) -> dict[IntVar, int]:
        """Numbers that follow from others are drawn late, those that best do so last."""
        ranks: dict[IntVar, int] = {}
        for relation in self._relations:
            for top, rank in relation.targets():
                ranks[top] = max(rank, ranks.get(top, 0))
        return ranks

    def _drawn(self, var: IntVar, choices: Choices) -> int:
        if var.allowed is not None:
            fitting = [value for value in var.allowed if var.holds(value)]
            if not fitting:
                raise Contradiction("no value is left")
            return choices.pick(fitting[:_USUAL]) if choices.chance(50) else fitting[0]
        first = var.base if var.holds(var.base) else var.low
        span = MANY if var.high is None else var.high - first + 1
        style = choices.below(20)
        if style >= 18:
            near = [value for value in self._boundary_values if var.holds(value)]
            if near:
                return choices.pick(near)
        reach = MANY if style == 17 else var.spread
        return first + choices.below(min(span, reach))
