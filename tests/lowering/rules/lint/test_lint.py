"""Each lint on a rule that it is for, and on one beside it that is right."""

from __future__ import annotations

from dataclasses import replace

import pytest
from htp_mlir.dialects.dtypes import DType
from htp_mlir.lowering.patterns import HTP_RULES
from htp_mlir.lowering.rules import (
    ADD,
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
    EXTERNAL_CONSTRAINT,
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
    PRODUCER_FOR,
    RANK_OF,
    SAME_ENCODING,
    SELECT,
    SUB,
    TILING,
    TYPICAL_SLICE,
    WITH_SAME_OUTPUT,
    WITH_SIZE,
    WITH_TYPE,
    Node,
    Op,
    OpVarIn,
    Rule,
    WrapOp,
    external_constraint,
    external_replacement,
    gen_ConstScalar_i32,
    gen_Shape,
    rule,
    rules,
)
from htp_mlir.lowering.rules.expr import Expr
from htp_mlir.lowering.rules.lint import Finding, Kind, lint


@external_constraint("large")
def large(node: Node) -> bool:
    """Some test that only Python can make."""
    return node.shape[1] > 8


@external_replacement("nothing")
def nothing(builder: object, root: Node) -> Node:
    """A replacement that changes nothing."""
    return root


def found(*members: Rule) -> list[Finding]:
    return lint(rules(*members))


def kinds(*members: Rule) -> list[Kind]:
    return [finding.kind for finding in found(*members)]


def test_the_projects_rules_are_clean() -> None:
    assert [str(finding) for finding in lint(HTP_RULES)] == []


def test_a_finding_names_rule_place_and_kind() -> None:
    (finding,) = found(rule(EARLY, Op("Negg", "X"), OK, "X", name="typo"))
    assert str(finding).startswith("typo (tests/lowering/rules/lint/test_lint.py:")
    assert "[unknown-op] no package has htp.Negg; did you mean htp.Neg" in str(finding)


class TestTags:
    def test_a_dropped_input(self) -> None:
        lost = rule(
            EARLY,
            Op("ConvLayer_valid", "A", "W", "S", "B"),
            OK,
            Op("Conv2d_valid", "A", "W", "S"),
        )
        (finding,) = found(lost)
        assert finding.kind is Kind.UNUSED_TAG
        assert (
            finding.message == '"B" is an input of htp.ConvLayer_valid that the replacement drops'
        )

    def test_a_let_that_nobody_asks_for(self) -> None:
        named = rule(EARLY, Op("Neg", LET("N", Op("Abs", "X"))), OK, Op("Neg", Op("Abs", "X")))
        assert Kind.UNUSED_TAG in kinds(named)

    @pytest.mark.parametrize("tag", ["_B", "A"])
    def test_dropped_on_purpose_or_bound_twice(self, tag: str) -> None:
        assert Kind.UNUSED_TAG not in kinds(rule(EARLY, Op("Maximum", "A", tag), OK, "A"))

    def test_params_and_shapes_need_a_tag(self) -> None:
        sliced = rule(
            EARLY,
            Op("Slice_shape", "X", "Start", "Size"),
            EQ(DIM_OF("Start", 0), 0),
            Op("Slice_shape", "X", "Start", gen_Shape(*(DIM_OF("*", d) for d in range(4)))),
        )
        assert kinds(sliced) == []

    def test_what_an_external_function_reads_is_not_known(self) -> None:
        external = rule(EARLY, OpVarIn("Concat", "Axis", "P"), OK, EXTERNAL_REPLACE(nothing))
        assert kinds(external) == []

    def test_an_unknown_tag_in_a_rule_made_by_hand(self) -> None:
        good = rule(EARLY, Op("Neg", "X"), OK, Op("Abs", "X"))
        bad = replace(good, replacement=Op("Abs", "Y"))
        assert Kind.UNKNOWN_TAG in kinds(bad)


