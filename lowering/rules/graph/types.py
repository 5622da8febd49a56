"""The types of the rule language and the conversions between numbers that C++ would make."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import Enum

from ....dialects.value.dtypes import DType
from ....dialects.value.spec import Shape
from .graph import Node


class Kind(Enum):
    """The type of an expression; the value is the word in messages."""

    BOOL = "bool"
    INT = "int"
    SIZE = "size"
    FLOAT = "float"
    DTYPE = "dtype"
    NODE = "node"
    SHAPE = "shape"
    OP = "new op"
    TEXT = "string"
    VAR = "split tag"
    EXTERNAL = "function"


Number = bool | int | float
Value = Number | DType | Node | str | Shape

NUMBERS = frozenset({Kind.BOOL, Kind.INT, Kind.SIZE, Kind.FLOAT})
INTEGERS = frozenset({Kind.BOOL, Kind.INT, Kind.SIZE})
VALUES = NUMBERS | {Kind.DTYPE, Kind.NODE}
BUILT = frozenset({Kind.NODE, Kind.SHAPE, Kind.OP})

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
SIZE_MAX = 2**64 - 1


class EvaluationError(ValueError):
    """An expression without a value: a missing dim, a division by zero."""


def common_kind(kinds: Iterable[Kind]) -> Kind:
    """Return the type in which C++ computes with these numbers: float, else unsigned, else int."""
    present = tuple(kinds)
    for kind in (Kind.FLOAT, Kind.SIZE):
        if kind in present:
            return kind
    return Kind.INT


def convert(value: Number, kind: Kind) -> Number:
    """Convert a number: int wraps at 32 bits, size at 64, floats lose their fraction."""
    if kind is Kind.FLOAT:
        return float(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise EvaluationError(f"{value} is no integer")
        value = math.trunc(value)
    if kind is Kind.SIZE:
        return int(value) & SIZE_MAX
    if INT_MIN <= value <= INT_MAX:
        return int(value)
    return (value - INT_MIN) % 2**32 + INT_MIN
