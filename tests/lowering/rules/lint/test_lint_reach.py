"""What lint says of rules that can never apply: shadowed, impossible, restricted."""

from dataclasses import replace

import pytest
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering.rules import (
    AND,
    AUTOSPLIT,
    CONSTVAL_INT,
    DIM_BATCHES,
    DIM_DEPTH,
    DIM_HEIGHT,
    DIM_OF,
    DIM_WIDTH,
    DTYPE_OF,
    EARLY,
    EQ,
    EXTERNAL_REPLACE,
    GE,
    GT,
    IS_FLOAT32,
    IS_QUINT8,
    LATE,
    LE,
    LET,
    LT,
    NE,
    NOT,
    OK,
    OPCONST,
    OR,
    RANK_OF,
    SAME_ENCODING,
    SAME_SHAPE,
    SELECT,
    SUB,
    TILING,
    TYPICAL_SLICE,
    WITH_SAME_OUTPUT,
    WITH_SIZE,
    WITH_TYPE,
    Op,
    OpAnyOrder,
    Rule,
    gen_ConstScalar_i32,
    gen_Shape,
    rule,
)
from htp_mlir.lowering.rules.lint import FindingKind
from htp_mlir.lowering.rules.tree.expr import Expr

from .kit import found, kinds, nothing

INNER = Op("Abs", "Y")
ABS = rule(EARLY, Op("Neg", "X"), OK, Op("Abs", "X"), name="always")


class TestShadows:
    @pytest.mark.parametrize(
        "later",
        [
            rule(EARLY, Op("Neg", "Y"), IS_FLOAT32("Y"), Op("Relu", "Y")),
            rule(EARLY, Op("Neg", Op("Abs", "Y")), OK, Op("Relu", "Y")),
            rule(EARLY, Op("Neg", OPCONST("Y")), OK, Op("Relu", "Y")),
        ],
        ids=["more demanded", "larger match", "only constants"],
    )
    def test_behind_a_rule_that_fires_always(self, later: Rule) -> None:
        (finding,) = found(ABS, later)
        assert finding.kind is FindingKind.SHADOWED
        assert finding.message.startswith("always (")

    @pytest.mark.parametrize(
        ("wide", "narrow", "shadowed"),
        [
            (OpAnyOrder("Add", "A", INNER), Op("Add", INNER, "B"), True),
            (OpAnyOrder("Add", "A", INNER), OpAnyOrder("Add", INNER, "B"), True),
            (OpAnyOrder("Add", "A", INNER), Op("Add", "B", Op("Neg", "Y")), False),
            (OpAnyOrder("Add", "A", "A"), Op("Add", "A", "B"), False),
            (Op("Add", "A", INNER), OpAnyOrder("Add", "B", INNER), False),
        ],
        ids=["turned", "both in any order", "another op", "another tag", "one order of two"],
    )
    def test_inputs_in_any_order(self, wide: Expr, narrow: Expr, shadowed: bool) -> None:
        wide_rule = rule(EARLY, wide, OK, Op("Relu", "A"), name="wide")
        narrow_rule = rule(EARLY, narrow, OK, Op("Relu", "B"))
        assert (FindingKind.SHADOWED in kinds(wide_rule, narrow_rule)) is shadowed

    def test_the_demand_is_met_in_one_of_the_orders(self) -> None:
        wide = rule(EARLY, OpAnyOrder("Add", "A", "B"), IS_FLOAT32("A"), Op("Sub", "A", "B"))
        narrow = rule(EARLY, Op("Add", "P", "Q"), IS_FLOAT32("Q"), Op("Mul", "P", "Q"))
        assert FindingKind.SHADOWED in kinds(wide, narrow)
        assert FindingKind.SHADOWED not in kinds(wide, replace(narrow, constraint=IS_QUINT8("Q")))

    def test_the_same_demand_under_other_tags(self) -> None:
        wide = rule(EARLY, Op("Add", "A", "B"), EQ(DIM_DEPTH("A"), 3), Op("Sub", "A", "B"))
        narrow = rule(
            EARLY,
            Op("Add", "P", "Q"),
            AND(IS_FLOAT32("Q"), EQ(DIM_DEPTH("P"), 3)),
            Op("Mul", "P", "Q"),
        )
        swapped = rule(EARLY, Op("Add", "P", "Q"), EQ(DIM_DEPTH("Q"), 3), Op("Mul", "P", "Q"))
        assert kinds(wide, narrow) == [FindingKind.SHADOWED]
        assert kinds(wide, swapped) == []

    @pytest.mark.parametrize(
        "members",
        [
            (rule(EARLY, Op("Neg", "Y"), IS_FLOAT32("Y"), Op("Relu", "Y")), ABS),
            (rule(EARLY, Op("Neg", "X"), OK, EXTERNAL_REPLACE(nothing)), ABS),
            (rule(EARLY, Op("Neg", "X"), OK, Op("Neg", Op("Relu", "X"))), ABS),
            (rule(EARLY, Op("Add", "X", "X"), OK, "X"), rule(EARLY, Op("Add", "A", "B"), OK, "B")),
            (replace(ABS, flags=("relaxed_precision_flag",)), replace(ABS, name="other")),
            (
                rule(EARLY, Op("Add", "X", "X"), OK, "X"),
                rule(EARLY, Op("Add", INNER, INNER), OK, INNER),
            ),
            (
                rule(EARLY, Op("Add", "X", LET("X", INNER)), OK, "X"),
                rule(EARLY, Op("Add", "A", LET("B", INNER)), SAME_SHAPE("A", "B"), "A"),
            ),
        ],
        ids=[
            *("narrow one first", "may decline", "builds its root", "one node twice", "flags"),
            *("two nodes alike", "a LET of the same node"),
        ],
    )
    def test_no_shadow(self, members: tuple[Rule, ...]) -> None:
        assert FindingKind.SHADOWED not in kinds(*members)

    def test_an_op_that_an_earlier_group_leaves_none_of(self) -> None:
        later = rule(LATE, Op("Relu", Op("Neg", "X")), OK, Op("Relu", "X"))
        (finding,) = found(ABS, later)
        assert finding.kind is FindingKind.NEVER_FIRES
        assert "in EARLY leaves no htp.Neg in the graph" in finding.message

    @pytest.mark.parametrize(
        "between",
        [
            rule(LATE, Op("Abs", "X"), OK, Op("Neg", "X")),
            rule(LATE, Op("Sign", "X"), OK, EXTERNAL_REPLACE(nothing)),
        ],
        ids=["builds it", "may build it"],
    )
    def test_an_op_that_comes_back(self, between: Rule) -> None:
        later = rule(LATE, Op("Relu", Op("Neg", "X")), OK, Op("Relu", "X"))
        assert kinds(ABS, between, later) == []


