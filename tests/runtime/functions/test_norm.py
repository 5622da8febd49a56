import math

import numpy as np
import pytest
from htp_mlir.runtime.functions.norm import batchnorm, layer_norm, log_softmax, rms_norm, softmax

CLOSE = {"rtol": 1e-5, "atol": 2e-6}
RNG = np.random.default_rng(13)


def random(*shape, scale=1.0):
    return (RNG.standard_normal(shape) * scale).astype(np.float32)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("size", [1, 7, 33])
def test_softmax(onnx_op, size, axis):
    x = random(3, size, 5, scale=20)
    np.testing.assert_allclose(softmax(x, axis), onnx_op("Softmax", [x], axis=axis)[0], **CLOSE)
    want = onnx_op("LogSoftmax", [x], axis=axis)[0]
    np.testing.assert_allclose(log_softmax(x, axis), want, **CLOSE)


def test_beta_scales_the_exponent():
    x = random(4, 7)
    np.testing.assert_allclose(softmax(x, 1, 2.5), softmax(x * np.float32(2.5)), **CLOSE)
    np.testing.assert_allclose(softmax(x, 1, -1.0), softmax(-x), **CLOSE)
    np.testing.assert_allclose(np.exp(log_softmax(x, 1, 2.5)), softmax(x, 1, 2.5), **CLOSE)


def test_softmax_of_large_and_infinite_numbers():
    x = np.array([[1e38, 1e38], [-math.inf, 0], [math.inf, 0]], np.float32)
    got = softmax(x)
    np.testing.assert_array_equal(got[:2], [[0.5, 0.5], [0, 1]])
    assert math.isnan(got[2, 0])


@pytest.mark.parametrize("size", [1, 7, 33])
@pytest.mark.parametrize("first", [1, 2])
def test_layer_norm(onnx_op, size, first):
    x = random(2, 3, size)
    gamma, beta = random(*x.shape[first:]), random(*x.shape[first:])
    want = onnx_op("LayerNormalization", [x, gamma, beta], axis=first, epsilon=1e-3)[0]
    got = layer_norm(x, gamma, beta, range(first, 3), 1e-3)
    np.testing.assert_allclose(got, want, **CLOSE)


def test_layer_norm_over_an_inner_axis():
    x, gamma, beta = random(2, 7, 3), random(7), random(7)
    inner = layer_norm(x, gamma, beta, [1], 1e-5)
    outer = layer_norm(x.swapaxes(1, 2), gamma, beta, [-1], 1e-5)
    np.testing.assert_allclose(inner, outer.swapaxes(1, 2), **CLOSE)


def test_layer_norm_without_affine_has_mean_0_and_variance_1():
    got = layer_norm(random(4, 33, scale=9), None, None, [1], 0.0)
    np.testing.assert_allclose(got.mean(axis=1), 0, atol=1e-6)
    np.testing.assert_allclose(got.var(axis=1), 1, rtol=1e-5)


@pytest.mark.parametrize("size", [1, 7, 33])
def test_rms_norm(size):
    x, gamma, beta = random(3, size), random(size), random(size)
    wide = x.astype(np.float64)
    rms = np.sqrt((wide**2).sum(axis=1, keepdims=True) / size + 1e-3)
    want = wide / rms * gamma + beta
    np.testing.assert_allclose(rms_norm(x, gamma, beta, [-1], 1e-3), want, **CLOSE)


@pytest.mark.parametrize("channels", [1, 7, 33])
def test_batchnorm(onnx_op, channels):
    x, gamma, beta = random(2, 3, channels), random(channels), random(channels)
    mean, var = random(channels), np.abs(random(channels)) + np.float32(0.1)
    inputs = [np.ascontiguousarray(x.swapaxes(1, 2)), gamma, beta, mean, var]
    want = onnx_op("BatchNormalization", inputs, epsilon=1e-3)[0]
    scale = gamma / np.sqrt(var + np.float32(1e-3))
    got = batchnorm(x, scale, beta - mean * scale)
    np.testing.assert_allclose(got.swapaxes(1, 2), want, **CLOSE)


def test_half_precision_is_computed_in_single():
    x = (random(2, 33, scale=90) + 300).astype(np.float16)
    for norm in (softmax, lambda v: layer_norm(v, None, None, [1], 1e-5),
                 lambda v: rms_norm(v, None, None, [1], 1e-5)):  # fmt: skip
        got = norm(x)
        assert got.dtype == np.float16
        np.testing.assert_array_equal(got, norm(x.astype(np.float32)).astype(np.float16))
