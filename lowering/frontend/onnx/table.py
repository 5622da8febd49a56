"""Every op that can be imported, with its importer."""

from __future__ import annotations

from ...packages.importers import Importer, OpKey
from .folding import SHAPE_ONLY
from .ops import (
    activation,
    blocks,
    convolution,
    elementwise,
    linear,
    movement,
    norm,
    pooling,
    quantization,
    recurrent,
    reduction,
)
from .ops.shapes import must_be_static
from .schemas import DOMAIN

ONNX: dict[str, Importer] = {
    **{op: elementwise.unary(name) for op, name in elementwise.UNARY.items()},
    **{op: elementwise.binary(name) for op, name in elementwise.BINARY.items()},
    **{op: elementwise.folded_left(name) for op, name in elementwise.FOLDED_LEFT.items()},
    "Mean": elementwise.mean,
    "Pow": elementwise.power,
    "Mod": elementwise.modulo,
    "Where": elementwise.where,
    "LeakyRelu": activation.leaky_relu,
    "Elu": activation.elu,
    "PRelu": activation.prelu,
    "Gelu": activation.gelu,
    "HardSigmoid": activation.hard_sigmoid,
    "Softsign": activation.softsign,
    "Mish": activation.mish,
    "Selu": activation.selu,
    "Clip": activation.clip,
    "Conv": convolution.conv,
    "ConvTranspose": convolution.conv_transpose,
    "MaxPool": pooling.max_pool,
    "AveragePool": pooling.average_pool,
    "GlobalAveragePool": pooling.global_average_pool,
    "GlobalMaxPool": pooling.global_max_pool,
    "Gemm": linear.gemm,
    "MatMul": linear.matmul,
    "Softmax": norm.softmax_like("Softmax"),
    "LogSoftmax": norm.softmax_like("LogSoftmax"),
    "LayerNormalization": norm.layer_norm,
    "RMSNormalization": norm.rms_norm,
    "BatchNormalization": norm.batch_norm,
    "InstanceNormalization": norm.instance_norm,
    **{op: reduction.reduce_by(name) for op, name in reduction.REDUCE.items()},
    **reduction.COMPOSED,
    "ReduceLogSumExp": reduction.log_sum_exp,
    "ArgMax": reduction.index_of("Argmax"),
    "ArgMin": reduction.index_of("Argmin"),
    "Identity": movement.forwarded,
    "Dropout": movement.dropout,
    "Concat": movement.concat,
    "Split": movement.split,
    "Slice": movement.strided_slice,
    "Reshape": movement.reshape,
    "Flatten": movement.reshape,
    "Squeeze": movement.reshape,
    "Unsqueeze": movement.reshape,
    "Transpose": movement.transpose,
    "Pad": movement.pad,
    "Gather": movement.gather,
    "Tile": movement.tile,
    "Expand": movement.expand,
    "Cast": quantization.cast,
    "CastLike": quantization.cast_like,
    "QuantizeLinear": quantization.quantize,
    "DequantizeLinear": quantization.dequantize,
    "LSTM": recurrent.recurrent("Lstm"),
    "GRU": recurrent.recurrent("Gru"),
}
"""ONNX's own ops."""

BLOCK_OPS: dict[str, Importer] = {
    "Buffer": blocks.buffer,
    "MaskedSoftmax": blocks.masked_softmax,
    "StatefulLstm": recurrent.recurrent("Lstm", stateful=True),
    "StatefulGru": recurrent.recurrent("Gru", stateful=True),
}
"""Those of the block ops' domain."""

IMPORTERS: dict[OpKey, Importer] = {
    **dict.fromkeys(SHAPE_ONLY, must_be_static),
    **{("", op): importer for op, importer in ONNX.items()},
    **{(DOMAIN, op): importer for op, importer in BLOCK_OPS.items()},
}
"""By domain and op type."""
