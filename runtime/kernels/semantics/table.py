"""The reference semantics of all ops by mnemonic: graph form, raw native form and core form.

A row binds a plain function by the function's annotations:

    semantics(conv.conv2d, "stride pad_amount dilation group", factors=2, channel=-1)

Parameters that are annotated as arrays take the op's operands in order; `| None` marks one that
may be absent, `Sequence[Array]` takes all of them. The others take the op's params named in the
text, in order, and are read as their annotations say; one that the op lacks keeps its default.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from inspect import unwrap
from typing import get_type_hints

import numpy as np
from numpy.typing import NDArray

from ....dialects.htp import CORE_OF
from ....dialects.registrar import Table
from ....dialects.value.dtypes import Bytes
from ...functions import (
    conv,
    elementwise,
    image,
    linear,
    movement,
    norm,
    pool,
    quantize,
    reduce,
    rnn,
)
from ...functions.support.arrays import Array, Bools, Pads, Pair
from ...functions.training import adam, softmax_cross_entropy
from ...functions.transformers import (
    attention,
    masked_softmax,
    paged_attention,
    rotary_embedding,
    routed_experts,
)
from .semantics import Function, Inputs, Params, Semantics

Integers = NDArray[np.integer]
Operand = Callable[[Array], Array]
Param = Callable[[Params, str], object]


def _same(array: Array) -> Array:
    return array


def _integers(array: Array) -> Array:
    """Wide enough for all integer dtypes."""
    return array.astype(np.int64, copy=False)


_OPERANDS: dict[object, Operand] = {
    Array: _same,
    Array | None: _same,
    Bools: lambda array: array.astype(bool),
    Integers: _integers,
    Integers | None: _integers,
    Bytes: lambda array: array.astype(np.uint8, copy=False),
}
_PARAMS: dict[object, Param] = {
    int: Params.integer,
    float: Params.real,
    bool: Params.flag,
    float | None: Params.bound,
    Pair: Params.pair,
    Pads: Params.pairs,
    Sequence[Pair]: Params.pairs,
    Sequence[int]: Params.ints,
    tuple[int, ...]: Params.ints,
    Sequence[tuple[int, int, int]]: Params.triples,
}


def semantics(
    function: Callable[..., Array | Sequence[Array]],
    params: str = "",
    *,
    moves: bool = False,
    factors: int = 0,
    channel: int | None = None,
) -> Semantics:
    """Make the semantics; `params` names the op's params in the order of the function's own."""
    return Semantics(bound(function, params), moves, factors, channel)


def bound(function: Callable[..., Array | Sequence[Array]], params: str = "") -> Function:
    """Read the function's annotations once, and its arguments from operands and params per call."""
    hints = get_type_hints(unwrap(function))
    del hints["return"]
    variadic = Sequence[Array] in hints.values()
    operands = [_OPERANDS[hint] for hint in hints.values() if hint in _OPERANDS]
    rest = [name for name, hint in hints.items() if hint not in (*_OPERANDS, Sequence[Array])]
    readers = [
        (name, named, _reader(hints[name]))
        for name, named in zip(rest, params.split(), strict=False)
    ]

    def run(inputs: Inputs, values: Params) -> Sequence[Array]:
        arrays = [
            None if array is None else convert(array)
            for array, convert in zip(inputs, operands, strict=False)
        ]
        arrays += [None] * (len(operands) - len(arrays))
        arguments = {name: read(values, named) for name, named, read in readers if named in values}
        result = function(*([inputs] if variadic else arrays), **arguments)
        return [result] if isinstance(result, np.ndarray) else result

    return run


def _reader(hint: object) -> Param:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return partial(_choice, hint)
    return _PARAMS[hint]


def _choice(kind: type[Enum], params: Params, name: str) -> Enum:
    return params.choice(name, kind)


def _identity(x: Array) -> Array:
    return x


def _gather_flat(x: Array, indices: NDArray[np.integer], axis: int) -> Array:
    """Native indices have rank 4, of which the result has one axis."""
    return movement.gather(x, indices.reshape(-1), axis)


def _scatter_rows(
    x: Array,
    indices: NDArray[np.integer],
    updates: Array,
    axis: int,
    reduction: movement.Reduction,
) -> Array:
    """Native tuples name the dims from the axis on; those before it have extent 1."""
    return movement.scatter_nd(x.reshape(x.shape[axis:]), indices, updates, reduction)


