"""The concrete tensor classes, one per dtype, layout family and memory.

Names as in public op packages. `CLASSES` maps dtype, layout and memory to the class. A tensor
without a class here (an Int8, or one in depth32) is a plain `Tensor`.
"""

from collections.abc import Sequence

import numpy as np

from ...dialects.faults.arguments import a, arguments
from ...dialects.value import DType, LayoutKind, Memory, TensorSpec
from ..functions.support.arrays import Array
from .tensors import Bytes, CroutonTensor, FlatTensor, Tensor, TensorClass, class_key


class PlainFloatTensor(FlatTensor[np.float32]):
    """f32, flat, in main memory."""


class PlainFloatTensor_TCM(FlatTensor[np.float32]):
    """f32, flat, in TCM."""


class PlainFloat16Tensor(FlatTensor[np.float16]):
    """f16, flat, in main memory."""


class PlainFloat16Tensor_TCM(FlatTensor[np.float16]):
    """f16, flat, in TCM."""


class QuantUint8Tensor(FlatTensor[np.uint8]):
    """Quantised u8, flat, in main memory."""


class QuantUint8Tensor_TCM(FlatTensor[np.uint8]):
    """Quantised u8, flat, in TCM."""


class QuantInt8Tensor(FlatTensor[np.int8]):
    """Quantised i8, flat, in main memory."""


class QuantInt8Tensor_TCM(FlatTensor[np.int8]):
    """Quantised i8, flat, in TCM."""


class QuantUint16Tensor(FlatTensor[np.uint16]):
    """Quantised u16, flat, in main memory."""


class QuantUint16Tensor_TCM(FlatTensor[np.uint16]):
    """Quantised u16, flat, in TCM."""


class QuantInt16Tensor(FlatTensor[np.int16]):
    """Quantised i16, flat, in main memory."""


class QuantInt16Tensor_TCM(FlatTensor[np.int16]):
    """Quantised i16, flat, in TCM."""


class QuantInt32Tensor(FlatTensor[np.int32]):
    """Quantised i32, flat, in main memory."""


class QuantInt32Tensor_TCM(FlatTensor[np.int32]):
    """Quantised i32, flat, in TCM."""


class Int32Tensor(FlatTensor[np.int32]):
    """i32, flat, in main memory."""


class Int32Tensor_TCM(FlatTensor[np.int32]):
    """i32, flat, in TCM."""


class Int64Tensor(FlatTensor[np.int64]):
    """i64, flat, in main memory."""


class Int64Tensor_TCM(FlatTensor[np.int64]):
    """i64, flat, in TCM."""


class Bool8Tensor(FlatTensor[np.bool_]):
    """Bool8, flat, in main memory."""


class Bool8Tensor_TCM(FlatTensor[np.bool_]):
    """Bool8, flat, in TCM."""


class FloatCroutonTensor(CroutonTensor[np.float32]):
    """f32, in croutons, in main memory."""


class FloatCroutonTensor_TCM(CroutonTensor[np.float32]):
    """f32, in croutons, in TCM."""


class F16CroutonTensor(CroutonTensor[np.float16]):
    """f16, in croutons, in main memory."""


class F16CroutonTensor_TCM(CroutonTensor[np.float16]):
    """f16, in croutons, in TCM."""


class QUint8CroutonTensor(CroutonTensor[np.uint8]):
    """Quantised u8, in croutons, in main memory."""


class QUint8CroutonTensor_TCM(CroutonTensor[np.uint8]):
    """Quantised u8, in croutons, in TCM."""


class QInt8CroutonTensor(CroutonTensor[np.int8]):
    """Quantised i8, in croutons, in main memory."""


class QInt8CroutonTensor_TCM(CroutonTensor[np.int8]):
    """Quantised i8, in croutons, in TCM."""


class QUint16CroutonTensor(CroutonTensor[np.uint16]):
    """Quantised u16, in croutons, in main memory."""


class QUint16CroutonTensor_TCM(CroutonTensor[np.uint16]):
    """Quantised u16, in croutons, in TCM."""


class QInt16CroutonTensor(CroutonTensor[np.int16]):
    """Quantised i16, in croutons, in main memory."""


class QInt16CroutonTensor_TCM(CroutonTensor[np.int16]):
    """Quantised i16, in croutons, in TCM."""


class QInt32CroutonTensor(CroutonTensor[np.int32]):
    """Quantised i32, in croutons, in main memory."""


class QInt32CroutonTensor_TCM(CroutonTensor[np.int32]):
    """Quantised i32, in croutons, in TCM."""


class Int32CroutonTensor(CroutonTensor[np.int32]):
    """i32, in croutons, in main memory."""


