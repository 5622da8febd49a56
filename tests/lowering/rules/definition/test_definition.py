"""Rules that cannot be right are refused where they are written, with file and line."""

import inspect
from collections.abc import Callable
from copy import copy

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering.rules import (
    ADD,
    AND,
    AUTOSPLIT,
    AUTOSPLIT_SHAPEFN_APPLY,
    CLEANUP_GRAPH,
    DIM_DEPTH,
    DIM_OF,
    EARLY,
    EQ,
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    GT,
    HARD_OPS,
    INPUT_OF,
    IS_POW2,
    IS_QUINT8,
    ITER_INPUT_OF,
    LATE,
    LET,
    LT,
    NOT,
    OK,
    OP_ITER,
    OPCONST,
    OPTION_INT,
    OUTPUT_OF,
    RANK_OF,
    ROUNDUP,
    SAME_SHAPE,
    SELECT,
    SPLIT_START,
    SUB,
    TILING,
    TYPICAL_SLICE,
    WITH_SAME_ID,
    WITH_SIZE,
    WITH_SPLIT_HISTORY,
    WITH_TYPE,
    Op,
    Operand,
    OpMultiOut,
    OpVarIn,
    ResizeDim,
    RuleSet,
    WrapOp,
    external_constraint,
    gen_ConstScalar_i32,
    gen_Shape,
    gen_ShapeOf,
    priority_name,
    priority_of,
    rule,
    rules,
)
from htp_mlir.lowering.rules.graph.graph import Node
from htp_mlir.lowering.rules.tree.expr import Arg, Expr, nth_place

Make = Callable[[], object]

ADD_XB = Op("Add", "X", "B")
RELU = Op("Relu", "X")

ILL_TYPED: list[tuple[Make, str]] = [
    (lambda: AND(1), "AND: operand 'condition' is 1 of type int"),
    (lambda: AND(OK, "X"), "AND: operand 'condition' is \"X\" of type node"),
    (lambda: NOT(DIM_DEPTH("X")), "operand 'condition' is DIM_DEPTH(\"X\") of type size"),
    (lambda: ADD(1, "X"), "ADD: operand 'number' is \"X\" of type node"),
    (lambda: ADD(1, DType.QUInt8), "is DType::QUInt8 of type dtype"),
    (lambda: EQ(1, "X"), "EQ: operand 'operand' is \"X\" of type node"),
    (lambda: EQ(1, DType.QUInt8), "a dtype is compared with a number"),
    (lambda: LT(DType.QUInt8, DType.Int32), "LT: operand 'operand' is DType::QUInt8"),
    (lambda: SELECT(OK, 1, DType.Int32), "the two choices differ in type"),
    (lambda: SELECT(1, 2, 3), "SELECT: operand 'condition' is 1 of type int"),
    (lambda: ROUNDUP(1.5, 2), "ROUNDUP: operand 'integer' is 1.5 of type float"),
    (lambda: IS_POW2(2.0), "IS_POW2: operand 'integer' is 2.0 of type float"),
    (lambda: DIM_OF("X", 0.5), "DIM_OF: operand 'integer' is 0.5 of type float"),
    (lambda: DIM_OF(3, 0), "DIM_OF: operand 'node' is 3 of type int"),
    (lambda: IS_QUINT8(RELU), 'operand \'node\' is Op("Relu", "X") of type new op'),
    (lambda: RANK_OF("X", "Y"), "RANK_OF: 2 operands\n  it takes 1"),
    (lambda: AND(), "AND: 0 operands\n  it takes 1 or more"),
    (lambda: SUB(1), "SUB: 1 operands\n  it takes 2"),
    (lambda: OPTION_INT(3), "OPTION_INT: operand 'name' is 3 of type int"),
    (lambda: EXTERNAL_CONSTRAINT(3, "X"), "operand 'function' is 3 of type int"),
    (lambda: WITH_SIZE(3, RELU), "WITH_SIZE: operand 'size' is 3 of type int"),
    (lambda: WITH_SIZE("X", 3), "WITH_SIZE: operand 'replacement' is 3 of type int"),
    (lambda: WITH_TYPE(gen_Shape(1, 1, 1, 1), RELU), "WITH_TYPE: operand 'node' is gen_Shape"),
    (lambda: WITH_SAME_ID(RELU, RELU), "WITH_SAME_ID: operand 'node'"),
    (lambda: WITH_SPLIT_HISTORY("X", 3), "WITH_SPLIT_HISTORY: the last operand is a number"),
    (lambda: WITH_SPLIT_HISTORY("X", RELU, RELU), "the operand in the middle is no number"),
    (lambda: ResizeDim("X", 3, RELU), "ResizeDim: operand 'integer' is \"X\" of type node"),
    (lambda: WrapOp(3, "X"), "WrapOp: operand 'name' is 3 of type int"),
    (lambda: gen_Shape(1.5), "gen_Shape: operand 'integer' is 1.5 of type float"),
    (lambda: gen_ConstScalar_i32("X"), "operand 'number' is \"X\" of type node"),
    (lambda: gen_ShapeOf(4), "gen_ShapeOf: operand 'size' is 4 of type int"),
    (lambda: AUTOSPLIT(1, 2, 3, RELU), "AUTOSPLIT: operand 'split tag' is 2 of type int"),
    (lambda: LET("C", Operand("X")), 'LET("C", "X"): names no op'),
    (lambda: Op("Add Sub", "X"), "'Add Sub' is no op name"),
    (lambda: OpMultiOut(2, 2, "Gru", "X"), "OpMultiOut: output 2 of 2"),
    (lambda: OpMultiOut(1025, 0, "Gru", "X"), "OpMultiOut: output 0 of 1025"),
]


