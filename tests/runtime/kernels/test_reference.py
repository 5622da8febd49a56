"""Reference kernels of native ops against the op functions: params arrive as they should."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import CORE_OF, NATIVE_OPS
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import CROUTON_TCM, TensorSpec
from htp_mlir.runtime.functions import (
    elementwise,
    rnn,
)
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernels import NATIVE

from .harness import Operand, dims, f32, flat, held, ints, poisoned, reference, run, scalar
from .reference_cases import CASES, GAMMA, RNG, ROWS, X, normal, tensors


@pytest.mark.parametrize(("op", "operands", "expected"), CASES)
def test_reference(op: str, operands: list[Array | Operand], expected: Array) -> None:
    out = held(expected).spec
    (result,) = reference(op, [out], tensors(operands))
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.one_per("raw")
@pytest.mark.parametrize("core", [False, True])
@pytest.mark.parametrize("raw", CORE_OF)
def test_elementwise_forms_mean_the_same(raw: str, core: bool) -> None:
    name = CORE_OF[raw]
    logic = name in ("And", "Or", "Xor", "Not")
    a, b = (
        RNG.integers(0, 2, (2, 3, 4, 5)).astype(bool) if logic else normal(2, 3, 4, 5)
        for _ in range(2)
    )
    operands, expected = {
        1: lambda: ([a], elementwise.UNARY[name](a)),
        2: lambda: ([a, b], elementwise.BINARY[name](a, b)),
        3: lambda: ([a > 0, a, b], np.where(a > 0, a, b)),
    }[len(NATIVE_OPS[raw].OPERANDS)]()
    (result,) = reference(name if core else raw, [held(expected).spec], tensors(operands))
    np.testing.assert_array_equal(result, expected)


@pytest.mark.one_per("op")
@pytest.mark.parametrize("op", ["Add", "Div", "Mod", "Maximum", "Less", "Pow"])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8])
def test_integers_stay_integers(op: str, dtype: type[np.integer]) -> None:
    a, b = RNG.integers(0, 90, (1, 2, 3, 4)), RNG.integers(0, 4, (1, 1, 1, 4))
    a, b = a.astype(dtype), b.astype(dtype)
    expected = elementwise.BINARY[op](a, b)
    (result,) = reference(op, [held(expected).spec], [held(a), held(b)])
    np.testing.assert_array_equal(result, expected)


def test_operands_of_any_class_are_read() -> None:
    x, bias = held(X, CROUTON_TCM), held(GAMMA, CROUTON_TCM)
    out = poisoned(f32(X.shape))
    (result,) = run(NATIVE.kernels("htp.Add")[0], [out], [x, bias])
    np.testing.assert_array_equal(result, X + GAMMA)


FINE, COARSE = Quant((0.05,), (128,)), Quant((0.1,), (100,))


def quantised(values: Array, quant: Quant, dtype: DType = DType.QUInt8) -> Operand:
    return held(values, spec=TensorSpec(values.shape, dtype, quant))


def test_quantised_arithmetic_goes_through_reals() -> None:
    a, b = quantised(X, FINE), quantised(GAMMA, COARSE)
    out = TensorSpec(X.shape, DType.QUInt8, COARSE)
    (result,) = reference("Add", [out], [a, b])
    assert np.abs(result - (a.load() + b.load())).max() <= 0.05 + 1e-6


def test_quantised_moves_keep_the_stored_values() -> None:
    values = RNG.integers(-(2**31), 2**31, (1, 2, 3, 4)).astype(np.int32)
    x = poisoned(TensorSpec(values.shape, DType.QInt32, Quant((0.1,), (0,))))
    x.store_raw(values)
    out = poisoned(x.spec.with_shape((4, 3, 2, 1)))
    run(NATIVE.kernels("htp.Transpose")[0], [out], [x, ints(3, 2, 1, 0)])
    np.testing.assert_array_equal(out.stored(), values.transpose(3, 2, 1, 0))


def test_parts_of_another_encoding_are_quantised_anew() -> None:
    parts = [quantised(X[..., :1].copy(), FINE), quantised(X[..., :1].copy(), COARSE)]
    out = TensorSpec((2, 9, 7, 2), DType.QUInt8, COARSE)
    (joined,) = reference("Concat", [out], [ints(3), *parts])
    assert np.abs(joined[..., 0] - joined[..., 1]).max() <= 0.1 + 1e-6


def test_conversions() -> None:
    values = np.array([-1.0, 0.0, 0.07, 100.0], np.float32).reshape(1, 1, 1, 4)
    out = poisoned(TensorSpec(values.shape, DType.QUInt8, Quant((0.05,), (10,), low=1)))
    run(NATIVE.kernels("htp.Quantize")[0], [out], [held(values)])
    assert out.stored().reshape(-1).tolist() == [1, 10, 11, 255]
    (real,) = reference("Dequantize", [f32(values.shape)], [out])
    np.testing.assert_allclose(real.reshape(-1), [-0.45, 0, 0.05, 12.25], rtol=1e-6)
    (whole,) = reference("Cast", [TensorSpec(values.shape, DType.UInt8)], [held(values * 3.5)])
    assert whole.reshape(-1).tolist() == [0, 0, 0, 255]


def test_padding_of_quantised_data_is_a_real_number() -> None:
    x = quantised(X, FINE)
    out = x.spec.with_shape((2, 10, 7, 6))
    shapes = [dims(0, 1, 0, 0), dims(0, 0, 0, 0), dims(2, 10, 7, 6)]
    (padded,) = reference("SlicePad_shape", [out], [x, *shapes, scalar(0.0)])
    assert not padded[:, 0].any()
    np.testing.assert_array_equal(padded[:, 1:], x.load())


HIDDEN, SEQ, BATCH, INPUTS = 4, 5, 2, 3


@pytest.mark.parametrize("direction", list(rnn.Direction))
@pytest.mark.parametrize("switch", [0, 1])
@pytest.mark.parametrize("clip", [0.0, 0.4])
def test_lstm(direction: rnn.Direction, switch: int, clip: float) -> None:
    d = len(direction.reversals)
    x, w, r = normal(SEQ, BATCH, INPUTS), normal(d, 16, INPUTS), normal(d, 16, HIDDEN)
    b, p, h, c = normal(d, 32), normal(d, 12), normal(d, BATCH, HIDDEN), normal(d, BATCH, HIDDEN)
    lens = np.array([5, 2], np.int32)
    expected = rnn.lstm(
        *(x, w, r, b, lens, h, c, p),
        direction=direction,
        clip=clip or None,
        input_forget=bool(switch),
    )
    code = ints(list(rnn.Direction).index(direction))
    operands = [held(a[None]) for a in (x, w, r)] + [held(b[None, None]), ints(*lens)]
    operands += [held(h[None]), held(c[None]), held(p[None, None])]
    outs = [f32((SEQ, d, BATCH, HIDDEN)), f32((1, *h.shape)), f32((1, *h.shape))]
    results = reference("Lstm", outs, [*operands, code, scalar(clip), ints(switch)])
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_array_equal(one.reshape(other.shape), other)


@pytest.mark.parametrize("direction", list(rnn.Direction))
@pytest.mark.parametrize("switch", [0, 1])
def test_gru(direction: rnn.Direction, switch: int) -> None:
    d = len(direction.reversals)
    x, w, r = normal(SEQ, BATCH, INPUTS), normal(d, 12, INPUTS), normal(d, 12, HIDDEN)
    b, h, lens = normal(d, 24), normal(d, BATCH, HIDDEN), np.array([0, 4], np.int32)
    expected = rnn.gru(
        *(x, w, r, b, lens, h),
        direction=direction,
        clip=0.7,
        linear_before_reset=bool(switch),
    )
    code = ints(list(rnn.Direction).index(direction))
    operands = [held(a[None]) for a in (x, w, r)] + [held(b[None, None]), ints(*lens)]
    outs = [f32((SEQ, d, BATCH, HIDDEN)), f32((1, *h.shape))]
    results = reference("Gru", outs, [*operands, held(h[None]), code, scalar(0.7), ints(switch)])
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_array_equal(one.reshape(other.shape), other)


def test_values_that_an_op_does_not_take_name_op_and_value() -> None:
    with pytest.raises(HtpError, match=r"htp.Gather: gather index 9 is outside \[-9, 9\)"):
        reference("Gather", [f32((2, 1, 7, 6))], [held(X), ints(9), ints(1)])
    tuples = ints(3, -10, 3, shape=(1, 1, 3, 1))
    operands = [held(X[:1].copy()), tuples, held(ROWS), ints(1), ints(0)]
    with pytest.raises(HtpError, match=r"htp.ScatterNd: scatter index -10 is outside \[-9, 9\)"):
        reference("ScatterNd", [f32((1, 9, 7, 6))], operands)


def test_every_native_op_has_a_reference_and_is_tested() -> None:
    elsewhere = {"Lstm", "Gru", "BitCast", "Quantize", "Dequantize", "BufferStep", "SequenceIds"}
    elsewhere |= {"TopK", "NonMaxSuppression", "Lstm.pinned", "Gru.pinned"}
    copies = {name for name in NATIVE_OPS if "vtcm" in name or name.startswith("ForceFormat")}
    covered = {op for op, _, _ in CASES} | set(CORE_OF) | set(CORE_OF.values()) | elsewhere
    activations = {"Relu", "Sigmoid", "Tanh", "HardSwish", "Gelu", "GeluTanh"}
    missing = (
        set(NATIVE_OPS)
        - covered
        - copies
        - activations
        - {"Spill", "Fill", "Fill.start", "CopyWait", "Relocate"}
    )
    assert not missing
    views = {"CopyWait"}
    assert all(NATIVE.kernels(f"htp.{name}") for name in set(NATIVE_OPS) - views)


@pytest.mark.parametrize("op", ["Relu", "Sigmoid", "Tanh", "HardSwish", "Gelu", "GeluTanh"])
def test_activations(op: str) -> None:
    (result,) = reference(op, [f32(X.shape)], [flat(held(X))])
    np.testing.assert_array_equal(result, elementwise.UNARY[op](X))


@pytest.mark.parametrize("largest", [0, 1])
def test_of_equal_elements_top_k_takes_the_first_one_first(largest: int) -> None:
    x = np.array([[[[3, 1, 3, 1, 2]]]], np.float32)
    outs = [f32((1, 1, 1, 3)), TensorSpec((1, 1, 1, 3), DType.Int32)]
    best, places = reference("TopK", outs, [held(x), ints(3), ints(largest)])
    assert best.ravel().tolist() == ([3, 3, 2] if largest else [1, 1, 2])
    assert places.ravel().tolist() == ([0, 2, 4] if largest else [1, 3, 4])


def test_boxes_that_overlap_a_better_one_are_passed_over() -> None:
    """Box 1 overlaps 0 by half; 2 is apart and as good; 3 has a score that is not above."""
    corners = [[0, 0, 2, 2], [0, 1, 2, 3], [5, 5, 4, 4], [8, 8, 9, 9]]
    boxes = np.array([[corners]], np.float32)
    scores = np.array([[[[3, 2, 3, 1]]]], np.float32)
    outs = [TensorSpec((1, 1, 4, 3), DType.Int32), TensorSpec((1, 1, 1, 1), DType.Int32)]
    for threshold, taken in ((0.25, [0, 2]), (0.5, [0, 2, 1])):
        params = [held(np.full((1, 1, 1, 1), n, np.float32)) for n in (threshold, 1)]
        operands = [held(boxes), held(scores), *params, ints(4)]
        rows, count = reference("NonMaxSuppression", outs, operands)
        wanted = [[0, 0, place] for place in taken]
        assert rows[0, 0].tolist() == wanted + [[-1, -1, -1]] * (4 - len(taken))
        assert count.item() == len(taken)
