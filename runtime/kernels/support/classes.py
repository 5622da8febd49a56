"""Sets of tensor classes for kernels: by TypeVars, or by what their elements are and by place.

A TypeVar gives one kernel per class, like a template. Of a set, an f16 tensor is worked on as f32
and rounded once; a quantised one is read as real numbers and quantised when it is written, whatever
its storage type.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from ....dialects.value import CROUTON_DDR, CROUTON_TCM, FLAT_DDR, FLAT_TCM, DType, Place
from ...kernel.declare import KernelSet
from ...kernel.kernel import Annotation
from ...tensors.tensor_classes import (
    CLASSES,
    Bool8Tensor,
    Bool8Tensor_TCM,
    FloatCroutonTensor,
    FloatCroutonTensor_TCM,
    Int32CroutonTensor,
    Int32CroutonTensor_TCM,
    Int32Tensor,
    Int32Tensor_TCM,
    Int64Tensor,
    Int64Tensor_TCM,
    PlainFloat16Tensor,
    PlainFloat16Tensor_TCM,
    PlainFloatTensor,
    PlainFloatTensor_TCM,
    QuantInt8Tensor,
    QuantInt8Tensor_TCM,
    QuantInt16Tensor,
    QuantInt16Tensor_TCM,
    QuantInt32Tensor,
    QuantInt32Tensor_TCM,
    QuantUint8Tensor,
    QuantUint8Tensor_TCM,
    QuantUint16Tensor,
    QuantUint16Tensor_TCM,
)
from ...tensors.tensors import Tensor, TensorClass, TypedTensor

FloatTensor = TypedTensor[np.float32]
"""f32, flat or in croutons: `array` holds f32."""

F32 = TypeVar(
    "F32", PlainFloatTensor, PlainFloatTensor_TCM, FloatCroutonTensor, FloatCroutonTensor_TCM
)
"""f32 of either layout in either memory; every parameter that names it has the same class."""

I32 = TypeVar("I32", Int32Tensor, Int32Tensor_TCM, Int32CroutonTensor, Int32CroutonTensor_TCM)
"""i32 of either layout in either memory."""

Flat = TypeVar("Flat", PlainFloatTensor, PlainFloatTensor_TCM)
"""f32, flat: data and results, all in one memory."""

Weights = TypeVar("Weights", PlainFloatTensor, PlainFloatTensor_TCM)
"""f32, flat: weights, whose memory is their own."""

Param = PlainFloatTensor | PlainFloatTensor_TCM
"""f32, flat: what an op reads besides data and weights, or a last state, in either memory."""

Crouton = TypeVar("Crouton", FloatCroutonTensor, FloatCroutonTensor_TCM)
"""f32 in croutons."""

Stored = (
    PlainFloatTensor
    | PlainFloatTensor_TCM
    | PlainFloat16Tensor
    | PlainFloat16Tensor_TCM
    | QuantUint8Tensor
    | QuantUint8Tensor_TCM
    | QuantInt8Tensor
    | QuantInt8Tensor_TCM
    | QuantUint16Tensor
    | QuantUint16Tensor_TCM
    | QuantInt16Tensor
    | QuantInt16Tensor_TCM
    | QuantInt32Tensor
    | QuantInt32Tensor_TCM
    | Int32Tensor
    | Int32Tensor_TCM
    | Int64Tensor
    | Int64Tensor_TCM
    | Bool8Tensor
    | Bool8Tensor_TCM
)
"""Flat, of any element type, in either memory: for kernels that move what is stored."""

Anywhere = Tensor | Stored
"""A result, flat, of any element type, in either memory."""


Classes = tuple[type[Tensor], ...]

BYTES = (DType.QUInt8, DType.QInt8)
QUANTIZED = (*BYTES, DType.QUInt16, DType.QInt16, DType.QInt32)
REALS = (DType.Float32, DType.Float16, *QUANTIZED)
NUMBERS = (*REALS, DType.Int32)
INTEGERS = (DType.Int32, DType.Int64)

FLATS = (FLAT_DDR, FLAT_TCM)
CROUTONS = (CROUTON_DDR, CROUTON_TCM)
PLACES = (*FLATS, *CROUTONS)

KEYS: dict[Annotation, TensorClass] = {class_: key for key, class_ in CLASSES.items()}
"""The dtype, layout and memory of each concrete class."""

PLACE_OF: dict[Annotation, Place] = {
    class_: Place(key.layout, key.memory) for class_, key in KEYS.items()
}
"""The layout and memory of each concrete class."""


class RealKernels(KernelSet):
    """Kernels for f32, from which those for f16, quantised and i32 tensors are derived.

    `elementwise`: all of them work on elements in storage order, padding included, so that
    operands in croutons need not be taken apart.
    """

    def __init__(self, elementwise: bool = False) -> None:
        super().__init__()
        self.elementwise = elementwise


@dataclass(frozen=True, eq=False)
class Family:
    """The dtypes that one derived kernel serves, and those of its scalars and biases."""

    name: str
    dtypes: tuple[DType, ...]
    params: tuple[DType, ...]

    @cached_property
    def variants(self) -> dict[Annotation, Classes]:
        """The family's classes by the f32 class of the same layout and memory."""
        return {
            class_: classes(self.dtypes, PLACE_OF[class_])
            for class_, key in KEYS.items()
            if key.dtype is DType.Float32
        }

    @cached_property
    def more(self) -> Classes:
        """The classes that scalars and biases have besides the family's own dtypes."""
        return classes(self.params, *FLATS)


HALVES = Family("half", (DType.Float16,), (DType.Float32,))
ENCODED = Family("quantized", QUANTIZED, (DType.Float32, DType.Int32))
WHOLES = Family("whole", (DType.Int32,), (DType.Float32,))


def classes(dtypes: Iterable[DType], *places: Place) -> Classes:
    """List the classes of these dtypes with these layouts and memories."""
    keys = [TensorClass(dtype, at.layout, at.memory) for at in places for dtype in dtypes]
    return tuple(CLASSES[key] for key in keys if key in CLASSES)


def place_name(at: Place) -> str:
    """Spell a place as kernel names do: crouton_tcm."""
    return f"{at.layout.value}_{at.memory.value}"
