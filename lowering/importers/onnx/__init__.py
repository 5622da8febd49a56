"""The importers of ONNX ops, one module a family."""

from collections.abc import Iterable

from ..support.registry import OnnxImporter
from . import (
    attention,
    blocks,
    classical,
    elementwise,
    linear,
    norm,
    quantization,
    random,
    recurrent,
    reduction,
    training,
)
from .images import convolution, pooling, resize, sampling
from .tensors import casts, indexing, movement

_MODULES = (
    *(elementwise, reduction, linear, norm, attention),
    *(movement, indexing, casts, quantization, random),
    *(convolution, pooling, resize, sampling),
    *(recurrent, classical, training, blocks),
)

SETS: tuple[Iterable[OnnxImporter], ...] = tuple(module.ONNX for module in _MODULES)
"""The importer sets of this folder's modules."""
