"""The importers of ONNX ops, one module a family."""

from __future__ import annotations

from collections.abc import Iterable

from ..support.registry import OnnxImporter
from . import (
    activation,
    blocks,
    convolution,
    elementwise,
    fourier,
    linear,
    movement,
    norm,
    pooling,
    quantization,
    recurrent,
    reduction,
    resize,
    sampling,
    trigonometry,
)

SETS: tuple[Iterable[OnnxImporter], ...] = (
    elementwise.ONNX,
    trigonometry.ONNX,
    activation.ONNX,
    convolution.ONNX,
    pooling.ONNX,
    resize.ONNX,
    fourier.ONNX,
    sampling.ONNX,
    linear.ONNX,
    norm.ONNX,
    reduction.ONNX,
    movement.ONNX,
    quantization.ONNX,
    recurrent.ONNX,
    blocks.ONNX,
)
"""The importer sets of this folder's modules."""
