"""Arithmetic, logic, comparison, choice and casts of the rule language.

An int wraps at 32 bits, a size at 64.
"""

import math
import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Annotated, cast

from xdsl.ir import SSAValue

from ....dialects.value import DType
from ..graph.env import Env
from ..graph.graph import (
    BUILT,
    INTEGERS,
    NUMBERS,
    VALUES,
    EvaluationError,
    ExprKind,
    Number,
    Value,
    common_kind,
    convert,
)
from ..tree.build import Builder, Reference
from ..tree.expr import Expr, Literal
from ..tree.function import (
    Call,
    Condition,
    Function,
    FunctionParameters,
    Parameter,
    Size,
    as_written,
    declared,
    function,
)


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


OK = Literal(True, ExprKind.BOOL)
true = OK
false = Literal(False, ExprKind.BOOL)
INF = Literal(math.inf, ExprKind.FLOAT)
NEG_INF = Literal(-math.inf, ExprKind.FLOAT)

NumberOperand = Annotated[Number, Parameter("operand", NUMBERS)]
Scalar = Annotated[Number | DType, Parameter("operand", NUMBERS | {ExprKind.DTYPE})]
DTypeNumber = Annotated[
    int | DType, Parameter("operand", INTEGERS - {ExprKind.BOOL} | {ExprKind.DTYPE})
]
Choice = Annotated[Expr, Parameter("choice", VALUES | BUILT, as_written)]

_DTYPES = tuple(DType)


@function
def NOT(condition: bool) -> bool:
    """The condition does not hold. Example: `NOT(IS_QUINT8("X"))`"""
    return not condition


@function
def AND(env: Env, first: Condition, *rest: Condition) -> bool:
    """All conditions hold; those after the first that does not are not evaluated.

    Example: `AND(IS_FLOAT32("X"), EQ(DIM_DEPTH("X"), DIM_DEPTH("B")))`
    """
    return bool(first.evaluate(env)) and all(part.evaluate(env) for part in rest)


@function
def OR(env: Env, first: Condition, *rest: Condition) -> bool:
    """One condition holds; those after it are not evaluated.

    Example: `OR(IS_QUINT8("X"), IS_QINT8("X"))`
    """
    return bool(first.evaluate(env)) or any(part.evaluate(env) for part in rest)


@function
def XOR(first: bool, *rest: bool) -> bool:
    """An odd number of conditions holds. Example: `XOR(IS_SCALAR("A"), IS_SCALAR("B"))`"""
    return sum((first, *rest)) % 2 == 1


def _comparison(body: Callable[[Number, Number], bool]) -> Function:
    """Declare a comparison of numbers in their common type, or of dtypes."""

    def result(kinds: Sequence[ExprKind]) -> ExprKind | str:
        alike = (kinds[0] is ExprKind.DTYPE) == (kinds[1] is ExprKind.DTYPE)
        return ExprKind.BOOL if alike else "a dtype is compared with a number"

    def run(env: Env, call: Call) -> Value:
        a, b = call.args
        if a.kind is ExprKind.DTYPE:
            return body(a.evaluate(env) is b.evaluate(env), True)
        kind = common_kind((a.kind, b.kind))
        return body(number(env, call, 0, kind), number(env, call, 1, kind))

    return declared(body, run, result=result)


@_comparison
def EQ(a: Scalar, b: Scalar) -> bool:
    """Equal numbers, or one dtype; int and size compare as size.

    Example: `EQ(DTYPE_OF("X"), DType.QUInt8)`
    """
    return a == b


@_comparison
def NE(a: Scalar, b: Scalar) -> bool:
    """Unequal numbers, or two dtypes. Example: `NE(DIM_WIDTH("X"), 1)`"""
    return a != b


@_comparison
def LT(a: NumberOperand, b: NumberOperand) -> bool:
    """Less; int and size compare as size. Example: `LT(DIM_DEPTH("X"), 4)`"""
    return a < b


@_comparison
def GT(a: NumberOperand, b: NumberOperand) -> bool:
    """Greater; int and size compare as size. Example: `GT(DIM_HEIGHT("*"), TILE_HEIGHT)`"""
    return a > b


@_comparison
def LE(a: NumberOperand, b: NumberOperand) -> bool:
    """Less or equal; int and size compare as size. Example: `LE(DIM_WIDTH("X"), 8)`"""
    return a <= b


@_comparison
def GE(a: NumberOperand, b: NumberOperand) -> bool:
    """Greater or equal; int and size compare as size. Example: `GE(RANK_OF("X"), 4)`"""
    return a >= b


def _choice(body: Callable[..., Expr]) -> Function:
    """Declare a function that is one of its operands, as a value or in a replacement."""
    chosen = FunctionParameters(body).applied(body)

    def result(kinds: Sequence[ExprKind]) -> ExprKind | str:
        branches = set(kinds[1:])
        if len(branches) == 1:
            return branches.pop()
        if branches <= NUMBERS:
            return common_kind(branches)
        return ExprKind.OP if branches <= BUILT else "the two choices differ in type"

    def run(env: Env, call: Call) -> Value:
        value = chosen(env, call).evaluate(env)
        if call.kind in NUMBERS and isinstance(value, Number):
            return convert(value, call.kind)
        return value

    def build(builder: Builder, ref: Reference, call: Call) -> SSAValue:
        return chosen(builder.env, call).build(builder, ref)

    return declared(body, run, build, result)


@_choice
def SELECT(condition: bool, first: Choice, second: Choice) -> Expr:
    """The second operand where the condition holds, else the third: numbers, dtypes, nodes,
    replacements.

    Example: `SELECT(IS_SCALAR("B"), "B", TYPICAL_SLICE("B", "I"))`
    """
    return first if condition else second


@function
def INT(value: Scalar) -> int:
    """As int: 32 bits with a sign, without a fraction; also the number of a dtype.

    Example: `INT(DIM_DEPTH("X"))`
    """
    if isinstance(value, DType):
        return _DTYPES.index(value) + 1
    return int(convert(value, ExprKind.INT))


@function
def UINT(value: NumberOperand) -> Size:
    """As size: 64 bits without a sign. Example: `UINT(32)`"""
    return int(convert(value, ExprKind.SIZE))


@function
def FLOAT(value: NumberOperand) -> float:
    """As float. Example: `FLOAT(DIM_WIDTH("X"))`"""
    return float(value)


@function
def DTYPE(value: DTypeNumber) -> DType:
    """The dtype of a number that INT gave. Example: `DTYPE(INT(DTYPE_OF("X")))`"""
    if isinstance(value, DType):
        return value
    if not 1 <= value <= len(_DTYPES):
        raise EvaluationError(f"{value} is the number of no dtype")
    return _DTYPES[value - 1]
