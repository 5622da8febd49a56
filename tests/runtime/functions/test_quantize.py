import math

import numpy as np
import pytest
from htp_mlir.runtime.functions.quantize import cast, dequantize, quantize

RNG = np.random.default_rng(23)
WIDTHS = (np.uint8, np.int8, np.uint16, np.int16)


@pytest.mark.parametrize("size", [1, 7, 33])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_per_tensor(onnx_op, dtype, size):
    x = (RNG.standard_normal((3, size)) * 5).astype(np.float32)
    scale, zero = np.float32(0.05), np.array(np.iinfo(dtype).max // 2, dtype)
    want = onnx_op("QuantizeLinear", [x, np.asarray(scale), zero])[0]
    got = quantize(x, scale, int(zero), dtype)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, want)
    back = onnx_op("DequantizeLinear", [want, np.asarray(scale), zero])[0]
    np.testing.assert_array_equal(dequantize(got, scale, int(zero)), back)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_per_axis(onnx_op, axis):
    x = (RNG.standard_normal((7, 3, 5)) * 5).astype(np.float32)
    n = x.shape[axis]
    scale = RNG.uniform(0.01, 0.2, n).astype(np.float32)
    zero = RNG.integers(0, 255, n).astype(np.uint8)
    want = onnx_op("QuantizeLinear", [x, scale, zero], axis=axis)[0]
    got = quantize(x, scale, zero, np.uint8, axis)
    np.testing.assert_array_equal(got, want)
    back = onnx_op("DequantizeLinear", [want, scale, zero], axis=axis)[0]
    np.testing.assert_array_equal(dequantize(got, scale, zero, axis), back)


@pytest.mark.parametrize("dtype", [*WIDTHS, np.int32])
def test_saturation_and_special_values(dtype):
    info = np.iinfo(dtype)
    x = np.array([1e30, -1e30, math.inf, -math.inf, math.nan], np.float32)
    want = [info.max, info.min, info.max, info.min, 3]
    np.testing.assert_array_equal(quantize(x, 0.5, 3, dtype), want)


def test_half_goes_to_even_before_the_zero_point():
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5], np.float32)
    np.testing.assert_array_equal(quantize(x, 1.0, 1, np.int8), [1, 3, 3, 1, -1])


def test_zero_point_is_added_exactly():
    x = np.array([2.0**25], np.float32)
    assert quantize(x, 1.0, 3, np.int32).item() == 2**25 + 3


@pytest.mark.parametrize("dtype", WIDTHS)
def test_every_stored_value_survives_the_round_trip(dtype):
    info = np.iinfo(dtype)
    q = np.arange(info.min, info.max + 1).astype(dtype)
    np.testing.assert_array_equal(quantize(dequantize(q, 0.037, 11), 0.037, 11, dtype), q)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64])
def test_cast_to_integers_truncates_and_saturates(dtype):
    info = np.iinfo(dtype)
    x = np.array([2.9, -0.9, 1e30, -1e30, math.inf, math.nan], np.float32)
    want = [2, 0, info.max, info.min, info.max, 0]
    got = cast(x, dtype)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.array(want, dtype))


def test_cast_of_negative_numbers_truncates_towards_zero():
    np.testing.assert_array_equal(cast(np.array([-2.9, -3.0], np.float16), np.int32), [-2, -3])


@pytest.mark.parametrize(
    ("x", "dtype", "want"),
    [
        (np.array([0.0, 0.5, -2, math.nan], np.float32), np.bool_, [False, True, True, True]),
        (np.array([0, 3], np.int32), np.bool_, [False, True]),
        (np.array([True, False]), np.float16, [1, 0]),
        (np.array([1e6], np.float32), np.float16, [math.inf]),
        (np.array([300, -1], np.int32), np.uint8, [44, 255]),
    ],
)
def test_other_casts(x, dtype, want):
    got = cast(x, dtype)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.array(want, dtype))


def test_cast_copies():
    x = np.ones(3, np.float32)
    assert not np.shares_memory(cast(x, np.float32), x)
