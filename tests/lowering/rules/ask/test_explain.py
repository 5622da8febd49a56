"""Why a rule does not fire: the first thing that does not hold, with the values it saw."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.rules import (
    ADD,
    AND,
    CONSTVAL_INT,
    DIM_DEPTH,
    DIM_HEIGHT,
    DIM_OF,
    DTYPE_OF,
    EARLY,
    EQ,
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    GE,
    GT,
    IS_POW2,
    IS_QUINT8,
    LATE,
    LE,
    LT,
    MESSAGE,
    MESSAGE_IFNOT,
    NE,
    NOT,
    OK,
    OPTION_BOOL,
    OPTION_INT,
    OR,
    PRODUCER_FOR,
    SAME_OP,
    SAME_SHAPE,
    SELECT,
    SUB,
    UINT,
    DType,
    GraphOptions,
    Node,
    Op,
    OpVarIn,
    ResizeDim,
    Rule,
    external_constraint,
    gen_ShapeOf,
    observing,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.ask.explain import Explainer, Explanation, RuleOutcome, explain
from htp_mlir.lowering.rules.tree.expr import Arg, Expr
from xdsl.dialects.builtin import ModuleOp

from tests.support.native_graph import NativeGraph
from tests.support.roundtrip import parse

from ..engine.test_engine import STATE
from ..kit import chain, find, gru_outputs
from ..language.test_external import untouched


def add(depth: int = 8) -> ModuleOp:
    """%sum = Add(%x, %b) of a tensor and a row, as text with names."""
    return parse(f"""
