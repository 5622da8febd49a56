"""Cases of products, norms, reductions, moves, and ops on stored integers."""

import numpy as np

from ..models import floats, ints
from .case import (
    BOOLS,
    IMAGE,
    LINE,
    PLACES,
    SQUARE,
    case,
    f32,
    i64,
    scalar,
)

BYTES = ints(4, 6, dtype="uint8", low=0, high=200)
PIXELS = ints(1, 3, 5, 6, dtype="uint8", low=0, high=200)
ENCODING = (scalar(1 / 64), np.array(90, np.uint8))

SCORES = [(SQUARE, (4,)), (IMAGE, (2, 9, 7)), (floats(2, 3, 2, 3, 4), (2, 2, 3, 4))]
CLASSES = [
    case(
        *("SoftmaxCrossEntropyLoss", scores, ints(*places, low=0, high=3)),
        **{"fixed": 2, "outputs": outputs, "reduction": reduction},
        **({} if ignored is None else {"ignore_index": ignored}),
    )
    for scores, places in SCORES
    for reduction in ("none", "mean", "sum")
    for ignored in (None, 1)
    for outputs in (1, 2)
] + [
    case(
        *("SoftmaxCrossEntropyLoss", SQUARE, ints(4, low=0, high=6), floats(6)),
        **{"fixed": 2, "reduction": "sum"},
    ),
]
"""Losses; with weights of classes they are imported by their body."""

INTEGERS = [
    case(
        *("QLinearMatMul", BYTES, *ENCODING, ints(6, 5, dtype="int8"), scalar(0.125)),
        *(np.array(1, np.int8), scalar(0.25), np.array(100, np.uint8)),
    ),
    *(
        case(
            *("QLinearConv", PIXELS, *ENCODING, ints(4, 3, 2, 3, dtype="int8"), scales, zeros),
            *(scalar(0.25), np.array(100, np.uint8), *bias),
            pads=[1, 0, 0, 1],
        )
        for scales, zeros in (
            (scalar(0.125), np.array(0, np.int8)),
            (f32(0.125, 0.25, 0.0625, 0.5), np.zeros(4, np.int8)),
        )
        for bias in ((), (ints(4, high=500),))
    ),
    case("MatMulInteger", BYTES, ints(6, 5, dtype="int8")),
    case("MatMulInteger", BYTES, BYTES.T.copy(), np.array(7, np.uint8), np.array(3, np.uint8)),
    case("MatMulInteger", BYTES, BYTES.T.copy(), None, np.arange(4, dtype=np.uint8)),
    case("MatMulInteger", BYTES[0], BYTES.T.copy(), np.array(7, np.uint8)),
    case("ConvInteger", PIXELS, ints(4, 3, 2, 3, low=0, dtype="uint8"), strides=[2, 1]),
    case("ConvInteger", PIXELS, PIXELS[:, :, :2, :3].copy(), *[np.array(9, np.uint8)] * 2),
]

LINEAR = [
    case("Gemm", SQUARE, floats(6, 5), floats(5)),
    case("Gemm", SQUARE, floats(5, 6), floats(1, 5), transB=1, alpha=0.5, beta=2.0),
    case("Gemm", floats(6, 4), floats(6, 5), floats(4, 5), transA=1, beta=0.5),
    case("Gemm", SQUARE, floats(6, 5)),
    case("Gemm", SQUARE, floats(6, 5), floats(4, 1), fixed=3, alpha=0.25),
    case("Gemm", SQUARE, floats(6, 5), scalar(2.0)),
    case("Gemm", SQUARE, floats(5, 6), floats(5), fixed=3, transB=1, beta=0.0),
    case("MatMul", SQUARE, floats(6, 5)),
    case("MatMul", floats(2, 1, 4, 6), floats(3, 6, 5), fixed=2),
    case("MatMul", floats(6), floats(6, 5), fixed=2),
    case("MatMul", SQUARE, floats(6), fixed=2),
    case("MatMul", floats(6), floats(6), fixed=2),
]

