"""What matches what: exact and open inputs, tags, constants, graph inputs, packages."""

import pytest
from htp_mlir.lowering.rules import (
    EARLY,
    FROM_DEFAULT_PACKAGE,
    LET,
    OK,
    OPCONST,
    PRODUCER_FOR,
    SAME_SHAPE,
    Op,
    OpVarIn,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.definition.pattern import matches, op_pattern
from htp_mlir.lowering.rules.graph.graph import resolve
from htp_mlir.lowering.rules.tree.expr import OpForm
from xdsl.dialects.builtin import ModuleOp

from tests.support.native_graph import NativeGraph

from ..kit import (
    PKG,
    apply,
    assert_rewrites,
    assert_stays,
    chain,
    formula,
    gru_outputs,
    names,
    text,
)
from ..kit import find as op_named


def bound(module: ModuleOp, form: OpForm, index: int = 0) -> dict[str, str] | None:
    """What a match binds at the op of its root's name, as formulas."""
    match = next(iter(matches(op_pattern(form, "htp"), op_named(module, form.name, index))), None)
    return None if match is None else {tag: text(value) for tag, value in match.bound.items()}


def two_inputs() -> ModuleOp:
    """Add(Relu(x0), x1)."""
    graph = NativeGraph()
    x, y = graph.input(1, 2, 4, 8), graph.input(1, 2, 4, 8)
    return graph.module(graph.op("Add", graph.op("Relu", x), y))


def squared() -> ModuleOp:
    """Add(Relu(x0), Relu(x0)) of one Relu."""
    graph = NativeGraph()
    relu = graph.op("Relu", graph.input(1, 2, 4, 8))
    return graph.module(graph.op("Add", relu, relu))


def with_constant(side: int = 1) -> ModuleOp:
    """Add(x0, [...]) or the other way round."""
    graph = NativeGraph()
    operands = [graph.input(1, 1, 1, 2), graph.ints(0)]
    operands[1] = graph.random(1, 1, 1, 2)
    return graph.module(graph.op("Add", *(operands if side else operands[::-1])))


def test_op_binds_its_inputs_and_the_root() -> None:
    assert bound(two_inputs(), Op("Add", "A", "B")) == {
        "*": "Add(Relu(x0), x1)",
        "A": "Relu(x0)",
        "B": "x1",
    }


@pytest.mark.parametrize("tags", [(), ("A",), ("A", "B", "C")])
def test_op_wants_exactly_its_inputs(tags: tuple[str, ...]) -> None:
    assert bound(two_inputs(), Op("Add", *tags)) is None


@pytest.mark.parametrize("tags", [(), ("A",), ("A", "B")])
def test_opvarin_wants_at_least_its_inputs(tags: tuple[str, ...]) -> None:
    tensors = bound(two_inputs(), OpVarIn("Add", *tags))
    assert tensors is not None
    assert list(tensors) == ["*", *tags]


def test_opvarin_with_more_inputs_than_the_op_has() -> None:
    assert bound(two_inputs(), OpVarIn("Add", "A", "B", "C")) is None


def test_nested_op_and_let() -> None:
    tensors = bound(two_inputs(), Op("Add", LET("R", Op("Relu", "X")), "B"))
    assert tensors == {"*": "Add(Relu(x0), x1)", "R": "Relu(x0)", "X": "x0", "B": "x1"}


@pytest.mark.parametrize("form", [Op("Add", Op("Neg", "X"), "B"), Op("Add", "A", Op("Relu", "X"))])
def test_nested_op_of_another_name(form: OpForm) -> None:
    assert bound(two_inputs(), form) is None


@pytest.mark.parametrize(
    "form",
    [
        Op("Add", "A", "A"),
        Op("Add", LET("A", Op("Relu", "X")), "A"),
        Op("Add", "A", LET("A", Op("Relu", "X"))),
        Op("Add", Op("Relu", "X"), Op("Relu", "X")),
    ],
    ids=str,
)
def test_repeated_tag_is_one_node(form: OpForm) -> None:
    assert bound(squared(), form) is not None
    assert bound(two_inputs(), form) is None


def test_repeated_tag_compares_nodes_and_not_values() -> None:
    graph = NativeGraph()
    same = [graph.scalar(2.0), graph.scalar(2.0)]
    module = graph.module(graph.op("Add", *same))
    assert bound(module, Op("Add", "A", "A")) is None


def test_constant() -> None:
    assert bound(with_constant(), Op("Add", "X", OPCONST("C"))) is not None
    assert bound(with_constant(), Op("Add", "X", Op("$Const"))) is not None
    assert bound(with_constant(), Op("Add", OPCONST("C"), "X")) is None
    assert bound(with_constant(side=0), Op("Add", OPCONST("C"), "X")) is not None


def test_shape_is_no_constant() -> None:
    graph = NativeGraph()
    dims = (1, 2, 4, 8)
    operands = [graph.input(*dims), graph.shape(0, 0, 0, 0), graph.shape(*dims)]
    module = graph.module(graph.op("Slice_shape", *operands))
    assert bound(module, Op("Slice_shape", "X", OPCONST("S"), "N")) is None
    assert bound(module, Op("Slice_shape", "X", Op("$Shape"), "N")) is not None


def test_graph_input() -> None:
    form = Op("Neg", LET("I", Op("*Input")))
    assert bound(chain("Neg"), form) == {"*": "Neg(x0)", "I": "x0"}
    assert bound(chain("Relu", "Neg"), form) is None


def test_graph_output_is_a_consumer() -> None:
    last = rule(EARLY, Op("Neg", "X"), PRODUCER_FOR("*", "*Output"), Op("Relu", "X"))
    module = chain("Neg", "Neg")
    apply(module, last)
    assert formula(module) == "Relu(Neg(x0))"


def test_consumer_by_name() -> None:
    feeding = rule(EARLY, Op("Neg", "X"), PRODUCER_FOR("*", "Relu"), "X")
    module = chain("Neg", "Relu", "Neg")
    apply(module, feeding)
    assert formula(module) == "Neg(Relu(x0))"


def test_later_output_matches_a_tag_but_no_op() -> None:
    module = _gru()
    assert bound(module, Op("Neg", "Y")) is not None
    assert bound(module, Op("Neg", OpVarIn("Gru"))) is None
    assert bound(module, Op("Relu", OpVarIn("Gru"))) is not None


def _gru() -> ModuleOp:
    """Relu of a Gru's first output, Neg of its second."""
    graph = NativeGraph()
    first, second = gru_outputs(graph)
    return graph.module(graph.op("Relu", first), graph.op("Neg", second))


@pytest.mark.parametrize(
    ("name", "package", "wanted"),
    [
        ("Add", "htp", "htp.Add"),
        ("Add", "Pkg", "Pkg.Add"),
        ("Other::Add", "Pkg", "Other.Add"),
        (FROM_DEFAULT_PACKAGE("Add"), "Pkg", "htp.Add"),
        ("ConvLayer.opt.im2col_stride2", "htp", "htp.ConvLayer.opt.im2col_stride2"),
        ("$Const", "Pkg", "htp.Const"),
        ("$Shape", "Pkg", "htp.Shape"),
        ("*Input", "Pkg", "*Input"),
    ],
)
def test_op_name(name: str, package: str, wanted: str) -> None:
    assert resolve(name, package) == wanted


def test_bare_names_belong_to_the_package_of_the_table() -> None:
    own = rule(EARLY, Op(FROM_DEFAULT_PACKAGE("Relu"), "X"), OK, Op("Relu", "X"))
    module = chain("Relu")
    assert run_rules(module, rules(own, package="Pkg", ops=PKG)).firings == 1
    assert formula(module) == "Pkg.Relu(x0)"
    back = rule(EARLY, Op("Pkg::Relu", "X"), OK, Op("Relu", "X"))
    assert run_rules(module, rules(back)).firings == 1
    assert formula(module) == "Relu(x0)"


def test_tables_of_two_packages_run_together() -> None:
    there = rules(
        rule(EARLY, Op("q::Relu", "X"), OK, Op("Relu", "X"), name="there"), package="Pkg", ops=PKG
    )
    back = rules(rule(EARLY + 1, Op("Pkg::Relu", "X"), SAME_SHAPE("*", "X"), Op("Relu", "X")))
    for both in (there + back, rules(there, back)):
        module = chain("Relu")
        assert run_rules(module, both).firings == 2
        assert formula(module) == "Relu(x0)"


def test_multi_use_inner_node_stays_for_its_other_users() -> None:
    graph = NativeGraph()
    relu = graph.op("Relu", graph.input(1, 2, 4, 8))
    module = graph.module(graph.op("Neg", graph.op("Abs", relu)), relu)
    fuse = rule(EARLY, Op("Abs", LET("R", Op("Relu", "X"))), OK, "R")
    assert_rewrites(module, fuse, to="Neg(Relu(x0))")
    drop = rule(EARLY, Op("Neg", Op("Relu", "X")), OK, Op("Neg", Op("Maximum", "X", "X")))
    apply(module, drop)
    assert formula(module) == "Neg(Maximum(x0, x0))"
    assert names(module) == ["Relu", "Maximum", "Neg"]


def test_rule_without_its_root_in_the_graph() -> None:
    assert_stays(chain("Neg"), rule(EARLY, Op("Relu", "X"), OK, "X"))
