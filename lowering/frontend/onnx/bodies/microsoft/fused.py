"""Ops fused with what follows or precedes them, and activations."""

from __future__ import annotations

from collections.abc import Sequence

from ...support.faults import NodeFault
from ..builder import Attribute
from .call import NodeCall, OpSignature

_CONV: dict[str, Attribute] = {
    **dict.fromkeys(("kernel_shape", "strides", "pads", "dilations"), ()),
    **{"auto_pad": "NOTSET", "group": 1},
}

_ACTIVATIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("Relu", "Tanh", "Sigmoid", "Softplus", "Softsign"), ()),
    **{"LeakyRelu": ("alpha",), "HardSigmoid": ("alpha", "beta"), "Elu": ("alpha",)},
    **{"ThresholdedRelu": ("alpha",), "Clip": ("min", "max")},
}
"""Activations that an op may be fused with, and the names of their numbers."""


def _activated(call: NodeCall, value: str, numbers: Sequence[float]) -> str:
    """Return the value after the activation of the node, if it has one."""
    op = call.get("activation", str)
    if not op:
        return value
    if op not in _ACTIVATIONS:
        raise NodeFault(f"attribute 'activation' is {op}", f"allowed are {', '.join(_ACTIVATIONS)}")
    names = _ACTIVATIONS[op]
    if op == "Clip":
        call.require(len(numbers) == 2, "Clip is fused without its two bounds")
        return call.emit(op, value, *(call.scalar(number, value) for number in numbers))
    return call.emit(op, value, **dict(zip(names, numbers, strict=False)))


def _conv(call: NodeCall) -> list[str]:
    """Conv, plus Z, and its activation."""
    operands = [call["X"], call["W"], call["B"]]
    total = call.plus(call.emit("Conv", *operands, **call.stated(*_CONV)), call["Z"])
    numbers = call.get("activation_params", list)
    return [_activated(call, total, numbers)]


def _gemm(call: NodeCall) -> list[str]:
    attributes = call.stated("alpha", "beta", "transA", "transB")
    value = call.emit("Gemm", call["A"], call["B"], call["C"], **attributes)
    names = [f"activation_{each}" for each in ("alpha", "beta")]
    stated = call.stated(*names)
    return [_activated(call, value, [call.get(name, float) for name in names if name in stated])]


def _flipped(call: NodeCall, name: str) -> str:
    """Return an operand of FusedMatMul with its dims as the product takes them."""
    rank = len(call.shape(name))
    order = [*range(rank)]
    if call.get(f"transBatch{name}", int):
        call.require(rank >= 3, f"operand {name} has rank {rank}, its batch cannot be transposed")
        # Dim 0 is the row dim of the operand, and the batch dims come before it.
        order = [*order[1:-1], 0, rank - 1]
    if call.get(f"trans{name}", int) and rank > 1:
        order = [*order[:-2], order[-1], order[-2]]
    return call.emit("Transpose", call[name], perm=order) if order != [*range(rank)] else call[name]


def _matmul(call: NodeCall) -> list[str]:
    product = call.emit("MatMul", _flipped(call, "A"), _flipped(call, "B"))
    alpha = call.get("alpha", float)
    return [product if alpha == 1.0 else call.emit("Mul", product, call.scalar(alpha, product))]


def _gelu(approximate: str, *terms: str) -> OpSignature:
    """Gelu of the sum of inputs."""

    def build(call: NodeCall) -> list[str]:
        first, *rest = (call[name.rstrip("?")] for name in terms)
        value = first
        for term in rest:
            value = call.plus(value, term)
        return [call.emit("Gelu", value, approximate=approximate)]

    return OpSignature(" ".join(terms), build)


def _bias_add(call: NodeCall) -> list[str]:
    return [call.emit("Add", call.emit("Add", call["X"], call["bias"]), call["skip"])]


def _quick_gelu(call: NodeCall) -> list[str]:
    """x * sigmoid(alpha * x)."""
    x = call["X"]
    scaled = call.emit("Mul", x, call.scalar(call.get("alpha", float), x))
    return [call.emit("Mul", x, call.emit("Sigmoid", scaled))]


_ACTIVATION: dict[str, Attribute] = {"activation": ""}
_MATMUL = OpSignature(
    "A B",
    _matmul,
    {"alpha": 1.0, **dict.fromkeys(("transA", "transB", "transBatchA", "transBatchB"), 0)},
)

FUSED: dict[str, OpSignature] = {
    "FusedConv": OpSignature("X W B? Z?", _conv, {**_CONV, **_ACTIVATION, "activation_params": []}),
    "FusedGemm": OpSignature(
        "A B C?",
        _gemm,
        {
            **{"alpha": 1.0, "beta": 1.0, "transA": 0, "transB": 0, **_ACTIVATION},
            **dict.fromkeys(("activation_alpha", "activation_beta"), 0.0),
        },
    ),
    "FusedMatMul": _MATMUL,
    "TransposeMatMul": _MATMUL,
    "Gelu": _gelu("none", "X"),
    "BiasAdd": OpSignature("X bias skip", _bias_add),
    "BiasGelu": _gelu("none", "A", "B"),
    "FastGelu": _gelu("tanh", "X", "bias?"),
    "QuickGelu": OpSignature("X", _quick_gelu, {"alpha": 1.702}),
}
"""Fused ops, by name."""
