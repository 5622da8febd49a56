"""Sets of tensor classes for kernels; a TypeVar gives one kernel per class, like a template."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ...tensors.tensor_classes import (
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
from ...tensors.tensors import Tensor, TypedTensor

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
