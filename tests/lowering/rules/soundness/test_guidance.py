"""Cases are found for demanding constraints, because they are read, and not by luck."""

from contextlib import suppress
from random import Random

import numpy as np
import pytest
from htp_mlir.dialects.htp.ops.movement import ReshapeOp
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering.rules import (
    ADD,
    AND,
    CONSTVAL_FLOAT,
    CONSTVAL_FLOAT_VALID,
    CONSTVAL_INT,
    DIM_BATCHES,
    DIM_DEPTH,
    DIM_HEIGHT,
    DIM_OF,
    DIM_WIDTH,
    DIV,
    DTYPE_OF,
    EARLY,
    EQ,
    GE,
    GT,
    INF,
    INPUT_OF,
    INT,
    IS_QINT8,
    IS_QUINT8,
    LE,
    LET,
    LT,
    MUL,
    NE,
    NOT,
    OK,
    OPCONST,
    OPTION_BOOL,
    OPTION_UINT,
    OR,
    PRODUCER_FOR,
    SAME_QUANT,
    SAME_SHAPE,
    SUB,
    ZERO_OFFSET_OF,
    Op,
    Rule,
    rule,
)
from htp_mlir.lowering.rules.definition.rule import RuleSet
from htp_mlir.lowering.rules.soundness import Searcher, SearchResult, check_rule
from htp_mlir.lowering.rules.soundness.drawing.constraint_system import Choices, Contradiction
from htp_mlir.lowering.rules.tree.expr import Arg, Expr

CASES = 20


def found(demanding: Rule) -> SearchResult:
    cases = SearchResult()
    Searcher(demanding, RuleSet((demanding,))).search(Random(0), CASES, 200, cases)
    return cases


def test_every_graph_that_is_drawn_is_counted() -> None:
    odd = rule(EARLY, Op("Relu", "X"), EQ(MUL(DIM_DEPTH("X"), DIM_DEPTH("X")), 25), "X")
    result = found(odd)
    assert result.attempts == len(result.cases) + result.refused.total()
    never = found(rule(EARLY, Op("Relu", "X"), LT(DIM_DEPTH("X"), DIM_DEPTH("X")), "X"))
    assert (len(never.cases), never.attempts, never.refused.total()) == (0, 200, 200)


def test_a_constraint_without_a_value_does_not_hold() -> None:
    nought = SUB(DIM_DEPTH("X"), DIM_DEPTH("X"))
    divided = rule(EARLY, Op("Relu", "X"), GE(DIV(8, nought), 0), "X")
    assert found(divided).refused == {"the constraint does not hold": 200}


@pytest.mark.parametrize(("root", "reshaped"), [("Relu", True), ("qti_aisw::Relu", False)])
def test_inputs_of_native_graphs_alone_are_reshaped(root: str, reshaped: bool) -> None:
    plain = rule(EARLY, Op(root, "X"), OK, "X")
    searcher, random = Searcher(plain, RuleSet((plain,))), Random(0)
    owners: list[object] = []
    for _ in range(CASES):
        with suppress(Contradiction):
            owners.append(searcher.matching(Choices(random)).bindings["X"].owner)
    assert owners
    assert any(isinstance(owner, ReshapeOp) for owner in owners) is reshaped


@pytest.mark.parametrize(
    "constraint",
    [
        EQ(DIM_HEIGHT("X"), 100),
        AND(GE(DIM_DEPTH("X"), 61), LE(DIM_DEPTH("X"), 63)),
        EQ(ADD(DIM_HEIGHT("X"), DIM_WIDTH("X")), 41),
        EQ(MUL(3, DIM_DEPTH("X")), ADD(DIM_HEIGHT("X"), 20)),
        AND(GT(DIM_HEIGHT("X"), DIM_WIDTH("X")), GT(DIM_WIDTH("X"), ADD(DIM_DEPTH("X"), 9))),
        LT(SUB(INT(DIM_HEIGHT("X")), INT(DIM_WIDTH("X"))), -12),
        OR(EQ(DIM_DEPTH("X"), 77), AND(EQ(DIM_DEPTH("X"), 33), NE(DIM_WIDTH("X"), 1))),
        AND(IS_QINT8("X"), EQ(ZERO_OFFSET_OF("X"), -3)),
        AND(IS_QUINT8("*"), NOT(LT(ZERO_OFFSET_OF("*"), 200))),
        AND(IS_QUINT8("X"), LE(MUL(DIM_HEIGHT("X"), DIM_DEPTH("X")), 4096)),
        EQ(DTYPE_OF("*"), DType.Float16),
        AND(SAME_SHAPE("X", "*"), SAME_QUANT("X", "*"), IS_QUINT8("X")),
        PRODUCER_FOR("X", "Softmax"),
        PRODUCER_FOR("*", "*Output"),
        EQ(DIM_BATCHES(INPUT_OF("*", 0)), 29),
        CONSTVAL_FLOAT_VALID("X", 0),
        EQ(CONSTVAL_INT("X", 2), 7),
        OPTION_BOOL("my_switch"),
        GT(OPTION_UINT("my_limit"), DIM_DEPTH("X")),
    ],
    ids=str,
)
def test_a_constraint_on_one_op(constraint: Expr) -> None:
    cases = found(rule(EARLY, Op("Neg", "X"), constraint, Op("Abs", "X")))
    assert len(cases.cases) == CASES, cases.refused.most_common(3)


