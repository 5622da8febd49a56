"""The inputs of graph ops as rules see them, and graph ops that rules build from such inputs."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.ops.norm import LayerNormOp, SoftmaxOp
from htp_mlir.lowering.rules import (
    EARLY,
    OK,
    OPCONST,
    Op,
    Rule,
    gen_ConstScalar_f32,
    gen_ConstScalar_i32,
    rule,
    rules,
    run_rules,
)
from htp_mlir.lowering.rules.graph.graph import inputs_of, origin
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp

from tests.support.graph import Graph


def soft(*axes: int) -> ModuleOp:
    """A Softmax along each axis in turn, beta 2."""
    graph = Graph()
    value = graph.input(2, 3)
    for axis in axes:
        value = graph.op("Softmax", value, axis=axis, beta=2.0)
    graph.give("y", value)
    return graph.model().module


def rewritten(module: ModuleOp, *members: Rule) -> list[str]:
    """The names of the graph ops after some rules on graph ops."""
    run_rules(module, rules(*members, package="qti_aisw"))
    module.verify()
    return [op.name.partition(".")[2] for op in module.walk() if op.name.startswith("qti_aisw.")]


def test_params_are_constants_behind_the_operands() -> None:
    op = next(op for op in soft(1).walk() if isinstance(op, SoftmaxOp))
    data, axis, beta = inputs_of(op)
    assert data is op.inp
    assert [origin(axis), origin(beta), origin(data)] == [op.axis, op.beta, None]


def test_equal_params_are_one_value() -> None:
    first, second, third = (
        inputs_of(op)[1] for op in soft(1, 1, 0).walk() if isinstance(op, SoftmaxOp)
    )
    assert first is second
    assert first is not third


@pytest.mark.parametrize(("axes", "left"), [((1, 1), 1), ((0, 1), 2)])
def test_one_tag_asks_for_equal_params(axes: tuple[int, ...], left: int) -> None:
    softmax = Op("Softmax", "X", "Axis", "Beta")
    pair = rule(EARLY, Op("Softmax", softmax, "Axis", "Beta"), OK, softmax)
    assert rewritten(soft(*axes), pair) == ["Softmax"] * left


def test_an_op_with_an_absent_operand_in_front_of_another_has_no_inputs() -> None:
    graph = Graph()
    x = graph.input(2, 3)
    graph.give("y", graph.op("LayerNorm", x, None, graph.weights(3), axes=(1,)))
    graph.give("z", graph.op("LayerNorm", x, graph.weights(3), axes=(1,)))
    first, second = (op for op in graph.model().module.walk() if isinstance(op, LayerNormOp))
    assert len(inputs_of(first)) == 0
    assert len(inputs_of(second)) == 4


def test_new_params_come_from_constants_that_go() -> None:
    module = soft(1)
    before = Session(module).run({"x0": np.ones((2, 3), np.float32)})
    new = Op("LogSoftmax", "X", gen_ConstScalar_i32(0), gen_ConstScalar_f32(0.5))
    ops = rewritten(
        module, rule(EARLY, Op("Softmax", "X", "Axis", "Beta"), OK, Op("ElementWiseExp", new))
    )
    assert ops == ["LogSoftmax", "ElementWiseExp"]
    (op,) = (op for op in module.walk() if op.name == "qti_aisw.LogSoftmax")
    assert {name: float(str(value).split()[0]) for name, value in op.properties.items()} == {
        "axis": 0,
        "beta": 0.5,
    }
    after = Session(module).run({"x0": np.ones((2, 3), np.float32)})
    np.testing.assert_allclose(after["y"], np.full((2, 3), 0.5), rtol=1e-6)
    np.testing.assert_allclose(before["y"], np.full((2, 3), 1 / 3), rtol=1e-6)


@pytest.mark.parametrize(
    ("inputs", "why"),
    [
        (("X", "X", "Beta"), "param 'axis' is no constant"),
        (("X", "Beta", "Axis"), "param 'axis' is .* which is not of its type"),
        (("Axis", "Axis", "Beta"), "is given a param where it takes a tensor"),
        (("X", "X", "Axis", "Beta"), "is given 4 inputs, it takes 1 operands and 2 params"),
    ],
)
def test_inputs_that_no_op_can_have(inputs: tuple[str, ...], why: str) -> None:
    wrong = rule(EARLY, Op("Softmax", "X", "Axis", "Beta"), OK, Op("LogSoftmax", *inputs))
    with pytest.raises(HtpError, match=why):
        rewritten(soft(1), wrong)


def test_a_constant_of_a_graph_is_a_constant() -> None:
    graph = Graph()
    graph.give("y", graph.op("ElementWiseAdd", graph.input(2), graph.const([1.0, 2.0])))
    bypass = rule(EARLY, Op("ElementWiseAdd", "X", OPCONST("C")), OK, Op("ElementWiseNeg", "X"))
    assert "ElementWiseNeg" in rewritten(graph.model().module, bypass)
