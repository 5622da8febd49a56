"""Integer variables and constraints between them, solved by propagation and labelling.

Propagation narrows the bounds of the variables of a linear sum and computes variables that are
functions of others, until nothing changes. Labelling draws a value for one variable, propagates,
and goes on with the next; variables that follow from others come last. There is no backtracking: a
draw that leads to a contradiction is given up, and the caller draws anew. A system of `v` variables
and `c` constraints costs at most `v` propagations of `c` constraints each.

Example: `out = length - taps + 1` with `length` = 8, `out` and `taps` from 1 on. Propagation gives
`out` and `taps` the bounds 1 to 8. Labelling draws `taps`, say 3; propagation fixes `out` to 6.

All draws are recorded in a row, from which a case can be made again, and made smaller.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """A source of draws: a generator, or the recorded draws of an earlier run.

    0 is the simplest choice everywhere: smaller numbers make simpler cases. Behind the end of a
    recording every draw is 0.
    """

    def __init__(self, source: Random | Sequence[int]) -> None:
        self.draws: list[int] = []
        self._random = source if isinstance(source, Random) else None
        self._recorded = () if isinstance(source, Random) else source

    def below(self, count: int) -> int:
        """Draw a number from 0 to count - 1; count >= 1."""
        index = len(self.draws)
        if self._random is not None:
            value = self._random.randrange(count)
        else:
            value = min(self._recorded[index], count - 1) if index < len(self._recorded) else 0
        self.draws.append(value)
        return value

    def pick(self, options: Sequence[T]) -> T:
        """Draw one of the options; the first is the simplest."""
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        """Draw true with this probability; false is the simpler."""
        return self.below(100) >= 100 - percent


FEW, MANY = 5, 16
"""Usual and occasional number of values that a draw chooses from."""
_ENUMERATED = 7
"""Only the first 7 allowed values are drawn."""


class Contradiction(Exception):
    """The demands on the numbers of a case exclude each other."""


class IntVar:
    """An integer from `low` to `high` (None: no bound), or one of `allowed`.

    Draws start at `base` where that is allowed, else at `low`; `spread` is the usual number of
    values to choose from. A `hinted` variable occurs in the rule's constraint and is drawn first.
    Joined variables share one value, which is that of their `root`.
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
        """The variable that represents all joined ones."""
        var = self
        while var._same is not None:
            var = var._same
        return var

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
        """Allow only these values, the simplest first."""
        top = self.root
        before = top.allowed
        top.allowed = tuple(v for v in allowed if before is None or v in before)
        top.check()

    def join(self, other: IntVar) -> None:
        """Make both one variable."""
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
        """Set the value; Contradiction where it is not allowed or another one is set."""
        top = self.root
        if not top.holds(value) or top.value not in (None, value):
            raise Contradiction(f"{value} where it cannot be")
        top.value = value

    def check(self) -> None:
        """Contradiction where no value is left, or not the one that is set."""
        top = self.root
        empty = top.high is not None and top.high < top.low
        if empty or top.allowed == () or (top.value is not None and not top.holds(top.value)):
            raise Contradiction("no value is left")


class Relation(ABC):
    """A constraint between variables."""

    @abstractmethod
    def advance(self) -> bool:
        """Propagate once; true when the constraint has nothing more to say."""

    def targets(self) -> Iterator[tuple[IntVar, int]]:
        """The variables to draw late, with a rank; the highest rank is drawn last."""
        return iter(())


@dataclass(frozen=True, eq=False)
class Derivation:
    """A target that is a function of the sources; `compute` gives None where it has no value."""

    target: IntVar
    sources: tuple[IntVar, ...]
    compute: Callable[..., int | None]


class Derivations(Relation):
    """Alternative derivations: the first whose sources are known applies.

    The target of the last one is drawn after all others.
    """

    def __init__(self, *alternatives: Derivation) -> None:
        self._alternatives = alternatives

    def advance(self) -> bool:
        for item in self._alternatives:
            known = [source.root.value for source in item.sources]
            if None not in known:
                value = item.compute(*known)
                if value is None:
                    raise Contradiction("nothing follows")
                item.target.fix(value)
                return True
        return False

    def targets(self) -> Iterator[tuple[IntVar, int]]:
        for place, item in enumerate(self._alternatives):
            yield item.target.root, 2 if place == len(self._alternatives) - 1 else 1


