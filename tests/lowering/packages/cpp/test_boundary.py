"""Rules of a package that match Reshape, beside the Reshapes at the function's boundary."""

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Packages, op_package
from htp_mlir.lowering.rules import (
    EARLY,
    EQ,
    FROM_DEFAULT_PACKAGE,
    INPUT_OF,
    INPUTS_OF,
    OK,
    WITH_SIZE,
    Op,
    Rule,
    explain,
    rule,
)
from htp_mlir.runtime import Session, parse_module

RESHAPE, RELU, NEG = map(FROM_DEFAULT_PACKAGE, ("Reshape", "Relu", "Neg"))
GRAPH = """
func.func @main(%x: tensor<4x8xf32> {{htp.name = "x"}})
    -> (tensor<{dims}xf32> {{htp.name = "y"}}) {{
  {body}
  func.return %0 : tensor<{dims}xf32>
}}
"""
RELU_ALONE = GRAPH.format(
    dims="4x8", body="%0 = qti_aisw.Relu(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>"
)
RESHAPE_AND_RELU = GRAPH.format(
    dims="2x16",
    body="""%1 = qti_aisw.Reshape(%x) {shape = array<i64: 2, 16>}
    : (tensor<4x8xf32>) -> tensor<2x16xf32>
  %0 = qti_aisw.Relu(%1) : (tensor<2x16xf32>) -> tensor<2x16xf32>""",
)
RULES = {
    "root": rule(EARLY, Op(RESHAPE, "X"), OK, Op(NEG, Op(NEG, Op(RESHAPE, "X")))),
    "inner": rule(
        EARLY, Op(RELU, Op(RESHAPE, "X")), OK, Op(RESHAPE, WITH_SIZE("X", Op(RELU, "X")))
    ),
    "input": rule(EARLY, Op(RELU, "X"), EQ(INPUTS_OF("X"), 1), Op(RELU, INPUT_OF("X", 0))),
}


def lowered_ops(graph: str, one: Rule) -> list[str]:
    """The ops at the native level, where the numbers must be those of the graph."""
    module = parse_module(graph)
    packages = Packages().extended(op_package("Pkg", rules=[one]))
    lowered = lower(module, packages=packages, level="native")
    x = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
    result = Session(lowered, check=True).run({"x": x})["y"]
    np.testing.assert_array_equal(result, Session(module).run({"x": x})["y"])
    return [op.name.removeprefix("htp.") for op in lowered.walk() if op.name.startswith("htp.")]


@pytest.mark.parametrize("name", RULES)
def test_boundary_reshapes_are_not_matched(name: str) -> None:
    assert lowered_ops(RELU_ALONE, RULES[name]) == ["Reshape", "Relu", "Reshape"]


@pytest.mark.parametrize(
    ("name", "ops"),
    {"root": ["Reshape", "Neg", "Neg", "Relu"], "inner": ["Relu", "Reshape"]}.items(),
)
def test_a_reshape_of_the_model_is_matched_beside_them(name: str, ops: list[str]) -> None:
    assert lowered_ops(RESHAPE_AND_RELU, RULES[name]) == ["Reshape", *ops, "Reshape"]


def test_an_explanation_says_so() -> None:
    module = lower(parse_module(RELU_ALONE), level="native")
    (first, last) = explain(RULES["root"], module)
    assert (
        first.reason == last.reason == "it carries the signature of the function, at its boundary"
    )