@pytest.mark.parametrize(("make", "message"), ILL_TYPED, ids=[told for _, told in ILL_TYPED])
def test_ill_typed_expression_is_refused_where_it_is_written(make: Make, message: str) -> None:
    line = inspect.getsourcelines(make)[1]
    with pytest.raises(HtpError) as caught:
        make()
    assert message in str(caught.value)
    where, _, number = caught.value.faults[0].where.rpartition(":")
    assert where.endswith("test_definition.py")
    assert abs(int(number) - line) <= 1


FAULTY: list[tuple[Expr, Arg, Arg, str]] = [
    (Op("*Input", "X"), OK, "X", "its root must be an Op()"),
    (Op("*Output", "X"), OK, "X", "its root must be an Op()"),
    (LET("C", RELU), OK, "X", 'the match is LET("C", Op("Relu", "X")); its root must be an Op()'),
    (Operand("X"), OK, "X", 'the match is "X"; its root must be an Op()'),
    (Op("Add", "X", 3), OK, "X", "3 stands in the match; only tags and ops do"),
    (Op("Add", "X", "*"), OK, "X", '"*" stands in the match; it is the root itself'),
    (Op("Add", "X", OPCONST("*")), OK, "X", 'LET names "*"; it is the root itself'),
    (Op("Neg", LET("X", RELU)), OK, "X", 'the LET of "X" holds its own tag'),
    (Op("Add", OPCONST("C"), OPCONST("C")), OK, "C", 'there are 2 LETs for the tag "C"'),
    (RELU, 1, "X", "the constraint 1 is of type int; it must be bool"),
    (RELU, "X", "X", 'the constraint "X" is of type node; it must be bool'),
    (RELU, EQ(RANK_OF("Y"), 4), "X", 'unknown tag "Y"; the match has "X", "*"'),
    (RELU, GT(SPLIT_START("I"), 4), "X", 'split tag "I" is used outside its split'),
    (RELU, OK, "Y", 'unknown tag "Y"'),
    (RELU, OK, "*", 'the replacement reads "*", the very node that it replaces'),
    (RELU, OK, Op("Neg", "*"), 'the replacement reads "*"'),
    (RELU, OK, Op("Neg", OUTPUT_OF("*", 0)), 'the replacement reads "*"'),
    (RELU, OK, OUTPUT_OF("*", 0), 'the replacement reads "*"'),
    (RELU, OK, SELECT(OK, "X", "*"), 'the replacement reads "*"'),
    (RELU, OK, AUTOSPLIT(1, "I", 8, TYPICAL_SLICE("*", "I")), 'the replacement reads "*"'),
    (RELU, OK, 3, "the replacement 3 is of type int; it must be a node or build an op"),
    (RELU, OK, gen_Shape(1, 1, 1, 1), "is of type shape; it must be a node or build an op"),
    (RELU, OK, OpVarIn("Neg", "X"), "is built; OpVarIn only matches"),
    (RELU, OK, Op("Neg", 3), "3 is of type int; an input is a node, a shape or a new op"),
    (RELU, OK, Op("Neg", DIM_DEPTH("X")), 'DIM_DEPTH("X") is of type size; an input is'),
    (RELU, OK, Op("$Out", "X"), 'Op("$Out", "X") takes an op and a shape'),
    (RELU, OK, Op("$Out", RELU, RELU), "takes an op and a shape; OpMultiOut() writes it"),
    (RELU, OK, Op("Neg", OPCONST("C")), "stands outside the match"),
    (RELU, OK, Op("Neg", TYPICAL_SLICE("X", "I")), 'split tag "I" is used outside its split'),
    (
        RELU,
        OK,
        AUTOSPLIT(1, "I", 8, Op("Relu", TYPICAL_SLICE("X", "J"))),
        'split tag "J" is used outside its split',
    ),
    (
        RELU,
        OK,
        AUTOSPLIT(1, "I", SPLIT_START("I"), RELU),
        'split tag "I" is used outside its split',
    ),
    (
        RELU,
        OK,
        OP_ITER(Op("Concat", ITER_INPUT_OF("X", "I")), "I", 0, 2, RELU),
        'split tag "I" is used outside its split',
    ),
]