def test_a_stem_of_few_channels() -> None:
    stem = rule(
        EARLY,
        Op("Relu", LET("C", Op("ConvLayer_valid", "A", OPCONST("W"), "S", "B"))),
        AND(
            IS_QUINT8("A"),
            *(EQ(DIM_OF("S", dim), 2) for dim in (1, 2)),
            LT(DIM_DEPTH("A"), 4),
            GT(DIM_DEPTH("W"), 31),
            GE(DIM_HEIGHT("*"), 5),
        ),
        Op("ConvLayer_valid", "A", "W", "S", "B"),
    )
    assert len(found(stem).cases) == CASES


def test_params_of_ops() -> None:
    clipped = rule(
        EARLY,
        Op("Clamp", "X", "Min", "Max"),
        AND(EQ(CONSTVAL_FLOAT("Min", 0), 0.0), EQ(CONSTVAL_FLOAT("Max", 0), 6.0)),
        "X",
    )
    bounds = [
        tuple(case.data[case.root.slot(name)].item() for name in ("min", "max"))
        for case in found(clipped).cases
    ]
    assert bounds == [(0.0, 6.0)] * CASES
    unbounded = rule(EARLY, Op("Clamp", "X", "Min", "Max"), EQ(CONSTVAL_FLOAT("Max", 0), INF), "X")
    highest = [case.data[case.root.slot("max")].item() for case in found(unbounded).cases]
    assert highest == [np.inf] * CASES


@pytest.mark.parametrize("value", [INF, 100_000.0])
def test_elements_that_not_every_dtype_holds(value: Arg) -> None:
    large = rule(
        EARLY,
        Op("Add", "X", OPCONST("C")),
        EQ(CONSTVAL_FLOAT("C", 0), value),
        Op("Add", "C", "X"),
    )
    assert len(found(large).cases) == CASES


def test_an_op_that_no_package_has_is_a_reason() -> None:
    unknown = rule(EARLY, Op("Neg", "X"), PRODUCER_FOR("X", "Nobody"), "X")
    report = check_rule(unknown, cases=3)
    assert not report.passed
    assert "no op htp.Nobody is known" in str(report)


def test_flags_are_on() -> None:
    flagged = rule(
        EARLY, Op("Neg", "X"), OK, Op("Abs", "X"), flags=["relaxed_precision_flag", "my_flag"]
    )
    assert check_rule(flagged, cases=5).counterexample is not None


def test_cases_differ() -> None:
    cases = found(rule(EARLY, Op("Add", "A", "B"), OK, Op("Add", "B", "A"))).cases
    shapes = {tuple(case.specs[slot].shape for slot in case.root.operands) for case in cases}
    dtypes = {case.specs[case.root.results[0]].dtype for case in cases}
    assert len(shapes) > CASES // 2
    assert len(dtypes) > 2
    assert any(case.exposed or case.wrapped for case in cases)


def test_a_constraint_that_nothing_satisfies_is_no_pass() -> None:
    odd = rule(EARLY, Op("Neg", "X"), AND(GT(DIM_DEPTH("X"), 3), LT(DIM_DEPTH("X"), 4)), "X")
    report = check_rule(odd, cases=3)
    assert (report.passed, report.cases) == (False, 0)
    assert "not checked" in str(report)
    assert sum(count for _, count in report.refused) == report.attempts