func.func @main(%x: tensor<1x2x3x8xf32>, %b: tensor<1x1x1x{depth}xf32>) -> tensor<1x2x3x8xf32> {{
  %0 = htp.Reshape(%x) : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
  %row = htp.Reshape(%b) : (tensor<1x1x1x{depth}xf32>) -> tensor<1x1x1x{depth}xf32>
  %same = htp.Relu(%0) : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
  %sum = htp.Add(%same, %row)
    : (tensor<1x2x3x8xf32>, tensor<1x1x1x{depth}xf32>) -> tensor<1x2x3x8xf32>
  %1 = htp.Reshape(%sum) : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
  func.return %1 : tensor<1x2x3x8xf32>
}}""")


def only(entries: list[Explanation]) -> Explanation:
    """The only entry."""
    [entry] = entries
    return entry


def add_rule(constraint: Arg = OK, replacement: Arg = "X", **more: list[str]) -> Rule:
    """The rule for Add(X, B)."""
    return rule(EARLY, Op("Add", "X", "B"), constraint, replacement, **more)


def why(constraint: Arg, **options: int) -> str:
    """The reason why an Add refuses."""
    entry = only(explain(add_rule(constraint), add(1), GraphOptions(extra=options)))
    assert entry.outcome is RuleOutcome.REFUSED
    return entry.reason


@external_constraint("is_wide")
def is_wide(node: Node, limit: int) -> bool:
    """The node is wider than the limit.

    More words.
    """
    return node.shape[2] > limit


DIFFERENT_DEPTH = EQ(DIM_DEPTH("X"), DIM_DEPTH("B"))
REFUSALS: list[tuple[Expr, str]] = [
    (DIFFERENT_DEPTH, 'EQ(DIM_DEPTH("X"), DIM_DEPTH("B")): 8 != 1'),
    (AND(OK, SAME_SHAPE("*", "X"), DIFFERENT_DEPTH, IS_QUINT8("X")), f"{DIFFERENT_DEPTH}: 8 != 1"),
    (AND(OK, AND(OK, DIFFERENT_DEPTH)), f"{DIFFERENT_DEPTH}: 8 != 1"),
    (NE(DIM_HEIGHT("X"), 2), 'NE(DIM_HEIGHT("X"), 2): 2 == 2'),
    (LT(DIM_HEIGHT("X"), 2), 'LT(DIM_HEIGHT("X"), 2): 2 >= 2'),
    (GT(DIM_HEIGHT("X"), 2), 'GT(DIM_HEIGHT("X"), 2): 2 <= 2'),
    (LE(DIM_HEIGHT("X"), 1), 'LE(DIM_HEIGHT("X"), 1): 2 > 1'),
    (GE(DIM_HEIGHT("X"), 3), 'GE(DIM_HEIGHT("X"), 3): 2 < 3'),
    (GT(1.5, ADD(1, 1)), "GT(1.5, ADD(1, 1)): 1.5 <= 2.0"),
    (
        LT(SUB(DIM_HEIGHT("X"), 3), UINT(9)),
        'LT(SUB(DIM_HEIGHT("X"), 3), UINT(9)): 18446744073709551615 >= 9',
    ),
    (EQ(DTYPE_OF("X"), DType.QUInt8), 'EQ(DTYPE_OF("X"), DType::QUInt8): Float32 != QUInt8'),
    (NOT(EQ(DIM_HEIGHT("X"), 2)), 'NOT(EQ(DIM_HEIGHT("X"), 2)): 2 == 2'),
    (NOT(OK), "NOT(true): false"),
    (IS_QUINT8("X"), 'IS_QUINT8("X"): "X" is %same htp.Relu 1x2x3x8 Float32'),
    (
        SAME_SHAPE("X", "B"),
        'SAME_SHAPE("X", "B"): "X" is %same htp.Relu 1x2x3x8 Float32, '
        '"B" is %row *Input 1x1x1x1 Float32',
    ),
    (NOT(SAME_OP("X", "X")), 'NOT(SAME_OP("X", "X")): "X" is %same htp.Relu 1x2x3x8 Float32'),
    (IS_POW2(DIM_OF("X", 2)), 'IS_POW2(DIM_OF("X", 2)): DIM_OF("X", 2) is 3'),
    (PRODUCER_FOR("X", "Neg"), 'PRODUCER_FOR("X", "Neg"): "X" is %same htp.Relu 1x2x3x8 Float32'),
    (OPTION_BOOL("fast"), 'OPTION_BOOL("fast"): false'),
    (
        OR(DIFFERENT_DEPTH, EQ(DIM_HEIGHT("X"), 1)),
        f'{DIFFERENT_DEPTH}: 8 != 1 and EQ(DIM_HEIGHT("X"), 1): 2 != 1',
    ),
    (MESSAGE_IFNOT(DIFFERENT_DEPTH, "no bias"), f"{DIFFERENT_DEPTH}: 8 != 1"),
    (
        EXTERNAL_CONSTRAINT(is_wide, "X", 3),
        'EXTERNAL_CONSTRAINT(is_wide, "X", 3): "X" is %same htp.Relu 1x2x3x8 Float32; '
        "is_wide: The node is wider than the limit.",
    ),
    (
        GT(DIM_OF("X", ADD(2, 2)), 1),
        'DIM_OF("X", ADD(2, 2)): dim 4 of a node of rank 4',
    ),
    (
        EQ(SELECT(OK, DIM_OF("X", 7), DIM_OF("X", 9)), 1),
        'DIM_OF("X", 7): dim 7 of a node of rank 4',
    ),
    (
        OR(EQ(DIM_OF("X", 7), 1), OK),
        'DIM_OF("X", 7): dim 7 of a node of rank 4',
    ),
    (EQ(OPTION_INT("nobody"), 1), "graph option 'nobody': unknown; known are tcm_size"),
    (AND(EQ(CONSTVAL_INT("B", 0), 3)), 'EQ(CONSTVAL_INT("B", 0), 3): -2147483648 != 3'),
]


@pytest.mark.parametrize(("constraint", "reason"), REFUSALS, ids=str)
def test_refusal_shows_the_first_part_that_fails_and_its_values(
    constraint: Expr, reason: str
) -> None:
    answer = why(constraint, fast=0)
    assert answer.startswith(reason)
    if "known are" not in reason:
        assert answer == reason


def test_constraint_that_never_holds() -> None:
    assert why(False) == "false: it never holds"


def test_messages_are_not_printed_again(capsys: pytest.CaptureFixture[str]) -> None:
    explain(add_rule(MESSAGE("seen")), add())
    assert capsys.readouterr() == ("", "")


def reason(form: Expr, module: ModuleOp) -> str:
    """Why a match does not hold."""
    entry = only(explain(rule(EARLY, form, OK, "X"), module))
    assert entry.outcome is RuleOutcome.NO_MATCH
    return entry.reason


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (Op("Add", "X"), "it has 2 inputs, the match has 1"),
        (OpVarIn("Add", "X", "Y", "Z"), "it has 2 inputs, the match has at least 3"),
        (Op("Add", Op("Neg", "X"), "B"), "input 0 is %same htp.Relu, the match has htp.Neg"),
        (Op("Add", "X", Op("$Const")), "input 1 is %row *Input, the match has htp.Const"),
        (Op("Add", "X", "X"), 'input 1 is %row, but "X" is %same already'),
        (Op("Add", Op("*Input"), "X"), "input 0 is %same htp.Relu, the match has a graph input"),
        (
            Op("Add", Op("Relu", Op("Neg", "X")), "B"),
            "input 0 of input 0 is %0 *Input, the match has htp.Neg",
        ),
        (
            Op("Add", Op("Relu", "X", "Y"), "B"),
            "input 0, %same htp.Relu, has 1 input, the match has 2",
        ),
        (
            Op("Add", Op("Relu", Op("Reshape", Op("Neg", "X"))), "B"),
            "input 0 of input 0 is %0 *Input, the match has htp.Reshape",
        ),
    ],
    ids=str,
)
def test_match_shows_the_first_thing_that_differs(form: Expr, expected: str) -> None:
    assert reason(form, add()) == expected


def test_match_of_outputs() -> None:
    graph = NativeGraph()
    first, second = gru_outputs(graph)
    module = graph.module(first, graph.op("Neg", second))
    whole = OpVarIn("Gru", "X")
    assert reason(whole, module) == "output 1 is read, and only output 0 would be replaced"
    part = Op("Neg", whole)
    assert reason(part, module) == "input 0 is output 1 of htp.Gru, the match has output 0"


def test_op_with_an_effect() -> None:
    answer = reason(Op("StateRead", "X", "R"), parse(STATE))
    assert answer == "it has an effect, so nothing can stand in its place"


@pytest.mark.parametrize(
    ("member", "outcome", "answer"),
    [
        (add_rule(), RuleOutcome.FIRES, ""),
        (add_rule(flags=["fast"]), RuleOutcome.OFF, "flag fast is off"),
        (
            add_rule(OK, EXTERNAL_REPLACE(untouched)),
            RuleOutcome.UNCHANGED,
            "match and constraint hold, and the replacement changes nothing",
        ),
        (
            add_rule(OK, ResizeDim(1, 9, Op("Neg", "X"))),
            RuleOutcome.INVALID,
            "it gives 1x9x3x8 Float32, the root gives 1x2x3x8 Float32",
        ),
        (
            add_rule(OK, Op("$Shape")),
            RuleOutcome.INVALID,
            "result 'out' at position 0 does not verify: "
            "tensor<1x2x3x8xf32> should be of base attribute htp.shape",
        ),
        (
            add_rule(OK, Op("Nag", gen_ShapeOf("X"))),
            RuleOutcome.INVALID,
            "htp.Nag: the replacement builds an op that does not exist; did you mean 'htp.Neg'?",
        ),
    ],
)
def test_outcome(member: Rule, outcome: RuleOutcome, answer: str) -> None:
    module = add(8)
    before = module.clone()
    entry = only(explain(member, module))
    assert entry.outcome is outcome
    assert entry.reason == answer
    assert module.is_structurally_equivalent(before)
    module.verify()


def test_one_entry_for_each_op_of_the_roots_name() -> None:
    module = chain("Neg", "Relu", "Neg", "Neg")
    entries = explain(rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X"), module)
    assert [str(entry) for entry in entries] == [
        "%2 = htp.Neg: no match: input 0 is %1 *Input, the match has htp.Neg",
        "%4 = htp.Neg: no match: input 0 is %3 htp.Relu, the match has htp.Neg",
        "%5 = htp.Neg: fires",
    ]
    assert entries[0].row()["function"] == "main"
    assert entries[0].row()["outcome"] == "no match"


def test_functions_by_name_come_from_the_table() -> None:
    named = add_rule(EXTERNAL_CONSTRAINT("is_wide", "X", 3))
    table = rules(named, externals=[is_wide])
    entry = only(explain(table.rules[0], add(), rule_set=table))
    assert entry.reason.endswith("is_wide: The node is wider than the limit.")


# During a run


def watched(
    module: ModuleOp, *members: Rule, chosen: str, options: GraphOptions | None = None
) -> list[str]:
    """What the explainer says about a rule after a run."""
    explainer = Explainer([chosen])
    with observing(explainer):
        run_rules(module, rules(*members), options)
    return [str(entry) for entry in explainer.entries.values()]


def neg_to(new: str, name: str, constraint: Arg = OK, priority: int = EARLY) -> Rule:
    """The rule Neg(X) -> new(X)."""
    return rule(priority, Op("Neg", "X"), constraint, Op(new, "X"), name=name)


def test_run_tells_what_fired_and_what_did_not() -> None:
    small = neg_to("Abs", "small", PRODUCER_FOR("X", "Tanh"))
    module = chain("Neg", "Tanh", "Neg")
    assert watched(module, small, chosen="small") == [
        '%2 = htp.Neg: refused: PRODUCER_FOR("X", "Tanh"): "X" is %1 *Input 1x2x4x8 Float32',
        '%4 = htp.Neg: refused: PRODUCER_FOR("X", "Tanh"): "X" is %3 htp.Tanh 1x2x4x8 Float32',
    ]
    assert watched(module, neg_to("Abs", "all"), chosen="all") == [
        "%2 = htp.Neg: fires",
        "%4 = htp.Neg: fires",
    ]


def test_run_tells_which_rule_came_first() -> None:
    first, second = neg_to("Abs", "first"), neg_to("Tanh", "second")
    [entry] = watched(chain("Neg"), first, second, chosen="second")
    assert entry == f"%2 = htp.Neg: taken: first ({first.where}, 1st rule) came first"
    never = neg_to("Tanh", "never", False)
    [entry] = watched(chain("Neg"), never, first, chosen="never")
    assert (
        entry
        == f"%2 = htp.Neg: refused: false: it never holds; then first ({first.where}, 2nd rule)"
    )


def test_run_tells_what_a_rule_leaves_alone() -> None:
    wrap = rule(EARLY, Op("Neg", "X"), OK, Op("Neg", Op("Relu", "X")), name="wrap")
    assert watched(chain("Neg"), wrap, chosen="wrap") == [
        "%2 = htp.Neg: fires",
        "%2 = htp.Neg: left alone: the rule made this op itself, in this pass group",
    ]


def test_ops_that_the_group_makes_are_named_after_their_root() -> None:
    pair = rule(EARLY, Op("Tanh", "X"), OK, Op("Abs", Op("Neg", "X")), name="pair")
    never = neg_to("Relu", "never", False)
    abs_ = rule(EARLY, Op("Abs", "X"), False, "X", name="abs")
    assert watched(chain("Tanh"), pair, never, chosen="never")[0].startswith("%2.0 = htp.Neg: ")
    assert watched(chain("Tanh"), pair, abs_, chosen="abs")[0].startswith("%2 = htp.Abs: ")


def test_run_tells_of_flags_and_of_replacements_that_change_nothing() -> None:
    off = rule(EARLY, Op("Neg", "X"), OK, "X", flags=["fast"], name="off")
    assert watched(chain("Neg"), off, chosen="off") == ["%2 = htp.Neg: off: flag fast is off"]
    idle = rule(EARLY, Op("Neg", "X"), OK, EXTERNAL_REPLACE(untouched), name="idle")
    [entry] = watched(chain("Neg"), idle, chosen="idle")
    assert entry.startswith("%2 = htp.Neg: nothing to do: match and constraint hold")


def test_rule_is_chosen_by_name_or_by_place() -> None:
    first, second = neg_to("Abs", "one", False), neg_to("Abs", "two", False, LATE)
    for chosen in ("two", second.where, second.where.rpartition("/")[2]):
        assert len(watched(chain("Neg"), first, second, chosen=chosen)) == (
            1 if chosen == "two" else 2
        )


def test_unknown_rule_is_an_error_before_anything_is_done() -> None:
    module = chain("Neg")
    with pytest.raises(HtpError) as caught:
        watched(module, neg_to("Abs", "first"), chosen="fisrt")
    assert caught.value.lines() == ["explain: no rule is called 'fisrt'", "  did you mean 'first'?"]
    assert find(module, "Neg")
