"""The scratch of an allocated op: its text forms and what verifiers refuse."""

import pytest
from xdsl.utils.exceptions import VerifyException

from ...support.roundtrip import ROUND_TRIPS, CheckText, parse

FLAT = "tensor<1x1x4x32xf32, #htp.place<flat, tcm, 2048>>"
QUANTISED = "tensor<1x1x1x1x!quant.uniform<u8:f32, 1.0>, #htp.place<crouton, ddr>>"


def module(scratch: str) -> str:
    return f"""
func.func @main(%x: tensor<1x8x8x32xf32>) {{
  %r = htp.Relu(%x) {{kernel = "k", scratch = {scratch}, note = 3 : i64}}
    : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return
}}
"""


@ROUND_TRIPS
@pytest.mark.parametrize("scratch", [f"[{FLAT}]", f"[{FLAT}, {QUANTISED}]", "[]"])
def test_scratch_is_a_property_that_round_trips(scratch: str, round_trips: CheckText) -> None:
    text = module(scratch)
    round_trips(text)
    (relu,) = (op for op in parse(text).walk() if op.name == "htp.Relu")
    assert set(relu.properties) == {"kernel", "scratch"}
    assert set(relu.attributes) == {"note"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            module("[tensor<4xf32, #htp.place<flat, tcm>>]"),
            "htp.Relu: scratch 0 has rank 1, native tensors have rank 4",
        ),
        (
            module(f"[{QUANTISED.replace('1.0>', '0.5>')}]"),
            "htp.Relu: scratch 0 is quantised with another scale than 1",
        ),
        (
            module(f"[{QUANTISED.replace('1.0>', '1.0:3>')}]"),
            "htp.Relu: scratch 0 is quantised with another scale than 1",
        ),
        (module("[3 : i64]"), "htp.Relu: scratch 0 is 3 : i64, no tensor type"),
        (
            module("[tensor<?x1x1x4xf32, #htp.place<flat, tcm>>]"),
            "htp.Relu: scratch 0: tensor<.* has a dynamic dim",
        ),
    ],
)
def test_what_scratch_may_not_be(text: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        parse(text)
