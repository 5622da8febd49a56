"""Constant data: numpy arrays to and from the IR's dense attributes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, TensorType

from .spec_of import dtype_of, plain_element_type
from .value import DType, TensorSpec

Array = NDArray[Any]

_STORED_AS = {
    DType.QUInt8: DType.UInt8,
    DType.QInt8: DType.Int8,
    DType.QUInt16: DType.UInt16,
    DType.QInt16: DType.Int16,
    DType.QInt32: DType.Int32,
}
"""The plain integer dtype of quantised data."""

_IN_TEXT: dict[DType, np.dtype[np.generic]] = {
    DType.Bool8: np.dtype(np.uint8),
    DType.Int4: np.dtype(np.int8),
    DType.Int2: np.dtype(np.int8),
}
"""The dtype of an attribute's bytes where it is not that of the array: signs fill a byte."""


def dense_of(array: Array, spec: TensorSpec) -> DenseIntOrFPElementsAttr:
    """The data of `spec`'s shape as an attribute; quantised data goes in as stored integers."""
    stored = _STORED_AS.get(spec.dtype, spec.dtype)
    type_ = TensorType(plain_element_type(stored), spec.shape)
    data = np.ascontiguousarray(array, dtype=stored.storage).reshape(spec.shape)
    if stored is DType.Bool8:
        data = data.view(np.uint8) * np.uint8(255)
    data = data.astype(_IN_TEXT.get(stored, stored.storage), copy=False)
    return DenseIntOrFPElementsAttr(type_, BytesAttr(data.tobytes()))


def array_of(dense: DenseIntOrFPElementsAttr) -> Array:
    """The attribute's data as a read-only array of its shape."""
    dtype, _ = dtype_of(dense.get_element_type())
    flat = np.frombuffer(dense.data.data, dtype=_IN_TEXT.get(dtype, dtype.storage))
    if dtype in _IN_TEXT:
        flat = flat != 0 if dtype is DType.Bool8 else flat.astype(dtype.storage)
    shape = dense.get_shape()
    return np.broadcast_to(flat.reshape(()), shape) if flat.size == 1 else flat.reshape(shape)