class TestNever:
    @pytest.mark.parametrize(
        "constraint",
        [
            False,
            AND(EQ(DIM_DEPTH("X"), 3), GT(DIM_DEPTH("X"), 3)),
            AND(IS_FLOAT32("X"), IS_QUINT8("X")),
            AND(OR(EQ(DIM_DEPTH("X"), 3), EQ(DIM_DEPTH("X"), 4)), GT(DIM_OF("X", 3), 5)),
            LT(DIM_DEPTH("X"), 0),
            AND(EQ(DTYPE_OF("X"), DType.Int32), NOT(EQ(DTYPE_OF("X"), DType.Int32))),
            AND(GT(DIM_HEIGHT("X"), DIM_WIDTH("X")), LT(DIM_HEIGHT("X"), 1)),
        ],
        ids=str,
    )
    def test_false_for_every_graph(self, constraint: Expr | bool) -> None:
        assert kinds(rule(EARLY, Op("Neg", "X"), constraint, Op("Abs", "X"))) == [
            FindingKind.NEVER_FIRES
        ]

    @pytest.mark.parametrize(
        "constraint",
        [
            AND(GE(DIM_DEPTH("X"), 3), LE(DIM_DEPTH("X"), 3)),
            AND(OR(EQ(DIM_DEPTH("X"), 3), EQ(DIM_DEPTH("X"), 9)), GT(DIM_DEPTH("X"), 5)),
            AND(NE(DIM_DEPTH("X"), 3), NE(DIM_DEPTH("X"), 1)),
            EQ(RANK_OF("X"), 4),
            EQ(DIM_BATCHES("X"), 1000),
            LT(DIM_DEPTH("X"), -1),
            AND(LT(CONSTVAL_INT("X", 0), 0), GT(CONSTVAL_INT("X", 0), DIM_DEPTH("X"))),
        ],
        ids=str,
    )
    def test_true_for_some(self, constraint: Expr) -> None:
        assert kinds(rule(EARLY, Op("Neg", "X"), constraint, Op("Abs", "X"))) == []

    def test_a_difference_that_wraps_may_be_large(self) -> None:
        wraps = AND(LT(DIM_HEIGHT("X"), 3), GT(SUB(DIM_HEIGHT("X"), 10), 5))
        assert kinds(rule(EARLY, Op("Neg", "X"), wraps, Op("Abs", "X"))) == [FindingKind.WRAP]

    def test_the_part_that_contradicts_is_named(self) -> None:
        constraint = AND(IS_FLOAT32("X"), EQ(DIM_DEPTH("X"), 3), EQ(DIM_DEPTH("X"), 4), OK)
        (finding,) = found(rule(EARLY, Op("Neg", "X"), constraint, Op("Abs", "X")))
        part = EQ(DIM_DEPTH("X"), 4)
        assert finding.message == f"{part} cannot hold beside what stands before it"


