"""Logic, comparison, choice and casts of the rule language."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import cast

from ....dialects.value.dtypes import DType
from ..graph.env import Env
from ..graph.types import BUILT, NUMBERS, EvaluationError, Kind, Number, Value, common_kind, convert
from ..tree.expr import Call, Literal
from ..tree.function import BUILDS, TRUTH, VALUE, Function, Slot, slot, strict
from .arithmetic import number

OK = Literal(True, Kind.BOOL)
true = OK
false = Literal(False, Kind.BOOL)
INF = Literal(math.inf, Kind.FLOAT)
NEG_INF = Literal(-math.inf, Kind.FLOAT)

_DTYPES = tuple(DType)


def _and(env: Env, call: Call) -> Value:
    return all(arg.evaluate(env) for arg in call.args)


def _or(env: Env, call: Call) -> Value:
    return any(arg.evaluate(env) for arg in call.args)


def _xor(env: Env, call: Call) -> Value:
    return sum(bool(arg.evaluate(env)) for arg in call.args) % 2 == 1


def _comparison(
    name: str, test: Callable[[Number, Number], bool], dtypes: bool, doc: str
) -> Function:
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

    return Function(name, (operand, operand), result, run, doc=doc)


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


def _cast(name: str, kind: Kind, doc: str, dtypes: bool = False) -> Function:
    operand = Slot("operand", frozenset(NUMBERS | ({Kind.DTYPE} if dtypes else set())))

    def run(value: Value) -> Value:
        if isinstance(value, DType):
            return _DTYPES.index(value) + 1
        return convert(cast(Number, value), kind)

    return Function(name, (operand,), kind, strict(run), doc=doc)


def _dtype(value: int) -> Value:
    if not 1 <= value <= len(_DTYPES):
        raise EvaluationError(f"{value} is the number of no dtype")
    return _DTYPES[value - 1]


NOT = Function(
    "NOT",
    (TRUTH,),
    Kind.BOOL,
    strict(operator.not_),
    doc='The condition does not hold. Example: `NOT(IS_QUINT8("X"))`',
)
AND = Function(
    "AND",
    (TRUTH,),
    Kind.BOOL,
    _and,
    rest=TRUTH,
    doc=(
        "All conditions hold; those after the first that does not are not looked at. Example:"
        ' `AND(IS_FLOAT32("X"), EQ(DIM_DEPTH("X"), DIM_DEPTH("B")))`'
    ),
)
OR = Function(
    "OR",
    (TRUTH,),
    Kind.BOOL,
    _or,
    rest=TRUTH,
    doc=(
        'One condition holds; those after it are not looked at. Example: `OR(IS_QUINT8("X"), '
        'IS_QINT8("X"))`'
    ),
)
XOR = Function(
    "XOR",
    (TRUTH,),
    Kind.BOOL,
    _xor,
    rest=TRUTH,
    doc='An odd number of conditions holds. Example: `XOR(IS_SCALAR("A"), IS_SCALAR("B"))`',
)

EQ = _comparison(
    "EQ",
    operator.eq,
    dtypes=True,
    doc=(
        "Equal numbers, or one dtype; int and size compare as size. Example: "
        '`EQ(DTYPE_OF("X"), DType.QUInt8)`'
    ),
)
NE = _comparison(
    "NE",
    operator.ne,
    dtypes=True,
    doc='Unequal numbers, or two dtypes. Example: `NE(DIM_WIDTH("X"), 1)`',
)
LT = _comparison(
    "LT",
    operator.lt,
    dtypes=False,
    doc='Less; int and size compare as size. Example: `LT(DIM_DEPTH("X"), 4)`',
)
GT = _comparison(
    "GT",
    operator.gt,
    dtypes=False,
    doc='Greater; int and size compare as size. Example: `GT(DIM_HEIGHT("*"), TILE_HEIGHT)`',
)
LE = _comparison(
    "LE",
    operator.le,
    dtypes=False,
    doc='Less or equal; int and size compare as size. Example: `LE(DIM_WIDTH("X"), 8)`',
)
GE = _comparison(
    "GE",
    operator.ge,
    dtypes=False,
    doc='Greater or equal; int and size compare as size. Example: `GE(RANK_OF("X"), 4)`',
)

CHOICE = Slot("choice", VALUE.kinds | BUILDS.kinds)
SELECT = Function(
    "SELECT",
    (TRUTH, CHOICE, CHOICE),
    _select_kind,
    _select,
    lambda b, ref, c: b.value(c.args[1 if c.args[0].evaluate(b.env) else 2], ref),
    doc=(
        "The second operand where the condition holds, else the third: numbers, dtypes, "
        'nodes, replacements. Example: `SELECT(IS_SCALAR("B"), "B", TYPICAL_SLICE("B", "I"))`'
    ),
)

INT = _cast(
    "INT",
    Kind.INT,
    dtypes=True,
    doc=(
        "As int: 32 bits with a sign, without a fraction; also the number of a dtype. "
        'Example: `INT(DIM_DEPTH("X"))`'
    ),
)
UINT = _cast(
    "UINT",
    Kind.SIZE,
    doc="As size: 64 bits without a sign. Example: `UINT(32)`",
)
FLOAT = _cast(
    "FLOAT",
    Kind.FLOAT,
    doc='As float. Example: `FLOAT(DIM_WIDTH("X"))`',
)
DTYPE = Function(
    "DTYPE",
    (slot("operand", Kind.INT, Kind.SIZE, Kind.DTYPE),),
    Kind.DTYPE,
    strict(lambda value: value if isinstance(value, DType) else _dtype(value)),
    doc='The dtype of a number that INT gave. Example: `DTYPE(INT(DTYPE_OF("X")))`',
)
