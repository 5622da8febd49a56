"""Arithmetic of the rule language: int wraps at 32 bits, size at 64."""

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import cast

from ..graph.env import Env
from ..graph.types import EvaluationError, ExprKind, Number, Value, common_kind, convert
from ..tree.function import Call, Function, declared, function


def number(env: Env, call: Call, index: int, kind: ExprKind) -> Number:
    """Return one operand, a number by its type, converted to `kind`."""
    return convert(cast(Number, call.args[index].evaluate(env)), kind)


def _arithmetic(body: Callable[..., Number]) -> Function:
    """Declare a function of numbers in their common type, which is also the result's."""

    def run(env: Env, call: Call) -> Value:
        values = (number(env, call, index, call.kind) for index in range(len(call.args)))
        return convert(body(*values), call.kind)

    return declared(body, run, result=common_kind)


@_arithmetic
def NEG(value: Number) -> Number:
    """The number below zero; a size wraps round. Example: `NEG(CONSTVAL_INT("axis", 0))`"""
    return -value


@_arithmetic
def ABS(value: Number) -> Number:
    """The number without its sign. Example: `ABS(CONSTVAL_FLOAT("alpha", 0))`"""
    return abs(value)


@_arithmetic
def ADD(first: Number, *rest: Number) -> Number:
    """The sum; int wraps at 32 bits, size at 64. Example: `ADD(DIM_HEIGHT("X"), 2)`"""
    return reduce(operator.add, rest, first)


@_arithmetic
def MUL(first: Number, *rest: Number) -> Number:
    """The product; int wraps at 32 bits, size at 64.

    Example: `MUL(DIM_HEIGHT("X"), DIM_WIDTH("X"))`
    """
    return reduce(operator.mul, rest, first)


@_arithmetic
def MIN(first: Number, *rest: Number) -> Number:
    """The smallest. Example: `MIN(DIM_DEPTH("X"), 256)`"""
    return min((first, *rest))


@_arithmetic
def MAX(first: Number, *rest: Number) -> Number:
    """The largest. Example: `MAX(DIM_HEIGHT("A"), DIM_HEIGHT("B"))`"""
    return max((first, *rest))


@_arithmetic
def SUB(a: Number, b: Number) -> Number:
    """The difference; that of two sizes wraps round below 0.

    Example: `SUB(INT(DIM_HEIGHT("X")), 3)`
    """
    return a - b


@_arithmetic
def DIV(a: Number, b: Number) -> Number:
    """The quotient; of integers without its fraction. None by an integer 0.

    Example: `DIV(DIM_HEIGHT("X"), 2)`
    """
    return a / b if isinstance(a, float) and b else _quotient(a, b)


def _quotient(a: Number, b: Number) -> Number:
    """Divide a float by 0, or integers with rounding towards 0."""
    if isinstance(a, float):
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a)
    if b == 0:
        raise EvaluationError(f"{a} is divided by 0")
    quotient = abs(a) // abs(int(b))
    return quotient if (a < 0) == (b < 0) else -quotient


@_arithmetic
def REM(a: Number, b: Number) -> Number:
    """The remainder with the sign of the first number. Example: `REM(DIM_DEPTH("X"), 32)`"""
    _check_divisor(a, b)
    if isinstance(a, float):
        return math.fmod(a, b) if math.isfinite(a) else math.nan
    return a - int(b) * int(_quotient(a, b))


@_arithmetic
def MOD(a: Number, b: Number) -> Number:
    """The remainder with the sign of the second number.

    Example: `MOD(CONSTVAL_INT("axis", 0), 4)`
    """
    _check_divisor(a, b)
    return a % b


def _check_divisor(a: Number, b: Number) -> None:
    if b == 0:
        raise EvaluationError(f"remainder of {a} by 0")


@_arithmetic
def ROUNDUP(value: int, step: int) -> Number:
    """The next multiple of a power of two. Example: `ROUNDUP(DIM_DEPTH("X"), 32)`"""
    if not is_pow2(step):
        raise EvaluationError(f"ROUNDUP to {step}, which is no power of two")
    return (value + step - 1) & -step


def is_pow2(value: int) -> bool:
    """The number is a power of two."""
    return value > 0 and value & (value - 1) == 0


IS_POW2 = function(
    is_pow2, "IS_POW2", 'The number is a power of two. Example: `IS_POW2(DIM_DEPTH("X"))`'
)
