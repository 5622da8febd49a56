"""What lint says of tags and ops, and how."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.rules import (
    DIM_OF,
    EARLY,
    EQ,
    EXTERNAL_REPLACE,
    LET,
    OK,
    PRODUCER_FOR,
    Op,
    OpVarIn,
    Rule,
    WrapOp,
    gen_Shape,
    rule,
)
from htp_mlir.lowering.rules.lint import FindingKind, lint

from ..alike import one_of_each
from .kit import found, kinds, nothing

RULES = Packages().rules


@pytest.mark.slow
@pytest.mark.parametrize(
    "only",
    [
        pytest.param(one_of_each(RULES.rules), id="one of each kind"),
        pytest.param(RULES.rules, id="all", marks=pytest.mark.exhaustive),
    ],
)
def test_the_projects_rules_are_clean(only: Sequence[Rule]) -> None:
    assert [str(finding) for finding in lint(RULES, only)] == []


def test_a_finding_names_rule_place_and_kind() -> None:
    (finding,) = found(rule(EARLY, Op("Negg", "X"), OK, "X", name="typo"))
    assert str(finding).startswith("typo (tests/lowering/rules/lint/test_lint.py:")
    assert str(finding).endswith(
        '[unknown-op] no package has htp.Negg, and no rule makes it; did you mean "Neg"?'
    )


class TestTags:
    def test_a_dropped_input(self) -> None:
        lost = rule(
            EARLY,
            Op("ConvLayer_valid", "A", "W", "S", "B"),
            OK,
            Op("Conv2d_valid", "A", "W", "S"),
        )
        (finding,) = found(lost)
        assert finding.kind is FindingKind.UNUSED_TAG
        assert (
            finding.message == '"B" is an input of htp.ConvLayer_valid that the replacement drops'
        )

    def test_a_let_that_nobody_asks_for(self) -> None:
        named = rule(EARLY, Op("Neg", LET("N", Op("Abs", "X"))), OK, Op("Neg", Op("Abs", "X")))
        assert FindingKind.UNUSED_TAG in kinds(named)

    @pytest.mark.parametrize("tag", ["_B", "A"])
    def test_dropped_on_purpose_or_bound_twice(self, tag: str) -> None:
        assert FindingKind.UNUSED_TAG not in kinds(rule(EARLY, Op("Maximum", "A", tag), OK, "A"))

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
        unknown = [f.message for f in found(bad) if f.kind is FindingKind.UNKNOWN_TAG]
        assert unknown == ['unknown tag "Y"; the match has "X", "*"']


class TestOps:
    @pytest.mark.parametrize(
        "wrong",
        [
            rule(EARLY, Op("Neg", Op("Abss", "X")), OK, Op("Neg", "X")),
            rule(EARLY, Op("Neg", "X"), OK, Op("Abss", "X")),
            rule(EARLY, Op("Neg", "X"), OK, WrapOp("Abss", Op("Abs", "X"))),
            rule(EARLY, Op("Neg", "X"), PRODUCER_FOR("X", "Abss"), Op("Abs", "X")),
            rule(EARLY, Op("Neg", "X"), OK, Op("Other::Abs", "X")),
            rule(EARLY, Op("Neg", Op("$Out", "X", "_N")), OK, Op("Neg", "X")),
        ],
        ids=["match", "replacement", "wrap", "consumer", "package", "an output of several"],
    )
    def test_unknown(self, wrong: Rule) -> None:
        assert kinds(wrong) == [FindingKind.UNKNOWN_OP]

    def test_special_names_are_known(self) -> None:
        special = rule(EARLY, Op("Neg", Op("*Input")), PRODUCER_FOR("*", "*Output"), Op("$Const"))
        assert FindingKind.UNKNOWN_OP not in kinds(special)
        assert kinds(rule(EARLY, Op("Neg", "X"), PRODUCER_FOR("X", "StateWrite"), "X")) == []

    def test_too_few_inputs_to_match(self) -> None:
        (finding,) = found(rule(EARLY, Op("Add", "A"), OK, "A"))
        assert finding.kind is FindingKind.OPERANDS
        assert finding.message == "the match gives htp.Add 1 inputs, it takes 2; it never matches"

    def test_too_many_to_build(self) -> None:
        built = rule(EARLY, Op("Add", "A", "B"), OK, Op("Neg", "A", "B"))
        assert kinds(built) == [FindingKind.OPERANDS]

    def test_any_number_where_the_op_takes_any(self) -> None:
        joined = rule(
            EARLY, Op("Concat", "Axis", "A", "B"), OK, Op("Concat", "Axis", "A", "B", "A", "B")
        )
        assert FindingKind.OPERANDS not in kinds(joined)