@pytest.mark.parametrize(("match", "constraint", "replacement", "message"), FAULTY, ids=str)
def test_faulty_rule_is_refused(
    match: Expr, constraint: Arg, replacement: Arg, message: str
) -> None:
    with pytest.raises(HtpError) as caught:
        rule(EARLY, match, constraint, replacement, name="wrong")
    assert message in str(caught.value)
    assert "test_definition.py:" in caught.value.faults[0].where
    assert ": rule wrong" in caught.value.faults[0].where


def test_every_fault_of_a_rule_is_named_at_once() -> None:
    with pytest.raises(HtpError, match="3 errors") as caught:
        rule(EARLY, RELU, EQ(DIM_DEPTH("Y"), DIM_DEPTH("Z")), "A")
    assert [fault.problem[:15] for fault in caught.value.faults] == [
        f'unknown tag "{t}"' for t in "YZA"
    ]


def test_negative_priority_is_refused() -> None:
    with pytest.raises(HtpError, match="the priority is -1; it must be >= 0"):
        rule(-1, RELU, OK, "X")


ALLOWED: list[tuple[Expr, Arg, Arg]] = [
    (RELU, SAME_SHAPE("*", "X"), "X"),
    (RELU, OK, INPUT_OF("*", 0)),
    (RELU, OK, WITH_SIZE("*", Op("Neg", "X"))),
    (RELU, OK, WITH_SIZE(gen_ShapeOf("*"), Op("Neg", "X"))),
    (RELU, EQ(RANK_OF(SELECT(OK, "*", "X")), 4), "X"),
    (Op("Neg", LET("C", RELU)), SAME_SHAPE("C", "*"), "X"),
    (Op("Add", "X", "X"), OK, "X"),
    (Op("Add", LET("C", RELU), "C"), OK, "C"),
    (RELU, True, "X"),
    (RELU, OK, SELECT(EQ(RANK_OF("X"), 4), "X", Op("Neg", "X"))),
    (
        RELU,
        OK,
        AUTOSPLIT(1, "I", 8, AUTOSPLIT(2, "J", 8, TYPICAL_SLICE(TYPICAL_SLICE("X", "I"), "J"))),
    ),
    (
        RELU,
        OK,
        AUTOSPLIT(
            1, "I", 8, WITH_SIZE(AUTOSPLIT_SHAPEFN_APPLY("simple_split_size", "I", "X"), RELU)
        ),
    ),
]


@pytest.mark.parametrize(("match", "constraint", "replacement"), ALLOWED, ids=str)
def test_sound_rule_is_made(match: Expr, constraint: Arg, replacement: Arg) -> None:
    member = rule(LATE - 1, match, constraint, replacement)
    assert member.priority == 3999
    assert "test_definition.py:" in member.where


def test_rules_are_named_by_their_root_unless_told() -> None:
    assert rule(EARLY, RELU, OK, "X").name == "Relu"
    assert rule(EARLY, RELU, OK, "X", name="no relu").name == "no relu"


