"""Tensor specs to and from the IR's types, and the checks that verifiers are made of.

Each check raises VerifyException that begins with the op's name. Constant data are numpy arrays to
and from the IR's dense attributes.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    NoneAttr,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from .diagnostics import counted
from .place_attr import PlaceAttr
from .quant import UniformQuantizedType, quant_of, quantized_type
from .value import LAYOUTS, RANK, DType, LayoutKind, Quant, TensorSpec
from .value.limits import MAX_TENSOR_BYTES

_ELEMENTS: dict[DType, AnyFloat | IntegerType] = {
    DType.Float32: Float32Type(),
    DType.Float16: Float16Type(),
    DType.Bool8: IntegerType(1),
    DType.Int8: IntegerType(8),
    DType.Int16: IntegerType(16),
    DType.Int32: IntegerType(32),
    DType.Int64: IntegerType(64),
    DType.UInt8: IntegerType(8, Signedness.UNSIGNED),
    DType.UInt16: IntegerType(16, Signedness.UNSIGNED),
    DType.UInt32: IntegerType(32, Signedness.UNSIGNED),
    DType.UInt64: IntegerType(64, Signedness.UNSIGNED),
    DType.Int4: IntegerType(4),
    DType.UInt4: IntegerType(4, Signedness.UNSIGNED),
    DType.Int2: IntegerType(2),
    DType.UInt2: IntegerType(2, Signedness.UNSIGNED),
    DType.Float64: Float64Type(),
    DType.BFloat16: BFloat16Type(),
    DType.Float8E4M3FN: Float8E4M3FNType(),
    DType.Float8E4M3FNUZ: Float8E4M3FNUZType(),
    DType.Float8E5M2: Float8E5M2Type(),
    DType.Float8E5M2FNUZ: Float8E5M2FNUZType(),
    DType.Float8E8M0FNU: Float8E8M0FNUType(),
    DType.Float6E2M3FN: Float6E2M3FNType(),
    DType.Float6E3M2FN: Float6E3M2FNType(),
    DType.Float4E2M1FN: Float4E2M1FNType(),
}
_DTYPES: dict[Attribute, DType] = {element: dtype for dtype, element in _ELEMENTS.items()}
_ALLOWED = ", ".join(map(str, _DTYPES))


def dtype_of(element: Attribute) -> tuple[DType, Quant | None]:
    """The dtype and quantisation of an element type; VerifyException if it is none of ours."""
    if isinstance(element, UniformQuantizedType):
        return quant_of(element)
    if element in _DTYPES:
        dtype = _DTYPES[element]
        if dtype.extends_numpy and find_spec("ml_dtypes") is None:
            package = "needs the Python package ml_dtypes: pip install 'htp-mlir[dtypes]'"
            raise VerifyException(f"element type {element} {package}")
        return dtype, None
    raise VerifyException(
        f"element type {element} is not supported; allowed are {_ALLOWED} and !quant.uniform"
    )


def plain_element_type(dtype: DType) -> AnyFloat | IntegerType:
    """The IR's element type for a dtype that is not quantised."""
    return _ELEMENTS[dtype]


def element_type(dtype: DType, quant: Quant | None) -> Attribute:
    """The IR's element type for a dtype and its quantisation."""
    return quantized_type(dtype, quant) if quant is not None else _ELEMENTS[dtype]


@lru_cache(maxsize=16384)
def spec_of_type(type_: Attribute) -> TensorSpec:
    """The spec of a static ranked tensor type; VerifyException for any other type."""
    if not isinstance(type_, TensorType):
        raise VerifyException(f"expected a ranked tensor, found {type_}")
    shape = type_.get_shape()
    if any(n < 0 for n in shape):
        raise VerifyException(f"{type_} has a dynamic dim; every dim must be a number >= 0")
    dtype, quant = dtype_of(type_.element_type)
    place = type_.encoding.place if isinstance(type_.encoding, PlaceAttr) else None
    if place is None and not isinstance(type_.encoding, NoneAttr):
        raise VerifyException(f"{type_}: the encoding must be #htp.place<...>")
    spec = TensorSpec(shape, dtype, quant, place)
    check_place(spec)
    check_axis(spec)
    check_bytes(spec)
    return spec


