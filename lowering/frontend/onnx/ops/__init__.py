"""The importers of ONNX ops, one module a family."""

from __future__ import annotations

from collections.abc import Iterable

from ..support.registry import OnnxImporter
from . import (
    activation,
    blocks,
    convolution,
    elementwise,
    linear,
    movement,
    norm,
    pooling,
    quantization,
    recurrent,
    reduction,
)

SETS: tuple[Iterable[OnnxImporter], ...] = (
    elementwise.ONNX,
    activation.ONNX,
    convolution.ONNX,
    pooling.ONNX,
    linear.ONNX,
    norm.ONNX,
    reduction.ONNX,
    movement.ONNX,
    quantization.ONNX,
    recurrent.ONNX,
    blocks.ONNX,
)
"""The importer sets of this folder's modules."""
