"""Optionals of which it is known whether they hold a tensor, against ONNX Runtime."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model
from onnx import parser

from ..test_control_flow import assert_as_reference, fault

BRANCHES = """y = If (c) <then_branch = t () => (float[N, M] a) { a = Relu (x) },
                          else_branch = e () => (float[N, M] b) { b = Neg (x) }>"""
NOTHING = "o = Optional <type = optional(float[3, 4])> ()"


@pytest.mark.parametrize("maker", ["o = Optional (x)", "o = Relu (x)"])
def test_an_optional_gives_its_tensor(maker: str) -> None:
    assert_as_reference(f"{maker} t = OptionalGetElement (o) y = Exp (t)")


@pytest.mark.parametrize("maker", ["o = Optional (x) c = OptionalHasElement (o)"])
def test_a_branch_is_taken_by_what_is_there(maker: str) -> None:
    assert_as_reference(f"{maker} {BRANCHES}")
    assert_as_reference(f"c = OptionalHasElement () {BRANCHES}")


def test_an_optional_cannot_leave_the_model() -> None:
    text = """<ir_version: 9, opset_import: ["" : 21]>
        test (float[3, 4] x) => (optional(float[3, 4]) y) { y = Optional (x) }"""
    with pytest.raises(HtpError, match="an optional is an output of the model"):
        import_model(parser.parse_model(text))


def test_an_input_that_may_be_missing_is_refused_once() -> None:
    text = """<ir_version: 9, opset_import: ["" : 21]>
        test (optional(float[3, 4]) x) => (float[3, 4] y) { y = OptionalGetElement (x) }"""
    with pytest.raises(HtpError) as caught:
        import_model(parser.parse_model(text))
    assert [f.line() for f in caught.value.faults] == [
        "input 'x': is no tensor, but of the kind optional; "
        "supported are all types but text and complex numbers"
    ]


def test_a_sequence_cannot_leave_the_model() -> None:
    text = """<ir_version: 9, opset_import: ["" : 21]>
        test (float[4] x) => (seq(float[2]) s) <int64[2] sizes = {2, 2}> {
            s = SplitToSequence (x, sizes)
        }"""
    with pytest.raises(HtpError, match="output 's': is no tensor, but of the kind sequence"):
        import_model(parser.parse_model(text))


def test_nothing_has_no_tensor() -> None:
    text = "n = OptionalHasElement () t = OptionalGetElement () y = Add (x, t)"
    assert "(OptionalGetElement): " in fault(text)