class TestOps:
    @pytest.mark.parametrize(
        "wrong",
        [
            rule(EARLY, Op("Neg", Op("Abss", "X")), OK, Op("Neg", "X")),
            rule(EARLY, Op("Neg", "X"), OK, Op("Abss", "X")),
            rule(EARLY, Op("Neg", "X"), OK, WrapOp("Abss", Op("Abs", "X"))),
            rule(EARLY, Op("Neg", "X"), PRODUCER_FOR("X", "Abss"), Op("Abs", "X")),
            rule(EARLY, Op("Neg", "X"), OK, Op("Other::Abs", "X")),
        ],
        ids=["match", "replacement", "wrap", "consumer", "package"],
    )
    def test_unknown(self, wrong: Rule) -> None:
        assert kinds(wrong) == [Kind.UNKNOWN_OP]

    def test_special_names_are_known(self) -> None:
        special = rule(EARLY, Op("Neg", Op("*Input")), PRODUCER_FOR("*", "*Output"), Op("$Const"))
        assert Kind.UNKNOWN_OP not in kinds(special)

    def test_too_few_inputs_to_match(self) -> None:
        (finding,) = found(rule(EARLY, Op("Add", "A"), OK, "A"))
        assert finding.kind is Kind.OPERANDS
        assert finding.message == "the match gives htp.Add 1 inputs, it takes 2; it never matches"

    def test_too_many_to_build(self) -> None:
        built = rule(EARLY, Op("Add", "A", "B"), OK, Op("Neg", "A", "B"))
        assert kinds(built) == [Kind.OPERANDS]

    def test_any_number_where_the_op_takes_any(self) -> None:
        joined = rule(
            EARLY, Op("Concat", "Axis", "A", "B"), OK, Op("Concat", "Axis", "A", "B", "A", "B")
        )
        assert Kind.OPERANDS not in kinds(joined)


def halves(guard: Expr | bool, root: str = "Relu", tile: str = "Relu", dim: int = 1) -> Rule:
    return rule(
        TILING, Op(root, "X"), guard, AUTOSPLIT(dim, "I", 8, Op(tile, TYPICAL_SLICE("X", "I")))
    )


class TestSplits:
    @pytest.mark.parametrize("guard", [True, GT(DIM_WIDTH("*"), 8), IS_FLOAT32("*")])
    def test_without_a_guard(self, guard: Expr | bool) -> None:
        assert Kind.UNGUARDED_SPLIT in kinds(halves(guard))

    @pytest.mark.parametrize(
        "guard",
        [
            GT(DIM_HEIGHT("*"), 8),
            GT(DIM_OF("*", 1), 8),
            GT(DIM_HEIGHT("X"), 8),
            AND(IS_FLOAT32("*"), GT(DIM_OF("*", 1), 8)),
            EXTERNAL_CONSTRAINT(large, "*"),
        ],
        ids=str,
    )
    def test_with_one(self, guard: Expr) -> None:
        assert kinds(halves(guard)) == []

    def test_tiles_of_another_name_end_by_themselves(self) -> None:
        assert kinds(halves(OK, root="ElementWiseAbs", tile="Abs")) == []

    def test_a_condition_around_the_split_guards_it(self) -> None:
        split = AUTOSPLIT(1, "I", 8, Op("Relu", TYPICAL_SLICE("X", "I")))
        chosen = SELECT(GT(DIM_HEIGHT("*"), 8), split, Op("Relu", "X"))
        assert Kind.UNGUARDED_SPLIT not in kinds(rule(TILING, Op("Relu", "X"), OK, chosen))


LARGER = SUB(DIM_HEIGHT("X"), DIM_WIDTH("X"))


