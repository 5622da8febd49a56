"""The importers of ONNX ops, one module a family."""

from __future__ import annotations

from collections.abc import Iterable

from ..support.registry import OnnxImporter
from . import (
    activation,
    attention,
    batch_norm,
    blocks,
    classical,
    einsum,
    elementwise,
    fourier,
    linear,
    losses,
    norm,
    quantization,
    random,
    recurrent,
    reduction,
    rotary,
    training,
    trigonometry,
)
from .images import (
    convolution,
    detection,
    patches,
    pool_places,
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
    scatter,
)

SETS: tuple[Iterable[OnnxImporter], ...] = (
    elementwise.ONNX,
    trigonometry.ONNX,
    activation.ONNX,
    convolution.ONNX,
    pooling.ONNX,
    pool_places.ONNX,
    patches.ONNX,
    regions.ONNX,
    region_pool.ONNX,
    detection.ONNX,
    resize.ONNX,
    fourier.ONNX,
    sampling.ONNX,
    linear.ONNX,
    losses.ONNX,
    attention.ONNX,
    rotary.ONNX,
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
    training.ONNX,
    blocks.ONNX,
)
"""The importer sets of this folder's modules."""
