"""What lint says of splits and sizes."""

import pytest
from htp_mlir.lowering.rules import (
    ADD,
    AND,
    AUTOSPLIT,
    CONSTVAL_INT,
    DIM_HEIGHT,
    DIM_OF,
    DIM_WIDTH,
    EARLY,
    EXTERNAL_CONSTRAINT,
    GE,
    GT,
    IS_FLOAT32,
    LE,
    LT,
    OK,
    OR,
    SELECT,
    SUB,
    TILING,
    TYPICAL_SLICE,
    WITH_SAME_OUTPUT,
    Op,
    Rule,
    gen_Shape,
    gen_ShapeOf,
    rule,
)
from htp_mlir.lowering.rules.lint import FindingKind
from htp_mlir.lowering.rules.tree.expr import Expr

from .kit import found, kinds, large


def halves(guard: Expr | bool, root: str = "Relu", tile: str = "Relu", dim: int = 1) -> Rule:
    return rule(
        TILING, Op(root, "X"), guard, AUTOSPLIT(dim, "I", 8, Op(tile, TYPICAL_SLICE("X", "I")))
    )


class TestSplits:
    @pytest.mark.parametrize("guard", [True, GT(DIM_WIDTH("*"), 8), IS_FLOAT32("*")])
    def test_without_a_guard(self, guard: Expr | bool) -> None:
        assert FindingKind.UNGUARDED_SPLIT in kinds(halves(guard))

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
        assert FindingKind.UNGUARDED_SPLIT not in kinds(rule(TILING, Op("Relu", "X"), OK, chosen))


LARGER = SUB(DIM_HEIGHT("X"), DIM_WIDTH("X"))


class TestSizes:
    def test_in_a_constraint(self) -> None:
        (finding,) = found(rule(EARLY, Op("Neg", "X"), GT(LARGER, 2), Op("Abs", "X")))
        assert finding.kind is FindingKind.WRAP
        assert finding.message.startswith(f"{LARGER} wraps: ")

    @pytest.mark.parametrize(
        ("size", "wraps"),
        [
            (SUB(ADD(DIM_WIDTH("X"), 8), 8), False),
            (SUB(ADD(DIM_WIDTH("X"), 8), 9), True),
            (SUB(SELECT(GT(DIM_WIDTH("X"), 2), 3, ADD(DIM_WIDTH("X"), 2)), 2), False),
            (SUB(DIM_WIDTH("X"), -1), True),
        ],
        ids=str,
    )
    def test_what_its_own_literals_keep_above_zero(self, size: Expr, wraps: bool) -> None:
        # A graph is found for no rule of this match, so that only the text of the rule can tell.
        neg = rule(EARLY, Op("Neg", Op("Shape", "X")), GE(size, 0), Op("Abs", "X"))
        assert (FindingKind.WRAP in kinds(neg)) is wraps

    def test_in_a_replacement(self) -> None:
        moved = Op("Slice_shape", "X", gen_Shape(0, SUB(DIM_OF("S", 1), 1), 0, 0), "N")
        where = rule(EARLY, Op("Slice_shape", "X", "S", "N"), GE(DIM_OF("S", 2), 0), moved)
        assert FindingKind.WRAP in kinds(where)

    @pytest.mark.parametrize(("least", "wraps"), [(1, False), (0, True)])
    def test_in_the_choice_that_is_taken(self, least: int, wraps: bool) -> None:
        moved = gen_Shape(0, SUB(DIM_OF("S", 1), 1), 0, 0)
        start = SELECT(GE(DIM_OF("S", 1), least), moved, gen_ShapeOf("S"))
        where = rule(
            EARLY, Op("Slice_shape", "X", "S", "N"), OK, Op("Slice_shape", "X", start, "N")
        )
        assert (FindingKind.WRAP in kinds(where)) is wraps

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
            WITH_SAME_OUTPUT("*", Op("ConvLayer_valid", "A", "W", "S", "B")),
        )
        assert kinds(fits) == []

    def test_ints_do_not_wrap(self) -> None:
        plain = GT(SUB(CONSTVAL_INT("axis", 0), 5), -4)
        same = Op("Softmax", "X", "axis", "beta")
        assert kinds(rule(EARLY, same, plain, WITH_SAME_OUTPUT("*", same))) == []
