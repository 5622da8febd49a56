import numpy as np
import pytest
from htp_mlir.runtime.functions.norm import softmax
from htp_mlir.runtime.functions.transformers import MaskMode, masked_softmax, sequence_ids

RNG = np.random.default_rng(5)
CLOSE = {"rtol": 1e-5, "atol": 1e-6}


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("c", [1, 7, 33])
def test_uncompressed_is_softmax_of_the_sum(onnx_op, c):
    data, mask = random(2, 3, 4, c), RNG.integers(-3, 3, (2, c)).astype(np.int32)
    want = onnx_op("Softmax", [data + mask.astype(np.float32)[:, None, None, :]], axis=-1)[0]
    got = masked_softmax(data, mask, MaskMode.UNCOMPRESSED)
    np.testing.assert_allclose(got, want, **CLOSE)


def test_masked_column_gets_nothing():
    data = random(1, 2, 3, 5)
    mask = np.array([[0, 0, 0, -10000, 0]], np.int32)
    got = masked_softmax(data, mask, MaskMode.UNCOMPRESSED)
    np.testing.assert_array_equal(got[..., 3], 0)
    kept = [0, 1, 2, 4]
    np.testing.assert_allclose(got[..., kept], softmax(data[..., kept]), **CLOSE)


@pytest.mark.parametrize(("dtype", "atol"), [(np.float32, 1e-3), (np.float16, 2e-3)])
def test_fully_masked_row_is_softmax_of_the_data(dtype, atol):
    data = random(1, 1, 2, 6).astype(dtype)
    mask = np.full((1, 6), -10000, np.int32)
    got = masked_softmax(data, mask, MaskMode.UNCOMPRESSED)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, softmax(data), atol=atol)


def test_compressed_acts_in_blocks():
    data = random(2, 3, 8, 8)
    got = masked_softmax(data, np.array([[1, 3, 4], [8, 0, 0]], np.int32), MaskMode.COMPRESSED)
    want = np.zeros_like(data)
    for begin, end in ((0, 1), (1, 4), (4, 8)):
        want[0, :, begin:end, begin:end] = softmax(data[0, :, begin:end, begin:end])
    want[1] = softmax(data[1])
    np.testing.assert_allclose(got, want, **CLOSE)


def test_compressed_ignores_what_lies_outside_its_block():
    data = random(1, 1, 3, 3)
    poisoned = data.copy()
    poisoned[0, 0, 0, 2] = np.nan
    poisoned[0, 0, 2, 0] = np.inf
    lengths = np.array([[2, 1]], np.int32)
    np.testing.assert_array_equal(
        masked_softmax(poisoned, lengths, MaskMode.COMPRESSED),
        masked_softmax(data, lengths, MaskMode.COMPRESSED),
    )


@pytest.mark.parametrize(
    ("lengths", "want"),
    [
        ([1, 3, 4], [0, 1, 1, 1, 2, 2, 2, 2]),
        ([0, 2, 0, 3], [1, 1, 3, 3, 3, 4, 4, 4]),
        ([0, 0], [2] * 8),
        ([8], [0] * 8),
    ],
)
def test_sequence_ids(lengths, want):
    ids = sequence_ids(np.array([lengths], np.int32), 8)
    assert ids.dtype == np.int32
    np.testing.assert_array_equal(ids, [want])


@pytest.mark.parametrize(
    ("lengths", "message"),
    [([3, -2], "length -2 is negative"), ([3, 2], "add up to 5, more than the 4 positions")],
)
def test_wrong_lengths_are_named(lengths, message):
    mask = np.array([[1, 1], lengths], np.int32)
    with pytest.raises(ValueError, match=message):
        sequence_ids(mask, 4)
    with pytest.raises(ValueError, match=message):
        masked_softmax(random(2, 1, 4, 4), mask, MaskMode.COMPRESSED)


def test_huge_lengths_do_not_wrap():
    mask = np.array([[2**31 - 1, 2**31 - 1, 6]], np.int32)
    with pytest.raises(ValueError, match="add up to 4294967300"):
        sequence_ids(mask, 8)
