"""What graph ops refuse beside what breaks a constraint: params that are absent, wrong texts."""

import re

import pytest
from xdsl.utils.exceptions import ParseError, VerifyException

from ...support.examples import module_of
from ...support.roundtrip import parse

REFUSED = {
    "no filter size": (
        "%y = qti_aisw.PoolMax2d(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>",
        "property 'filter_size' expected",
    ),
    "no bounds": (
        "%y = qti_aisw.ReluMinMax(%x) {max_value = 0.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>",
        "property 'min_value' expected",
    ),
    "quantised to float": (
        "%y = qti_aisw.ElementWiseExp(%x) : (tensor<4x!quant.uniform<u8:f32, 0.5>>) -> "
        "tensor<4xf32>",
        "result 0 has element type Float32, its inputs give QUInt8 (0.5:0)",
    ),
    "cast to no element type": (
        "%y = qti_aisw.Cast(%x) {to = index} : (tensor<4xf32>) -> tensor<4xf32>",
        "element type index is not supported",
    ),
}


@pytest.mark.parametrize(("statement", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refuses(statement: str, message: str) -> None:
    with pytest.raises(VerifyException, match=re.escape(message)):
        parse(module_of(statement))


BAD_TEXT = {
    "cast to no type": (
        "%y = qti_aisw.Cast(%x) {to = 4 : i64} : (tensor<4xf32>) -> tensor<4xf32>",
        "qti_aisw.Cast: param 'to': write i32, not 4 : i64",
    ),
    "operand missing": (
        "%y = qti_aisw.MatMul(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "qti_aisw.MatMul: operand 'in1' is given 0 times",
    ),
    "operand too many": (
        "%y = qti_aisw.Relu(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "qti_aisw.Relu: operand 'inp' is given 2 times",
    ),
    "optional operand twice": (
        "%y = qti_aisw.RmsNorm(%x, %g, beta = %b, beta = %c) {axes = array<i64: 0>} : "
        "(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "operand 'beta' is given 2 times",
    ),
    "optional operand by position beside a named one": (
        "%y = qti_aisw.LayerNorm(%x, %b, gamma = %g) {axes = array<i64: 0>} : "
        "(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "operand 'inp' is given 2 times; write optional ones by name: beta = %b",
    ),
    "unknown optional operand": (
        "%y = qti_aisw.RmsNorm(%x, %g, gamma = %b) {axes = array<i64: 0>} : "
        "(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "unknown optional operand 'gamma'; known are beta",
    ),
    "result too many": (
        "%y, %z = qti_aisw.Relu(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)",
        "qti_aisw.Relu: has 2 results, it gives 1",
    ),
}


@pytest.mark.parametrize(("statement", "message"), BAD_TEXT.values(), ids=BAD_TEXT.keys())
def test_refuses_text(statement: str, message: str) -> None:
    with pytest.raises(ParseError, match=re.escape(message)):
        parse(module_of(statement))


WRONG_PARAMS = {
    "narrow numbers": ("filter_size = array<i32: 3, 2>", "write array<i64: 3, 2>, not array<i32"),
    "dense numbers": (
        "filter_size = dense<3> : tensor<2xi64>",
        "write array<i64: 3, 3>, not dense",
    ),
    "text": ('filter_size = "3x3"', 'write array<i64: 0>, not "3x3"'),
    "a float": ("rounding_mode = 1.0 : f32", "write 1 : i64, not 1.0"),
    "not a number": ("rounding_mode = 0x7FC00000 : f32", "write 0 : i64, not 0x7fc00000"),
    "a truth value": ("rounding_mode = true", "write 1 : i64, not true"),
    "a number": ("count_pad_for_edges = 1", "write true, not 1 : i64"),
}


@pytest.mark.parametrize(("param", "message"), WRONG_PARAMS.values(), ids=WRONG_PARAMS.keys())
def test_a_param_of_another_type_is_told_how_to_write_it(param: str, message: str) -> None:
    statement = (
        f"%y = qti_aisw.PoolAvg2d(%x) {{{param}}} : (tensor<1x8x8x4xf32>) -> tensor<1x6x7x4xf32>"
    )
    name = param.partition(" ")[0]
    expected = f"qti_aisw.PoolAvg2d: param '{name}': {message}"
    with pytest.raises(ParseError, match=re.escape(expected)):
        parse(module_of(statement))


def test_a_param_of_another_type_in_the_generic_form_names_the_op() -> None:
    text = (
        "func.func @main(%x: tensor<1x8x8x4xf32>) {\n"
        '%y = "qti_aisw.PoolMax2d"(%x) <{filter_size = [3, 3]}> : '
        "(tensor<1x8x8x4xf32>) -> tensor<1x6x6x4xf32>\n"
        "func.return\n}"
    )
    message = "qti_aisw.PoolMax2d: param 'filter_size': write array<i64: 3, 3>, not [3 : i64"
    with pytest.raises(VerifyException, match=re.escape(message)):
        parse(text)


def test_named_operands_may_come_first() -> None:
    module = parse(
        module_of(
            "%y = qti_aisw.FullyConnected(bias = %b, %x, %w) : "
            "(tensor<8xf32>, tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<2x8xf32>"
        )
    )
    assert "FullyConnected(%x, %w, bias = %b)" in str(module)
