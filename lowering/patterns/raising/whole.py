"""Which values of a graph are whole numbers, and between which bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ....dialects.value.dtypes import DType
from ...rules import external_constraint
from ...rules.graph.graph import Node

Bounds = tuple[int, int]
"""The least and the largest number."""

EXACT = 1 << 24
"""The whole numbers up to here are numbers of f32; beyond it sums and products may round."""
_LARGEST = (1 << 31) - 1
"""The largest number of i32."""

_INTEGERS: dict[DType, Bounds] = {
    DType.Bool8: (0, 1),
    DType.Int8: (-(1 << 7), (1 << 7) - 1),
    DType.UInt8: (0, (1 << 8) - 1),
    DType.Int16: (-(1 << 15), (1 << 15) - 1),
    DType.UInt16: (0, (1 << 16) - 1),
}
"""The bounds of integers that are within EXACT whatever their values are."""


@external_constraint("whole_numbers")
def whole_numbers(node: Node) -> bool:
    """The values are whole numbers, by the constants and the casts that they come from."""
    return bounds(node) is not None


def bounds(node: Node) -> Bounds | None:
    """Return the bounds of a value's whole numbers; None where it may hold others."""
    return _within(_LARGEST, _INTEGERS.get(node.spec.dtype) or _bounds_of_op(node))


def _within(limit: int, known: Bounds | None) -> Bounds | None:
    return known if known and max(map(abs, known)) <= limit else None


def _bounds_of_op(node: Node) -> Bounds | None:
    array = node.constant
    if array is not None:
        whole = array.size > 0 and bool(np.all(np.isfinite(array) & (array == np.rint(array))))
        return (int(array.min()), int(array.max())) if whole else None
    name = node.name.partition(".")[2]
    if name not in _OPS:
        return None
    parts, combined = _OPS[name]
    inputs = [bounds(node.inputs[part]) for part in parts]
    known = [each for each in inputs if each is not None]
    return combined(known) if len(known) == len(inputs) else None


def _union(parts: Sequence[Bounds]) -> Bounds:
    return min(low for low, _ in parts), max(high for _, high in parts)


def _opposite(parts: Sequence[Bounds]) -> Bounds:
    ((low, high),) = parts
    return -high, -low


def _sum(parts: Sequence[Bounds]) -> Bounds | None:
    return _within(EXACT, (sum(low for low, _ in parts), sum(high for _, high in parts)))


def _difference(parts: Sequence[Bounds]) -> Bounds | None:
    left, right = parts
    return _sum([left, _opposite([right])])


def _product(parts: Sequence[Bounds]) -> Bounds | None:
    left, right = parts
    ends = [a * b for a in left for b in right]
    # A product with -1, 0 or 1 does not round.
    is_unit = any(_within(1, part) for part in parts)
    return _within(_LARGEST if is_unit else EXACT, (min(ends), max(ends)))


_OPS: dict[str, tuple[tuple[int, ...], Callable[[Sequence[Bounds]], Bounds | None]]] = {
    "Cast": ((0,), _union),
    "ElementWiseAdd": ((0, 1), _sum),
    "ElementWiseMultiply": ((0, 1), _product),
    "ElementWiseNeg": ((0,), _opposite),
    "ElementWiseSelect": ((1, 2), _union),
    "ElementWiseSubtract": ((0, 1), _difference),
    "Reshape": ((0,), _union),
    "Transpose": ((0,), _union),
}
"""Ops that make whole numbers of whole numbers: the inputs that count, and their bounds as one."""
