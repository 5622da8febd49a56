import numpy as np
import pytest
from htp_mlir.runtime.functions.pool import avg_pool2d, max_pool2d

CLOSE = {"rtol": 1e-5, "atol": 1e-6}
NONE = ((0, 0), (0, 0))


def nchw(x):
    return np.ascontiguousarray(np.moveaxis(x, 3, 1))


def case(seed):
    """Random x[n, h, w, c], window, stride and pads that are smaller than the window."""
    rng = np.random.default_rng(seed)
    extent = tuple(int(n) for n in rng.choice((1, 7, 33), 2))
    size = tuple(int(rng.integers(1, min(n, 4) + 1)) for n in extent)
    stride = tuple(int(n) for n in rng.integers(1, 4, 2))
    pad = tuple((int(rng.integers(0, k)), int(rng.integers(0, k))) for k in size)
    x = rng.standard_normal((2, *extent, 3)).astype(np.float32)
    (top, bottom), (left, right) = pad
    shape = {"kernel_shape": size, "strides": stride, "pads": [top, left, bottom, right]}
    return x, size, stride, pad, shape


@pytest.mark.one_per("ceil")
@pytest.mark.parametrize("ceil", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_max_pool2d(onnx_op, seed, ceil):
    x, size, stride, pad, shape = case(seed)
    want = onnx_op("MaxPool", [nchw(x)], ceil_mode=int(ceil), **shape)[0]
    np.testing.assert_array_equal(nchw(max_pool2d(x, size, stride, pad, ceil)), want)


@pytest.mark.one_per("ceil", "count_pad")
@pytest.mark.parametrize("count_pad", [False, True])
@pytest.mark.parametrize("ceil", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_avg_pool2d(onnx_op, seed, ceil, count_pad):
    x, size, stride, pad, shape = case(seed)
    flags = {"ceil_mode": int(ceil), "count_include_pad": int(count_pad)}
    want = onnx_op("AveragePool", [nchw(x)], **flags, **shape)[0]
    got = avg_pool2d(x, size, stride, pad, ceil, count_pad)
    np.testing.assert_allclose(nchw(got), want, **CLOSE)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.float16])
def test_padding_never_wins_a_maximum(dtype):
    low = np.finfo(dtype).min if np.dtype(dtype).kind == "f" else np.iinfo(dtype).min
    x = np.full((1, 1, 1, 1), low, dtype)
    got = max_pool2d(x, (3, 3), (1, 1), ((1, 1), (1, 1)), ceil=False)
    assert got.dtype == dtype
    assert got.item() == low


def test_maximum_of_negative_numbers_beside_padding():
    x = np.full((1, 2, 2, 1), -5, np.int8)
    got = max_pool2d(x, (2, 2), (1, 1), ((1, 0), (0, 1)), ceil=False)
    np.testing.assert_array_equal(got, np.full((1, 2, 2, 1), -5, np.int8))


def test_integer_mean_rounds_half_to_even():
    x = np.array([0, 1, 2, 3, -1, -2], np.int8).reshape(1, 1, 6, 1)
    got = avg_pool2d(x, (1, 2), (1, 2), NONE, ceil=False, count_pad=False)
    assert got.dtype == np.int8
    np.testing.assert_array_equal(got.ravel(), [0, 2, -2])


def test_mean_of_a_window_without_input_is_zero():
    x = np.ones((1, 1, 1, 1), np.float32)
    got = avg_pool2d(x, (1, 1), (1, 1), ((1, 1), (0, 0)), ceil=False, count_pad=False)
    np.testing.assert_array_equal(got.ravel(), [0, 1, 0])
