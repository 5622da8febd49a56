"""The importers of ONNX ops, one module a family."""

from __future__ import annotations

from collections.abc import Iterable

from ..support.registry import OnnxImporter
from . import (
    activation,
    arrangement,
    attention,
    batch_norm,
    blocks,
    casts,
    classical,
    convolution,
    determinant,
    einsum,
    elementwise,
    fourier,
    indexing,
    linear,
    movement,
    norm,
    pooling,
    quantization,
    random,
    recurrent,
    reduction,
    resize,
    sampling,
    scatter,
    tree_regressor,
    trees,
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
    determinant.ONNX,
    norm.ONNX,
    batch_norm.ONNX,
    reduction.ONNX,
    movement.ONNX,
    arrangement.ONNX,
    indexing.ONNX,
    scatter.ONNX,
    einsum.ONNX,
    casts.ONNX,
    quantization.ONNX,
    random.ONNX,
    recurrent.ONNX,
    classical.ONNX,
    trees.ONNX,
    tree_regressor.ONNX,
    blocks.ONNX,
)
"""The importer sets of this folder's modules."""