class TestResults:
    @pytest.mark.parametrize(
        "replacement",
        [
            Op("Neg", WITH_SIZE(gen_Shape(1, 1, 1, 1), Op("Abs", "X"))),
            Op("Less", "X", "X"),
            Op("Reshape", WITH_SIZE(gen_Shape(2, 3, 4, 5), Op("Reshape", "X"))),
        ],
        ids=str,
    )
    def test_a_shape_or_dtype_that_the_op_does_not_give(self, replacement: Expr) -> None:
        (finding,) = found(rule(EARLY, Op("Neg", "X"), IS_FLOAT32("X"), replacement))
        assert finding.kind is FindingKind.RESULT
        assert "the replacement is not valid" in finding.message

    def test_an_inner_op_needs_its_own_size(self) -> None:
        axes = gen_ConstScalar_i32(3)
        mean = Op("ReduceMean", "X", axes)
        unwrapped = Op("Sub", "X", mean)
        wrapped = Op(
            "Sub",
            "X",
            WITH_SIZE(
                gen_Shape(DIM_OF("X", 0), DIM_OF("X", 1), DIM_OF("X", 2), 1), WITH_TYPE("X", mean)
            ),
        )
        encoded = AND(SAME_ENCODING("*", "X"), GT(DIM_DEPTH("X"), 1))
        assert kinds(rule(EARLY, Op("Neg", "X"), encoded, unwrapped)) == [FindingKind.RESULT]
        assert kinds(rule(EARLY, Op("Neg", "X"), encoded, wrapped)) == []


SPLIT = AUTOSPLIT(1, "I", 8, Op("Abs", TYPICAL_SLICE("X", "I")))
TWICE = AUTOSPLIT(2, "I", 8, Op("Abs", TYPICAL_SLICE("X", "I")))
OTHER = AUTOSPLIT(2, "J", 8, Op("Abs", TYPICAL_SLICE("X", "J")))


class TestRestrictions:
    @pytest.mark.parametrize(
        ("replacement", "message"),
        [
            (Op("Neg", SPLIT), "AUTOSPLIT stands inside"),
            (SELECT(GT(DIM_HEIGHT("*"), 8), SPLIT, TWICE), '2 splits have the tag "I"'),
            (
                AUTOSPLIT(1, "I", 8, Op("Abs", TYPICAL_SLICE(Op("Neg", "X"), "I"))),
                "the first operand of TYPICAL_SLICE is Op",
            ),
            (Op("Neg", WITH_SAME_OUTPUT("X", "X")), "the last operand of WITH_SAME_OUTPUT is"),
        ],
        ids=["split inside", "one tag twice", "slice of a new op", "nothing to modify"],
    )
    def test_what_the_source_refuses(self, replacement: Expr, message: str) -> None:
        findings = found(rule(TILING, Op("ElementWiseAbs", "X"), OK, replacement))
        assert [f.kind for f in findings] == [FindingKind.RESTRICTION]
        assert message in findings[0].message

    @pytest.mark.parametrize(
        "replacement", [SPLIT, SELECT(GT(DIM_HEIGHT("*"), 8), SPLIT, OTHER)], ids=str
    )
    def test_what_it_takes(self, replacement: Expr) -> None:
        assert kinds(rule(TILING, Op("ElementWiseAbs", "X"), OK, replacement)) == []
