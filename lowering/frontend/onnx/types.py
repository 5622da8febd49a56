"""Element types: ONNX's numbers, numpy's dtypes and ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, TypeProto

from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec

Array = NDArray[Any]

DTYPES: dict[int, DType] = {
    TensorProto.FLOAT: DType.Float32,
    TensorProto.FLOAT16: DType.Float16,
    TensorProto.INT8: DType.Int8,
    TensorProto.INT16: DType.Int16,
    TensorProto.INT32: DType.Int32,
    TensorProto.INT64: DType.Int64,
    TensorProto.UINT8: DType.UInt8,
    TensorProto.UINT16: DType.UInt16,
    TensorProto.UINT32: DType.UInt32,
    TensorProto.BOOL: DType.Bool8,
}

_BY_STORAGE = {dtype.storage: dtype for dtype in DTYPES.values()}

QUANTIZED = {
    DType.UInt8: DType.QUInt8,
    DType.Int8: DType.QInt8,
    DType.UInt16: DType.QUInt16,
    DType.Int16: DType.QInt16,
    DType.Int32: DType.QInt32,
}
"""The quantised dtype that goes with an integer one."""

MOST_ELEMENTS = 2**26
"""Elements that a constant which the import makes up may have."""

SUPPORTED = ", ".join(dtype.name for dtype in DTYPES.values())


class UnknownType(Exception):
    """A type that graph IR has no word for; the text says which."""


def dtype_of_onnx(element: int) -> DType:
    """The dtype of an ONNX element type; UnknownType if there is none."""
    if element not in DTYPES:
        known = element in TensorProto.DataType.values()
        name = TensorProto.DataType.Name(TensorProto.DataType.ValueType(element)) if known else ""
        raise UnknownType(f"element type {name or element}")
    return DTYPES[element]


def dtype_of_array(array: Array) -> DType:
    """The dtype of an array; UnknownType if there is none."""
    if array.dtype not in _BY_STORAGE:
        raise UnknownType(f"element type {array.dtype}")
    return _BY_STORAGE[array.dtype]


def shape_of_onnx(type_: TypeProto) -> tuple[int, ...] | None:
    """The shape of a tensor type, None where it has none or any dim is not a number."""
    if not type_.HasField("tensor_type") or not type_.tensor_type.HasField("shape"):
        return None
    dims = type_.tensor_type.shape.dim
    if not all(dim.HasField("dim_value") and dim.dim_value >= 0 for dim in dims):
        return None
    return tuple(dim.dim_value for dim in dims)


def spec_of_onnx(type_: TypeProto) -> TensorSpec | None:
    """The spec of a tensor type, None where it is unknown or dynamic or has no dtype of ours."""
    shape = shape_of_onnx(type_)
    if shape is None or type_.tensor_type.elem_type not in DTYPES:
        return None
    return TensorSpec(shape, DTYPES[type_.tensor_type.elem_type])


def spec_of_array(array: Array) -> TensorSpec:
    """The spec of a constant; UnknownType where its dtype is none of ours."""
    return TensorSpec(array.shape, dtype_of_array(array))


def real(value: float) -> float:
    """The nearest f32, as ONNX stores float attributes."""
    return float(np.float32(value))
