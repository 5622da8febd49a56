"""The importers of ONNX ops, one module a family."""

from __future__ import annotations

from collections.abc import Iterable

from ..support.registry import OnnxImporter
from . import (
    attention,
    blocks,
    classical,
    einsum,
    elementwise,
    fourier,
    linear,
    norm,
    quantization,
    random,
    recurrent,
    reduction,
    training,
    trigonometry,
)
from .images import (
    convolution,
    patches,
    pooling,
    region_pool,
    regions,
    resize,
    sampling,
)
from .tensors import (
    arrangement,
    casts,
    indexing,
    movement,
)

SETS: tuple[Iterable[OnnxImporter], ...] = (
    elementwise.ONNX,
    trigonometry.ONNX,
    convolution.ONNX,
    pooling.ONNX,
    patches.ONNX,
    regions.ONNX,
    region_pool.ONNX,
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
    einsum.ONNX,
    casts.ONNX,
    quantization.ONNX,
    random.ONNX,
    recurrent.ONNX,
    classical.ONNX,
    training.ONNX,
    blocks.ONNX,
)
"""The importer sets of this folder's modules."""
