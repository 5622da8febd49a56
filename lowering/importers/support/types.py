"""Element types: ONNX's numbers and ours. Source: onnx.proto3, TensorProto.DataType."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects.value import DType, TensorSpec
from ..graph.value import UnknownType
from .registry import require

if TYPE_CHECKING:
    from onnx import TypeProto

DTYPES: dict[int, DType] = {
    1: DType.Float32,
    10: DType.Float16,
    3: DType.Int8,
    5: DType.Int16,
    6: DType.Int32,
    7: DType.Int64,
    2: DType.UInt8,
    4: DType.UInt16,
    12: DType.UInt32,
    9: DType.Bool8,
    11: DType.Float64,
    13: DType.UInt64,
    16: DType.BFloat16,
    17: DType.Float8E4M3FN,
    18: DType.Float8E4M3FNUZ,
    19: DType.Float8E5M2,
    20: DType.Float8E5M2FNUZ,
    21: DType.UInt4,
    22: DType.Int4,
    23: DType.Float4E2M1FN,
    24: DType.Float8E8M0FNU,
    25: DType.UInt2,
    26: DType.Int2,
    27: DType.Float6E2M3FN,
    28: DType.Float6E3M2FN,
}
"""Dtype by the number of ONNX's element type."""

QUANTIZED = {
    DType.UInt8: DType.QUInt8,
    DType.Int8: DType.QInt8,
    DType.UInt16: DType.QUInt16,
    DType.Int16: DType.QInt16,
    DType.Int32: DType.QInt32,
}
"""The quantised dtype that goes with an integer one."""
STORED = {quantised: plain for plain, quantised in QUANTIZED.items()}
"""The integer dtype that a quantised one is stored in."""

MOST_ELEMENTS = 2**24
"""Elements, at most, of a table that an import makes: it may hold eight numbers of each."""

SUPPORTED = "all types but text and complex numbers"


def require_few(count: int, problem: str) -> None:
    """Raise a NodeFault of this problem where an import would compute too many elements."""
    require(0 <= count <= MOST_ELEMENTS, problem, f"at most {MOST_ELEMENTS} are taken")


def dtype_of_onnx(element: int) -> DType:
    """Return the dtype of an ONNX element type; UnknownType if there is none."""
    if element not in DTYPES:
        from onnx import TensorProto

        known = element in TensorProto.DataType.values()
        name = TensorProto.DataType.Name(TensorProto.DataType.ValueType(element)) if known else ""
        raise UnknownType(f"element type {name or element}")
    return DTYPES[element]


def shape_of_onnx(type_: TypeProto) -> tuple[int, ...] | None:
    """Return the shape of a tensor type, None where it has none or any dim is not a number."""
    if not type_.HasField("tensor_type") or not type_.tensor_type.HasField("shape"):
        return None
    dims = type_.tensor_type.shape.dim
    if not all(dim.HasField("dim_value") and dim.dim_value >= 0 for dim in dims):
        return None
    return tuple(dim.dim_value for dim in dims)


def spec_of_onnx(type_: TypeProto) -> TensorSpec | None:
    """Return a tensor type's spec; None if it is unknown, dynamic or has no dtype of ours."""
    shape = shape_of_onnx(type_)
    if shape is None or type_.tensor_type.elem_type not in DTYPES:
        return None
    return TensorSpec(shape, DTYPES[type_.tensor_type.elem_type])
