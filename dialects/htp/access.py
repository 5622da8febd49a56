"""Access maps: the elements of its operands that one element of an op's result is computed from.

A family of ops states its map once, in index notation. The dims of the result are b, h, w
and d, any other letter runs over what is summed or searched:

    act[b, h*stride.1+i, w*stride.2+j, c] * weights[i, j, c, d] + bias[0, 0, 0, d]

Between operands, `*` forms products that are summed, `+` is added to each result, and `,`
represents any other function. A number such as `stride.1` is dim 1 of a shape operand or element 1
of an integer param. An index is one of

    0                     the only position there is
    h    h?               that of the result; with `?`, or 0 where the operand has extent 1
    h*s+i*d+n-p:q         windows of taps i, n elements further, p of padding before and q after
    h/s  h%s              the quotient and the remainder; `d/m` for as many as the shapes say
    h~p.0                 within p.4 of (h*p.1 + p.2) / p.3, for h up to p.0
    d@g                   blocks of equal size, as many as g says: a block reads its own

Results, tiles, halos, multiply-accumulates, moved bytes and the graphs that prove rules follow
from it.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import ClassVar, Protocol

RESULT = "bhwd"
"""The dims of a result, in order."""


class Reader(Protocol):
    """An op as its access map reads it."""

    PARAMS: ClassVar[tuple[str, ...]]
    SHAPES: ClassVar[tuple[str, ...]]

    def dims(self, name: str) -> tuple[int, ...]:
        """The dims of a tensor or shape operand."""
        ...

    def ints(self, name: str) -> tuple[int, ...] | None:
        """The numbers of an integer param; None where they are not known."""
        ...


@dataclass(frozen=True)
class Number:
    """A number that an operand gives: a dim of its shape, or an element of an integer param."""

    operand: str
    place: int

    def of(self, op: Reader) -> int:
        """The number at an op; 0 where its param is not known."""
        is_param = self.operand in op.PARAMS and self.operand not in op.SHAPES
        numbers = op.ints(self.operand) if is_param else op.dims(self.operand)
        return numbers[self.place] if numbers else 0


@dataclass(frozen=True)
class Index:
    """The position along one dim of an operand; `dim` is empty where that is 0.

    `by` is the factor, divisor or number of blocks that `sign` says (one of `*`, `/`, `%`, `@`); of
    `~` it is the first of five numbers: extent, step, start, unit and reach.
    Windows have a `tap`, `spacing` apart. `start` is added, `before` subtracted; `after` is the
    padding at the far end.
    """

    dim: str = ""
    broadcast: bool = False
    sign: str = ""
    by: Number | None = None
    tap: str = ""
    spacing: Number | None = None
    start: Number | None = None
    before: Number | None = None
    after: Number | None = None

    @property
    def near(self) -> str | None:
        """The param that says near which place the position is."""
        return self.by.operand if self.by and self.sign == "~" else None

    @property
    def plain(self) -> bool:
        """True where the position is that of the dim itself."""
        return self == Index(self.dim)


@dataclass(frozen=True)
class Follow:
    """The dim of an operand that follows a letter, its index, and the taps of a window."""

    dim: int
    index: Index
    taps: Number | None


@dataclass(frozen=True)
class Access:
    """An access map: the indices of every operand, by name.

    An operand that is absent is a param, or read as a whole. `factors` are multiplied and summed,
    `added` is added to the sum. `extents` are those of letters that are not a dim of an operand. By
    operand, `turned` names the param that exchanges its dims 2 and 3. Every element of the result
    reads all of the axes in the param `along`, and of those in `over`, which have extent 1 in the
    result. An op that `moves` computes nothing; its parts follow each other along the axis in the
    param `joined`. Where the param `hanging` is 1, the last window may hang over the far padding.
    The integer params in `counted` are distances from a position along a dim of the result: read
    from element n on, they are n more.
    """

    operands: Mapping[str, tuple[Index, ...]]
    factors: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    extents: Mapping[str, Number] = field(default_factory=dict[str, Number])
    turned: Mapping[str, str] = field(default_factory=dict[str, str])
    counted: Mapping[str, str] = field(default_factory=dict[str, str])
    along: str = ""
    over: str = ""
    joined: str = ""
    hanging: str = ""
    moves: bool = False

    def indices(self, operand: str, turned: bool = False) -> tuple[Index, ...]:
        """The indices of an operand; with dims 2 and 3 exchanged if it is turned."""
        indices = self.operands[operand]
        return (*indices[:2], *reversed(indices[2:])) if turned else indices

    def follows(self, letter: str, turned: Collection[str] = ()) -> dict[str, Follow]:
        """The operands of which a range along a letter reads a range, by name."""
        return {
            name: Follow(dim, index, self.extent(index.tap) if index.tap else None)
            for name in self.operands
            for dim, index in enumerate(self.indices(name, name in turned))
            if index.dim == letter and index.sign != "%"
        }

    def holders(self, letter: str, turned: Collection[str] = ()) -> dict[str, int]:
        """The dims of operands that have the extent of a letter, by operand."""
        follows = self.follows(letter, turned)
        return {name: follow.dim for name, follow in follows.items() if follow.index.plain}

    @property
    def summed(self) -> tuple[str, ...]:
        """The letters that run over what is summed or searched."""
        indices = [index for indices in self.operands.values() for index in indices]
        letters = (letter for index in indices for letter in (index.dim, index.tap))
        return tuple(dict.fromkeys(n for n in letters if n and n not in RESULT))

    def extent(self, letter: str, turned: Collection[str] = ()) -> Number:
        """The number that says how far a letter runs."""
        if letter in self.extents:
            return self.extents[letter]
        return Number(*next(iter(self.holders(letter, turned).items())))

    def products(self, op: Reader) -> int:
        """Count the products that each element of the result sums; 0 where nothing is summed."""
        turned = [name for name, flag in self.turned.items() if any(op.ints(flag) or ())]
        extents = (self.extent(letter, turned).of(op) for letter in self.summed)
        return prod(extents) if self.factors else 0


_NUMBER = r"[a-z_]\w*\.\d+"
_INDEX = re.compile(
    rf"0|(?P<dim>[a-z])(?P<broadcast>\?)?((?P<sign>[*/%@~])(?P<by>{_NUMBER}|m))?"
    rf"(\+(?P<tap>[a-z])(\*(?P<spacing>{_NUMBER}))?)?"
    rf"(\+(?P<start>{_NUMBER}))?(-(?P<before>{_NUMBER})(:(?P<after>\d+))?)?"
)
_OPERAND = re.compile(r"\s*(?P<join>[*+,])?\s*(?P<name>\w+)\[(?P<indices>[^\]]*)\]\s*")


def access(
    text: str,
    *,
    turned: Mapping[str, str] | None = None,
    counted: Mapping[str, str] | None = None,
    along: str = "",
    over: str = "",
    joined: str = "",
    hanging: str = "",
    moves: bool = False,
    **extents: str,
) -> Access:
    """Read an access map; ValueError for a text that is none.

    Example: `access("act[b, h*stride.1+i, w*stride.2+j, d]", i="window.1", j="window.2")`
    """
    operands: dict[str, tuple[Index, ...]] = {}
    by_join: dict[str, list[str]] = {"": [], "*": [], "+": [], ",": []}
    position = 0
    while position < len(text):
        match = _OPERAND.match(text, position)
        if match is None or bool(match["join"]) != bool(operands):
            raise ValueError(f"access map: {text[position:]!r} begins no operand")
        operands[match["name"]] = tuple(map(_index, filter(None, match["indices"].split(","))))
        by_join[match["join"] or ""].append(match["name"])
        position = match.end()
    factors = (*by_join[""], *by_join["*"]) if by_join["*"] else ()
    numbers = {letter: _given(number) for letter, number in extents.items()}
    added = tuple(by_join["+"])
    names = (along, over, joined, hanging)
    return Access(operands, factors, added, numbers, turned or {}, counted or {}, *names, moves)


def _index(text: str) -> Index:
    match = _INDEX.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"access map: {text.strip()!r} is no index")
    before = _number(match["before"])
    return Index(
        match["dim"] or "",
        bool(match["broadcast"]),
        match["sign"] or "",
        _number(match["by"]),
        match["tap"] or "",
        _number(match["spacing"]),
        _number(match["start"]),
        before,
        Number(before.operand, int(match["after"])) if before and match["after"] else None,
    )


def _number(text: str | None) -> Number | None:
    """The number; None for none, and for the `m` that only the shapes say."""
    return None if text in (None, "m") else _given(str(text))


def _given(text: str) -> Number:
    operand, _, place = text.partition(".")
    return Number(operand, int(place))
