"""Numbers in constraints: their types, wrap-around, and what has no value."""

import math

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering.rules import (
    ABS,
    ADD,
    AND,
    DIV,
    DTYPE,
    EQ,
    FLOAT,
    GE,
    GT,
    INF,
    INT,
    IS_POW2,
    LE,
    LT,
    MAX,
    MIN,
    MOD,
    MUL,
    NE,
    NEG,
    NEG_INF,
    NOT,
    OK,
    OR,
    REM,
    ROUNDUP,
    SELECT,
    SUB,
    UINT,
    XOR,
    false,
    true,
)
from htp_mlir.lowering.rules.graph.graph import INT_MAX, INT_MIN, EvaluationError, ExprKind, convert
from htp_mlir.lowering.rules.tree.expr import Expr, as_expr

from ..kit import same, value_of

SIZE_MAX = 2**64 - 1
BROKEN = EQ(DIV(1, 0), 1)
"""A condition that has no value."""

VALUES = [
    (OK, True),
    (true, True),
    (false, False),
    (INF, math.inf),
    (NEG_INF, -math.inf),
    (NOT(False), True),
    (AND(True), True),
    (AND(True, True, False), False),
    (OR(False), False),
    (OR(False, False, True), True),
    (XOR(True), True),
    (XOR(True, True), False),
    (XOR(True, True, True), True),
    (NEG(3), -3),
    (NEG(2.5), -2.5),
    (NEG(UINT(1)), SIZE_MAX),
    (NEG(INT_MIN), INT_MIN),
    (ABS(-3), 3),
    (ABS(-2.5), 2.5),
    (ABS(UINT(3)), 3),
    (ADD(1), 1),
    (ADD(1, 2, 3), 6),
    (ADD(INT_MAX, 1), INT_MIN),
    (ADD(UINT(INT_MAX), 1), INT_MAX + 1),
    (ADD(1, 0.5), 1.5),
    (ADD(True, True), 2),
    (MUL(2, 3, 4), 24),
    (MUL(1 << 16, 1 << 16), 0),
    (MUL(UINT(1 << 16), 1 << 16), 1 << 32),
    (MIN(3, 1, 2), 1),
    (MIN(UINT(3), -1), 3),
    (MAX(3, 1, 2), 3),
    (MAX(UINT(3), -1), SIZE_MAX),
    (SUB(1, 3), -2),
    (SUB(UINT(1), 3), SIZE_MAX - 1),
    (SUB(INT(UINT(1)), 3), -2),
    (DIV(7, 2), 3),
    (DIV(-7, 2), -3),
    (DIV(7, -2), -3),
    (DIV(INT_MIN, -1), INT_MIN),
    (DIV(UINT(7), 2), 3),
    (DIV(7, 2.0), 3.5),
    (DIV(1.0, 0), math.inf),
    (DIV(-1.0, 0), -math.inf),
    (DIV(0.0, 0), math.nan),
    (REM(7, 3), 1),
    (REM(-7, 3), -1),
    (REM(7, -3), 1),
    (REM(-7.5, 2), -1.5),
    (REM(INF, 2), math.nan),
    (MOD(7, 3), 1),
    (MOD(-7, 3), 2),
    (MOD(7, -3), -2),
    (MOD(-7.5, 2), 0.5),
    (ROUNDUP(33, 32), 64),
    (ROUNDUP(32, 32), 32),
    (ROUNDUP(0, 8), 0),
    (ROUNDUP(-5, 4), -4),
    (IS_POW2(8), True),
    (IS_POW2(0), False),
    (IS_POW2(6), False),
    (IS_POW2(-8), False),
    (EQ(2, 2.0), True),
    (EQ(UINT(SIZE_MAX), -1), True),
    (NE(1, 2), True),
    (LT(-1, 1), True),
    (LT(-1, UINT(1)), False),
    (GT(2, 1), True),
    (LE(2, 2), True),
    (GE(1, 2), False),
    (EQ(DType.QUInt8, DType.QUInt8), True),
    (NE(DType.QUInt8, DType.Int32), True),
    (SELECT(True, 1, 2), 1),
    (SELECT(False, 1, 2.5), 2.5),
    (SELECT(True, 1, 2.5), 1.0),
    (SELECT(False, DType.Int32, DType.Float16), DType.Float16),
    (SELECT(True, 1, DIV(1, 0)), 1),
    (INT(2.9), 2),
    (INT(-2.9), -2),
    (INT(True), 1),
    (INT(UINT(SIZE_MAX)), -1),
    (UINT(-1), SIZE_MAX),
    (UINT(2.9), 2),
    (FLOAT(3), 3.0),
    (FLOAT(UINT(3)), 3.0),
    (DTYPE(INT(DType.QInt16)), DType.QInt16),
    (DTYPE(DType.QInt16), DType.QInt16),
]


