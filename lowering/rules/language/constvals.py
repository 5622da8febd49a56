"""Elements of constants: as reals, as int32, or the sign that there is none."""

from __future__ import annotations

import math

import numpy as np

from ....dialects.value.dtypes import DType
from ..graph.graph import Node
from ..graph.types import INT_MAX, INT_MIN, Number
from ..tree.function import function


def element(node: Node, index: int) -> float:
    """Return an element of a constant in reading order as a real number; NaN without one."""
    array = node.constant
    if array is None or not 0 <= index < array.size:
        return math.nan
    stored, quant = float(array.flat[index]), node.spec.quant
    if quant is None:
        return stored
    channel = int(np.unravel_index(index, node.shape)[quant.axis]) if quant.axis is not None else 0
    return (stored - quant.zero_points[channel]) * quant.scales[channel]


def int_element(node: Node, index: int) -> int:
    """Return an element of a constant as an int32; INT_MIN where it is none."""
    return int(element(node, index)) if _is_int(node, index) else INT_MIN


def _is_int(node: Node, index: int) -> bool:
    value = element(node, index)
    return math.isfinite(value) and value.is_integer() and INT_MIN <= value <= INT_MAX


def is_number(node: Node, number: float) -> bool:
    """Test that all elements of a constant are a number, within the rounding of their dtype."""
    array, spec, quant = node.constant, node.spec, node.spec.quant
    if array is None or not array.size:
        return False
    values = array.astype(np.float64)
    if quant is not None:
        values = values if quant.axis is None else np.moveaxis(values, quant.axis, -1)
        values = (values - np.array(quant.zero_points)) * np.array(quant.scales)
    step = _STEPS * _PLACE.get(spec.dtype, 0.0) * abs(number)
    return bool(np.all(np.abs(values - number) <= step))


_STEPS = 4
"""Largest error of a constant in units in the last place: exporters compute in other types."""
_PLACE = {DType.Float32: 2.0**-23, DType.Float16: 2.0**-10}
"""The unit in the last place of 1."""


@function
def CONSTVAL_IS(node: Node, number: Number) -> bool:
    """All elements of a constant are this number, within four roundings of their dtype.

    Example: `CONSTVAL_IS("half", 0.5)`
    """
    return is_number(node, number)


@function
def CONSTVAL_INT(node: Node, index: int) -> int:
    """An element of a constant, in reading order, as int; the least int where it is none.

    Example: `EQ(CONSTVAL_INT("axis", 0), 3)`
    """
    return int_element(node, index)


@function
def CONSTVAL_INT_VALID(node: Node, index: int) -> bool:
    """There is such an element and it is an int. Example: `CONSTVAL_INT_VALID("axis", 0)`"""
    return _is_int(node, index)


@function
def CONSTVAL_FLOAT(node: Node, index: int) -> float:
    """An element of a constant, dequantised, as a real number; NaN where there is none.

    Example: `EQ(CONSTVAL_FLOAT("beta", 0), 1.0)`
    """
    return element(node, index)


@function
def CONSTVAL_FLOAT_VALID(node: Node, index: int) -> bool:
    """There is such an element. Example: `CONSTVAL_FLOAT_VALID("beta", 0)`"""
    array = node.constant
    return array is not None and 0 <= index < array.size
