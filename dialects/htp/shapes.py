"""The shape of a result, from the access map of its op: extents by letter.

Algorithm: each index of each operand is one equation between the operand's dim and a letter. Those
of a letter alone are solved first, then those that need other letters, such as windows; the result
is b, h, w and d. Cost: one step per index. For act 1x9x9x32, weights 3x3x32x64 and a stride of 2,

    act[b, h*stride.1+i, w*stride.2+j, c] * weights[i, j, c, d]

says b = 1, i = j = 3, c = 32 (twice) and d = 64, so h = w = (9 - 3) / 2 + 1 = 4.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

from ..value import Shape
from .access import RESULT, Access, Index, Number, Reader


class Operands(Reader, Protocol):
    """The operands of an op, with the names of those that it has."""

    OPERANDS: ClassVar[tuple[str, ...]]


class Mismatch(Exception):
    """Operands that an access map cannot be true of; the message says which, and why."""


def result_shape(access: Access, op: Operands) -> Shape | None:
    """Solve an access map for the result's shape; None where it depends on an unknown param.

    Raises Mismatch.
    """
    flags = {name: op.ints(param) for name, param in access.turned.items()}
    over = op.ints(access.over) if access.over else ()
    if over is None or None in flags.values():
        return None
    turned = tuple(name for name, flag in flags.items() if any(flag or ()))
    shape = _Extents(access, op, turned).solve()
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
