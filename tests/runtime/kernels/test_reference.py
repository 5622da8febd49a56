"""Reference kernels of native ops against the op functions: params arrive as they should."""

from __future__ import annotations

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import CORE_OF, NATIVE_OPS
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.place import CROUTON_TCM
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.runtime.functions import (
    conv,
    elementwise,
    image,
    linear,
    movement,
    norm,
    pool,
    reduce,
    rnn,
)
from htp_mlir.runtime.functions.arrays import Array
from htp_mlir.runtime.functions.attention import attention
from htp_mlir.runtime.kernels import NATIVE

from .harness import Operand, dims, f32, flat, held, ints, poisoned, reference, run, scalar

RNG = np.random.default_rng(7)
PADS = ((1, 0), (2, 1))
NO_PADS = ((0, 0), (0, 0))


def normal(*shape: int) -> Array:
    return RNG.normal(0, 1, shape).astype(np.float32)


X = normal(2, 9, 7, 6)
TALL, FLAT_MATRIX = normal(1, 1, 7, 5), normal(2, 1, 5, 6)
W = normal(3, 2, 3, 8)
DEPTHWISE = normal(3, 2, 1, 12)
SPREAD = normal(3, 2, 6, 2)
SIDE_BY_SIDE = normal(2, 3, 6, 4)
BIAS8, BIAS12, BIAS4 = normal(1, 1, 1, 8), normal(1, 1, 1, 12), normal(1, 1, 1, 4)
FC = normal(1, 1, 10, 6)
CODES = [
    np.arange(30, dtype=np.uint8).reshape(1, 1, 10, 3) * np.uint8(7),
    np.arange(16, dtype=np.float32).reshape(1, 1, 1, 16),
    normal(1, 1, 10, 2),
    np.full((1, 1, 1, 1), 8, np.uint8),
]
"""Two codes in a byte, the lowest bits first, and two blocks in each row."""
DECODED = (
    np.stack([CODES[0] % 16, CODES[0] // 16], -1).reshape(1, 1, 10, 2, 3) - np.float32(8)
) * (CODES[2][..., None])
DECODED = DECODED.reshape(1, 1, 10, 6)
BIAS10 = normal(1, 1, 1, 10)
CORE_W, CORE_B = normal(3, 2, 6, 4), normal(1, 1, 1, 4)
GAMMA, BETA = normal(1, 1, 1, 6), normal(1, 1, 1, 6)
ADDED = normal(1, 9, 7, 7)
PADS_PARAM = ints(1, 0, 2, 1, shape=(1, 1, 2, 2))
RANGES = ints(0, 2, 1, 8, 1, -3, 0, 7, 2, 5, -1, -1, shape=(1, 1, 4, 3))
ROWS = normal(1, 1, 3, 42)
SCATTERED = X[:1].copy()
np.add.at(SCATTERED, (0, [3, 8, 3]), ROWS.reshape(3, 7, 6))

Case = tuple[str, list[Array | Operand], Array]


def core_conv(stride: tuple[int, int]) -> Array:
    return conv.conv2d(X, CORE_W, CORE_B, stride, NO_PADS, (1, 1), 1)


def core_depthwise() -> Array:
    return conv.depthwise_conv2d(X, DEPTHWISE, BIAS12, (2, 1), NO_PADS, (1, 1))


def im2col() -> Array:
    """Height, then width, then channel; 12 taps, then zeros up to 32."""
    columns = np.zeros((2, 4, 3, 32), np.float32)
    for b, row, column in np.ndindex(2, 4, 3):
        window = X[b, 2 * row : 2 * row + 3, 2 * column : 2 * column + 2, :2]
        columns[b, row, column, :12] = window.reshape(-1)
    return columns


CASES: list[Case] = [
    (
        "Conv2d",
        [X, W, BIAS8, ints(2, 1), PADS_PARAM, ints(1, 2), ints(2)],
        conv.conv2d(X, W, BIAS8, (2, 1), PADS, (1, 2), 2),
    ),
    (
        "DepthWiseConv2d",
        [X, DEPTHWISE, BIAS12, ints(2, 1), PADS_PARAM, ints(1, 2)],
        conv.depthwise_conv2d(X, DEPTHWISE, BIAS12, (2, 1), PADS, (1, 2)),
    ),
    (
        "TransposeConv2d",
        [X, SPREAD, BIAS4, ints(2, 3), PADS_PARAM, ints(1, 0), ints(2)],
        conv.transpose_conv2d(X, SPREAD, BIAS4, (2, 3), PADS, (1, 0), 2),
    ),
    (
        "PoolMax2d",
        [X, ints(3, 2), ints(2, 2), PADS_PARAM, ints(1)],
        pool.max_pool2d(X, (3, 2), (2, 2), PADS, ceil=True),
    ),
    (
        "PoolAvg2d",
        [X, ints(3, 2), ints(2, 2), PADS_PARAM, ints(0), ints(1)],
        pool.avg_pool2d(X, (3, 2), (2, 2), PADS, ceil=False, count_pad=True),
    ),
    (
        "Resize",
        [X, ints(4, 9), ints(1), ints(2), ints(0), ints(0), scalar(-0.75)],
        image.resize(X, (4, 9), 1, 2, 0, False, -0.75),
    ),
    ("DepthToSpace", [X, ints(1, 3), ints(1)], image.depth_to_space(X, (1, 3), 1)),
    ("SpaceToDepth", [X, ints(3, 7), ints(0)], image.space_to_depth(X, (3, 7), 0)),
    (
        "Resize_places",
        [
            *(X, ints(4, 2, -1, 4, 1), ints(5, 3, 0, 2, 2)),
            *(ints(1), ints(0), ints(0), scalar(-0.75)),
        ],
        image.resize_places(X, (4, 2, -1, 4), (5, 3, 0, 2), 1, 0, False, -0.75),
    ),
    ("ResizeNearestNeighbor_shape", [X, dims(1, 2, 3, 1)], image.repeated(X, (2, 3))),
    ("DepthToSpace_shape", [X, dims(1, 2, 3, 1), ints(0)], image.depth_to_space(X, (2, 3), 0)),
    ("SpaceToDepth_shape", [X, dims(1, 3, 1, 1), ints(1)], image.space_to_depth(X, (3, 1), 1)),
    ("Conv2d_valid", [X, CORE_W, dims(1, 2, 1, 1)], core_conv((2, 1)) - CORE_B),
    ("ConvLayer_valid", [X, CORE_W, dims(1, 1, 2, 1), CORE_B], core_conv((1, 2))),
    (
        "ConvLayer_valid.clamp",
        [X, CORE_W, dims(1, 1, 1, 1), CORE_B, scalar(-0.5), scalar(2.0)],
        np.clip(core_conv((1, 1)), -0.5, 2),
    ),
    (
        "TransposeConvLayer_valid",
        [X, SIDE_BY_SIDE, dims(1, 2, 3, 1), BIAS4],
        conv.transpose_conv2d(X, SIDE_BY_SIDE, BIAS4, (2, 3), NO_PADS, (0, 0), 1),
    ),
    ("DepthwiseConvLayer_valid", [X, DEPTHWISE, dims(1, 2, 1, 1), BIAS12], core_depthwise()),
    (
        "DepthwiseConvLayer_valid.clamp",
        [X, DEPTHWISE, dims(1, 2, 1, 1), BIAS12, scalar(0.0), scalar(1.0)],
        np.clip(core_depthwise(), 0, 1),
    ),
    (
        "MaxPool_valid",
        [X, dims(1, 3, 2, 1), dims(1, 2, 1, 1)],
        pool.max_pool2d(X, (3, 2), (2, 1), NO_PADS, ceil=False),
    ),
    (
        "AvgPool_valid",
        [X, dims(1, 3, 2, 1), dims(1, 2, 1, 1)],
        pool.avg_pool2d(X, (3, 2), (2, 1), NO_PADS, ceil=False, count_pad=False),
    ),
    ("ConvLayer.opt.im2col_stride2", [X[..., :2].copy(), dims(3, 2, 2, 8)], im2col()),
    (
        "ConvLayer.opt.weights_for_im2col",
        [W],
        np.pad(W.reshape(1, 1, 18, 8), ((0, 0), (0, 0), (0, 14), (0, 0))),
    ),
    ("FullyConnected", [X, FC, BIAS10], linear.fully_connected(X, FC[0, 0], BIAS10)),
    (
        "FullyConnected.clamp",
        [X, FC, BIAS10, scalar(0.0), scalar(1.0)],
        np.clip(linear.fully_connected(X, FC[0, 0], BIAS10), 0, 1),
    ),
    (
        "FullyConnected.gelu",
        [X, FC, BIAS10],
        elementwise.UNARY["Gelu"](linear.fully_connected(X, FC[0, 0], BIAS10)),
    ),
    ("DecodeWeights", CODES, DECODED),
    ("CodedFullyConnected", [X, *CODES, BIAS10], linear.fully_connected(X, DECODED[0, 0], BIAS10)),
    ("MatMul", [X, TALL, ints(1), ints(0)], X.swapaxes(2, 3) @ TALL),
    ("MatMul", [X, FLAT_MATRIX, ints(0), ints(1)], X @ FLAT_MATRIX.swapaxes(2, 3)),
    (
        "Attention",
        [X, X, X, ADDED, scalar(0.5), scalar(3.0), ints(-9), ints(9)],
        attention(X, X, X, ADDED, 0.5, 3.0, -9, 9),
    ),
    ("Softmax", [X, ints(1), scalar(2.0)], norm.softmax(X, 1, 2.0)),
    ("LogSoftmax", [X, ints(3), scalar(0.5)], norm.log_softmax(X, 3, 0.5)),
    (
        "LayerNorm",
        [X, GAMMA, BETA, ints(3), scalar(1e-3)],
        norm.layer_norm(X, GAMMA, BETA, (3,), 1e-3),
    ),
    (
        "RmsNorm",
        [X, GAMMA, BETA, ints(3), scalar(1e-3)],
        norm.rms_norm(X, GAMMA, BETA, (3,), 1e-3),
    ),
    ("Batchnorm", [X, GAMMA, BETA], norm.batchnorm(X, GAMMA, BETA)),
    *(
        (f"Reduce{kind}", [X, ints(1, 3)], function(X, (1, 3), True))
        for kind, function in reduce.REDUCE.items()
    ),
    ("Argmax", [X, ints(2)], reduce.argmax(X, 2, True)),
    ("Argmin", [X, ints(2)], reduce.argmin(X, 2, True)),
    ("Concat", [ints(2), X, X[:, :, :3].copy()], movement.concat([X, X[:, :, :3]], 2)),
    ("StridedSlice", [X, RANGES], X[0:2, 8:1:-3, 0:7:2, ::-1].copy()),
    (
        "Slice_shape",
        [X, dims(1, 2, 0, 3), dims(1, 5, 7, 2)],
        X[1:2, 2:7, :, 3:5],
    ),
    (
        "SlicePad_shape",
        [X, dims(0, 1, 2, 0), dims(0, 0, 1, 0), dims(2, 4, 10, 6), scalar(-3.0)],
        np.pad(X[:, :3], ((0, 0), (1, 0), (1, 2), (0, 0)), constant_values=-3.0),
    ),
    ("Transpose", [X, ints(3, 0, 2, 1)], movement.transpose(X, (3, 0, 2, 1))),
    (
        "Pad",
        [X, ints(0, 1, 2, 0, 0, 0, 3, 1, shape=(1, 1, 4, 2)), scalar(1.5)],
        movement.pad(X, ((0, 1), (2, 0), (0, 0), (3, 1)), 1.5),
    ),
    ("Gather", [X, ints(3, -1, 0, 3), ints(1)], X[:, [3, -1, 0, 3]]),
    (
        "ScatterNd",
        [X[:1], ints(3, -1, 3, shape=(1, 1, 3, 1)), ROWS, ints(1), ints(1)],
        SCATTERED,
    ),
    ("Tile", [X, ints(1, 2, 1, 3)], movement.tile(X, (1, 2, 1, 3))),
    ("Reshape", [X], X.reshape(1, 18, 7, 6)),
    ("Cast", [X], X),
    ("Elu", [X, scalar(0.7)], elementwise.elu(X, 0.7)),
    ("LeakyRelu", [X, scalar(0.3)], elementwise.leaky_relu(X, 0.3)),
    ("Swish", [X, scalar(1.7)], X / (1 + np.exp(-1.7 * X))),
    ("Prelu", [X, GAMMA], elementwise.prelu(X, GAMMA)),
    ("Clamp", [X, scalar(-1.0), scalar(0.5)], np.clip(X, -1, 0.5)),
    ("ReluMinMax", [X, scalar(0.0), scalar(6.0)], np.clip(X, 0, 6)),
    ("BiasAdd", [X, GAMMA], X + GAMMA),
]


def tensors(operands: list[Array | Operand]) -> list[Operand]:
    return [held(o) if isinstance(o, np.ndarray) else o for o in operands]


@pytest.mark.parametrize(("op", "operands", "expected"), CASES)
def test_reference(op: str, operands: list[Array | Operand], expected: Array) -> None:
    out = held(expected).spec
    (found,) = reference(op, [out], tensors(operands))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


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
    (found,) = reference(name if core else raw, [held(expected).spec], tensors(operands))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("op", ["Add", "Div", "Mod", "Maximum", "Less", "Pow"])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8])
