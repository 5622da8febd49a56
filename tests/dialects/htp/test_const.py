"""Constants and shapes of the native graph."""

import numpy as np
import pytest
from htp_mlir.dialects.htp.ops.const import ConstOp, ShapeOp, const, constant_array

from ...support.examples import example_of, module_of
from ...support.native import U8, dims, i32, infer, spec, t
from ...support.roundtrip import ROUND_TRIPS, CheckText

_PLACED = """
%w = htp.Const dense<1.0> : tensor<1x1x1x32xf32> -> tensor<1x1x1x32xf32, #htp.place<crouton, tcm>>
"""


@ROUND_TRIPS
@pytest.mark.parametrize(
    "text", [module_of(example_of(ConstOp)), module_of(example_of(ShapeOp)), _PLACED]
)
def test_round_trips(text: str, round_trips: CheckText) -> None:
    round_trips(text)


@pytest.mark.parametrize(
    ("type_", "numbers"),
    [
        ("1x1x2x3xf32", np.arange(6, dtype=np.float32)),
        ("1x1x2x3xf16", np.arange(6, dtype=np.float16)),
        ("1x1x1x3xi64", np.array([-1, 2**40, 3], np.int64)),
        ("1x1x1x3xi1", np.array([True, False, True])),
        (f"1x1x1x3x{U8}", np.array([0, 128, 255], np.uint8)),
        ("1x1x1x0xf32", np.array([], np.float32)),
    ],
)
def test_data_comes_back(type_: str, numbers: np.ndarray) -> None:
    op = const(numbers, spec(type_))
    op.verify()
    assert op.array.dtype == numbers.dtype
    np.testing.assert_array_equal(op.array, numbers.reshape(spec(type_).shape))


def test_only_a_constant_has_data() -> None:
    assert constant_array(t("1x1x1x2xf32")) is None
    assert constant_array(infer("Neg", i32(1)).results[0]) is None
    assert constant_array(dims(1, 1, 1, 1)) is None
