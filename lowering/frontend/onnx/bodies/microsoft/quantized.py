"""Ops on stored integers: reals from their operands, the plain op, integers again.

What remains is the form with QuantizeLinear and DequantizeLinear, which the importers know. Weights
in blocks of few bits, each with its scale, as language models have them, become codes.
"""

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from onnx import TensorProto

from ......dialects.spec_of import Array
from ......dialects.value.dtypes import unpacked
from .....importers.support.registry import BLOCK_OPS, require
from ..body import Attribute, Inner
from .call import NodeCall, OpSignature


def _real(call: NodeCall, name: str, axis: int = 0) -> Inner:
    """Return the reals of an input, whose scale and zero point are named after it."""
    zero = call.optional(f"{name}_zero")
    return call[name].op("DequantizeLinear", call[f"{name}_scale"], zero, axis=axis)


def _stored(call: NodeCall, real: Inner, name: str = "Y") -> Inner:
    return real.op("QuantizeLinear", call[f"{name}_scale"], call.optional(f"{name}_zero"))


def _binary(op: str) -> OpSignature:
    """An op of two operands."""
    return OpSignature(
        "A A_scale A_zero? B B_scale B_zero? Y_scale Y_zero?",
        lambda call: _stored(call, _real(call, "A").op(op, _real(call, "B"))),
    )


def _unary(
    plain: Callable[[NodeCall, Inner], Inner],
    attributes: dict[str, Attribute] | None = None,
    only: dict[str, Attribute] | None = None,
) -> OpSignature:
    """An op of one operand, from the real result of a real one."""
    return OpSignature(
        "X X_scale X_zero? Y_scale Y_zero?",
        lambda call: _stored(call, plain(call, _real(call, "X"))),
        attributes or {},
        only or {},
    )


_POOL: dict[str, Attribute] = {
    **dict.fromkeys(("kernel_shape", "strides", "pads", "dilations"), ()),
    **{"auto_pad": "NOTSET", "ceil_mode": 0, "count_include_pad": 0},
}


def _softmax(call: NodeCall, x: Inner) -> Inner:
    """Softmax along an axis; in opsets before 13 along all dims from the axis on."""
    axis = call.get("axis", int)
    if call.get("opset", int) >= 13:
        return x.op("Softmax", axis=axis)
    shape = call.shape("X")
    require(-len(shape) <= axis < len(shape), f"attribute 'axis' is {axis}")
    rows = prod(shape[: axis % len(shape)])
    flat = x.reshape(rows, -1 if rows else 0)
    return flat.op("Softmax", axis=1).reshape(*shape)


def _mean(call: NodeCall, x: Inner) -> Inner:
    axes = call.get("axes", list)
    where = [call.integers(*axes)] if axes else []
    return x.op("ReduceMean", *where, keepdims=call.get("keepdims", int))


def _concat(call: NodeCall) -> Inner:
    """Join operands, each of which comes with its scale and zero point."""
    parts = [call[f"part{index}"] for index in range(len(call.node.input) - 2)]
    require(len(parts) % 3 == 0, "an operand has no scale or zero point")
    triples = [parts[index : index + 3] for index in range(0, len(parts), 3)]
    first, *rest = (x.op("DequantizeLinear", *encoding) for x, *encoding in triples)
    return _stored(call, first.op("Concat", *rest, axis=call.get("axis", int)))


def _where(call: NodeCall) -> Inner:
    chosen = call["condition"].op("Where", _real(call, "X"), _real(call, "Y"))
    return _stored(call, chosen, "Z")


def _gemm(call: NodeCall) -> Inner:
    """alpha * A * B + C; the scale of C is alpha times those of A and B."""
    flip_a, flip_b = call.get("transA", int), call.get("transB", int)
    alpha, c = call.get("alpha", float), call.optional("C")
    a, b = _real(call, "A"), _real(call, "B", axis=0 if flip_b else 1)
    if c is not None:
        scale = call["A_scale"] * call["B_scale"] * alpha
        c = c.op("DequantizeLinear", scale, axis=0)
    real = a.op("Gemm", b, *([] if c is None else [c]), alpha=alpha, transA=flip_a, transB=flip_b)
    return real if call.optional("Y_scale") is None else _stored(call, real)


def product_of_integers(a: Inner, b: Inner, zeros: Sequence[Inner | None], scale: Inner) -> Inner:
    """Return the reals of the product of stored integers."""
    return a.op("MatMulInteger", b, *zeros).cast(TensorProto.FLOAT) * scale


def _dynamic_matmul(call: NodeCall) -> Inner:
    a, scale, zero = call["A"].ops("DynamicQuantizeLinear", 3)
    zeros = [zero, call.optional("B_zero")]
    product = product_of_integers(a, call["B"], zeros, scale * call["B_scale"])
    return product.plus(call.optional("bias"))


def _matmul_to_float(call: NodeCall) -> Inner:
    scale = call["A_scale"] * call["B_scale"]
    zeros = [call.optional("A_zero"), call.optional("B_zero")]
    return product_of_integers(call["A"], call["B"], zeros, scale).plus(call.optional("bias"))


