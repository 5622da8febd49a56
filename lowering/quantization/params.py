"""The encodings of a graph's constants: weights per output channel, biases in i32, the rest whole.

Source: QNN op definitions, per-axis quantised weights and their biases.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.qti_aisw import ConstOp, GraphOp
from ...dialects.value import DType, Quant
from ...runtime.functions.support.arrays import Array
from ...runtime.kernel.library import graph_operands
from ...runtime.program.boundary import main_function
from .encodings import Encoding, grid, symmetric
from .groups import is_real

_RECURRENT = ("Lstm", "Gru", "StatefulLstm", "StatefulGru")

WEIGHTS = {
    ("Conv2d", "filter"): 3,
    ("DepthWiseConv2d", "filter"): 3,
    ("TransposeConv2d", "filter"): 3,
    ("FullyConnected", "weights"): 0,
    **{(op, slot): 1 for op in _RECURRENT for slot in ("W", "R")},
}
"""The dim of the output channels of each op's weights."""

WEIGHTS_OF = dict(WEIGHTS.keys())
"""The operand that is an op's weights."""

OFFSETS = {
    ("LayerNorm", "beta"),
    ("RmsNorm", "beta"),
    ("Batchnorm", "bias"),
    *((op, slot) for op in _RECURRENT for slot in ("B", "P")),
}
"""The operands that are i32 on a grid of their own."""

FLOAT_OPS = frozenset({"Custom"})
"""The ops that stay unchanged: those of op packages."""

BIASES = {(op, "bias") for op, _ in WEIGHTS}
"""The operands that are i32 in steps of the data's scale times the weights'."""


def mnemonic(op: GraphOp) -> str:
    """Return the name of a graph op as tables know it."""
    return op.name.rpartition(".")[2]


def constant_operands(op: GraphOp) -> Iterator[tuple[str, SSAValue, Array]]:
    """Yield name, value and data of each f32 constant that an op reads."""
    for slot, value in graph_operands(op):
        if value is not None and isinstance(value.owner, ConstOp) and is_real(value):
            yield slot, value, value.owner.array


def param_encodings(
    module: ModuleOp,
    names: Mapping[SSAValue, str],
    dtype: DType,
    activations: Mapping[str, Encoding] | None = None,
    floors: Mapping[SSAValue, float] | None = None,
) -> dict[str, Encoding]:
    """Encode the constants of the ops that can be quantised, by name.

    Biases are left out, and what two readers want otherwise: each reader encodes them as its own.
    Weights are encoded for the biases that they have beside data of these `activations`, and what
    has a floor as if no number was below it.
    """
    wanted: dict[str, list[Encoding | None]] = {}
    for op in main_function(module).body.block.ops:
        if not isinstance(op, GraphOp) or op.keeps_encoding or mnemonic(op) in FLOAT_OPS:
            continue
        for slot, value, array in constant_operands(op):
            if floors and value in floors:
                array = np.maximum(array, floors[value])
            is_own = (mnemonic(op), slot) in BIASES or not np.isfinite(array).all()
            own = None if is_own else param_encoding(mnemonic(op), slot, array, dtype)
            data = (activations or {}).get(names.get(op.operands[0], ""))
            if own is not None and data is not None:
                own = beside_bias(own, op, slot, data)
            wanted.setdefault(names[value], []).append(own)
    firsts = {name: each[0] for name, each in wanted.items() if each[1:] == each[:-1]}
    return {name: encoding for name, encoding in firsts.items() if encoding is not None}


def param_encoding(op: str, slot: str, array: Array, dtype: DType) -> Encoding:
    """Encode a constant by what the op reads it as; `dtype` is that of activations."""
    if (op, slot) in WEIGHTS:
        axis = WEIGHTS[op, slot]
        others = tuple(dim for dim in range(array.ndim) if dim != axis)
        limits = np.abs(array).max(axis=others, initial=0.0)
        return symmetric([float(limit) for limit in limits], DType.QInt8, axis)
    if (op, slot) in OFFSETS:
        return symmetric([float(np.abs(array).max(initial=0.0))], DType.QInt32)
    return grid(float(array.min(initial=0.0)), float(array.max(initial=0.0)), dtype)


def own_encodings(op: GraphOp, slot: str, array: Array, data: Encoding) -> Iterator[Encoding]:
    """Yield how a constant may be encoded: as the op reads it, each number on a grid of its own."""
    dtype = data.dtype
    yield beside_bias(param_encoding(mnemonic(op), slot, array, dtype), op, slot, data)
    if array.ndim and array.size == array.shape[-1]:
        each = [grid(number, number, dtype).quant for number in array.reshape(-1).tolist()]
        scales, zeros = zip(*((q.scale, q.zero_point) for q in each if q), strict=True)
        yield Encoding(dtype, Quant(scales, zeros, array.ndim - 1))


def beside_bias(encoding: Encoding, op: GraphOp, slot: str, data: Encoding) -> Encoding:
    """Widen the steps of weights until their constant bias fits i32 in steps of the product.

    That is half of i32, so that the sum of products fits beside it. A bias in other steps is one
    that QLinearConv, and a device, would add as if it were in these.
    """
    bias = op.named_operands().get("bias") if (mnemonic(op), slot) in WEIGHTS else None
    if bias is None or not isinstance(bias.owner, ConstOp) or not (data.quant and encoding.quant):
        return encoding
    scales = encoding.quant.scales
    reach = np.abs(bias.owner.array.astype(np.float64)).reshape(-1, len(scales)).max(axis=0)
    least = np.nextafter(
        (reach / (data.quant.scale * 2**30)).astype(np.float32), np.float32(np.inf)
    )
    wider = tuple(float(scale) for scale in np.maximum(scales, least))
    return replace(encoding, quant=replace(encoding.quant, scales=wider))


def bias_encoding(bias: Array, data: Quant, weights: Quant) -> Encoding:
    """Encode a bias in steps of the product of scales; coarser ones where it does not fit i32."""
    steps = np.resize(np.asarray(weights.scales) * data.scale, bias.shape)
    limits = np.maximum(np.abs(bias.astype(np.float64)), steps * np.iinfo(np.int32).max)
    return symmetric([float(limit) for limit in limits], DType.QInt32, 0)
