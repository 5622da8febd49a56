"""The importers of ONNX ops, one module a family."""

from __future__ import annotations

from collections.abc import Iterable

from ..support.registry import OnnxImporter
from . import (
    activation,
    arrangement,
    attention,
    blocks,
    casts,
    convolution,
    einsum,
    elementwise,
    fourier,
    indexing,
    linear,
    movement,
    norm,
    pooling,
    quantization,
    recurrent,
    reduction,
    resize,
    sampling,
    scatter,
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
    attention.ONNX,
    norm.ONNX,
    reduction.ONNX,
    movement.ONNX,
    arrangement.ONNX,
    indexing.ONNX,
    scatter.ONNX,
    einsum.ONNX,
    casts.ONNX,
    quantization.ONNX,
    recurrent.ONNX,
    blocks.ONNX,
)
"""The importer sets of this folder's modules."""
