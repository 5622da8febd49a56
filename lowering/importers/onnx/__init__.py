"""The importers of ONNX ops, one module a family."""

from collections.abc import Iterable

from ..support.registry import OnnxImporter
from . import (
    attention,
    blocks,
    classical,
    elementwise,
    fourier,
    linear,
    norm,
    quantization,
    random,
    recurrent,
    reduction,
    training,
)
from .images import convolution, patches, pooling, regions, resize, sampling
from .tensors import arrangement, casts, indexing, movement

_MODULES = (
    *(elementwise, reduction, linear, norm, attention, fourier),
    *(movement, arrangement, indexing, casts, quantization, random),
    *(convolution, pooling, patches, regions, resize, sampling),
    *(recurrent, classical, training, blocks),
)

SETS: tuple[Iterable[OnnxImporter], ...] = tuple(module.ONNX for module in _MODULES)
"""The importer sets of this folder's modules."""