def test_integers_stay_integers(op: str, dtype: type[np.integer]) -> None:
    a, b = RNG.integers(0, 90, (1, 2, 3, 4)), RNG.integers(0, 4, (1, 1, 1, 4))
    a, b = a.astype(dtype), b.astype(dtype)
    expected = elementwise.BINARY[op](a, b)
    (found,) = reference(op, [held(expected).spec], [held(a), held(b)])
    np.testing.assert_array_equal(found, expected)


def test_operands_of_any_class_are_read() -> None:
    x, bias = held(X, CROUTON_TCM), held(GAMMA, CROUTON_TCM)
    out = poisoned(f32(X.shape))
    (found,) = run(NATIVE.kernels("htp.Add")[0], [out], [x, bias])
    np.testing.assert_array_equal(found, X + GAMMA)


FINE, COARSE = Quant((0.05,), (128,)), Quant((0.1,), (100,))


def quantised(values: Array, quant: Quant, dtype: DType = DType.QUInt8) -> Operand:
    return held(values, spec=TensorSpec(values.shape, dtype, quant))


def test_quantised_arithmetic_goes_through_reals() -> None:
    a, b = quantised(X, FINE), quantised(GAMMA, COARSE)
    out = TensorSpec(X.shape, DType.QUInt8, COARSE)
    (found,) = reference("Add", [out], [a, b])
    assert np.abs(found - (a.load() + b.load())).max() <= 0.05 + 1e-6


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
    (found,) = reference("Concat", [out], [ints(3), *parts])
    assert np.abs(found[..., 0] - found[..., 1]).max() <= 0.1 + 1e-6


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
    (found,) = reference("SlicePad_shape", [out], [x, *shapes, scalar(0.0)])
    assert not found[:, 0].any()
    np.testing.assert_array_equal(found[:, 1:], x.load())


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
    found = reference("Lstm", outs, [*operands, code, scalar(clip), ints(switch)])
    for one, other in zip(found, expected, strict=True):
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
    found = reference("Gru", outs, [*operands, held(h[None]), code, scalar(0.7), ints(switch)])
    for one, other in zip(found, expected, strict=True):
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
    elsewhere |= {"TopK", "NonMaxSuppression"}
    copies = {name for name in NATIVE_OPS if "vtcm" in name or name.startswith("ForceFormat")}
    covered = {op for op, _, _ in CASES} | set(CORE_OF) | set(CORE_OF.values()) | elsewhere
    activations = {"Relu", "Sigmoid", "Tanh", "HardSwish", "Gelu", "GeluTanh"}
    missing = (
        set(NATIVE_OPS)
        - covered
        - copies
        - activations
        - {"Spill", "Fill", "Fill.start", "CopyWait"}
    )
    assert not missing
    views = {"CopyWait"}
    assert all(NATIVE.kernels(f"htp.{name}") for name in set(NATIVE_OPS) - views)


@pytest.mark.parametrize("op", ["Relu", "Sigmoid", "Tanh", "HardSwish", "Gelu", "GeluTanh"])
def test_activations(op: str) -> None:
    (found,) = reference(op, [f32(X.shape)], [flat(held(X))])
    np.testing.assert_array_equal(found, elementwise.UNARY[op](X))


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
