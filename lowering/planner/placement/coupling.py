"""Constraint encoding: the labels that the tensors of one op may have, for a minimum cut.

The kernels of an op allow a union of boxes: one box per kernel, in which each tensor has its own
choice of labels. A minimum cut describes a set of labellings by pins (one label is fixed) and
implications (high here makes high there). Where pins and implications cannot describe the union,
a part of it is taken: the two labellings in which all open tensors are alike, if both are allowed,
else the largest box.

Cost: quadratic in the tensors of one op, and 2^8 labellings at most to compare the sets.

Example: kernels that take (low, low) or (high, high) give one group of two tensors without pins.
Kernels that take (low, high) or (high, low) cannot be encoded; the first box stays, as two pins.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

Labels = frozenset[bool]
Box = tuple[Labels, ...]

_MOST_GROUPS = 8
"""Groups of tensors up to which an encoding is compared with the union that it describes."""


@dataclass(frozen=True)
class Coupling:
    """The group of each tensor, groups with a pinned label, and implications between groups.

    All tensors of a group have one label.
    """

    groups: tuple[int, ...]
    pins: tuple[tuple[int, bool], ...]
    implications: tuple[tuple[int, int], ...]

    def allows(self, labels: Sequence[bool]) -> bool:
        """Say whether the tensors may have these labels together."""
        of = dict(zip(self.groups, labels, strict=True))
        alike = all(of[group] is high for group, high in zip(self.groups, labels, strict=True))
        pinned = all(of[group] is high for group, high in self.pins)
        return alike and pinned and all(of[b] for a, b in self.implications if of[a])


@lru_cache(maxsize=4096)
def couple(boxes: tuple[Box, ...]) -> Coupling:
    """Encode a union of boxes, exactly or in part; ValueError for an empty one."""
    if not boxes or not all(all(box) for box in boxes):
        raise ValueError("an op needs at least one way to label its tensors")
    merged = _merged(boxes)
    encoding = _describe(merged)
    if len(merged) == 1 or _within(encoding, merged):
        return encoding
    # A part that can be encoded: all open tensors alike, in both labels, or the largest box.
    union = [frozenset[bool]().union(*column) for column in zip(*merged, strict=True)]
    alike = [
        tuple(frozenset((high,)) if len(labels) > 1 else labels for labels in union)
        for high in (False, True)
    ]
    if all(any(_contains(box, way) for box in merged) for way in alike):
        return _describe(alike)
    return _describe([max(merged, key=lambda box: sum(map(len, box)))])


def _merged(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """Describe the same union by fewer boxes: two that differ in one tensor become one."""
    merged: list[Box] = []
    for box in boxes:
        while (
            pair := next((p for other in merged if (p := _joined(other, box))), None)
        ) is not None:
            other, box = pair
            merged.remove(other)
        merged.append(box)
    return tuple(merged)


def _joined(first: Box, second: Box) -> tuple[Box, Box] | None:
    """Join a second box with a first one, if the join allows nothing new; the first, the join."""
    differ = [index for index, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(differ) <= 1 or _contains(first, second):
        union = tuple(a | b for a, b in zip(first, second, strict=True))
        return first, union
    return (first, second) if _contains(second, first) else None


def _contains(outer: Box, inner: Box) -> bool:
    return all(a >= b for a, b in zip(outer, inner, strict=True))


def _describe(boxes: Sequence[Box]) -> Coupling:
    """Encode the least set with pins and implications that contains all boxes."""
    union = [frozenset[bool]().union(*column) for column in zip(*boxes, strict=True)]
    open_ = [index for index, labels in enumerate(union) if len(labels) > 1]
    # a implies b where no box allows a high and b low; one box implies nothing.
    implied = {
        (a, b)
        for a in (open_ if len(boxes) > 1 else ())
        for b in open_
        if a != b and not any(True in box[a] and False in box[b] for box in boxes)
    }
    # Tensors that imply each other are one group, named after the first of them.
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


def _within(coupling: Coupling, boxes: Sequence[Box]) -> bool:
    """Say whether the boxes contain all that the coupling allows."""
    if len({*coupling.groups}) - len(coupling.pins) > _MOST_GROUPS:
        return False
    return all(
        any(
            all(label in choice for label, choice in zip(labels, box, strict=True)) for box in boxes
        )
        for labels in _allowed(coupling)
    )


def _allowed(coupling: Coupling) -> Iterator[tuple[bool, ...]]:
    pins = dict(coupling.pins)
    groups = sorted({*coupling.groups})
    for choice in product(*([pins[g]] if g in pins else [False, True] for g in groups)):
        of = dict(zip(groups, choice, strict=True))
        labels = tuple(of[group] for group in coupling.groups)
        if coupling.allows(labels):
            yield labels
