"""Tensors of PyTorch as arrays and types of graph IR."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from .....dialects.dense import Array
from .....dialects.value.dtypes import DType
from .....dialects.value.spec import TensorSpec
from ....importers.graph.emitter import UnknownType

_DTYPES = {
    torch.float32: DType.Float32,
    torch.float64: DType.Float64,
    torch.float16: DType.Float16,
    torch.bfloat16: DType.BFloat16,
    torch.bool: DType.Bool8,
    torch.int8: DType.Int8,
    torch.int16: DType.Int16,
    torch.int32: DType.Int32,
    torch.int64: DType.Int64,
    torch.uint8: DType.UInt8,
    torch.uint16: DType.UInt16,
    torch.uint32: DType.UInt32,
    torch.uint64: DType.UInt64,
}


def dtype_of_tensor(tensor: Tensor) -> DType:
    """Return the dtype of a tensor; UnknownType where it is none of ours."""
    if tensor.dtype not in _DTYPES:
        raise UnknownType(f"has element type {str(tensor.dtype).removeprefix('torch.')}")
    return _DTYPES[tensor.dtype]


def spec_of_tensor(tensor: Tensor) -> TensorSpec | None:
    """Return the spec of a tensor; None where a dim depends on data.

    UnknownType where its dtype is none of ours.
    """
    dtype, shape = dtype_of_tensor(tensor), tuple(tensor.shape)
    return TensorSpec(shape, dtype) if all(isinstance(dim, int) for dim in shape) else None


def array_of(tensor: Tensor) -> Array:
    """Return the numbers of a tensor; UnknownType where its dtype is none of ours."""
    dtype, plain = dtype_of_tensor(tensor), tensor.detach().cpu().contiguous()
    if dtype.extends_numpy:
        # PyTorch gives numpy such numbers as bits alone.
        bits: Array = plain.view(torch.uint16).numpy()
        return bits.view(dtype.storage)
    return np.ascontiguousarray(plain.numpy()).reshape(tensor.shape)


def tensor_of(array: Array) -> Tensor:
    """Return a tensor with a copy of the numbers of an array."""
    if array.dtype.name != DType.BFloat16.value[1]:
        return torch.from_numpy(array.copy())
    return torch.from_numpy(array.view(np.uint16).copy()).view(torch.bfloat16)
