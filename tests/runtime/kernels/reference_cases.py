"""Operands and results of the reference kernels, one case for each way an op takes its params."""

import numpy as np
from htp_mlir.runtime.functions import (
    conv,
    elementwise,
    image,
    linear,
    movement,
    norm,
    pool,
    reduce,
)
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.functions.transformers import attention

from .harness import Operand, dims, held, ints, scalar

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
