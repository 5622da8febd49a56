"""Whole numbers that are not known yet, what is known about them, and finding values for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .choices import Choices

FEW, MANY = 6, 24
"""How far above its least value a number is drawn: mostly, and now and then."""


_USUAL = 7
"""Of the values that are allowed one by one, so many are drawn."""


class Contradiction(Exception):
    """What is asked of the numbers of a case cannot hold together."""


class Unknown:
    """A whole number between `low` and `high` (None: no bound), or one of `allowed`.

    `spread` is how far above `low` it is usually drawn. `hinted`: a rule's constraint speaks of
    it, so it is drawn before the numbers that follow from it.
    """

    __slots__ = ("_same", "allowed", "high", "hinted", "low", "spread", "value")

    def __init__(self, low: int, high: int | None, spread: int) -> None:
        self.low = low
        self.high = high
        self.allowed: tuple[int, ...] | None = None
        self.spread = spread
        self.hinted = False
        self.value: int | None = None
        self._same: Unknown | None = None

    @property
    def root(self) -> Unknown:
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

    def join(self, other: Unknown) -> None:
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


@dataclass(frozen=True, eq=False)
class Derivation:
    """The target follows from the sources; `compute` gives None where there is no value."""

    target: Unknown
    sources: tuple[Unknown, ...]
    compute: Callable[..., int | None]

    def ready(self) -> bool:
        """All sources are known."""
        return all(source.root.value is not None for source in self.sources)

    def apply(self) -> None:
        """Fix the target; Contradiction where it has another value."""
        value = self.compute(*(source.known for source in self.sources))
        if value is None:
            raise Contradiction("nothing follows")
        self.target.fix(value)


class System:
    """Relations between unknowns. `landmarks` are values that rules speak of: worth drawing."""

    def __init__(self, landmarks: Sequence[int] = ()) -> None:
        self._landmarks = landmarks
        self._relations: list[tuple[Derivation, ...]] = []

    def relate(self, *ways: Derivation) -> None:
        """Add a relation: the first way whose sources are known is taken.

        The last way's target is the one that is best left to follow from the others.
        """
        self._relations.append(ways)

    def solve(self, unknowns: Iterable[Unknown], choices: Choices) -> None:
        """Give every unknown a value; Contradiction where the values drawn do not agree."""
        ranks = self._ranks()
        tops = {id(top): top for top in (unknown.root for unknown in unknowns)}
        self._propagate()
        for top in sorted(tops.values(), key=lambda top: 0 if top.hinted else ranks.get(top, 0)):
            if top.value is None:
                top.fix(self._drawn(top, choices))
                self._propagate()

    def _propagate(self) -> None:
        progress = True
        while progress:
            progress = False
            for ways in tuple(self._relations):
                ready = next((way for way in ways if way.ready()), None)
                if ready is not None:
                    ready.apply()
                    self._relations.remove(ways)
                    progress = True

    def _ranks(self) -> dict[Unknown, int]:
        """Numbers that follow from others are drawn late, those that best do so last."""
        ranks: dict[Unknown, int] = {}
        for ways in self._relations:
            for place, way in enumerate(ways):
                top = way.target.root
                rank = 2 if place == len(ways) - 1 else 1
                ranks[top] = max(rank, ranks.get(top, 0))
        return ranks

    def _drawn(self, unknown: Unknown, choices: Choices) -> int:
        if unknown.allowed is not None:
            fitting = [value for value in unknown.allowed if unknown.holds(value)]
            if not fitting:
                raise Contradiction("no value is left")
            return choices.pick(fitting[:_USUAL]) if choices.chance(50) else fitting[0]
        span = MANY if unknown.high is None else unknown.high - unknown.low + 1
        style = choices.below(10)
        if style == 9:
            near = [value for value in self._landmarks if unknown.holds(value)]
            if near:
                return choices.pick(near)
        reach = MANY if style == 8 else unknown.spread
        return unknown.low + choices.below(min(span, reach))