NORMS = [
    case("Softmax", IMAGE),
    case("Softmax", IMAGE, axis=1),
    case("Softmax", IMAGE, axis=1, opset=11),
    case("LogSoftmax", IMAGE, axis=2),
    case("LayerNormalization", IMAGE, floats(7), floats(7)),
    case("LayerNormalization", IMAGE, floats(9, 7), axis=2, epsilon=0.1),
    case("LayerNormalization", IMAGE, floats(1), axis=-1),
    case("LayerNormalization", IMAGE, floats(9, 7), axis=2, outputs=3),
    case("RMSNormalization", IMAGE, floats(7), opset=23),
    case("RMSNormalization", IMAGE, floats(9, 7), opset=23, axis=2, epsilon=0.1),
    case("RMSNormalization", IMAGE, floats(2, 1, 9, 7), opset=23),
    case("BatchNormalization", IMAGE, *(np.abs(floats(3, seed=s)) for s in range(4))),
    case("BatchNormalization", SQUARE, *(np.abs(floats(6, seed=s)) for s in range(4))),
    case("BatchNormalization", LINE, *(np.abs(floats(3, seed=s)) for s in range(4)), epsilon=0.1),
    case("InstanceNormalization", IMAGE, floats(3), floats(3)),
    *(case("LRN", floats(2, 9, 3, 4), size=size, alpha=0.5, beta=0.6) for size in (1, 3, 5)),
    *(case("LpNormalization", IMAGE, axis=axis, p=p) for axis, p in ((1, 1), (-1, 2))),
]

REDUCTIONS = [
    *(
        case(op, np.abs(IMAGE), i64(1, -1), keepdims=keep)
        for op in ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd")
        for keep in (0, 1)
    ),
    *(case(op, BOOLS, i64(1), opset=20) for op in ("ReduceMax", "ReduceMin")),
    case("ReduceSum", IMAGE),
    case("ReduceSum", IMAGE, noop_with_empty_axes=1),
    case("ReduceMean", IMAGE, opset=13, axes=[2, 3]),
    case("ReduceL1", IMAGE, i64(2)),
    case("ReduceL2", IMAGE, i64(2)),
    case("ReduceSumSquare", IMAGE, i64(2), keepdims=0),
    case("ReduceLogSum", np.abs(IMAGE), i64(2)),
    case("ReduceLogSumExp", IMAGE, i64(1, 2), keepdims=0),
    *(
        case(op, floats(2, 0, 4), i64(1), keepdims=0)
        for op in ("ReduceSum", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceLogSumExp")
    ),
    case("ReduceMax", np.zeros((0, 3), np.int32), i64(0)),
    case("ArgMax", IMAGE, axis=1),
    case("ArgMax", IMAGE, axis=-1, keepdims=0),
    case("ArgMin", IMAGE, axis=2),
]

MOVEMENT = [
    case("Concat", SQUARE, floats(4, 2), fixed=2, axis=1),
    case("Concat", SQUARE, floats(2, 6), axis=-2),
    case("Split", SQUARE, outputs=3, axis=1, num_outputs=3),
    case("Split", SQUARE, i64(1, 3, 2), outputs=3, axis=-1),
    case("Split", SQUARE, outputs=2, opset=11),
    case("Split", SQUARE, i64(0, 6, 0), outputs=3, axis=1),
    case("Split", floats(0), i64(0, 0), outputs=2),
    case("Slice", SQUARE, i64(1, 5), i64(3, -7), None, i64(1, -2)),
    case("Slice", IMAGE, i64(2, -1), i64(100, -(2**63)), i64(2, -1), i64(3, -1)),
    case("Slice", SQUARE, opset=9, starts=[1], ends=[4], axes=[1]),
    case("Reshape", IMAGE, i64(2, -1, 7)),
    case("Reshape", IMAGE, i64(0, 0, -1)),
    case("Flatten", IMAGE),
    case("Flatten", IMAGE, axis=-1),
    case("Squeeze", floats(1, 4, 1), i64(0, -1)),
    case("Squeeze", floats(1, 4, 1)),
    case("Unsqueeze", SQUARE, i64(0, 3)),
    case("Unsqueeze", SQUARE, opset=11, axes=[1]),
    case("Transpose", IMAGE),
    case("Transpose", IMAGE, perm=[0, 2, 3, 1]),
    case("Pad", SQUARE, i64(1, 0, 2, 3), scalar(7.0)),
    case("Pad", IMAGE, i64(1, 2, 3, 4), None, i64(-1, 1)),
    case("Pad", SQUARE, opset=7, pads=[0, 1, 0, 1], value=0.5),
    case("Gather", SQUARE, PLACES),
    case("Gather", SQUARE, PLACES.astype(np.int32), fixed=2, axis=-1),
    case("Gather", SQUARE, np.array(-1, np.int64), axis=1),
    case("Tile", SQUARE, i64(2, 3)),
    case("Expand", floats(4, 1), i64(2, 1, 6)),
    case("Expand", SQUARE, i64(1)),
    case("Dropout", SQUARE),
    case("Dropout", SQUARE, outputs=2),
    case("Cast", SQUARE, to=6),
    case("Cast", SQUARE, to=9),
    case("Cast", ints(4, 6), to=1),
    case("Cast", SQUARE, to=1),
    case("CastLike", SQUARE, ints(1), fixed=2),
]
