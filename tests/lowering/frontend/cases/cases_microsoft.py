"""Nodes of ONNX Runtime's own ops, one for each form of an op."""

import numpy as np

from ..models import Array, floats, ints
from .case import (
    Case,
    case,
    f32,
    scalar,
)


def u8(*shape: int) -> Array:
    return ints(*shape, low=1, high=200, dtype="uint8")


def i32(*values: int) -> Array:
    return np.array(values, np.int32)


S, T = scalar(0.05), scalar(0.11)
ZERO, TEN = np.asarray(128, np.uint8), np.asarray(10, np.uint8)
IMAGE = u8(1, 4, 6, 6)
ROWS = u8(3, 8)

QUANTIZED = [
    case("QLinearAdd", ROWS, S, ZERO, ROWS[:1], T, TEN, scalar(0.2), ZERO),
    case("QLinearMul", ROWS, S, ZERO, u8(8), T, TEN, scalar(0.5), ZERO),
    case("QLinearSigmoid", ROWS, S, ZERO, scalar(1 / 256), np.asarray(0, np.uint8)),
    case("QLinearLeakyRelu", ROWS, S, ZERO, T, TEN, alpha=0.2),
    case(
        "QLinearSoftmax",
        ROWS,
        S,
        ZERO,
        scalar(1 / 256),
        np.asarray(0, np.uint8),
        axis=-1,
        opset_=13,
    ),
    case("QLinearSoftmax", u8(2, 3, 4), S, ZERO, scalar(0.01), TEN, axis=1, opset_=11),
    case("QLinearAveragePool", IMAGE, S, ZERO, T, TEN, kernel_shape=[2, 2], strides=[2, 2]),
    case("QLinearGlobalAveragePool", IMAGE, S, ZERO, T, TEN, channels_last=0),
    case("QLinearConcat", T, TEN, ROWS, S, ZERO, u8(3, 2), T, TEN, axis=1, fixed=3),
    case("QLinearWhere", ROWS > 90, ROWS, S, ZERO, u8(3, 8), T, TEN, T, ZERO),
    case("QGemm", ROWS, S, ZERO, u8(8, 5), T, TEN, i32(1, -20, 300, 4, 5), scalar(2), ZERO),
    case("QGemm", ROWS, S, ZERO, u8(5, 8), T, TEN, None, None, None, transB=1, alpha=0.5),
    case("QGemm", ROWS, S, ZERO, u8(8, 5), T, TEN, i32(1, 2, 3, 4, 5), alpha=0.5),
    case("DynamicQuantizeMatMul", floats(3, 8), u8(8, 5), S, ZERO, floats(5)),
    case("DynamicQuantizeMatMul", floats(2, 3, 8), ints(8, 5, dtype="int8"), f32(*range(1, 6))),
    case("MatMulIntegerToFloat", ROWS, u8(8, 5), S, T, ZERO, TEN, floats(5)),
    case("MatMulIntegerToFloat", ROWS, u8(8, 5), S, T),
    case("QuantizeLinear", floats(3, 8), S, ZERO),
    case("DequantizeLinear", ROWS, S, ZERO),
]
ONE_ZERO = np.asarray([0], np.int8)
NOT_SYMMETRIC = np.asarray([3, -5], np.int8)


def lstm(directions: int, scale: Array, zero: Array, *states: Array, **attributes) -> Case:
    """Three steps of two rows of five numbers, with 4 numbers of state, on stored weights."""
    w, r = (ints(directions, n, 16, low=-60, high=60, dtype="int8") for n in (5, 4))
    sizes = {"hidden_size": 4, "input_forget": 0, **attributes}
    bias = [floats(directions, 32), None] if states else [None, None]
    inputs = floats(3, 2, 5), w, r, *bias, *(states or (None, None)), None
    weights = (scale, zero, scale, zero)
    return case("DynamicQuantizeLSTM", *inputs, *weights, outputs=3, **sizes)


