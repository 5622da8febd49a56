"""A retyped model lowers, and its numbers differ by the roundings of the old type alone."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.passes.graph.convert import Retype
from htp_mlir.runtime import Session, parse_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

PRECISION = {"f64": 2.0**-52, "bf16": 2.0**-8, "f8E5M2": 2.0**-3}
X = np.linspace(-4, 4, 16).reshape(2, 8)


def floats(element: str) -> ModuleOp:
    """One number and its sigmoid, whose sum is rounded three times."""
    tensor = f"tensor<2x8x{element}>"
    return parse_module(f"""
func.func @main(%x: {tensor} {{htp.name = "x"}}) -> ({tensor} {{htp.name = "y"}}) {{
  %c = qti_aisw.Const dense<1.5> : {tensor} -> {tensor}
  %0 = qti_aisw.Sigmoid(%x) : ({tensor}) -> {tensor}
  %1 = qti_aisw.ElementWiseMultiply(%0, %c) : ({tensor}, {tensor}) -> {tensor}
  %2 = qti_aisw.ElementWiseAdd(%1, %x) : ({tensor}, {tensor}) -> {tensor}
  func.return %2 : {tensor}
}}""")


def retyped(module: ModuleOp, old: str, new: str) -> ModuleOp:
    other = module.clone()
    Retype(old, new).apply(Context(), other)
    other.verify()
    return other


@pytest.mark.parametrize("old", PRECISION)
def test_numbers_differ_by_the_roundings_of_the_coarser_type(old: str) -> None:
    before = Session(floats(old))
    x = X.astype(before.inputs["x"].dtype.storage)
    expected = np.float64(before.run({"x": x})["y"])
    lowered = lower(retyped(floats(old), old, "f32"))
    result = Session(lowered, check=True).run({"x": np.float32(x)})["y"]
    assert result is not None
    assert result.dtype == np.float32
    roundings = 3 * max(PRECISION[old], 2.0**-23)
    np.testing.assert_allclose(result, expected, atol=roundings * np.abs(expected).max(), rtol=0)


def test_integers_are_kept_where_they_fit() -> None:
    text = """
func.func @main(%x: tensor<2xui64> {htp.name = "x"}) -> (tensor<2xui64> {htp.name = "y"}) {
  %c = qti_aisw.Const dense<[1, NUMBER]> : tensor<2xui64> -> tensor<2xui64>
  %0 = qti_aisw.ElementWiseAdd(%x, %c) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  func.return %0 : tensor<2xui64>
}"""
    module = retyped(parse_module(text.replace("NUMBER", str(2**62))), "ui64", "i64")
    result = Session(lower(module)).run({"x": np.int64([4, 5])})["y"]
    np.testing.assert_array_equal(result, [5, 2**62 + 5])
    with pytest.raises(HtpError, match="numbers that i64 cannot hold"):
        retyped(parse_module(text.replace("NUMBER", str(2**63))), "ui64", "i64")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("f32", "f16", "makes no f16 of f32"),
        ("f64", "bf16", "makes no bf16 of f64"),
        ("i4", "i1", "makes no i1 of i4"),
        ("ui64", "f32", "makes no f32 of ui64"),
        ("float", "f32", "old 'float': is no type"),
        ("f64", "f23", "new 'f23': is no type"),
    ],
)
def test_other_types_are_refused(old: str, new: str, problem: str) -> None:
    with pytest.raises(HtpError, match=problem):
        retyped(floats("f64"), old, new)


def test_bits_have_no_other_type() -> None:
    module = parse_module("""
func.func @main(%x: tensor<2xf64>) -> tensor<2xi64> {
  %0 = qti_aisw.BitCast(%x) {to = i64} : (tensor<2xf64>) -> tensor<2xi64>
  func.return %0 : tensor<2xi64>
}""")
    with pytest.raises(HtpError, match="goes by the bits of f64"):
        retyped(module, "f64", "f32")
