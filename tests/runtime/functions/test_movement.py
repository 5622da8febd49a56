import numpy as np
import pytest
from htp_mlir.runtime.functions import movement
from htp_mlir.runtime.functions.movement import PadScheme

RNG = np.random.default_rng(19)


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("size", [1, 7, 33])
def test_concat_and_split_are_inverse(onnx_op, axis, size):
    parts = [np.moveaxis(random(n, size, 2), 0, axis) for n in (1, 4, 2)]
    whole = movement.concat(parts, axis)
    np.testing.assert_array_equal(whole, onnx_op("Concat", parts, axis=axis)[0])
    for got, want in zip(movement.split(whole, axis, [1, 5]), parts, strict=True):
        np.testing.assert_array_equal(got, want)
        assert not np.shares_memory(got, whole)


@pytest.mark.parametrize(
    ("begin", "end", "stride", "want"),
    [
        (1, 6, 2, [1, 3, 5]),
        (0, 100, 3, [0, 3, 6]),
        (6, 2, -2, [6, 4]),
        (6, -1, -3, [6, 3, 0]),
        (6, 0, -3, [6, 3]),
        (3, 3, 1, []),
    ],
)
def test_strided_slice(begin, end, stride, want):
    x = np.arange(14).reshape(2, 7)
    got = movement.strided_slice(x, [(1, 2, 1), (begin, end, stride)])
    np.testing.assert_array_equal(got, [[7 + i for i in want]])


def test_transpose_and_reshape(onnx_op):
    x = random(2, 7, 33)
    got = movement.transpose(x, [2, 0, 1])
    np.testing.assert_array_equal(got, onnx_op("Transpose", [x], perm=[2, 0, 1])[0])
    assert got.flags.c_contiguous
    flat = movement.reshape(x, (14, 33))
    np.testing.assert_array_equal(flat.ravel(), x.ravel())
    assert not np.shares_memory(flat, x)


@pytest.mark.parametrize(
    ("scheme", "mode"),
    [
        (PadScheme.CONSTANT, "constant"),
        (PadScheme.MIRROR_REFLECT, "reflect"),
        (PadScheme.EDGE, "edge"),
    ],
)
def test_pad(onnx_op, scheme, mode):
    x = random(3, 7)
    value = np.array(2.5 if scheme is PadScheme.CONSTANT else 0, np.float32)
    want = onnx_op("Pad", [x, np.array([1, 0, 2, 3], np.int64), value], mode=mode)[0]
    np.testing.assert_array_equal(movement.pad(x, [(1, 2), (0, 3)], float(value), scheme), want)


def test_pad_mirrors_with_the_edge():
    x = np.array([1, 2, 3], np.int8)
    got = movement.pad(x, [(2, 1)], scheme=PadScheme.MIRROR_SYMMETRIC)
    np.testing.assert_array_equal(got, [2, 1, 1, 2, 3, 3])
    assert got.dtype == np.int8


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("shape", [(), (7,), (2, 3)])
def test_gather(onnx_op, axis, shape):
    x = random(4, 7, 33)
    indices = RNG.integers(-x.shape[axis], x.shape[axis], shape).astype(np.int32)
    want = onnx_op("Gather", [x, np.asarray(indices, np.int64)], axis=axis)[0]
    got = movement.gather(x, np.asarray(indices), axis)
    assert got.shape == want.shape
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("index", [3, -4])
def test_gather_names_an_index_out_of_range(index):
    indices = np.array([0, index], np.int32)
    with pytest.raises(IndexError, match=rf"gather index {index} is outside \[-3, 3\) of axis 1"):
        movement.gather(random(2, 3), indices, 1)


def test_gather_reads_unsigned_indices():
    x = np.array([10, 20, 30])
    np.testing.assert_array_equal(movement.gather(x, np.array([2, 0], np.uint8), 0), [30, 10])


def test_tile(onnx_op):
    x = random(2, 1, 7)
    want = onnx_op("Tile", [x, np.array([1, 3, 2], np.int64)])[0]
    np.testing.assert_array_equal(movement.tile(x, [1, 3, 2]), want)
