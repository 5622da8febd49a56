"""The comparison of two recordings: rows of tensors with one name, the worst first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from ..functions.support.arrays import Array
from .recording import INNER, Difference, Recording, alike, difference, dims, is_joined

_RANKS = 4
"""The largest rank, without dims of 1, at which other orders of the dims are tried."""


@dataclass(frozen=True)
class ComparedTensor:
    """One tensor that both have; `joined` is the mark that joins them where no name does."""

    name: str
    difference: Difference
    joined: str = ""

    def cells(self) -> tuple[str, ...]:
        """Return the columns of the table."""
        it = self.difference
        place = f"[{', '.join(map(str, it.place))}] of {dims(it.shape)}"
        numbers = (it.error, it.allowed, it.value, it.wanted)
        mark = "differs" if it.is_fault else ""
        name = f"{self.name} (joined by {self.joined})" if self.joined else self.name
        ratio = f"{it.decibels:.1f}"
        return (mark, *(f"{number:.6g}" for number in numbers), ratio, place, name)


@dataclass(frozen=True)
class Comparison:
    """The rows, the worst first, and the names that one recording alone has."""

    rows: tuple[ComparedTensor, ...]
    here: tuple[str, ...]
    there: tuple[str, ...]
    unlike: tuple[str, ...]

    @property
    def faults(self) -> tuple[ComparedTensor, ...]:
        """The rows whose error is larger than allowed."""
        return tuple(row for row in self.rows if row.difference.is_fault)

    def text(self) -> str:
        """Write the table, and what could not be compared."""
        cells = [_HEAD, *(row.cells() for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in cells
        ]
        lines += _counted(self.here, "the first alone has")
        lines += _counted(self.there, "the second alone has")
        lines += _counted(self.unlike, "of another shape in the second are")
        return "".join(f"{line}\n" for line in lines)


_HEAD = ("", "error", "allowed", "first", "second", "dB", "at", "tensor")
_SHOWN = 5


def _counted(names: tuple[str, ...], words: str) -> Iterator[str]:
    if names:
        shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
        yield f"{words} {len(names)} tensor{'s' * (len(names) != 1)}: {shown}"


def compare(first: Recording, second: Recording, tolerance: float | None = None) -> Comparison:
    """Compare the tensors of one name; `tolerance`, if given, in place of those by dtype.

    Names inside of nodes are joined where both recordings have just the same names, as two of one
    level have; else those of nodes, inputs and outputs are, and tensors of no node by their marks.
    """
    same = first.arrays.keys() == second.arrays.keys()
    names = [[n for n in one.arrays if same or is_joined(n)] for one in (first, second)]
    pairs = [(name, name, "") for name in names[0] if name in second.arrays]
    rows, unlike = [], []
    for name, other, joined in pairs if same else [*pairs, *_marked(first, second)]:
        allowed = max(first.tolerances[name], second.tolerances[other])
        allowed = allowed if tolerance is None else tolerance
        least = node_difference(_tensors(first, name), _tensors(second, other), allowed)
        if least is not None:
            rows.append(ComparedTensor(name, least, joined))
        elif not joined:
            unlike.append(name)
    rows.sort(key=lambda row: (-row.difference.ratio, -row.difference.error))
    here, there = (
        tuple(name for name in mine if name not in other.arrays)
        for mine, other in zip(names, (second, first), strict=True)
    )
    return Comparison(tuple(rows), here, there, tuple(unlike))


def _marked(first: Recording, second: Recording) -> Iterator[tuple[str, str, str]]:
    """Yield the pairs of tensors of no node that one mark joins, with the kind of mark."""
    by_mark = {
        mark: name
        for name, marks in second.marks.items()
        for mark in marks
        if name.startswith(INNER) and name in second.arrays
    }
    taken: set[str] = set()
    for name in (name for name in first.arrays if name.startswith(INNER)):
        for mark in first.marks.get(name, ()):
            other = by_mark.get(mark)
            if other is not None and other not in taken:
                taken.add(other)
                yield name, other, mark.partition(" ")[0]
                break


def _tensors(recording: Recording, name: str) -> list[Array]:
    """List the tensor of a name, and those that may be the result of the node of that name."""
    inner = f"{name}{INNER}"
    return [
        recording.arrays[name],
        *(recording.arrays[part] for part in sorted(recording.parts) if part.startswith(inner)),
    ]


def node_difference(
    first: Sequence[Array], second: Sequence[Array], tolerance: float
) -> Difference | None:
    """Compare the results of a node in two modules: the first tensors of both lists.

    Levels take a node apart in other ways, and leave parts of it out. So the node agrees where the
    result of one is any of its tensors in the other, too. None where no shapes are alike.
    """
    pairs = [(first[0], each) for each in second] + [(each, second[0]) for each in first[1:]]
    worst: Difference | None = None
    for array, wanted in pairs:
        each = best_difference(array, wanted, tolerance)
        if each is not None and not each.is_fault:
            return each
        worst = worst or each
    return worst


def best_difference(array: Array, wanted: Array, tolerance: float) -> Difference | None:
    """Compare two arrays whose dims may be in another order, as in another layout of the model.

    None where no order of the dims makes their shapes the same but for dims of 1.
    """
    plain = difference(array, wanted, tolerance) if alike(array.shape, wanted.shape) else None
    flat = np.squeeze(wanted)
    if (plain is not None and not plain.is_fault) or flat.ndim > _RANKS:
        return plain
    orders = [
        difference(array, flat.transpose(order), tolerance)
        for order in permutations(range(flat.ndim))
        if alike(array.shape, tuple(flat.shape[dim] for dim in order))
    ]
    fitting = [each for each in orders if not each.is_fault]
    return next(iter(fitting), plain or next(iter(orders), None))