def check_axis(spec: TensorSpec) -> None:
    """Raise VerifyException where a per-axis quantisation does not go with the shape."""
    if spec.quant is None or spec.quant.axis is None:
        return
    axis, count = spec.quant.axis, len(spec.quant.scales)
    if axis >= spec.rank:
        raise VerifyException(f"quantised along axis {axis}, the tensor has rank {spec.rank}")
    if spec.shape[axis] != count:
        raise VerifyException(
            f"quantised with {count} scales along axis {axis}, which has extent {spec.shape[axis]}"
        )


def check_place(spec: TensorSpec) -> None:
    """Raise VerifyException where a layout does not go with the rank or the element size."""
    if spec.layout is LayoutKind.FLAT:
        return
    if spec.rank != RANK:
        raise VerifyException(
            f"layout {spec.layout.value} needs rank {RANK}, the tensor has rank {spec.rank}"
        )
    if (spec.layout, spec.dtype.itemsize) not in LAYOUTS:
        raise VerifyException(
            f"layout {spec.layout.value} has no form for {spec.dtype.itemsize}-byte elements"
        )


def check_bytes(spec: TensorSpec) -> None:
    """Raise VerifyException where a tensor takes more bytes than can be addressed."""
    if spec.nbytes > MAX_TENSOR_BYTES:
        shape = "x".join(map(str, spec.shape))
        raise VerifyException(
            f"a tensor {shape} {spec.dtype.name} takes {spec.nbytes} bytes, "
            f"at most {MAX_TENSOR_BYTES} can be addressed"
        )


@lru_cache(maxsize=16384)
def type_of(spec: TensorSpec) -> TensorType[Attribute]:
    """The IR's tensor type for a spec."""
    encoding = PlaceAttr(spec.place) if spec.place else NoneAttr()
    return TensorType(element_type(spec.dtype, spec.quant), spec.shape, encoding)


_KNOWN: dict[int, tuple[Attribute, TensorSpec]] = {}
_MOST_KNOWN = 65536


def spec_of(value: SSAValue) -> TensorSpec:
    """The spec of a value.

    Found by the identity of the type first: a type is walked to be hashed, and every pass asks.
    """
    type_ = value.type
    known = _KNOWN.get(id(type_))
    if known is not None and known[0] is type_:
        return known[1]
    spec = spec_of_type(type_)
    if len(_KNOWN) >= _MOST_KNOWN:
        _KNOWN.clear()
    _KNOWN[id(type_)] = type_, spec
    return spec


def require(condition: bool, op: Operation, message: str) -> None:
    """Raise VerifyException `op name: message` unless the condition holds."""
    if not condition:
        raise VerifyException(f"{op.name}: {message}")


def require_results(op: Operation, inferred: Sequence[TensorSpec | None]) -> None:
    """Check each result against what the op's own rule says; None leaves a result free.

    Places are not compared: they are the choice of the placement passes.
    """
    count = len(inferred)
    results = counted(len(op.results), "result")
    require(len(op.results) == count, op, f"has {results}, its rule gives {count}")
    for index, (result, expected) in enumerate(zip(op.results, inferred, strict=True)):
        spec = spec_of(result)
        if expected is None:
            continue
        require(
            spec.shape == expected.shape,
            op,
            f"result {index} has shape {text(spec.shape)}, its inputs give {text(expected.shape)}",
        )
        require(
            spec.same_encoding(expected),
            op,
            f"result {index} has element type {spec.dtype.name}{quant_text(spec)}, "
            f"its inputs give {expected.dtype.name}{quant_text(expected)}",
        )


def text(shape: Sequence[int]) -> str:
    """Write a shape as 1x8x8x32, or `scalar`."""
    return "x".join(map(str, shape)) or "scalar"


def quant_text(spec: TensorSpec) -> str:
    """Write the scale and zero point behind a dtype, where it has them: ` (0.5:128)`."""
    return f" ({spec.quant.scale:g}:{spec.quant.zero_point})" if spec.quant else ""


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
