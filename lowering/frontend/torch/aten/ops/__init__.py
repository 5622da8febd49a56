"""Conversions of ATen ops, by family."""

from __future__ import annotations

from ..registry import TorchConversions
from . import block, elementwise, layers, movement, reduction

SETS: tuple[TorchConversions, ...] = (
    block.ATEN,
    elementwise.ATEN,
    layers.ATEN,
    movement.ATEN,
    reduction.ATEN,
)
"""The project's conversions."""
