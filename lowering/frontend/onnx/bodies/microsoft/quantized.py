"""Ops on stored integers: reals from their operands, the plain op, integers again.

What remains is the form with QuantizeLinear and DequantizeLinear, which the importers know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from onnx import TensorProto

from ..builder import Attribute
from .call import NodeCall, OpSignature

Plain = Callable[[NodeCall, str], str]
"""Builds the real result of a real operand."""


def _real(call: NodeCall, name: str, axis: int = 0) -> str:
    """Return the reals of an input, whose scale and zero point are named after it."""
    scale, zero = call[f"{name}_scale"], call[f"{name}_zero"]
    return call.emit("DequantizeLinear", call[name], scale, zero, axis=axis)


def _stored(call: NodeCall, real: str, name: str = "Y") -> list[str]:
    return [call.emit("QuantizeLinear", real, call[f"{name}_scale"], call[f"{name}_zero"])]


def _binary(op: str) -> OpSignature:
    """An op of two operands."""
    return OpSignature(
        "A A_scale A_zero? B B_scale B_zero? Y_scale Y_zero?",
        lambda call: _stored(call, call.emit(op, _real(call, "A"), _real(call, "B"))),
    )


def _unary(
    plain: Plain,
    attributes: dict[str, Attribute] | None = None,
    only: dict[str, Attribute] | None = None,
) -> OpSignature:
    """An op of one operand."""
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


def _average(call: NodeCall, x: str) -> str:
    return call.emit("AveragePool", x, **call.stated(*_POOL))


def _leaky(call: NodeCall, x: str) -> str:
    return call.emit("LeakyRelu", x, alpha=call.get("alpha", float))


def _softmax(call: NodeCall, x: str) -> str:
    """Softmax along an axis; in opsets before 13 along all dims from the axis on."""
    axis = call.get("axis", int)
    if call.get("opset", int) >= 13:
        return call.emit("Softmax", x, axis=axis)
    shape = call.shape("X")
    call.require(-len(shape) <= axis < len(shape), f"attribute 'axis' is {axis}")
    rows = prod(shape[: axis % len(shape)])
    flat = call.emit("Reshape", x, call.integers(rows, -1 if rows else 0))
    return call.emit("Reshape", call.emit("Softmax", flat, axis=1), call.integers(*shape))


def _mean(call: NodeCall) -> list[str]:
    axes = call.get("axes", list)
    where = [call.integers(*axes)] if axes else []
    mean = call.emit("ReduceMean", _real(call, "X"), *where, keepdims=call.get("keepdims", int))
    return _stored(call, mean)


def _concat(call: NodeCall) -> list[str]:
    """Join operands, each of which comes with its scale and zero point."""
    parts = [call[f"part{index}"] for index in range(len(call.node.input) - 2)]
    call.require(len(parts) % 3 == 0, "an operand has no scale or zero point")
    triples = [parts[index : index + 3] for index in range(0, len(parts), 3)]
    reals = [call.emit("DequantizeLinear", *triple) for triple in triples]
    return _stored(call, call.emit("Concat", *reals, axis=call.get("axis", int)))


def _where(call: NodeCall) -> list[str]:
    chosen = call.emit("Where", call["condition"], _real(call, "X"), _real(call, "Y"))
    return _stored(call, chosen, "Z")


def _gemm(call: NodeCall) -> list[str]:
    """alpha * A * B + C; the scale of C is alpha times those of A and B."""
    flip_a, flip_b = call.get("transA", int), call.get("transB", int)
    alpha = call.get("alpha", float)
    operands = [_real(call, "A"), _real(call, "B", axis=0 if flip_b else 1)]
    if call["C"]:
        scale = call.emit("Mul", call["A_scale"], call["B_scale"])
        scale = call.emit("Mul", scale, call.scalar(alpha, scale))
        operands.append(call.emit("DequantizeLinear", call["C"], scale, axis=0))
    real = call.emit("Gemm", *operands, alpha=alpha, transA=flip_a, transB=flip_b)
    return _stored(call, real) if call["Y_scale"] else [real]


def product_of_integers(call: NodeCall, a: str, b: str, zeros: Sequence[str], scale: str) -> str:
    """Return the reals of the product of stored integers."""
    total = call.emit("MatMulInteger", a, b, *zeros)
    return call.emit("Mul", call.emit("Cast", total, to=TensorProto.FLOAT), scale)


def _dynamic_matmul(call: NodeCall) -> list[str]:
    a, scale, zero = call.emit_all("DynamicQuantizeLinear", [call["A"]], 3, {})
    scale = call.emit("Mul", scale, call["B_scale"])
    product = product_of_integers(call, a, call["B"], [zero, call["B_zero"]], scale)
    return [call.plus(product, call["bias"])]


def _matmul_to_float(call: NodeCall) -> list[str]:
    scale = call.emit("Mul", call["A_scale"], call["B_scale"])
    zeros = [call["A_zero"], call["B_zero"]]
    return [call.plus(product_of_integers(call, call["A"], call["B"], zeros, scale), call["bias"])]


def _same(op: str) -> OpSignature:
    """An op that ONNX has too, meanwhile with all element types."""
    return OpSignature(
        "x scale zero?",
        lambda call: [
            call.emit(op, call["x"], call["scale"], call["zero"], axis=call.get("axis", int))
        ],
        {"axis": 1},
    )


QUANTIZED: dict[str, OpSignature] = {
    "QLinearAdd": _binary("Add"),
    "QLinearMul": _binary("Mul"),
    "QLinearSigmoid": _unary(lambda call, x: call.emit("Sigmoid", x)),
    "QLinearLeakyRelu": _unary(_leaky, {"alpha": 0.01}),
    "QLinearSoftmax": _unary(_softmax, {"axis": -1, "opset": 13}),
    "QLinearAveragePool": _unary(_average, _POOL, {"channels_last": 0}),
    "QLinearGlobalAveragePool": _unary(
        lambda call, x: call.emit("GlobalAveragePool", x), only={"channels_last": 0}
    ),
    "QLinearReduceMean": OpSignature(
        "X X_scale X_zero? Y_scale Y_zero?", _mean, {"axes": [], "keepdims": 1}
    ),
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