def _same(op: str) -> OpSignature:
    """An op that ONNX has too, meanwhile with all element types."""
    return OpSignature(
        "x scale zero?",
        lambda call: call["x"].op(
            op, call["scale"], call.optional("zero"), axis=call.get("axis", int)
        ),
        {"axis": 1},
    )


QUANTIZED: dict[str, OpSignature] = {
    "QLinearAdd": _binary("Add"),
    "QLinearMul": _binary("Mul"),
    "QLinearSigmoid": _unary(lambda _, x: x.op("Sigmoid")),
    "QLinearLeakyRelu": _unary(
        lambda call, x: x.op("LeakyRelu", alpha=call.get("alpha", float)), {"alpha": 0.01}
    ),
    "QLinearSoftmax": _unary(_softmax, {"axis": -1, "opset": 13}),
    "QLinearAveragePool": _unary(
        lambda call, x: x.op("AveragePool", **call.stated(*_POOL)), _POOL, {"channels_last": 0}
    ),
    "QLinearGlobalAveragePool": _unary(
        lambda _, x: x.op("GlobalAveragePool"), only={"channels_last": 0}
    ),
    "QLinearReduceMean": _unary(_mean, {"axes": [], "keepdims": 1}),
    "QLinearConcat": OpSignature("Y_scale Y_zero part*", _concat, {"axis": 0}),
    "QLinearWhere": OpSignature(
        "condition X X_scale X_zero Y Y_scale Y_zero Z_scale Z_zero", _where
    ),
    "QGemm": OpSignature(
        "A A_scale A_zero B B_scale B_zero C? Y_scale? Y_zero?",
        _gemm,
        {"alpha": 1.0, "transA": 0, "transB": 0},
    ),
    "DynamicQuantizeMatMul": OpSignature("A B B_scale B_zero? bias?", _dynamic_matmul),
    "MatMulIntegerToFloat": OpSignature(
        "A B A_scale B_scale A_zero? B_zero? bias?", _matmul_to_float
    ),
    "QuantizeLinear": _same("QuantizeLinear"),
    "DequantizeLinear": _same("DequantizeLinear"),
}
"""Ops on stored integers, by name."""


def _matmul(call: NodeCall) -> Inner:
    """A times the weights: codes where A is f32 and blocks fill the rows, else constants."""
    columns, size = call.get("K", int), call.get("block_size", int)
    stored, table, scales, zeros = _codes(call)
    coded = [stored, table, scales, zeros.astype(np.uint8) & np.uint8(len(table) - 1)]
    whole = bool((coded[3] == zeros).all()) and columns % size == 0
    if whole and call.data("scales").dtype == np.float32:
        operands = [*map(call.const, coded)]
        (weights,) = call.emit("DecodeWeights", operands, 1, {}, domain=BLOCK_OPS)
        turned = weights.transpose(1, 0)
    else:
        # A zero point that is not a code is taken off behind: codes have none.
        real = table[unpacked(stored, 8 // call.get("bits", int))]
        parts = (real.reshape(*scales.shape, size) - zeros[..., None]) * scales[..., None]
        constant = call.const(parts.reshape(len(real), -1)[:, :columns].T)
        turned = constant.op("CastLike", call["A"])
    return call["A"].op("MatMul", turned).plus(call.optional("bias"))


def _codes(call: NodeCall) -> tuple[Array, Array, Array, Array]:
    """Return the operands of DecodeWeights, of N rows of whole blocks; zero points as floats."""
    rows, columns = call.get("N", int), call.get("K", int)
    bits, size = call.get("bits", int), call.get("block_size", int)
    require(bits in (2, 4, 8), f"attribute 'bits' is {bits}", "it may be 2, 4 or 8")
    fits = rows > 0 and columns > 0 and size >= 16 and size & (size - 1) == 0
    require(fits, f"{rows} rows of {columns} in blocks of {size} cannot be")
    blocks = -(-columns // size)
    stored, scales = call.data("B"), call.data("scales").astype(np.float32)
    fits = stored.size * 8 == rows * blocks * size * bits and scales.size == rows * blocks
    require(fits, "its weights or scales do not fit 'N', 'K' and 'block_size'")
    table = np.arange(1 << bits, dtype=np.float32)
    zeros = _zeros(call, rows, blocks, bits)
    return stored.reshape(rows, -1), table, scales.reshape(rows, blocks), zeros


def _zeros(call: NodeCall, rows: int, blocks: int, bits: int) -> Array:
    """Return the zero point of each block, by default the middle number of all."""
    if call.optional("zeros") is None:
        return np.full((1, 1), 1 << (bits - 1), np.float32)
    zeros = call.data("zeros")
    if zeros.dtype == np.uint8:
        zeros = unpacked(zeros.reshape(rows, -1), 8 // bits)
    require(zeros.size >= rows * blocks, "its zero points do not fit 'N' and 'K'")
    return zeros.reshape(rows, -1)[:, :blocks].astype(np.float32)


BLOCKWISE: dict[str, OpSignature] = {
    "MatMulNBits": OpSignature(
        "A B scales zeros? g_idx? bias?",
        _matmul,
        {"K": 0, "N": 0, "bits": 4, "block_size": 0, "accuracy_level": 0},
        {"weight_prepacked": 0},
    ),
}
"""Products with blockwise weights, by name."""
