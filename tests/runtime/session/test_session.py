"""Sessions: names, inputs and outputs, what is shared and what is a session's own."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.runtime import prepare
from htp_mlir.runtime.session.session import Session
from htp_mlir.runtime.tools.loading import parse_module

GRAPH = """
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}, %y: tensor<2x3xf32> {htp.name = "a/b:0"})
    -> (tensor<3x2xf32> {htp.name = "sum"}, tensor<2x3xf32> {htp.name = "relu"}) {
  %0 = qti_aisw.ElementWiseAdd(%x, %y)
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = qti_aisw.Relu(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = qti_aisw.Reshape(%0) {shape = array<i64: 3, 2>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2, %1 : tensor<3x2xf32>, tensor<2x3xf32>
}
"""

NATIVE = """
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = htp.Reshape(%x) : (tensor<2x3xf32>) -> tensor<1x1x2x3xf32>
  %1 = htp.Relu(%0) : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  %2 = htp.Reshape(%1) : (tensor<1x1x2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
"""

PLACED = """
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = htp.Reshape(%x) : (tensor<2x3xf32>) -> tensor<1x1x2x3xf32, #htp.place<flat, ddr>>
  %1 = htp.ForceFormat_Crouton(%0) : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>)
      -> tensor<1x1x2x3xf32, #htp.place<crouton, ddr>>
  %2 = htp.crouton_to_vtcm(%1) : (tensor<1x1x2x3xf32, #htp.place<crouton, ddr>>)
      -> tensor<1x1x2x3xf32, #htp.place<crouton, tcm>>
  %3 = htp.crouton_from_vtcm(%2) : (tensor<1x1x2x3xf32, #htp.place<crouton, tcm>>)
      -> tensor<1x1x2x3xf32, #htp.place<crouton, ddr>>
  %4 = htp.ForceFormat_Flat(%3) : (tensor<1x1x2x3xf32, #htp.place<crouton, ddr>>)
      -> tensor<1x1x2x3xf32, #htp.place<flat, ddr>>
  %5 = htp.Relu(%4) : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>)
      -> tensor<1x1x2x3xf32, #htp.place<flat, ddr>>
  %6 = htp.Reshape(%5) : (tensor<1x1x2x3xf32, #htp.place<flat, ddr>>) -> tensor<2x3xf32>
  return %6 : tensor<2x3xf32>
}
"""
X = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
ONES = np.ones((2, 3), np.float32)


def identity(type_: str) -> str:
    return f"""
func.func @main(%x: {type_} {{htp.name = "x"}}) -> ({type_} {{htp.name = "y"}}) {{
  return %x : {type_}
}}
"""


@pytest.fixture
def graph() -> Session:
    return Session(parse_module(GRAPH), check=True)


def test_names_are_those_of_the_model(graph: Session) -> None:
    assert list(graph.inputs) == ["x", "a/b:0"]
    assert list(graph.outputs) == ["sum", "relu"]
    assert graph.outputs["sum"].shape == (3, 2)
    assert graph.inputs["x"].dtype is DType.Float32


def test_a_graph_runs(graph: Session) -> None:
    out = graph.run({"x": X, "a/b:0": ONES})
    np.testing.assert_array_equal(out["sum"], (X + 1).reshape(3, 2))
    np.testing.assert_array_equal(out["relu"], np.maximum(X + 1, 0))


@pytest.mark.parametrize("text", [NATIVE, PLACED], ids=["native", "placed"])
@pytest.mark.parametrize("check", [False, True])
def test_lower_levels_give_the_same_numbers(text: str, check: bool) -> None:
    out = Session(parse_module(text), check=check).run({"x": X})
    np.testing.assert_array_equal(out["y"], np.maximum(X, 0))


def test_results_are_copies_and_do_not_change_with_the_next_run() -> None:
    session = Session(parse_module(NATIVE))
    first = session.run({"x": X})["y"]
    session.run({"x": -X})
    np.testing.assert_array_equal(first, np.maximum(X, 0))


def test_an_input_may_be_an_output_and_a_value_may_be_returned_twice() -> None:
    text = """
func.func @main(%x: tensor<2xf32> {htp.name = "x"})
    -> (tensor<2xf32> {htp.name = "a"}, tensor<2xf32> {htp.name = "b"}) {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}"""
    out = Session(parse_module(text)).run({"x": [1.0, 2.0]})
    assert out["a"].tolist() == out["b"].tolist() == [1.0, 2.0]


def test_names_default_to_positions() -> None:
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    session = Session(parse_module(text))
    assert (list(session.inputs), list(session.outputs)) == (["arg0"], ["result0"])


def test_sessions_share_a_program_and_keep_their_own_memory() -> None:
    program = prepare(parse_module(NATIVE))
    one, other = Session(program), Session(program, check=True)
    first = one.run({"x": X})["y"]
    np.testing.assert_array_equal(other.run({"x": -X})["y"], np.maximum(-X, 0))
    np.testing.assert_array_equal(first, np.maximum(X, 0))


def test_all_faults_of_the_inputs_are_listed(graph: Session) -> None:
    with pytest.raises(HtpError) as caught:
        graph.run({"x": np.ones((3, 3), np.float32), "z": X})
    assert str(caught.value).splitlines() == [
        "3 errors:",
        "  input 'z': is unknown; the model's inputs are x, a/b:0",
        "  input 'a/b:0': is missing; give 2x3 of Float32",
        "  input 'x': has shape 3x3; give 2x3 of Float32",
    ]


CONVERSIONS = [
    ("f32", [1, 2], [1.0, 2.0]),
    ("f32", np.array([1.5, 2.5]), [1.5, 2.5]),
    ("f16", np.array([1.5, 2.5], np.float32), [1.5, 2.5]),
    ("i32", np.array([1, -2], np.int64), [1, -2]),
    ("i64", np.array([1, 2], np.int8), [1, 2]),
    ("i1", [True, False], [True, False]),
    ("i1", [1, 0], [True, False]),
    ("!quant.uniform<u8:f32, 0.5:10>", np.array([0, 255], np.uint8), [0, 255]),
]


@pytest.mark.parametrize(("element", "array", "expected"), CONVERSIONS)
def test_inputs_are_converted_where_nothing_is_lost(element, array, expected) -> None:
    session = Session(parse_module(identity(f"tensor<2x{element}>")))
    out = session.run({"x": array})["y"]
    assert out.tolist() == expected
    assert out.dtype == session.inputs["x"].dtype.storage


REFUSALS = [
    ("i32", np.array([1.0, 2.0]), "has dtype float64"),
    ("i32", np.array([0, 2**40]), "has values outside -2147483648 to 2147483647"),
    ("i1", [0, 2], "has values outside 0 to 1"),
    ("f32", np.array([1j, 2]), "has dtype complex128"),
    ("f32", ["a", "b"], "has dtype <U1"),
    ("f32", [[1.0], [2.0, 3.0]], "is no array"),
    ("!quant.uniform<u8:f32, 0.5:10>", np.array([0.5, 1.0]), "has dtype float64"),
]


@pytest.mark.parametrize(("element", "array", "message"), REFUSALS)
def test_inputs_that_would_lose_something_are_refused(element, array, message) -> None:
    session = Session(parse_module(identity(f"tensor<2x{element}>")))
    with pytest.raises(HtpError, match=f"input 'x': {message}"):
        session.run({"x": array})


def test_a_module_without_a_function_and_one_with_two_are_refused() -> None:
    with pytest.raises(HtpError, match="it has no function"):
        Session(parse_module("builtin.module {}"))
    body = "(%x: tensor<1xf32>) -> tensor<1xf32> { return %x : tensor<1xf32> }\n"
    with pytest.raises(HtpError, match="2 functions, none of them @main"):
        Session(parse_module(f"func.func @a{body}func.func @b{body}"))
    assert Session(parse_module(f"func.func @main{body}func.func @b{body}")).inputs


def test_two_inputs_of_one_name_are_refused() -> None:
    text = GRAPH.replace("a/b:0", "x")
    with pytest.raises(HtpError, match="two of its args are named 'x'"):
        Session(parse_module(text))


def test_an_op_that_cannot_run_is_named() -> None:
    text = """
func.func @main(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}"""
    with pytest.raises(HtpError, match=r"arith.addf: expected a ranked tensor, found f32"):
        Session(parse_module(text))
    text = text.replace("f32", "tensor<2xf32>")
    with pytest.raises(HtpError, match=r"arith.addf \(op 0\): cannot run"):
        Session(parse_module(text))


def test_a_use_before_its_definition_is_refused() -> None:
    text = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = qti_aisw.Relu(%1) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = qti_aisw.Tanh(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    with pytest.raises(HtpError, match=r"qti_aisw.Relu \(op 0\): uses a value that is made after"):
        Session(parse_module(text))


def test_a_value_error_of_an_op_names_it() -> None:
    text = """
func.func @main(%x: tensor<3xf32> {htp.name = "x"}, %i: tensor<1xi32> {htp.name = "i"})
    -> (tensor<1xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Gather(%x, %i) {axis = 0 : i64, htp.name = "pick"}
      : (tensor<3xf32>, tensor<1xi32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}"""
    session = Session(parse_module(text))
    with pytest.raises(HtpError, match=r"qti_aisw.Gather 'pick' \(op 0\): .*7"):
        session.run({"x": np.ones(3, np.float32), "i": np.array([7], np.int32)})


def test_the_named_kernel_is_used_and_must_fit() -> None:
    named = NATIVE.replace("htp.Relu(%0)", 'htp.Relu(%0) {kernel = "no_such"}')
    with pytest.raises(HtpError, match=r"htp\.Relu \(op 1\): has no kernel 'no_such'"):
        Session(parse_module(named))


def test_quantised_values_stay_exact_through_moves() -> None:
    text = """
!q = !quant.uniform<u8:f32, 0.05:128>
func.func @main(%x: tensor<2x3x!q> {htp.name = "x"}) -> (tensor<3x2x!q> {htp.name = "y"}) {
  %0 = qti_aisw.Transpose(%x) {perm = array<i64: 1, 0>} : (tensor<2x3x!q>) -> tensor<3x2x!q>
  return %0 : tensor<3x2x!q>
}"""
    x = np.array([[0, 1, 255], [128, 7, 9]], np.uint8)
    out = Session(parse_module(text), check=True).run({"x": x})["y"]
    np.testing.assert_array_equal(out, x.T)


def test_a_thread_limit_leaves_the_numbers_alone() -> None:
    session = Session(parse_module(NATIVE), threads=1)
    for _ in range(2):
        np.testing.assert_array_equal(session.run({"x": X})["y"], np.maximum(X, 0))


def test_a_thread_limit_without_its_package_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "threadpoolctl", None)
    with pytest.raises(HtpError, match=r"pip install htp-mlir\[threads\]"):
        Session(parse_module(NATIVE), threads=1)


def test_a_thread_limit_below_one_is_refused() -> None:
    with pytest.raises(HtpError, match="threads: is 0"):
        Session(parse_module(NATIVE), threads=0)


def test_the_word_in_place_means_nothing_on_other_ops() -> None:
    text = """
func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = htp.Neg(%0) {in_place} : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = htp.Reshape(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  return %2 : tensor<1x1x1x4xf32>
}"""
    x = np.arange(4, dtype=np.float32).reshape(1, 1, 1, 4)
    np.testing.assert_array_equal(Session(parse_module(text)).run({"arg0": x})["result0"], -x)