class Int32CroutonTensor_TCM(CroutonTensor[np.int32]):
    """i32, in croutons, in TCM."""


class Bool8CroutonTensor(CroutonTensor[np.bool_]):
    """Bool8, in croutons, in main memory."""


class Bool8CroutonTensor_TCM(CroutonTensor[np.bool_]):
    """Bool8, in croutons, in TCM."""


_PAIRS: tuple[tuple[DType, LayoutKind, type[Tensor], type[Tensor]], ...] = (
    (DType.Float32, LayoutKind.FLAT, PlainFloatTensor, PlainFloatTensor_TCM),
    (DType.Float16, LayoutKind.FLAT, PlainFloat16Tensor, PlainFloat16Tensor_TCM),
    (DType.QUInt8, LayoutKind.FLAT, QuantUint8Tensor, QuantUint8Tensor_TCM),
    (DType.QInt8, LayoutKind.FLAT, QuantInt8Tensor, QuantInt8Tensor_TCM),
    (DType.QUInt16, LayoutKind.FLAT, QuantUint16Tensor, QuantUint16Tensor_TCM),
    (DType.QInt16, LayoutKind.FLAT, QuantInt16Tensor, QuantInt16Tensor_TCM),
    (DType.QInt32, LayoutKind.FLAT, QuantInt32Tensor, QuantInt32Tensor_TCM),
    (DType.Int32, LayoutKind.FLAT, Int32Tensor, Int32Tensor_TCM),
    (DType.Int64, LayoutKind.FLAT, Int64Tensor, Int64Tensor_TCM),
    (DType.Bool8, LayoutKind.FLAT, Bool8Tensor, Bool8Tensor_TCM),
    (DType.Float32, LayoutKind.CROUTON, FloatCroutonTensor, FloatCroutonTensor_TCM),
    (DType.Float16, LayoutKind.CROUTON, F16CroutonTensor, F16CroutonTensor_TCM),
    (DType.QUInt8, LayoutKind.CROUTON, QUint8CroutonTensor, QUint8CroutonTensor_TCM),
    (DType.QInt8, LayoutKind.CROUTON, QInt8CroutonTensor, QInt8CroutonTensor_TCM),
    (DType.QUInt16, LayoutKind.CROUTON, QUint16CroutonTensor, QUint16CroutonTensor_TCM),
    (DType.QInt16, LayoutKind.CROUTON, QInt16CroutonTensor, QInt16CroutonTensor_TCM),
    (DType.QInt32, LayoutKind.CROUTON, QInt32CroutonTensor, QInt32CroutonTensor_TCM),
    (DType.Int32, LayoutKind.CROUTON, Int32CroutonTensor, Int32CroutonTensor_TCM),
    (DType.Bool8, LayoutKind.CROUTON, Bool8CroutonTensor, Bool8CroutonTensor_TCM),
)

CLASSES: dict[TensorClass, type[Tensor]] = {
    TensorClass(dtype, layout, memory): class_
    for dtype, layout, in_ddr, in_tcm in _PAIRS
    for memory, class_ in ((Memory.DDR, in_ddr), (Memory.TCM, in_tcm))
}


def tensor_class(spec: TensorSpec) -> type[Tensor]:
    """Look up the concrete class of a spec, `Tensor` where there is none."""
    return CLASSES.get(class_key(spec), Tensor)


def tensor(spec: TensorSpec, memory: Bytes, constant: bool = False) -> Tensor:
    """Make a tensor of the right class over `spec.nbytes` bytes of memory."""
    return tensor_class(spec)(spec, memory, constant)


def block_of(whole: Tensor, spec: TensorSpec, start: Sequence[int]) -> Tensor:
    """Make a tensor that is the block of a flat one from `start` on: its lines are apart."""
    region = tuple(slice(at, at + n) for at, n in zip(start, spec.shape, strict=True))
    return tensor_class(spec)(spec, whole.array[region])


@arguments(spec=a("a tensor spec", TensorSpec))
def new_tensor(spec: TensorSpec) -> Tensor:
    """Make a tensor of zeros over memory of its own, for tests and for folding constants."""
    return tensor(spec, np.zeros(spec.nbytes, np.uint8))


def constant_tensor(spec: TensorSpec, stored: Array) -> Tensor:
    """Make a read-only tensor with these stored values, laid out as the spec says.

    Flat data is not copied where it is contiguous.
    """
    if spec.layout is LayoutKind.FLAT:
        flat = np.ascontiguousarray(stored, spec.dtype.storage).reshape(-1)
    else:
        laid_out = new_tensor(spec)
        laid_out.store_raw(stored)
        flat = laid_out.array.reshape(-1)
    memory = flat.view(np.uint8)
    memory.flags.writeable = False
    return tensor(spec, memory, constant=True)