def _of_ranks(function: Function, ranks: Sequence[int]) -> Function:
    """Drop the dims of 1 that native level puts before an operand's own."""

    def run(inputs: Inputs, params: Params) -> Sequence[Array]:
        trimmed = [
            value if value is None else value.reshape(value.shape[value.ndim - rank :])
            for value, rank in zip(inputs, ranks, strict=True)
        ]
        return function(trimmed, params)

    return run


def _joined(function: Function) -> Function:
    """Join the recurrent weights that stay in TCM, the last operand, and the others, the third."""

    def run(inputs: Inputs, params: Params) -> Sequence[Array]:
        x, w, rest, *others, pinned = inputs
        return function([x, w, np.concatenate([pinned, rest], axis=-1), *others], params)

    return run


_CORE: Table[Semantics] = Table(
    {
        **{name: semantics(function) for name, function in elementwise.UNARY.items()},
        **{name: semantics(function) for name, function in elementwise.BINARY.items()},
        "Select": semantics(elementwise.select, moves=True),
    },
    *("htp.", "has no function", "add a row to a table in runtime/functions/elementwise.py"),
)
_ELEMENTWISE: dict[str, Semantics] = {
    **_CORE,
    **{raw: _CORE[core] for raw, core in CORE_OF.items()},
    "BiasAdd": _CORE["Add"],
    "Elu": semantics(elementwise.elu, "alpha"),
    "LeakyRelu": semantics(elementwise.leaky_relu, "alpha"),
    "Swish": semantics(elementwise.swish, "alpha"),
    "Prelu": semantics(elementwise.prelu),
    "Clamp": semantics(elementwise.clamp, "min max"),
}
_WINDOW = "stride pad_amount dilation group"
_POOL = "filter_size stride pad_amount rounding_mode count_pad_for_edges"
_SHARED: dict[str, Semantics] = {
    **_ELEMENTWISE,
    "Conv2d": semantics(conv.conv2d, _WINDOW, factors=2, channel=-1),
    "DepthWiseConv2d": semantics(conv.depthwise_conv2d, _WINDOW, factors=2, channel=-1),
    "TransposeConv2d": semantics(
        conv.transpose_conv2d, "stride pad_amount output_padding group", factors=2, channel=-1
    ),
    "PoolMax2d": semantics(pool.max_pool2d, _POOL, moves=True),
    "PoolAvg2d": semantics(pool.avg_pool2d, _POOL, factors=1),
    "Resize": semantics(
        image.resize,
        "size interpolation_mode transformation_mode nearest_mode exclude_outside cubic_coeff",
    ),
    "DepthToSpace": semantics(image.depth_to_space, "block_size mode", moves=True),
    "SpaceToDepth": semantics(image.space_to_depth, "block_size mode", moves=True),
    "FullyConnected": semantics(linear.fully_connected, factors=2, channel=-2),
    "DecodeWeights": semantics(quantize.decode_weights),
    "CodedFullyConnected": semantics(quantize.coded_fully_connected),
    "MatMul": semantics(linear.matmul, "transpose_in0 transpose_in1", factors=2),
    "Attention": semantics(attention, "scale softcap first last"),
    "Softmax": semantics(norm.softmax, "axis beta"),
    "LogSoftmax": semantics(norm.log_softmax, "axis beta"),
    "LayerNorm": semantics(norm.layer_norm, "axes epsilon"),
    "RmsNorm": semantics(norm.rms_norm, "axes epsilon"),
    "Batchnorm": semantics(norm.batchnorm),
    **{
        f"Reduce{kind}": semantics(
            function,
            "axes keep_dims",
            moves=kind in ("Max", "Min"),
            factors=int(kind in ("Sum", "Mean")),
        )
        for kind, function in reduce.REDUCE.items()
    },
    "Argmax": semantics(reduce.argmax, "axis keep_dims"),
    "Argmin": semantics(reduce.argmin, "axis keep_dims"),
    "TopK": semantics(reduce.top_k, "k largest"),
    "Concat": semantics(movement.concat, "axis", moves=True),
    "StridedSlice": semantics(movement.strided_slice, "ranges", moves=True),
    "Transpose": semantics(movement.transpose, "perm", moves=True),
    "Pad": semantics(movement.pad, "pad_amount pad_constant_value"),
    "Tile": semantics(movement.tile, "multiples", moves=True),
    # Conversions compute nothing: the result's own encoding does it all.
    "Cast": semantics(_identity),
    "BitCast": semantics(_identity, moves=True),
    "Quantize": semantics(_identity),
    "Dequantize": semantics(_identity),
}