class Sum(Relation):
    """A linear equation: the sum of factor * variable and a constant is 0.

    Each variable is bounded by the bounds of the others; the first is drawn last.
    """

    def __init__(self, terms: Iterable[tuple[IntVar, int]], constant: int = 0) -> None:
        self._terms = tuple(terms)
        self._constant = constant

    def advance(self) -> bool:
        # Split the terms: known ones into a number, open ones with their joined factors.
        rest, factors = self._constant, dict[IntVar, int]()
        for var, factor in self._terms:
            top = var.root
            if top.value is None:
                factors[top] = factors.get(top, 0) + factor
            else:
                rest += factor * top.value
        open_ = [(top, factor) for top, factor in factors.items() if factor]
        if not open_ and rest:
            raise Contradiction("a sum does not come out")
        # Bound each open variable by the others.
        for var, factor in open_:
            _bound(var, factor, rest, [term for term in open_ if term[0] is not var])
        return len(open_) <= 1

    def targets(self) -> Iterator[tuple[IntVar, int]]:
        yield self._terms[0][0].root, 2


def _bound(var: IntVar, factor: int, rest: int, others: Sequence[tuple[IntVar, int]]) -> None:
    """Narrow a variable by factor * var = -(rest + others); alone it is fixed."""
    if not others and rest % factor:
        raise Contradiction("no whole number fits")
    # The least and the greatest value of rest + others; None where there is no bound.
    low: int | None = rest
    high: int | None = rest
    for other, share in others:
        ends = (other.low, other.high) if share > 0 else (other.high, other.low)
        low = None if low is None or ends[0] is None else low + share * ends[0]
        high = None if high is None or ends[1] is None else high + share * ends[1]
    # Divided by the factor, with its sign: the least is rounded up, the most down.
    least, most = (low, high) if factor < 0 else (high, low)
    var.narrow(
        None if least is None else -(least // factor), None if most is None else -most // factor
    )
    if var.low == var.high:
        var.fix(var.low)


class ConstraintSystem:
    """Constraints between variables; `boundary_values` are numbers that the rule mentions."""

    def __init__(self, boundary_values: Sequence[int] = ()) -> None:
        self._boundary_values = boundary_values
        self._relations: list[Relation] = []

    def add(self, relation: Relation) -> None:
        """Add a constraint."""
        self._relations.append(relation)

    def solve(self, variables: Iterable[IntVar], choices: Choices) -> None:
        """Set each variable; Contradiction where the values drawn exclude each other."""
        # Rank: what follows from others is drawn after it, hinted variables first.
        ranks: dict[IntVar, int] = {}
        for relation in self._relations:
            for top, rank in relation.targets():
                ranks[top] = max(rank, ranks.get(top, 0))
        tops = dict.fromkeys(var.root for var in variables)
        self.propagate()
        # Label: draw one variable, propagate, draw the next.
        for top in sorted(tops, key=lambda top: 0 if top.hinted else ranks.get(top, 0)):
            if top.value is None:
                top.fix(self._drawn(top, choices))
                self.propagate()

    def propagate(self) -> None:
        """Advance all constraints until none of them comes to its end."""
        done = True
        while done:
            waiting = [relation for relation in self._relations if not relation.advance()]
            done = len(waiting) < len(self._relations)
            self._relations = waiting

    def _drawn(self, var: IntVar, choices: Choices) -> int:
        """A value for a variable, mostly near its base, at times a boundary value."""
        if var.allowed is not None:
            allowed = [value for value in var.allowed if var.holds(value)]
            if not allowed:
                raise Contradiction("no value is left")
            return choices.pick(allowed[:_ENUMERATED]) if choices.chance(50) else allowed[0]
        first = var.base if var.holds(var.base) else var.low
        span = MANY if var.high is None else var.high - first + 1
        style = choices.below(20)
        if style >= 18:
            near = [value for value in self._boundary_values if var.holds(value)]
            if near:
                return choices.pick(near)
        reach = MANY if style == 17 else var.spread
        return first + choices.below(min(span, reach))
