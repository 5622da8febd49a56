"""What the verifiers of graph ops refuse, by family: each statement breaks one rule."""

from __future__ import annotations

import re

import pytest
from xdsl.utils.exceptions import ParseError, VerifyException

from ..support.examples import module_of
from ..support.roundtrip import parse
from .refused_movement import GENERAL, MOVEMENT
from .refused_values import ACTIVATION, ELEMENTWISE, LINEAR, NORM, QUANTIZE, REDUCE
from .refused_windows import CONVOLUTION, POOL

FAMILIES = {
    "convolution": CONVOLUTION,
    "pool": POOL,
    "linear": LINEAR,
    "elementwise": ELEMENTWISE,
    "activation": ACTIVATION,
    "norm": NORM,
    "reduce": REDUCE,
    "movement": MOVEMENT,
    "quantize": QUANTIZE,
    "general": GENERAL,
}
CASES = [
    pytest.param(statement, message, id=f"{family}-{name}")
    for family, cases in FAMILIES.items()
    for name, (statement, message) in cases.items()
]


@pytest.mark.parametrize(("statement", "message"), CASES)
def test_refuses(statement: str, message: str) -> None:
    with pytest.raises(VerifyException, match=re.escape(message)):
        parse(module_of(statement))


BAD_TEXT = {
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
