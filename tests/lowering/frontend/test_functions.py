"""Functions of a model: attributes with defaults, outputs that are inputs, overloads."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import import_model
from htp_mlir.runtime import Session
from onnx import FunctionProto
from onnx.parser import parse_function, parse_model

from .models import floats

X = floats(2, 3)
LEAKY = """<domain: "own", opset_import: ["": 17]> f <alpha: float = 0.25> (a) => (b) {
  b = LeakyRelu <alpha: float = @alpha> (a) }"""
OUTER = """<domain: "own", opset_import: ["own": 1]> outer <beta: float = 0.5> (a) => (b) {
  c = own.f <alpha: float = @beta> (a)
  b = own.f (c) }"""
SAME = """<domain: "own", opset_import: ["own": 1]> same (a, b) => (b, a) { }"""
LOOP = """y = Loop (n, t, x) <body = g (int64 i, bool d, float[2,3] s) => (bool c2, float[2,3] r) {
  c2 = Identity (d)
  r = own.f (s) }>"""


def called(body: str, *functions: str | FunctionProto) -> np.ndarray:
    """What a graph of calls gives for X."""
    head = '<ir_version: 10, opset_import: ["": 17, "own": 1]> g (float[2, 3] x) => (float[2, 3] y)'
    model = parse_model(f"{head} <int64 n = {{2}}, bool t = {{1}}> {{ {body} }}")
    model.functions.extend(parse_function(f) if isinstance(f, str) else f for f in functions)
    return np.asarray(Session(import_model(model)).run({"x": X})["y"])


def leaky(x: np.ndarray, slope: float) -> np.ndarray:
    return np.where(x < 0, x * np.float32(slope), x)


@pytest.mark.parametrize(
    ("body", "slope"),
    [
        ("y = own.f (x)", 0.25),
        ("y = own.f <alpha = 2.0> (x)", 2.0),
        ("y = own.outer (x)", 0.125),
        ("y = own.outer <beta = 4.0> (x)", 1.0),
        (LOOP, 0.0625),
    ],
)
def test_an_attribute_that_a_call_leaves_out_has_its_default(body: str, slope: float) -> None:
    np.testing.assert_allclose(called(body, LEAKY, OUTER), leaky(X, slope), rtol=1e-6)


def test_a_function_without_nodes_exchanges_its_inputs() -> None:
    np.testing.assert_array_equal(called("n2 = Neg (x) p, y = own.same (x, n2)", SAME), X)


def test_an_overload_is_another_function() -> None:
    other = parse_function(SAME.replace("same (a, b) => (b, a) { }", "f (a) => (a) { }"))
    other.overload = "two"
    head = '<ir_version: 10, opset_import: ["": 17, "own": 1]> g (float[2, 3] x) => (float[2, 3] y)'
    model = parse_model(f"{head} {{ a = own.f (x) y = own.f (a) }}")
    model.graph.node[1].overload = "two"
    model.functions.extend([parse_function(LEAKY), other])
    result = Session(import_model(model)).run({"x": X})["y"]
    np.testing.assert_allclose(result, leaky(X, 0.25), rtol=1e-6)


def test_an_output_that_nothing_makes_is_refused() -> None:
    empty = SAME.replace("(b, a) { }", "(c, a) { }")
    with pytest.raises(HtpError, match="'y': is made by no node"):
        called("y, p = own.same (x, x)", empty)