def test_rule_reads_as_the_language_writes_it() -> None:
    member = rule(
        EARLY + 1,
        Op("Add", LET("C", OpVarIn("q::Conv", "A")), OPCONST("B")),
        AND(EQ(DIM_DEPTH("B"), 4), GT(ADD(1, 2.5), 0)),
        WITH_SIZE(gen_Shape(1, 2, 3, 4), Op("BiasAdd", "A", "B")),
    )
    assert str(member) == (
        'rule(EARLY+1, Op("Add", LET("C", OpVarIn(FROM_DEFAULT_PACKAGE("Conv"), "A")), '
        'LET("B", Op("$Const"))), AND(EQ(DIM_DEPTH("B"), 4), GT(ADD(1, 2.5), 0)), '
        'WITH_SIZE(gen_Shape(1, 2, 3, 4), Op("BiasAdd", "A", "B")))'
    )


def test_function_that_nobody_registered_is_an_error_of_the_table() -> None:
    member = rule(EARLY, RELU, EXTERNAL_CONSTRAINT("fits", "X"), EXTERNAL_REPLACE("make"))
    with pytest.raises(HtpError) as caught:
        rules(member)
    assert [fault.problem for fault in caught.value.faults] == [
        f"no function '{name}' is registered" for name in ("fits", "make")
    ]


def test_registered_functions_are_found_by_name() -> None:
    @external_constraint("fits")
    def fits(node: Node) -> bool:
        return len(node.shape) == 4

    member = rule(EARLY, RELU, EXTERNAL_CONSTRAINT("fits", "X"), "X")
    assert len(rules(member, externals=[fits])) == 1


@pytest.mark.parametrize(
    ("text", "number"),
    [("EARLY", 2000), ("EARLY+2", 2002), ("LATE - 1", 3999), ("17", 17), (" TILING ", TILING)],
)
def test_priority_by_name(text: str, number: int) -> None:
    assert priority_of(text) == number


@pytest.mark.parametrize("text", ["", "EARLY 2", "EARLY+", "+2", "SOON", "EARLY+x", "2+EARLY"])
def test_priority_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(HtpError, match="priority '"):
        priority_of(text)


def test_priority_below_zero_is_refused() -> None:
    with pytest.raises(HtpError, match="priority 'BEGIN-1'"):
        priority_of("BEGIN-1")


@pytest.mark.parametrize(
    ("priority", "name"),
    [
        (EARLY, "EARLY"),
        (LATE + 900, "LATE+900"),
        (1 + CLEANUP_GRAPH + 2, "CLEANUP_GRAPH+3"),
        (HARD_OPS - 3, "HARD_OPS-3"),
        (2499, "2499"),
        (priority_of("GRAPH_CLEANUP + 7"), "GRAPH_CLEANUP+7"),
        (copy(TILING + 1), "TILING+1"),
    ],
)
def test_a_priority_is_written_as_its_author_did(priority: int, name: str) -> None:
    assert priority_name(priority) == name
    assert str(rule(priority, RELU, OK, "X")).startswith(f"rule({name}, ")


def test_rules_of_one_line_are_numbered() -> None:
    lone = rule(EARLY, Op("Abs", "X"), OK, "X", name="lone")
    pair = [rule(EARLY, Op(op, "X"), OK, "X") for op in ("Neg", "Relu")]
    first, second, third = rules(*pair, lone)
    assert [first.label, second.label] == [
        f"Neg ({pair[0].where}, 1st rule)",
        f"Relu ({pair[0].where}, 2nd rule)",
    ]
    assert third.label == f"lone ({lone.where})"
    line = pair[0].where.rpartition("/")[2]
    assert first.is_called(line)
    assert second.is_called(line)
    assert second.is_called(f"{line}, 2nd rule")
    assert not first.is_called(f"{line}, 2nd rule")


def test_numbers_are_kept_where_they_tell_rules_apart() -> None:
    table = rules(*(rule(EARLY, Op(op, "X"), OK, "X") for op in ("Neg", "Relu", "Abs")))
    assert [member.nth for member in table] == [1, 2, 3]
    assert [member.nth for member in rules(RuleSet(table.rules[1:]))] == [2, 3]
    assert [member.nth for member in rules(table, RuleSet(table.rules[:1]))] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("nth", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd")]
)
def test_ordinals(nth: int, text: str) -> None:
    assert nth_place("a.py:1", nth) == f"a.py:1, {text} rule"
