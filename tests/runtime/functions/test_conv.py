"""Convolutions against ONNX Runtime, and by hand where it has no say (integers, f16)."""

import numpy as np
import pytest
from htp_mlir.runtime.functions.conv import conv2d, depthwise_conv2d, transpose_conv2d

CLOSE = {"rtol": 1e-4, "atol": 1e-4}
SIZES = (1, 7, 33)


def random(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def nchw(x):
    return np.ascontiguousarray(np.moveaxis(x, 3, 1))


def geometry(seed):
    """A random legal (extent, kernel, stride, pad, dilation), each of height and width."""
    rng = np.random.default_rng(seed)
    extent = tuple(int(n) for n in rng.choice(SIZES, 2))
    kernel = tuple(int(rng.integers(1, min(n, 4) + 1)) for n in extent)
    room = [n // k for n, k in zip(extent, kernel, strict=True)]
    dilation = tuple(int(rng.integers(1, min(n, 2) + 1)) for n in room)
    stride = tuple(int(n) for n in rng.integers(1, 4, 2))
    pad = tuple((int(a), int(b)) for a, b in rng.integers(0, 3, (2, 2)))
    return rng, extent, kernel, stride, pad, dilation


def onnx_geometry(kernel, stride, pad, dilation):
    (top, bottom), (left, right) = pad
    return {
        "kernel_shape": kernel,
        "strides": stride,
        "pads": [top, left, bottom, right],
        "dilations": dilation,
    }


@pytest.mark.one_per("group")
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize(("group", "cin", "cout"), [(1, 3, 5), (1, 1, 33), (2, 6, 4), (7, 7, 7)])
def test_conv2d(onnx_op, seed, group, cin, cout):
    rng, extent, kernel, stride, pad, dilation = geometry(seed)
    x = random(rng, 2, *extent, cin)
    w = random(rng, *kernel, cin // group, cout)
    b = random(rng, cout) if seed % 2 else None
    inputs = [nchw(x), np.ascontiguousarray(w.transpose(3, 2, 0, 1)), b]
    want = onnx_op("Conv", inputs, group=group, **onnx_geometry(kernel, stride, pad, dilation))[0]
    got = conv2d(x, w, b, stride, pad, dilation, group)
    np.testing.assert_allclose(nchw(got), want, **CLOSE)


@pytest.mark.one_per("channels")
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize(("channels", "multiplier"), [(1, 3), (7, 1), (5, 2)])
def test_depthwise_conv2d(onnx_op, seed, channels, multiplier):
    rng, extent, kernel, stride, pad, dilation = geometry(seed)
    x = random(rng, 2, *extent, channels)
    w = random(rng, *kernel, 1, channels * multiplier)
    b = random(rng, channels * multiplier) if seed % 2 else None
    inputs = [nchw(x), np.ascontiguousarray(w.transpose(3, 2, 0, 1)), b]
    shape = onnx_geometry(kernel, stride, pad, dilation)
    want = onnx_op("Conv", inputs, group=channels, **shape)[0]
    got = depthwise_conv2d(x, w, b, stride, pad, dilation)
    np.testing.assert_allclose(nchw(got), want, **CLOSE)


@pytest.mark.one_per("group")
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize(("group", "cin", "cout"), [(1, 3, 5), (2, 4, 6), (3, 3, 3)])
def test_transpose_conv2d(onnx_op, seed, group, cin, cout):
    rng = np.random.default_rng(seed)
    extent = tuple(int(n) for n in rng.integers(2, 8, 2))
    kernel = tuple(int(n) for n in rng.integers(1, 5, 2))
    stride = tuple(int(n) for n in rng.integers(1, 4, 2))
    extra = tuple(int(rng.integers(0, s)) for s in stride)
    dilation = tuple(int(n) for n in rng.integers(1, 3, 2))
    pad = tuple((int(rng.integers(0, k)), int(rng.integers(0, k))) for k in kernel)
    x = random(rng, 2, *extent, cin)
    w = random(rng, *kernel, cin, cout // group)
    b = random(rng, cout) if seed % 2 else None
    spread = [s * (n - 1) + (k - 1) * d + 1 + e for n, k, s, d, e in
              zip(extent, kernel, stride, dilation, extra, strict=True)]  # fmt: skip
    if any(n - a - z < 1 for n, (a, z) in zip(spread, pad, strict=True)):
        pad = ((0, 0), (0, 0))
    inputs = [nchw(x), np.ascontiguousarray(w.transpose(2, 3, 0, 1)), b]
    shape = onnx_geometry(kernel, stride, pad, dilation)
    want = onnx_op("ConvTranspose", inputs, group=group, output_padding=extra, **shape)[0]
    got = transpose_conv2d(x, w, b, stride, pad, extra, group, dilation)
    np.testing.assert_allclose(nchw(got), want, **CLOSE)


def test_same_padding_of_a_ramp_by_hand():
    x = np.array([1, 2, 3, 4], np.float32).reshape(1, 1, 4, 1)
    w = np.array([1, 10, 100], np.float32).reshape(1, 3, 1, 1)
    got = conv2d(x, w, np.array([0.5], np.float32), (1, 1), ((0, 0), (1, 1)), (1, 1), 1)
    np.testing.assert_array_equal(got.ravel(), [210.5, 321.5, 432.5, 43.5])


def test_bytes_accumulate_in_int32():
    x = np.full((1, 2, 2, 64), 255, np.uint8)
    w = np.full((2, 2, 64, 1), 255, np.uint8)
    got = conv2d(x, w, None, (1, 1), ((0, 0), (0, 0)), (1, 1), 1)
    assert got.dtype == np.int32
    assert got.item() == 255 * 255 * 256


def test_half_precision_accumulates_in_single():
    x = np.full((1, 1, 1, 4096), 1, np.float16)
    w = np.full((1, 1, 4096, 1), 1.0 / 4096, np.float16)
    got = conv2d(x, w, None, (1, 1), ((0, 0), (0, 0)), (1, 1), 1)
    assert got.dtype == np.float16
    assert got.item() == 1.0