_SUPPRESSION = "iou_threshold score_threshold max_boxes_selected"
_RNN = "direction clip"
_ADAM = "beta1 beta2 epsilon weight_decay decoupled epsilon_hat"
RECURRENT: dict[str, Semantics] = {
    "Lstm": Semantics(_of_ranks(bound(rnn.lstm, f"{_RNN} input_forget"), (3, 3, 3, 2, 1, 3, 3, 2))),
    "Gru": Semantics(_of_ranks(bound(rnn.gru, f"{_RNN} linear_before_reset"), (3, 3, 3, 2, 1, 3))),
}
"""Recurrent layers; graph ops pass their operands by name, and keep state."""

GRAPH_SEMANTICS: dict[str, Semantics] = {
    **_SHARED,
    "ReluMinMax": semantics(elementwise.clamp, "min_value max_value"),
    "Split": semantics(movement.split, "axis split_index", moves=True),
    "Reshape": semantics(movement.reshape, "shape", moves=True),
    "Gather": semantics(movement.gather, "axis", moves=True),
    "ScatterNd": semantics(movement.scatter_nd, "reduction"),
    "NonMaxSuppression": semantics(image.non_max_suppression, _SUPPRESSION),
    "PagedAttention": semantics(paged_attention, "scale softcap first last"),
    "MaskedSoftmax": semantics(masked_softmax, "mode"),
    "SoftmaxCrossEntropy": semantics(softmax_cross_entropy, "axis ignored reduction"),
    "RoutedExperts": semantics(routed_experts, "k activation routing"),
    "Adam": semantics(adam, _ADAM),
    "RotaryEmbedding": semantics(rotary_embedding, "interleaved"),
}
"""Graph ops whose operands go by position; names of native core forms are among the keys."""

_CLAMP = bound(elementwise.clamp, "min max")
_GELU = bound(elementwise.UNARY["Gelu"])
_DENSE = semantics(conv.conv2d, "stride", factors=2, channel=-1)
_DEPTHWISE = semantics(conv.depthwise_conv2d, "stride", factors=2, channel=-1)

NATIVE_SEMANTICS: dict[str, Semantics] = {
    **_SHARED,
    **RECURRENT,
    **{f"{name}.pinned": Semantics(_joined(row.function)) for name, row in RECURRENT.items()},
    "ReluMinMax": _SHARED["Clamp"],
    "Gather": semantics(_gather_flat, "axis", moves=True),
    "ScatterNd": semantics(_scatter_rows, "axis reduction"),
    "NonMaxSuppression": Semantics(
        _of_ranks(bound(image.non_max_suppression, _SUPPRESSION), (3, 3))
    ),
    "FullyConnected.clamp": replace(_SHARED["FullyConnected"], finish=_CLAMP),
    "FullyConnected.gelu": replace(_SHARED["FullyConnected"], finish=_GELU),
    "Conv2d_valid": _DENSE,
    "ConvLayer_valid": _DENSE,
    "ConvLayer_valid.clamp": replace(_DENSE, finish=_CLAMP),
    "DepthwiseConvLayer_valid": _DEPTHWISE,
    "DepthwiseConvLayer_valid.clamp": replace(_DEPTHWISE, finish=_CLAMP),
    "TransposeConvLayer_valid": semantics(conv.transpose_conv2d, "stride", factors=2, channel=-1),
    "Resize_places": semantics(
        image.resize_places,
        "rows columns interpolation_mode nearest_mode exclude_outside cubic_coeff",
    ),
    "ResizeNearestNeighbor_shape": semantics(image.repeated, "factor", moves=True),
    "DepthToSpace_shape": semantics(image.depth_to_space, "block mode", moves=True),
    "SpaceToDepth_shape": semantics(image.space_to_depth, "block mode", moves=True),
    "MaxPool_valid": semantics(pool.max_pool2d, "window stride"),
    "AvgPool_valid": semantics(pool.avg_pool2d, "window stride", factors=1),
}
"""Native ops; names that only graph ops have are among the keys."""