STATES = floats(1, 2, 4), floats(1, 2, 4, seed=1)
SCALES = np.abs(floats(2, 16)) / 100
RECURRENT = [
    lstm(1, f32(0.01), ONE_ZERO, *STATES),
    lstm(1, f32(0.01), NOT_SYMMETRIC[:1], *STATES, direction="reverse"),
    lstm(2, f32(0.01, 0.02), NOT_SYMMETRIC, direction="bidirectional"),
    lstm(
        *(2, SCALES, np.zeros((2, 16), np.int8)),
        direction="bidirectional",
        activations=["Sigmoid", "Tanh", "Tanh"] * 2,
    ),
]
CONV = (floats(1, 3, 6, 6), floats(4, 3, 3, 3), floats(4))
FUSED = [
    case("FusedConv", *CONV, activation="Relu", pads=[1, 1, 1, 1]),
    case("FusedConv", *CONV, floats(1, 4, 4, 4), activation="Relu"),
    case("FusedConv", *CONV, activation="Clip", activation_params=[-0.5, 1.5]),
    case("FusedConv", *CONV, activation="LeakyRelu", activation_params=[0.2]),
    case("FusedConv", *CONV, activation="HardSigmoid", activation_params=[0.3, 0.4]),
    case("FusedGemm", floats(3, 8), floats(5, 8), floats(5), activation="Relu", transB=1),
    case(
        "FusedGemm",
        *(floats(3, 8), floats(8, 5), floats(5)),
        **{"activation": "LeakyRelu", "activation_alpha": 0.3, "alpha": 2.0},
    ),
    case("FusedMatMul", floats(2, 3, 8), floats(2, 5, 8), fixed=2, transB=1, alpha=0.25),
    case("FusedMatMul", floats(2, 8, 3), floats(8, 5), transA=1),
    case("FusedMatMul", floats(3, 2, 8), floats(2, 8, 5), fixed=2, transBatchA=1),
    case("FusedMatMul", floats(8, 2, 3), floats(2, 8, 5), fixed=2, transBatchA=1, transA=1),
    case("TransposeMatMul", floats(8, 3), floats(8, 5), transA=1),
    case("Gelu", floats(3, 8)),
    case("BiasGelu", floats(3, 8), floats(8)),
    case("FastGelu", floats(3, 8), floats(8)),
    case("FastGelu", floats(3, 8)),
    case("QuickGelu", floats(3, 8)),
    case("QuickGelu", floats(3, 8), alpha=1.0),
]
X, GAMMA, BETA = floats(2, 3, 8), floats(8), floats(8, seed=1)
IDS = np.array([[1, 4, 2], [0, 3, 3]], np.int32)
TABLES = (floats(6, 8), floats(4, 8), floats(2, 8), GAMMA, BETA)
NORMS = [
    case("LayerNormalization", X, GAMMA, BETA, opset=13),
    case("LayerNormalization", X, GAMMA, BETA, opset=13, outputs=3, axis=1, epsilon=1e-3),
    case("SimplifiedLayerNormalization", X, GAMMA, epsilon=1e-6),
    case("SkipLayerNormalization", X, floats(2, 3, 8, seed=1), GAMMA, BETA, fixed=2),
    case("SkipLayerNormalization", X, floats(3, 8), GAMMA, None, BETA, epsilon=1e-5),
    case("SkipSimplifiedLayerNormalization", X, X, GAMMA, BETA, epsilon=1e-5),
    case("EmbedLayerNormalization", IDS, IDS % 2, *TABLES, IDS % 2, fixed=2, outputs=2),
    case("EmbedLayerNormalization", IDS, None, *TABLES[:2], None, *TABLES[3:], outputs=2),
]
WEIGHTS, BIAS = floats(8, 24), floats(24)
PAST = floats(2, 2, 2, 4, 4)
Q, K, V = (floats(2, n, 8, seed=n) for n in (3, 5, 6))
V = V[:, :5]
HALF = floats(2, 2, 5, 4, seed=7)
ATTENTION = [
    case("Attention", X, WEIGHTS, BIAS, num_heads=2),
    case("Attention", X, WEIGHTS, BIAS, num_heads=2, unidirectional=1, scale=0.3),
    case("Attention", X, WEIGHTS, BIAS, np.array([[1, 1, 0], [1, 0, 0]], np.int32), num_heads=2),
    case("Attention", X, WEIGHTS, BIAS, i32(3, 2), num_heads=2),
    case("Attention", X, WEIGHTS, BIAS, i32(3, 2, 1, 0), num_heads=2),
    case("Attention", X, WEIGHTS, BIAS, IDS[:, None].repeat(3, 1) % 2, num_heads=2),
    case("Attention", X, WEIGHTS, BIAS, None, PAST, num_heads=2, unidirectional=1, outputs=2),
    case("Attention", X, WEIGHTS, BIAS, None, None, floats(1, 2, 3, 3), num_heads=2),
    case("Attention", X, floats(8, 20), floats(20), num_heads=2, qkv_hidden_sizes=[8, 8, 4]),
    case("QAttention", u8(2, 3, 8), u8(8, 24), BIAS, S, S, None, ZERO, ZERO, num_heads=2),
    case("MultiHeadAttention", Q, K, V, fixed=3, num_heads=2),
    case("MultiHeadAttention", Q, K, V, BIAS, i32(5, 4), fixed=3, num_heads=2),
    case("MultiHeadAttention", Q, K, V, None, None, floats(1, 2, 3, 5), fixed=3, num_heads=2),
    case("MultiHeadAttention", Q, HALF, HALF, fixed=3, num_heads=2),
    case(
        "MultiHeadAttention",
        *(Q, Q, Q, None, None, None, PAST[0], PAST[1]),
        **{"num_heads": 2, "unidirectional": 1, "outputs": 3, "fixed": 3},
    ),
]
COS, SIN = floats(16, 4), floats(16, 4, seed=1)
STEPS = np.arange(5, dtype=np.int64)[None].repeat(2, 0) + 1
ROTARY = [
    case("RotaryEmbedding", floats(2, 5, 24), STEPS, COS, SIN, fixed=2),
    case("RotaryEmbedding", floats(2, 3, 5, 8), STEPS, COS, SIN),
    case("RotaryEmbedding", floats(2, 5, 24), np.array([3]), COS, SIN, fixed=2, interleaved=1),
    case(
        *("RotaryEmbedding", floats(2, 5, 24), STEPS, COS[:, :2], SIN[:, :2]),
        **{"num_heads": 3, "rotary_embedding_dim": 4},
    ),
]
TOTAL = np.array(5, np.int32)
STEP = (floats(2, 1, 32), floats(2, 1, 16), floats(2, 1, 16, seed=2))
PROMPT = (floats(2, 5, 32), floats(2, 5, 16), floats(2, 5, 16, seed=3))
MORE = (floats(1, 3, 32), floats(1, 3, 16), floats(1, 3, 16, seed=3))
GROUPS = {"num_heads": 4, "kv_num_heads": 2, "outputs": 3}


