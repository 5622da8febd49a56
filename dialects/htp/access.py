"""Access maps: the elements of its operands that one element of an op's result is computed from.

A family of ops states its map once, in index notation. The dims of the result are b, h, w and d,
any other letter runs over what is summed or searched:

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

Results, tiles, halos, multiply-accumulates, moved bytes and the graphs that prove rules follow from
it.

The shape of the result: each index of each operand is one equation between the operand's dim and a
letter. Those of a letter alone are solved first, then those that need other letters, such as
windows; the result is b, h, w and d. Cost: one step per index. For act 1x9x9x32, weights 3x3x32x64
and a stride of 2,

    act[b, h*stride.1+i, w*stride.2+j, c] * weights[i, j, c, d]

says b = 1, i = j = 3, c = 32 (twice) and d = 64, so h = w = (9 - 3) / 2 + 1 = 4.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import ClassVar, Protocol

from ..value import Shape

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

    @property
    def in_blocks(self) -> bool:
        """True where the position is that of the dim in its block; of one block, it is plain."""
        return self.plain or self == Index(self.dim, sign="@", by=self.by)


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
        turned = self.turned_in(op)
        extents = (self.extent(letter, turned).of(op) for letter in self.summed)
        return prod(extents) if self.factors else 0

    def turned_in(self, op: Reader) -> tuple[str, ...]:
        """List the operands of an op whose dims 2 and 3 its params exchange."""
        return tuple(name for name, flag in self.turned.items() if any(op.ints(flag) or ()))


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


class Operands(Reader, Protocol):
    """The operands of an op, with the names of those that it has."""

    OPERANDS: ClassVar[tuple[str, ...]]


class Mismatch(Exception):
    """Operands that an access map cannot be true of; the message says which, and why."""


def result_shape(access: Access, op: Operands) -> Shape | None:
    """Solve an access map for the result's shape; None where it depends on an unknown param.

    Raises Mismatch.
    """
    over = op.ints(access.over) if access.over else ()
    if over is None or any(op.ints(flag) is None for flag in access.turned.values()):
        return None
    shape = _Extents(access, op, access.turned_in(op)).solve()
    if shape is None:
        return None
    return tuple(1 if dim in over else extent for dim, extent in enumerate(shape))


@dataclass(frozen=True)
class _Dim:
    """One dim of an operand, and the index that the access map gives for it."""

    operand: str
    place: int
    size: int
    index: Index

    def must(self, condition: bool, problem: str) -> None:
        """Raise a Mismatch that names this dim and its extent unless the condition holds."""
        if not condition:
            shown = f"operand '{self.operand}' has extent {self.size} in dim {self.place}"
            raise Mismatch(f"{shown}, {problem}")


@dataclass
class _Extents:
    """The extents of the letters of one access map at one op, each with the operand it is from."""

    access: Access
    op: Operands
    turned: tuple[str, ...]
    known: dict[str, tuple[int, str]] = field(default_factory=dict)

    def solve(self) -> Shape | None:
        """Solve all equations; None where a number that the result needs is not known."""
        for letter, number in self.access.extents.items():
            if self._is_known(number):
                self.known[letter] = number.of(self.op), number.operand
        related = [dim for dim in list(self._dims()) if not self._alone(dim)]
        unknown = {dim.index.dim for dim in related if not self._related(dim)}
        if unknown & set(RESULT):
            return None
        return tuple(self.known.get(letter, (1, ""))[0] for letter in RESULT)

    def _dims(self) -> Iterator[_Dim]:
        for name in filter(self.op.OPERANDS.__contains__, self.access.operands):
            sizes = self.op.dims(name)
            for place, index in enumerate(self.access.indices(name, name in self.turned)):
                yield _Dim(name, place, sizes[place], index)

    def _is_known(self, number: Number | None) -> bool:
        """Is there no number, or one that a shape or a constant gives?"""
        if number is None or number.operand not in self.op.PARAMS:
            return True
        return number.operand in self.op.SHAPES or self.op.ints(number.operand) is not None

    def _number(self, number: Number | None, otherwise: int) -> int:
        return otherwise if number is None else number.of(self.op)

    def _say(self, dim: _Dim, extent: int) -> None:
        """Note the extent of a dim's letter; Mismatch where it has another one."""
        known, other = self.known.setdefault(dim.index.dim, (extent, dim.operand))
        equal = "equal, or one of them 1" if dim.index.broadcast else "equal"
        dim.must(known == extent, f"operand '{other}' gives {known}; they must be {equal}")

    def _alone(self, dim: _Dim) -> bool:
        """Solve an index of one letter or none; False for any other."""
        index = dim.index
        if not index.dim:
            dim.must(dim.size == 1, "it must be 1")
        elif not (index.broadcast or index.plain):
            return False
        elif not (index.broadcast and dim.size == 1):
            self._say(dim, dim.size)
        return True

    def _related(self, dim: _Dim) -> bool:
        """Solve an index that numbers or other letters take part in; False where one is unknown."""
        index = dim.index
        numbers = (index.by, index.spacing, index.start, index.before, index.after)
        if not all(map(self._is_known, numbers)) or (index.tap and index.tap not in self.known):
            return False
        by, (whole, other) = self._number(index.by, 1), self.known.get(index.dim, (0, ""))
        if index.tap:
            return self._windows(dim, by)
        if index.start is not None:
            first = self._number(index.start, 0)
            inside = index.before is not None or first + whole <= dim.size
            dim.must(inside, f"it is read from {first} to {first + whole}")
        elif index.sign == "@":
            self._grouped(dim, by)
        elif index.sign == "~":
            self._say(replace(dim, size=by), by)
        elif index.sign == "%":
            dim.must(dim.size == by, f"it must be {by}")
        elif index.by is not None:
            self._say(dim, dim.size * by)
        else:
            divides = dim.size >= 1 and whole % dim.size == 0
            dim.must(divides, f"operand '{other}' gives {whole}; that must be a multiple")
        return True

    def _grouped(self, dim: _Dim, groups: int) -> None:
        """Solve blocks: of the result as many as groups, of a sum one per group."""
        if dim.index.dim in RESULT:
            self._say(dim, dim.size)
            dim.must(dim.size % groups == 0, f"it must be a multiple of {groups}")
            return
        each, other = self.known.get(dim.index.dim, (0, ""))
        gives = f"operand '{other}' gives {groups} groups of {each}"
        dim.must(dim.size == each * groups, f"{gives}; they must be equal")

    def _windows(self, dim: _Dim, stride: int) -> bool:
        """Count the windows that fit; the last may hang over where the map's `hanging` says so."""
        index, flag = dim.index, self.access.hanging
        hanging = self.op.ints(flag) if flag else (0,)
        if hanging is None:
            return False
        before, after = self._number(index.before, 0), self._number(index.after, 0)
        reach = (self.known[index.tap][0] - 1) * self._number(index.spacing, 1) + 1
        padded = dim.size + before + after
        padding = f" with padding {before} and {after}" if index.before else ""
        fits = stride >= 1 and 1 <= reach <= padded
        dim.must(fits, f"windows of {reach}, {stride} apart, do not fit{padding}")
        steps, left = divmod(padded - reach, stride)
        more = any(hanging) and left > 0 and (steps + 1) * stride < dim.size + before
        self._say(dim, steps + 1 + more)
        return True
