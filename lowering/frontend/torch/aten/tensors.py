"""Tensors of PyTorch as arrays and types of graph IR."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from .....dialects.dense import Array
from .....dialects.value.dtypes import DType
from .....dialects.value.spec import TensorSpec
from ...graph.arrays import UnknownType

_DTYPES = {
    torch.float32: DType.Float32,
    torch.float16: DType.Float16,
    torch.bool: DType.Bool8,
    torch.int8: DType.Int8,
    torch.int16: DType.Int16,
    torch.int32: DType.Int32,
    torch.int64: DType.Int64,
    torch.uint8: DType.UInt8,
}


def spec_of_tensor(tensor: Tensor) -> TensorSpec | None:
    """Return the spec of a tensor; None where a dim is symbolic.

    UnknownType where its dtype is none of ours.
    """
    if tensor.dtype not in _DTYPES:
        raise UnknownType(f"has element type {str(tensor.dtype).removeprefix('torch.')}")
    if not all(isinstance(dim, int) for dim in tensor.shape):
        return None
    return TensorSpec(tuple(tensor.shape), _DTYPES[tensor.dtype])


def array_of(tensor: Tensor) -> Array:
    """Return the numbers of a tensor; UnknownType where numpy has no such dtype."""
    spec_of_tensor(tensor)
    return np.ascontiguousarray(tensor.detach().cpu().numpy()).reshape(tensor.shape)
