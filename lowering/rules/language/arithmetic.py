"""Arithmetic of the rule language: int wraps at 32 bits, size at 64."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import cast

from ..graph.env import Env
from ..graph.types import EvaluationError, Kind, Number, Value, common_kind, convert
from ..tree.expr import Call
from ..tree.function import INTEGER, NUMBER, Evaluate, Function, strict


def number(env: Env, call: Call, index: int, kind: Kind) -> Number:
    """One operand, which the types say is a number, converted to `kind`."""
    return convert(cast(Number, call.args[index].evaluate(env)), kind)


def _numbers(env: Env, call: Call, kind: Kind) -> list[Number]:
    return [number(env, call, index, kind) for index in range(len(call.args))]


def _folded(step: Callable[[Number, Number], Number]) -> Evaluate:
    def run(env: Env, call: Call) -> Value:
        return convert(reduce(step, _numbers(env, call, call.kind)), call.kind)

    return run


def _arithmetic(name: str, step: Callable[[Number, Number], Number], doc: str) -> Function:
    return Function(name, (NUMBER, NUMBER), common_kind, _folded(step), doc=doc)


def _arithmetic_any(name: str, step: Callable[[Number, Number], Number], doc: str) -> Function:
    return Function(name, (NUMBER,), common_kind, _folded(step), rest=NUMBER, doc=doc)


def _div(a: Number, b: Number) -> Number:
    if isinstance(a, float):
        return _float_div(a, b)
    if b == 0:
        raise EvaluationError(f"{a} is divided by 0")
    quotient = abs(a) // abs(int(b))
    return quotient if (a < 0) == (b < 0) else -quotient


def _float_div(a: float, b: Number) -> float:
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a)


def _rem(a: Number, b: Number) -> Number:
    _check_divisor(a, b)
    if isinstance(a, float):
        return math.fmod(a, b) if math.isfinite(a) else math.nan
    return a - int(b) * int(_div(a, b))


def _mod(a: Number, b: Number) -> Number:
    _check_divisor(a, b)
    return a % b


def _check_divisor(a: Number, b: Number) -> None:
    if b == 0:
        raise EvaluationError(f"remainder of {a} by 0")


def _round_up(env: Env, call: Call) -> Value:
    value, step = (int(n) for n in _numbers(env, call, call.kind))
    if not _is_pow2(step):
        raise EvaluationError(f"ROUNDUP to {step}, which is no power of two")
    return convert((value + step - 1) & -step, call.kind)


def _is_pow2(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


NEG = Function(
    "NEG",
    (NUMBER,),
    common_kind,
    lambda env, c: convert(-number(env, c, 0, c.kind), c.kind),
    doc='The number below zero; a size wraps round. Example: `NEG(CONSTVAL_INT("axis", 0))`',
)
ABS = Function(
    "ABS",
    (NUMBER,),
    common_kind,
    lambda env, c: convert(abs(number(env, c, 0, c.kind)), c.kind),
    doc='The number without its sign. Example: `ABS(CONSTVAL_FLOAT("alpha", 0))`',
)
ADD = _arithmetic_any(
    "ADD",
    operator.add,
    doc='The sum; int wraps at 32 bits, size at 64. Example: `ADD(DIM_HEIGHT("X"), 2)`',
)
MUL = _arithmetic_any(
    "MUL",
    operator.mul,
    doc=(
        'The product; int wraps at 32 bits, size at 64. Example: `MUL(DIM_HEIGHT("X"), '
        'DIM_WIDTH("X"))`'
    ),
)
MIN = _arithmetic_any(
    "MIN",
    min,
    doc='The smallest. Example: `MIN(DIM_DEPTH("X"), 256)`',
)
MAX = _arithmetic_any(
    "MAX",
    max,
    doc='The largest. Example: `MAX(DIM_HEIGHT("A"), DIM_HEIGHT("B"))`',
)
SUB = _arithmetic(
    "SUB",
    operator.sub,
    doc=(
        "The difference; that of two sizes wraps round below 0. Example: "
        '`SUB(INT(DIM_HEIGHT("X")), 3)`'
    ),
)
DIV = _arithmetic(
    "DIV",
    _div,
    doc=(
        "The quotient; of integers without its fraction. None by an integer 0. Example: "
        '`DIV(DIM_HEIGHT("X"), 2)`'
    ),
)
REM = _arithmetic(
    "REM",
    _rem,
    doc='The remainder with the sign of the first number. Example: `REM(DIM_DEPTH("X"), 32)`',
)
MOD = _arithmetic(
    "MOD",
    _mod,
    doc=(
        'The remainder with the sign of the second number. Example: `MOD(CONSTVAL_INT("axis",'
        " 0), 4)`"
    ),
)
ROUNDUP = Function(
    "ROUNDUP",
    (INTEGER, INTEGER),
    common_kind,
    _round_up,
    doc='The next multiple of a power of two. Example: `ROUNDUP(DIM_DEPTH("X"), 32)`',
)
IS_POW2 = Function(
    "IS_POW2",
    (INTEGER,),
    Kind.BOOL,
    strict(_is_pow2),
    doc='The number is a power of two. Example: `IS_POW2(DIM_DEPTH("X"))`',
)
