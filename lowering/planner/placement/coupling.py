"""Which labels the tensors of one op can have together, as pins and implications.

What an op can have is a union of boxes: one per kernel, in which each tensor has its own choice.
A minimum cut takes just those sets that pins and implications describe. Ops whose tensors all
have their labels, whose tensors all share one, and whose tensors are free of each other are such
sets. For others the op keeps a part of what it can have: the two ways in which all open tensors
are alike where it can have both, else the largest box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

Labels = frozenset[bool]
Box = tuple[Labels, ...]

_MOST_GROUPS = 8
"""Above this many groups of tensors a set is not compared with what describes it."""


@dataclass(frozen=True)
class Coupling:
    """The group of each tensor, groups with one label, and pairs: high makes the second high.

    All tensors of a group have one label.
    """

    groups: tuple[int, ...]
    pins: tuple[tuple[int, bool], ...]
    implications: tuple[tuple[int, int], ...]

    def allows(self, labels: Sequence[bool]) -> bool:
        """Whether the tensors may have these labels together."""
        found = dict(zip(self.groups, labels, strict=True))
        alike = all(found[group] is high for group, high in zip(self.groups, labels, strict=True))
        pinned = all(found[group] is high for group, high in self.pins)
        return alike and pinned and all(found[b] for a, b in self.implications if found[a])


@lru_cache(maxsize=4096)
def couple(boxes: tuple[Box, ...]) -> Coupling:
    """The coupling of a union of boxes, exact or a part of it; ValueError for an empty one."""
    if not boxes or not all(all(box) for box in boxes):
        raise ValueError("an op needs at least one way to label its tensors")
    merged = _merged(boxes)
    exact = _describe(merged)
    if len(merged) == 1 or _within(exact, merged):
        return exact
    return _describe(_part(merged))


def _merged(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """The same union, of fewer boxes: two that differ in one tensor are one."""
    found: list[Box] = []
    for box in boxes:
        while (
            pair := next((p for other in found if (p := _joined(other, box))), None)
        ) is not None:
            other, box = pair
            found.remove(other)
        found.append(box)
    return tuple(found)


def _joined(first: Box, second: Box) -> tuple[Box, Box] | None:
    """A box that the other can be joined with, and the join."""
    differ = [index for index, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(differ) <= 1 or _contains(first, second):
        union = tuple(a | b for a, b in zip(first, second, strict=True))
        return first, union
    return (first, second) if _contains(second, first) else None


def _contains(outer: Box, inner: Box) -> bool:
    return all(a >= b for a, b in zip(outer, inner, strict=True))


def _describe(boxes: Sequence[Box]) -> Coupling:
    """The least set with pins and implications that has all the boxes in it."""
    union = [frozenset[bool]().union(*column) for column in zip(*boxes, strict=True)]
    open_ = [index for index, labels in enumerate(union) if len(labels) > 1]
    if len(boxes) == 1:
        implied: set[tuple[int, int]] = set()
    else:
        implied = {(a, b) for a in open_ for b in open_ if a != b and _implies(boxes, a, b)}
    leaders = [
        next((a for a in open_[:at] if {(a, b), (b, a)} <= implied), b)
        for at, b in enumerate(open_)
    ]
    of = dict(zip(open_, leaders, strict=True))
    return Coupling(
        tuple(of.get(index, index) for index in range(len(union))),
        tuple((index, True in labels) for index, labels in enumerate(union) if len(labels) == 1),
        tuple(sorted((a, b) for a, b in implied if of[a] == a and of[b] == b)),
    )


def _implies(boxes: Sequence[Box], first: int, second: int) -> bool:
    return not any(True in box[first] and False in box[second] for box in boxes)


def _within(coupling: Coupling, boxes: Sequence[Box]) -> bool:
    """Whether all that the coupling allows lies in the boxes."""
    if len({*coupling.groups}) - len(coupling.pins) > _MOST_GROUPS:
        return False
    return all(any(_inside(labels, box) for box in boxes) for labels in _allowed(coupling))


def _inside(labels: Sequence[bool], box: Box) -> bool:
    return all(label in choice for label, choice in zip(labels, box, strict=True))


def _allowed(coupling: Coupling) -> Iterator[tuple[bool, ...]]:
    pins = dict(coupling.pins)
    groups = sorted({*coupling.groups})
    for choice in product(*([pins[g]] if g in pins else [False, True] for g in groups)):
        found = dict(zip(groups, choice, strict=True))
        labels = tuple(found[group] for group in coupling.groups)
        if coupling.allows(labels):
            yield labels


def _part(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """A part of the union that pins and implications describe."""
    union = [frozenset[bool]().union(*column) for column in zip(*boxes, strict=True)]
    alike = [
        tuple(frozenset((high,)) if len(labels) > 1 else labels for labels in union)
        for high in (False, True)
    ]
    if all(any(_contains(box, way) for box in boxes) for way in alike):
        return tuple(alike)
    return (max(boxes, key=lambda box: sum(map(len, box))),)
