"""Logic, arithmetic, comparison and casts of the rule language."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import cast

from ...dialects.dtypes import DType
from .env import Env
from .expr import Call, Literal
from .function import (
    BUILDS,
    INTEGER,
    NUMBER,
    TRUTH,
    VALUE,
    Evaluate,
    Function,
    Slot,
    slot,
    strict,
)
from .types import BUILT, NUMBERS, EvaluationError, Kind, Number, Value, common_kind, convert

OK = Literal(True, Kind.BOOL)
true = OK
false = Literal(False, Kind.BOOL)
INF = Literal(math.inf, Kind.FLOAT)
NEG_INF = Literal(-math.inf, Kind.FLOAT)

_DTYPES = tuple(DType)


def number(env: Env, call: Call, index: int, kind: Kind) -> Number:
    """One operand, which the types say is a number, converted to `kind`."""
    return convert(cast(Number, call.args[index].evaluate(env)), kind)


def _numbers(env: Env, call: Call, kind: Kind) -> list[Number]:
    return [number(env, call, index, kind) for index in range(len(call.args))]


def _folded(step: Callable[[Number, Number], Number]) -> Evaluate:
    def run(env: Env, call: Call) -> Value:
        return convert(reduce(step, _numbers(env, call, call.kind)), call.kind)

    return run


def _and(env: Env, call: Call) -> Value:
    return all(arg.evaluate(env) for arg in call.args)


def _or(env: Env, call: Call) -> Value:
    return any(arg.evaluate(env) for arg in call.args)


def _xor(env: Env, call: Call) -> Value:
    return sum(bool(arg.evaluate(env)) for arg in call.args) % 2 == 1


def _arithmetic(name: str, step: Callable[[Number, Number], Number]) -> Function:
    return Function(name, (NUMBER, NUMBER), common_kind, _folded(step))


def _arithmetic_any(name: str, step: Callable[[Number, Number], Number]) -> Function:
    return Function(name, (NUMBER,), common_kind, _folded(step), rest=NUMBER)


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
    return math.fmod(a, b) if isinstance(a, float) else a - int(b) * int(_div(a, b))


def _mod(a: Number, b: Number) -> Number:
    _check_divisor(a, b)
    return a % b


def _check_divisor(a: Number, b: Number) -> None:
    if b == 0:
        raise EvaluationError(f"remainder of {a} by 0")


def _comparison(name: str, test: Callable[[Number, Number], bool], dtypes: bool) -> Function:
    kinds = NUMBERS | ({Kind.DTYPE} if dtypes else set())
    operand = Slot("operand", frozenset(kinds))

    def result(found: Sequence[Kind]) -> Kind | str:
        alike = (found[0] is Kind.DTYPE) == (found[1] is Kind.DTYPE)
        return Kind.BOOL if alike else "a dtype is compared with a number"

    def run(env: Env, call: Call) -> Value:
        if call.args[0].kind is Kind.DTYPE:
            same = call.args[0].evaluate(env) is call.args[1].evaluate(env)
            return test(same, True)
        kind = common_kind([arg.kind for arg in call.args])
        return test(number(env, call, 0, kind), number(env, call, 1, kind))

    return Function(name, (operand, operand), result, run)


def _select_kind(kinds: Sequence[Kind]) -> Kind | str:
    branches = set(kinds[1:])
    if len(branches) == 1:
        return branches.pop()
    if branches <= NUMBERS:
        return common_kind(branches)
    if branches <= BUILT:
        return Kind.OP
    return "the two choices differ in type"


def _select(env: Env, call: Call) -> Value:
    value = call.args[1 if call.args[0].evaluate(env) else 2].evaluate(env)
    return (
        convert(value, call.kind) if call.kind in NUMBERS and isinstance(value, Number) else value
    )


def _round_up(env: Env, call: Call) -> Value:
    value, step = (int(n) for n in _numbers(env, call, call.kind))
    if not _is_pow2(step):
        raise EvaluationError(f"ROUNDUP to {step}, which is no power of two")
    return convert((value + step - 1) & -step, call.kind)


def _is_pow2(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _cast(name: str, kind: Kind, dtypes: bool = False) -> Function:
    operand = Slot("operand", frozenset(NUMBERS | ({Kind.DTYPE} if dtypes else set())))

    def run(value: Value) -> Value:
        if isinstance(value, DType):
            return _DTYPES.index(value) + 1
        return convert(cast(Number, value), kind)

    return Function(name, (operand,), kind, strict(run))


def _dtype(value: int) -> Value:
    if not 1 <= value <= len(_DTYPES):
        raise EvaluationError(f"{value} is the number of no dtype")
    return _DTYPES[value - 1]


NOT = Function("NOT", (TRUTH,), Kind.BOOL, strict(operator.not_))
AND = Function("AND", (TRUTH,), Kind.BOOL, _and, rest=TRUTH)
OR = Function("OR", (TRUTH,), Kind.BOOL, _or, rest=TRUTH)
XOR = Function("XOR", (TRUTH,), Kind.BOOL, _xor, rest=TRUTH)

NEG = Function(
    "NEG", (NUMBER,), common_kind, lambda env, c: convert(-number(env, c, 0, c.kind), c.kind)
)
ABS = Function(
    "ABS", (NUMBER,), common_kind, lambda env, c: convert(abs(number(env, c, 0, c.kind)), c.kind)
)
ADD = _arithmetic_any("ADD", operator.add)
MUL = _arithmetic_any("MUL", operator.mul)
MIN = _arithmetic_any("MIN", min)
MAX = _arithmetic_any("MAX", max)
SUB = _arithmetic("SUB", operator.sub)
DIV = _arithmetic("DIV", _div)
REM = _arithmetic("REM", _rem)
MOD = _arithmetic("MOD", _mod)
ROUNDUP = Function("ROUNDUP", (INTEGER, INTEGER), common_kind, _round_up)
IS_POW2 = Function("IS_POW2", (INTEGER,), Kind.BOOL, strict(_is_pow2))

EQ = _comparison("EQ", operator.eq, dtypes=True)
NE = _comparison("NE", operator.ne, dtypes=True)
LT = _comparison("LT", operator.lt, dtypes=False)
GT = _comparison("GT", operator.gt, dtypes=False)
LE = _comparison("LE", operator.le, dtypes=False)
GE = _comparison("GE", operator.ge, dtypes=False)

CHOICE = Slot("choice", VALUE.kinds | BUILDS.kinds)
SELECT = Function(
    "SELECT",
    (TRUTH, CHOICE, CHOICE),
    _select_kind,
    _select,
    lambda b, ref, c: b.value(c.args[1 if c.args[0].evaluate(b.env) else 2], ref),
)

INT = _cast("INT", Kind.INT, dtypes=True)
UINT = _cast("UINT", Kind.SIZE)
FLOAT = _cast("FLOAT", Kind.FLOAT)
DTYPE = Function(
    "DTYPE",
    (slot("operand", Kind.INT, Kind.SIZE, Kind.DTYPE),),
    Kind.DTYPE,
    strict(lambda value: value if isinstance(value, DType) else _dtype(value)),
)
