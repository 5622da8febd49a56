"""Python functions that rules call: constraints, shapes, constants, whole replacements."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.ops.const import constant_array
from htp_mlir.dialects.spec_of import Array, spec_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import Shape, TensorSpec
from htp_mlir.lowering.rules import (
    AUTOSPLIT,
    AUTOSPLIT_SHAPEFN_APPLY,
    AUTOSPLIT_SLICE,
    DIM_DEPTH,
    DIM_HEIGHT,
    DTYPE_OF,
    EARLY,
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    GT,
    OK,
    SELECT,
    SHAPEFN_APPLY,
    WITH_SIZE,
    Builder,
    Env,
    GraphOptions,
    Node,
    Op,
    Rule,
    Split,
    external_constraint,
    external_replacement,
    gen_Shape,
    rule,
    rules,
    run_rules,
    shape_function,
)
from htp_mlir.lowering.rules.graph.graph import EvaluationError
from htp_mlir.lowering.rules.tree.build import Reference
from htp_mlir.lowering.rules.tree.expr import Arg, External
from xdsl.ir import SSAValue

from tests.support.native_graph import NativeGraph

from ..kit import (
    SPLIT,
    U8,
    apply,
    assert_rewrites,
    assert_stays,
    built,
    chain,
    formula,
    text,
    value_of,
)

SEEN: list[tuple[object, ...]] = []


@external_constraint("sees")
def sees(node: Node, *args: object) -> bool:
    """Keep what a rule passes on; holds for four dims."""
    SEEN.append((node.name, *args))
    return len(node.shape) == 4


@external_constraint("breaks")
def breaks(node: Node) -> bool:
    """Raise what a careless function raises."""
    raise IndexError("no such thing")


@external_constraint("undecided")
def undecided(node: Node) -> bool:
    """Say that there is no answer."""
    raise EvaluationError("no answer")


@external_constraint("answers")
def answers(node: Node) -> bool:
    """Give what is no truth value."""
    return "yes"  # a wrong type, for the test


@shape_function("doubled")
def doubled(node: Node, factor: int = 2) -> Shape:
    """Every dim times a factor."""
    return tuple(factor * dim for dim in node.shape)


@shape_function("ramp")
def ramp(node: Node) -> Array:
    """0, 1, 2, ... along the depth."""
    return np.arange(node.shape[3], dtype=np.float64)


@shape_function("none")
def none(node: Node) -> Shape:
    """Give neither dims nor data."""
    return "nothing"  # a wrong type, for the test


@shape_function("words")
def words() -> Array:
    """Data that no tensor holds."""
    return np.array(["three"])


@shape_function("far")
def far() -> Array:
    """A number that an i32 does not hold."""
    return np.array([1 << 40])


@external_replacement("as_abs")
def as_abs(builder: Builder, root: Node) -> SSAValue:
    """Abs of the same input."""
    return builder.native("Abs", [root.inputs[0].value], Reference(root.spec))


@external_replacement("untouched")
def untouched(builder: Builder, root: Node) -> Node:
    """Build something, then find that there is nothing to do."""
    builder.native("Abs", [root.inputs[0].value], Reference(root.spec))
    return root


@external_replacement("around")
def around(builder: Builder, root: Node) -> SSAValue:
    """Build on the very node that is replaced."""
    return builder.native("Abs", [root.value], Reference(root.spec))


@external_replacement("nowhere")
def nowhere(builder: Builder, root: Node) -> Node:
    """Give what is no node."""
    return None  # a wrong type, for the test


def neg_rule(constraint: Arg = OK, replacement: Arg = "X") -> Rule:
    """The rule for Neg(X)."""
    return rule(EARLY, Op("Neg", "X"), constraint, replacement, name="neg")


def test_constraint_gets_nodes_numbers_and_dtypes() -> None:
    SEEN.clear()
    asked = EXTERNAL_CONSTRAINT(sees, "*", "X", DIM_DEPTH("X"), 2.5, DTYPE_OF("X"), gen_Shape(1, 2))
    apply(chain("Relu", "Neg"), neg_rule(asked))
    [(name, node, *rest)] = SEEN
    assert name == "htp.Neg"
    assert isinstance(node, Node)
    assert node.name == "htp.Relu"
    assert rest == [8, 2.5, DType.Float32, (1, 2)]


def test_constraint_decides() -> None:
    @external_constraint("deep")
    def deep(node: Node, limit: int) -> bool:
        return node.shape[3] > limit

    assert_stays(chain("Neg"), neg_rule(EXTERNAL_CONSTRAINT(deep, "X", 8)))
    module = chain("Neg")
    apply(module, neg_rule(EXTERNAL_CONSTRAINT(deep, "X", 7)))
    assert formula(module) == "x0"


def test_constraint_may_take_the_environment() -> None:
    @external_constraint("small", takes_env=True)
    def small(env: Env, node: Node, share: int) -> bool:
        return share * node.spec.nbytes <= env.options.tcm_size

    fits, options = neg_rule(EXTERNAL_CONSTRAINT(small, "X", 2)), GraphOptions(tcm_size=512)
    assert run_rules(chain("Neg", dims=(1, 2, 4, 8)), rules(fits), options).firings == 1
    assert run_rules(chain("Neg", dims=(1, 2, 4, 9)), rules(fits), options).firings == 0
    by_name = rules(neg_rule(EXTERNAL_CONSTRAINT("small", "X", 3)), externals=[small])
    assert run_rules(chain("Neg", dims=(1, 2, 4, 8)), by_name, options).firings == 0


def test_numpy_truth_value_is_one() -> None:
    external = External("np", lambda node: np.bool_(True))
    assert value_of(EXTERNAL_CONSTRAINT(external, "X"), X=NativeGraph().input(1, 1, 1, 1)) is True


def test_constraint_that_breaks_is_an_error_that_names_it() -> None:
    with pytest.raises(
        HtpError, match=r"neg \(.*\): at %2 = htp\.Neg: function breaks: IndexError: no such thing"
    ):
        apply(chain("Neg"), neg_rule(EXTERNAL_CONSTRAINT(breaks, "X")))


def test_constraint_that_gives_no_truth_value_is_an_error() -> None:
    with pytest.raises(HtpError, match="function answers: gave 'yes'"):
        apply(chain("Neg"), neg_rule(EXTERNAL_CONSTRAINT(answers, "X")))


def test_constraint_without_an_answer_does_not_hold() -> None:
    assert_stays(chain("Neg"), neg_rule(EXTERNAL_CONSTRAINT(undecided, "X")))


def test_function_may_be_given_by_name_or_called_as_python() -> None:
    member = rules(neg_rule(EXTERNAL_CONSTRAINT("sees", "X")), externals=[sees])
    assert run_rules(chain("Neg"), member).firings == 1
    assert doubled(Node(NativeGraph().input(1, 2, 3, 4)), 3) == (3, 6, 9, 12)
    with pytest.raises(TypeError, match="'sees' is only a name here"):
        External("sees")(None)


def test_shape_function_as_a_size_and_as_an_operand() -> None:
    x = NativeGraph().input(1, 2, 4, 8)
    value = built(WITH_SIZE(SHAPEFN_APPLY(doubled, "X", 3), Op("Neg", "X")), U8, X=x)
    assert spec_of(value).shape == (3, 6, 12, 24)
    assert text(built(SHAPEFN_APPLY(doubled, "X"), U8, X=x)) == "<2x4x8x16>"


def test_shape_function_that_gives_an_array_makes_a_constant() -> None:
    value = built(SHAPEFN_APPLY(ramp, "X"), U8, X=NativeGraph().input(1, 1, 1, 3))
    assert spec_of(value) == TensorSpec((1, 1, 1, 3), DType.Float32)
    array = constant_array(value)
    assert array is not None
    np.testing.assert_array_equal(array.reshape(-1), [0, 1, 2])


@pytest.mark.parametrize(
    ("replacement", "why"),
    [
        (WITH_SIZE(SHAPEFN_APPLY(ramp, "X"), Op("Abs", "X")), "gave a constant where dims"),
        (Op("Abs", SHAPEFN_APPLY(none, "X")), "none gave 'nothing', which is neither dims nor"),
        (Op("Abs", SHAPEFN_APPLY(words)), "words gave <U5 numbers that are no f32 or i32"),
        (Op("Abs", SHAPEFN_APPLY(far)), "far gave int64 numbers that are no f32 or i32"),
        (EXTERNAL_REPLACE(nowhere), "nowhere gave None, which is no node"),
        (EXTERNAL_REPLACE(around), "reads htp.Neg, which it replaces"),
    ],
    ids=str,
)
def test_function_that_gives_the_wrong_thing(replacement: Arg, why: str) -> None:
    module = chain("Neg")
    before = module.clone()
    with pytest.raises(HtpError, match=why):
        run_rules(module, rules(neg_rule(OK, replacement)))
    assert module.is_structurally_equivalent(before)


def test_shape_function_in_a_split_gets_the_slice_first() -> None:
    got: list[object] = []

    @shape_function("rows")
    def rows(split: Split, node: Node, extra: int) -> Shape:
        got.append((split, extra))
        return (*node.shape[:1], split.size, *node.shape[2:])

    x = NativeGraph().input(1, 2, 4, 8)
    value = built(AUTOSPLIT_SHAPEFN_APPLY(rows, "I", "X", 5), U8, X=x)
    assert text(value) == "<1x8x4x8>"
    assert got == [(SPLIT, 5)]


FILTERS, STRIDE = NativeGraph().random(3, 5, 2, 4), NativeGraph().shape(1, 2, 3, 1)
LIBRARY = [
    (AUTOSPLIT_SHAPEFN_APPLY("simple_split_start", "I", "X"), "<0x16x0x0>"),
    (AUTOSPLIT_SHAPEFN_APPLY("simple_split_size", "I", "X"), "<1x8x99x7>"),
    (AUTOSPLIT_SHAPEFN_APPLY("simpledim_split_start", "I", "X", 2), "<0x0x16x0>"),
    (AUTOSPLIT_SHAPEFN_APPLY("simpledim_split_size", "I", "X", 2), "<1x99x8x7>"),
    (AUTOSPLIT_SHAPEFN_APPLY("conv_valid_split_start", "I", "X", "F", "S"), "<0x32x0x0>"),
    (AUTOSPLIT_SHAPEFN_APPLY("conv_valid_split_size", "I", "X", "F", "S"), "<1x17x99x7>"),
    (AUTOSPLIT_SHAPEFN_APPLY("pool_valid_split_start", "I", "X", "P", "S"), "<0x32x0x0>"),
    (AUTOSPLIT_SHAPEFN_APPLY("pool_valid_split_size", "I", "X", "P", "S"), "<1x18x99x7>"),
    (SHAPEFN_APPLY("pad_before_for_qnn", "Pads"), "<0x1x3x0>"),
    (SHAPEFN_APPLY("pad_total_for_qnn", "Pads"), "<0x3x7x0>"),
    (SHAPEFN_APPLY("pad_before_for_qnn", "X", "Pads"), "<0x1x3x0>"),
    (SHAPEFN_APPLY("pad_total_for_qnn", "X", "Pads"), "<0x3x7x0>"),
    (SHAPEFN_APPLY("reshape_hw_to_4d", "Pair"), "<1x5x6x1>"),
]


@pytest.mark.parametrize(("expr", "wanted"), LIBRARY, ids=str)
def test_library(expr: External, wanted: str) -> None:
    graph = NativeGraph()
    tags = {
        "X": graph.input(1, 99, 99, 7),
        "F": FILTERS,
        "S": STRIDE,
        "P": graph.shape(1, 4, 4, 1),
        "Pads": graph.const(np.array([[[[1, 2], [3, 4]]]], np.int32)),
        "Pair": graph.ints(5, 6),
    }
    assert text(built(expr, U8, **tags)) == wanted


def test_a_padding_helper_takes_no_third_operand() -> None:
    x = NativeGraph().input(1, 1, 1, 2)
    with pytest.raises(EvaluationError, match="3 operands of a padding helper; it takes 1 or 2"):
        built(SHAPEFN_APPLY("pad_before_for_qnn", "X", "X", "X"), U8, X=x)


def test_library_function_over_what_is_no_constant() -> None:
    with pytest.raises(EvaluationError, match=r"element 0 of \*Input is no constant integer"):
        built(SHAPEFN_APPLY("reshape_hw_to_4d", "X"), U8, X=NativeGraph().block.insert_arg(_F32, 0))


_F32 = NativeGraph().input(1, 1, 1, 2).type


def test_external_replacement() -> None:
    module = chain("Neg", "Relu")
    apply(module, neg_rule(OK, EXTERNAL_REPLACE(as_abs)))
    assert formula(module) == "Relu(Abs(x0))"


def test_external_replacement_by_the_root_changes_nothing() -> None:
    assert_stays(chain("Neg", "Relu"), neg_rule(OK, EXTERNAL_REPLACE(untouched)))


def test_external_replacement_in_a_choice() -> None:
    tall = GT(DIM_HEIGHT("X"), 2)
    chosen = SELECT(tall, EXTERNAL_REPLACE(untouched), EXTERNAL_REPLACE(as_abs))
    module = chain("Neg")
    apply(module, neg_rule(OK, chosen))
    assert formula(module) == "Abs(x0)"


def test_split_by_external_shapes_gives_the_same_numbers() -> None:
    part = Op(
        "Neg",
        AUTOSPLIT_SLICE(
            "X",
            AUTOSPLIT_SHAPEFN_APPLY("simple_split_start", "I", "X"),
            AUTOSPLIT_SHAPEFN_APPLY("simple_split_size", "I", "X"),
        ),
    )
    member = rule(EARLY, Op("Neg", "X"), GT(DIM_HEIGHT("*"), 3), AUTOSPLIT(1, "I", 3, part))
    assert_rewrites(chain("Neg", dims=(1, 5, 2, 2)), member, firings=1)