@pytest.mark.parametrize(("expr", "wanted"), VALUES, ids=lambda value: str(value))
def test_value(expr: Expr, wanted: object) -> None:
    value = value_of(expr)
    assert same(value, wanted), f"{value!r}"


@pytest.mark.parametrize(
    ("expr", "kind"),
    [
        (ADD(True, True), ExprKind.INT),
        (ADD(1, UINT(1)), ExprKind.SIZE),
        (ADD(UINT(1), 1.0), ExprKind.FLOAT),
        (SELECT(True, 1, UINT(1)), ExprKind.SIZE),
        (SELECT(True, DType.Int32, DType.Int32), ExprKind.DTYPE),
        (EQ(1, 1), ExprKind.BOOL),
        (as_expr(INT_MAX), ExprKind.INT),
        (as_expr(INT_MAX + 1), ExprKind.SIZE),
    ],
    ids=str,
)
def test_type_is_what_cpp_would_compute_in(expr: Expr, kind: ExprKind) -> None:
    assert expr.kind is kind


@pytest.mark.parametrize("expr", [AND(False, BROKEN), NOT(OR(True, BROKEN))], ids=str)
def test_logic_stops_early(expr: Expr) -> None:
    assert value_of(expr) is False


@pytest.mark.parametrize(
    ("expr", "why"),
    [
        (DIV(1, 0), "1 is divided by 0"),
        (DIV(UINT(1), 0), "1 is divided by 0"),
        (REM(1, 0), "remainder of 1 by 0"),
        (MOD(1.0, 0), "remainder of 1.0 by 0"),
        (ROUNDUP(5, 3), "ROUNDUP to 3, which is no power of two"),
        (ROUNDUP(5, 0), "ROUNDUP to 0, which is no power of two"),
        (INT(INF), "inf is no integer"),
        (DTYPE(0), "0 is the number of no dtype"),
        (DTYPE(99), "99 is the number of no dtype"),
        (AND(BROKEN, False), "1 is divided by 0"),
    ],
    ids=str,
)
def test_what_has_no_value_says_why(expr: Expr, why: str) -> None:
    with pytest.raises(EvaluationError, match=why):
        value_of(expr)


@pytest.mark.parametrize(
    ("value", "kind", "wanted"),
    [
        (2**31, ExprKind.INT, INT_MIN),
        (-(2**31) - 1, ExprKind.INT, INT_MAX),
        (2**64, ExprKind.SIZE, 0),
        (-1, ExprKind.SIZE, SIZE_MAX),
        (True, ExprKind.INT, 1),
        (7, ExprKind.FLOAT, 7.0),
    ],
)
def test_conversion_wraps(value: int, kind: ExprKind, wanted: float) -> None:
    assert same(convert(value, kind), wanted)


@pytest.mark.parametrize("number", [2**64, INT_MIN - 1])
def test_a_number_that_no_type_holds_is_refused(number: int) -> None:
    with pytest.raises(HtpError, match=rf"test_numbers\.py:\d+: {number} fits"):
        ADD(number, 1)
