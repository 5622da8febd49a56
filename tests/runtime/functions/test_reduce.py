import numpy as np
import pytest
from htp_mlir.runtime.functions.reduce import REDUCE, argmax, argmin

RNG = np.random.default_rng(17)
CLOSE = {"rtol": 1e-5, "atol": 1e-6}


@pytest.mark.one_per("name")
@pytest.mark.parametrize("keep_dims", [False, True])
@pytest.mark.parametrize("axes", [(0,), (1, 2), (-1,), (0, 1, 2)])
@pytest.mark.parametrize("size", [1, 7, 33])
@pytest.mark.parametrize("name", sorted(REDUCE))
def test_reductions(onnx_op, name, size, axes, keep_dims):
    x = RNG.standard_normal((3, size, 2)).astype(np.float32)
    inputs = [x, np.array(axes, np.int64)]
    want = onnx_op(f"Reduce{name}", inputs, keepdims=int(keep_dims))[0]
    got = REDUCE[name](x, axes, keep_dims)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_allclose(got, want, **CLOSE)


@pytest.mark.parametrize("keep_dims", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_arguments(onnx_op, axis, keep_dims):
    x = RNG.integers(0, 4, (3, 33, 7)).astype(np.float32)
    for name, function in (("ArgMax", argmax), ("ArgMin", argmin)):
        want = onnx_op(name, [x], axis=axis, keepdims=int(keep_dims))[0]
        got = function(x, axis, keep_dims)
        assert got.dtype == np.int32
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", sorted(REDUCE))
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float16])
def test_dtype_is_kept(name, dtype):
    assert REDUCE[name](np.ones((2, 3), dtype), (1,), False).dtype == dtype


def test_integer_mean_truncates_and_sum_wraps():
    x = np.array([[-1, -2], [100, 101]], np.int8)
    np.testing.assert_array_equal(REDUCE["Mean"](x, (1,), False), [-1, 100])
    np.testing.assert_array_equal(REDUCE["Sum"](x, (1,), False), [-3, 201 - 256])


def test_half_precision_accumulates_in_single():
    x = np.full(4096, 16, np.float16)
    assert REDUCE["Mean"](x, (0,), False) == 16
    assert REDUCE["Sum"](x, (0,), False) == np.inf
    assert REDUCE["Sum"](np.full(4097, 1, np.float16), (0,), False) == np.float16(4097)


def test_no_axes_reduce_nothing():
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(REDUCE["Sum"](x, (), False), x)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_the_mean_of_nothing_is_no_number_and_no_warning(dtype):
    got = REDUCE["Mean"](np.ones((2, 0, 3), dtype), (1,), False)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.full((2, 3), np.nan))


def test_the_mean_of_no_integers_is_0():
    got = REDUCE["Mean"](np.ones((0, 3), np.int32), (0,), True)
    np.testing.assert_array_equal(got, np.zeros((1, 3), np.int32))
