import numpy as np
import pytest
from htp_mlir.runtime.functions.linear import fully_connected, matmul

CLOSE = {"rtol": 1e-4, "atol": 1e-5}
RNG = np.random.default_rng(11)


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize(("rows", "m", "n"), [(1, 1, 1), (7, 33, 5), (33, 7, 1)])
def test_fully_connected(onnx_op, rows, m, n):
    x, w, b = random(rows, m), random(n, m), random(n)
    want = onnx_op("Gemm", [x, w, b], transB=1)[0]
    np.testing.assert_allclose(fully_connected(x, w, b), want, **CLOSE)
    np.testing.assert_allclose(fully_connected(x, w, None), want - b, **CLOSE)


def test_fully_connected_keeps_the_leading_axes():
    x, w = random(2, 3, 4, 5), random(6, 5)
    got = fully_connected(x, w, None)
    assert got.shape == (2, 3, 4, 6)
    np.testing.assert_allclose(got[1, 2], fully_connected(x[1, 2], w, None), **CLOSE)


@pytest.mark.parametrize("transpose_b", [False, True])
@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("lead", [((), ()), ((2, 3), (2, 3)), ((2, 1), (7,))])
def test_matmul(onnx_op, lead, transpose_a, transpose_b):
    a, b = random(*lead[0], 7, 33), random(*lead[1], 33, 4)
    want = onnx_op("MatMul", [a, b])[0]
    left = a.swapaxes(-1, -2) if transpose_a else a
    right = b.swapaxes(-1, -2) if transpose_b else b
    np.testing.assert_allclose(matmul(left, right, transpose_a, transpose_b), want, **CLOSE)


def test_bytes_accumulate_in_int32():
    a, b = np.full((1, 300), -128, np.int8), np.full((300, 1), -128, np.int8)
    got = matmul(a, b)
    assert got.dtype == np.int32
    assert got.item() == 300 * 128 * 128


def test_half_precision_accumulates_in_single():
    a, b = np.full((1, 4096), 1, np.float16), np.full((4096, 1), 1 / 4096, np.float16)
    got = matmul(a, b)
    assert got.dtype == np.float16
    assert got.item() == 1.0


def test_infinities_do_not_warn():
    a = np.array([[np.inf, 1], [0, 1]], np.float32)
    b = np.array([[0], [1]], np.float32)
    np.testing.assert_array_equal(matmul(a, b), [[np.nan], [1]])
