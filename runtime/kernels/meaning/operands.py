"""Access to operand values that an op's verifier has made sure of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....dialects.value.spec import TensorSpec
from ...functions.arrays import Array
from .binding import Inputs


def given(inputs: Inputs, index: int) -> Array:
    """The value of a mandatory operand."""
    value = inputs[index]
    if value is None:
        raise TypeError(f"operand {index} is absent")
    return value


def whole(values: Array) -> NDArray[np.int64]:
    """Integer operand values, wide enough for all of them."""
    return values.astype(np.int64, copy=False)


def present(inputs: Inputs) -> list[Array]:
    """The values of a variadic operand."""
    return [value for value in inputs if value is not None]


def zero_of(spec: TensorSpec) -> int:
    """The stored value that stands for the real number 0."""
    return spec.quant.zero_point if spec.quant else 0