def cache(*shape: int) -> tuple[Array, Array]:
    return floats(*shape), floats(*shape, seed=1)


def turned(width: int) -> tuple[Array, Array]:
    return floats(16, width), floats(16, width, seed=1)


GROUPED = [
    case("GroupQueryAttention", *STEP, *cache(2, 2, 4, 8), i32(4, 4), TOTAL, fixed=6, **GROUPS),
    case("GroupQueryAttention", *PROMPT, None, None, i32(4, 4), TOTAL, fixed=3, **GROUPS),
    case("GroupQueryAttention", *PROMPT, None, None, i32(4, 2), TOTAL, fixed=6, **GROUPS),
    case(
        *("GroupQueryAttention", floats(2, 5, 128), None, None, None, None, i32(4, 4), TOTAL),
        *turned(8),
        **GROUPS,
        do_rotary=1,
    ),
    case(
        *("GroupQueryAttention", *MORE, *cache(1, 2, 4, 8), i32(6), np.array(7, np.int32)),
        *(None, None, None, floats(1, 4, 3, 7)),
        **GROUPS,
        fixed=6,
    ),
]
ROOMY = [
    case("GroupQueryAttention", *STEP, *cache(2, 2, 8, 8), i32(4, 2), TOTAL, fixed=6, **GROUPS),
    case(
        *("GroupQueryAttention", *STEP, *cache(2, 2, 8, 8), i32(4, 2), TOTAL),
        **{"fixed": 6, "local_window_size": 3, "softcap": 2.0, "scale": 0.3, **GROUPS},
    ),
    case(
        *("GroupQueryAttention", floats(2, 1, 128), None, None, *cache(2, 2, 8, 16), i32(4, 3)),
        *(TOTAL, *turned(8)),
        **{"fixed": 6, "do_rotary": 1, "rotary_interleaved": 1, **GROUPS},
    ),
]
"""Caches with room behind their steps, where ONNX Runtime leaves what was there."""
PACKED = ints(5, 3, 8, low=1, high=255, dtype="uint8")
BLOCKWISE = [
    case("MatMulNBits", floats(2, 40), PACKED, floats(15), K=40, N=5, bits=4, block_size=16),
    case(
        "MatMulNBits", floats(2, 48), PACKED, floats(15), u8(10), K=48, N=5, bits=4, block_size=16
    ),
    case("MatMulNBits", floats(2, 32), u8(5, 2, 16), floats(10), K=32, N=5, bits=8, block_size=16),
]
ALL: list[Case] = [
    *QUANTIZED,
    *RECURRENT,
    *FUSED,
    *NORMS,
    *ATTENTION,
    *ROTARY,
    *GROUPED,
    *BLOCKWISE,
]
