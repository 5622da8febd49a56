"""The types of the rule language and the conversions between numbers that C++ would make."""

import math
from collections.abc import Iterable
from enum import Enum

from ....dialects.value import DType, Shape
from .graph import Node


class ExprKind(Enum):
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

NUMBERS = frozenset({ExprKind.BOOL, ExprKind.INT, ExprKind.SIZE, ExprKind.FLOAT})
INTEGERS = frozenset({ExprKind.BOOL, ExprKind.INT, ExprKind.SIZE})
VALUES = NUMBERS | {ExprKind.DTYPE, ExprKind.NODE}
BUILT = frozenset({ExprKind.NODE, ExprKind.SHAPE, ExprKind.OP})

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
SIZE_MAX = 2**64 - 1


class EvaluationError(ValueError):
    """An expression without a value: a missing dim, a division by zero."""


def common_kind(kinds: Iterable[ExprKind]) -> ExprKind:
    """Return the type in which C++ computes with these numbers: float, else unsigned, else int."""
    present = tuple(kinds)
    for kind in (ExprKind.FLOAT, ExprKind.SIZE):
        if kind in present:
            return kind
    return ExprKind.INT


def convert(value: Number, kind: ExprKind) -> Number:
    """Convert a number: int wraps at 32 bits, size at 64, floats lose their fraction."""
    if kind is ExprKind.FLOAT:
        return float(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise EvaluationError(f"{value} is no integer")
        value = math.trunc(value)
    if kind is ExprKind.SIZE:
        return int(value) & SIZE_MAX
    if INT_MIN <= value <= INT_MAX:
        return int(value)
    return (value - INT_MIN) % 2**32 + INT_MIN
