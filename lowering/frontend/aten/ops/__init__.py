"""Conversions of ATen ops, by family."""

from __future__ import annotations

from ..registry import TorchConversions
from . import (
    activation,
    attention,
    binary,
    block,
    convolution,
    fill,
    index,
    linear,
    norm,
    parts,
    places,
    pooling,
    quantized,
    reduction,
    resize,
    scatter,
    shape,
    unary,
)

SETS: tuple[TorchConversions, ...] = (
    activation.ATEN,
    attention.ATEN,
    binary.ATEN,
    block.ATEN,
    convolution.ATEN,
    fill.ATEN,
    index.ATEN,
    linear.ATEN,
    norm.ATEN,
    parts.ATEN,
    places.ATEN,
    pooling.ATEN,
    quantized.ATEN,
    reduction.ATEN,
    resize.ATEN,
    scatter.ATEN,
    shape.ATEN,
    unary.ATEN,
)
"""The conversion sets of this folder's modules."""