class TestSizes:
    def test_in_a_constraint(self) -> None:
        (finding,) = found(rule(EARLY, Op("Neg", "X"), GT(LARGER, 2), Op("Abs", "X")))
        assert finding.kind is Kind.WRAP
        assert finding.message.startswith(f"{LARGER} wraps: ")

    def test_in_a_replacement(self) -> None:
        moved = Op("Slice_shape", "X", gen_Shape(0, SUB(DIM_OF("S", 1), 1), 0, 0), "N")
        where = rule(EARLY, Op("Slice_shape", "X", "S", "N"), GE(DIM_OF("S", 2), 0), moved)
        assert Kind.WRAP in kinds(where)

    @pytest.mark.parametrize(
        "guarded",
        [
            AND(GE(DIM_HEIGHT("X"), DIM_WIDTH("X")), GT(LARGER, 2)),
            AND(LE(DIM_WIDTH("X"), DIM_HEIGHT("X")), GT(LARGER, 2)),
            OR(LT(DIM_HEIGHT("X"), DIM_WIDTH("X")), GT(LARGER, 2)),
        ],
        ids=str,
    )
    def test_behind_a_comparison(self, guarded: Expr) -> None:
        assert kinds(rule(EARLY, Op("Neg", "X"), guarded, Op("Abs", "X"))) == []

    def test_what_the_op_itself_keeps_above_0(self) -> None:
        taps = SUB(DIM_HEIGHT("A"), DIM_OF("W", 0))
        fits = rule(
            EARLY,
            Op("ConvLayer_valid", "A", "W", "S", "B"),
            GT(ADD(taps, 1), 3),
            Op("ConvLayer_valid", "A", "W", "S", "B"),
        )
        assert kinds(fits) == []

    def test_ints_do_not_wrap(self) -> None:
        plain = GT(SUB(CONSTVAL_INT("axis", 0), 5), -4)
        same = Op("Softmax", "X", "axis", "beta")
        assert kinds(rule(EARLY, same, plain, same)) == []


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
        assert finding.kind is Kind.SHADOWED
        assert finding.message.startswith("always (")

    def test_the_same_demand_under_other_tags(self) -> None:
        wide = rule(EARLY, Op("Add", "A", "B"), EQ(DIM_DEPTH("A"), 3), Op("Sub", "A", "B"))
        narrow = rule(
            EARLY,
            Op("Add", "P", "Q"),
            AND(IS_FLOAT32("Q"), EQ(DIM_DEPTH("P"), 3)),
            Op("Mul", "P", "Q"),
        )
        swapped = rule(EARLY, Op("Add", "P", "Q"), EQ(DIM_DEPTH("Q"), 3), Op("Mul", "P", "Q"))
        assert kinds(wide, narrow) == [Kind.SHADOWED]
        assert kinds(wide, swapped) == []

    @pytest.mark.parametrize(
        "members",
        [
            (rule(EARLY, Op("Neg", "Y"), IS_FLOAT32("Y"), Op("Relu", "Y")), ABS),
            (rule(EARLY, Op("Neg", "X"), OK, EXTERNAL_REPLACE(nothing)), ABS),
            (rule(EARLY, Op("Neg", "X"), OK, Op("Neg", Op("Relu", "X"))), ABS),
            (rule(EARLY, Op("Add", "X", "X"), OK, "X"), rule(EARLY, Op("Add", "A", "B"), OK, "B")),
            (replace(ABS, flags=("relaxed_precision_flag",)), replace(ABS, name="other")),
        ],
        ids=["narrow one first", "may decline", "builds its root", "one node twice", "flags"],
    )
    def test_no_shadow(self, members: tuple[Rule, ...]) -> None:
        assert Kind.SHADOWED not in kinds(*members)

    def test_an_op_that_an_earlier_group_leaves_none_of(self) -> None:
        later = rule(LATE, Op("Relu", Op("Neg", "X")), OK, Op("Relu", "X"))
        (finding,) = found(ABS, later)
        assert finding.kind is Kind.NEVER_FIRES
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
        assert kinds(rule(EARLY, Op("Neg", "X"), constraint, Op("Abs", "X"))) == [Kind.NEVER_FIRES]

    @pytest.mark.parametrize(
        "constraint",
        [
            AND(GE(DIM_DEPTH("X"), 3), LE(DIM_DEPTH("X"), 3)),
            AND(OR(EQ(DIM_DEPTH("X"), 3), EQ(DIM_DEPTH("X"), 9)), GT(DIM_DEPTH("X"), 5)),
            AND(NE(DIM_DEPTH("X"), 3), NE(DIM_DEPTH("X"), 1)),
            EQ(RANK_OF("X"), 4),
            EQ(DIM_BATCHES("X"), 1000),
        ],
        ids=str,
    )
    def test_true_for_some(self, constraint: Expr) -> None:
        assert kinds(rule(EARLY, Op("Neg", "X"), constraint, Op("Abs", "X"))) == []

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
        assert finding.kind is Kind.RESULT
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
        assert kinds(rule(EARLY, Op("Neg", "X"), encoded, unwrapped)) == [Kind.RESULT]
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
        assert [f.kind for f in findings] == [Kind.RESTRICTION]
        assert message in findings[0].message

    @pytest.mark.parametrize(
        "replacement", [SPLIT, SELECT(GT(DIM_HEIGHT("*"), 8), SPLIT, OTHER)], ids=str
    )
    def test_what_it_takes(self, replacement: Expr) -> None:
        assert kinds(rule(TILING, Op("ElementWiseAbs", "X"), OK, replacement)) == []
