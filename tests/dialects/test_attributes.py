"""Discardable attributes: a misspelt one, one of a wrong form, one on the wrong op."""

import pytest
from htp_mlir.dialects.attributes import ATTRIBUTES
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.passes.checks.check_level import check_level
from xdsl.utils.exceptions import VerifyException

from ..support.roundtrip import parse

RELU = """
func.func @main(%x: tensor<1x8x8x32xf32>) {{
  %r = htp.Relu(%x) {{{attribute}}} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %c = htp.Const dense<0.0> : tensor<1x1x1x1xf32> {const} -> tensor<1x1x1x1xf32>
  func.return
}}
"""
RIGHT = [
    "htp.tile = [array<i64: 1, 8>], htp.in_step",
    "htp.tile = []",
    "htp.home",
    "htp.by_hand = [#htp.place<flat, tcm>, unit]",
    'htp.autothread = "hvx", htp.split_history = array<i64: 1>',
    'htp.name = "relu", note = 3',
    "in_place = 3",
    "Other.tiel = 3",
]
WRONG = [
    ("htp.tiel = []", "htp.Relu: unknown attribute 'htp.tiel'; did you mean 'htp.tile'?"),
    ("htp.zzzzzz", f"unknown attribute 'htp.zzzzzz'; known are {', '.join(ATTRIBUTES)}"),
    ("htp.tile = [array<i64: 1>]", "'htp.tile' is [array<i64: 1>], it must be a list of pairs"),
    ("htp.in_step = 1 : i32", "attribute 'htp.in_step' is 1 : i32, it must be a unit"),
    ("htp.name = 1 : i32", "attribute 'htp.name' is 1 : i32, it must be a string"),
    ("htp.by_hand = [1 : i32]", "it must be a list of places and units"),
    ("htp.tcm_bytes = 8 : i64", "attribute 'htp.tcm_bytes' goes on builtin.module only"),
]
MODULE = """
builtin.module {module} {{
  func.func @main(%x: tensor<2xf32> {argument}) -> tensor<2xf32> {{
    func.return %x : tensor<2xf32>
  }}
}}
"""


@pytest.mark.parametrize("attribute", RIGHT)
def test_attributes_that_fit(attribute: str) -> None:
    parse(RELU.format(attribute=attribute, const="")).verify()


@pytest.mark.parametrize(("attribute", "message"), WRONG)
def test_attributes_that_do_not_fit(attribute: str, message: str) -> None:
    with pytest.raises(VerifyException) as error:
        parse(RELU.format(attribute=attribute, const="")).verify()
    assert message in str(error.value)


def test_a_constant_is_checked_like_any_op() -> None:
    with pytest.raises(VerifyException, match=r"did you mean 'htp\.name'"):
        parse(RELU.format(attribute="", const='{htp.nam = "c"}')).verify()


@pytest.mark.parametrize(
    ("module", "argument", "message"),
    [
        ("attributes {htp.tcm_byte = 8}", "", "did you mean 'htp.tcm_bytes'"),
        ("attributes {htp.tcm_bytes = -8}", "", "it must be a number of bytes"),
        ("", '{htp.nme = "x"}', "func.func: unknown attribute 'htp.nme'; did you mean 'htp.name'"),
    ],
)
def test_modules_and_functions_are_checked_with_their_level(
    module: str, argument: str, message: str
) -> None:
    check_level(parse(MODULE.format(module="", argument="")), Level.GRAPH)
    with pytest.raises(HtpError) as error:
        check_level(parse(MODULE.format(module=module, argument=argument)), Level.GRAPH)
    assert message in str(error.value)
