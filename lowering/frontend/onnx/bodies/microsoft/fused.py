"""Ops fused with what follows or precedes them, and activations."""

from __future__ import annotations

from collections.abc import Sequence

from .....importers.support.faults import NodeFault, require
from ..builder import Attribute, Inner
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


def _activated(call: NodeCall, value: Inner, numbers: Sequence[float]) -> Inner:
    """Return the value after the activation of the node, if it has one."""
    op = call.get("activation", str)
    if not op:
        return value
    if op not in _ACTIVATIONS:
        raise NodeFault(f"attribute 'activation' is {op}", f"allowed are {', '.join(_ACTIVATIONS)}")
    if op == "Clip":
        require(len(numbers) == 2, "Clip is fused without its two bounds")
        return value.op(op, *numbers)
    return value.op(op, **dict(zip(_ACTIVATIONS[op], numbers, strict=False)))


def _conv(call: NodeCall) -> Inner:
    """Conv, plus Z, and its activation."""
    conv = call["X"].op("Conv", call["W"], call.optional("B"), **call.stated(*_CONV))
    total = conv.plus(call.optional("Z"))
    return _activated(call, total, call.get("activation_params", list))


def _gemm(call: NodeCall) -> Inner:
    attributes = call.stated("alpha", "beta", "transA", "transB")
    value = call["A"].op("Gemm", call["B"], call.optional("C"), **attributes)
    names = [f"activation_{each}" for each in ("alpha", "beta")]
    stated = call.stated(*names)
    return _activated(call, value, [call.get(name, float) for name in names if name in stated])


def _flipped(call: NodeCall, name: str) -> Inner:
    """Return an operand of FusedMatMul with its dims as the product takes them."""
    rank = len(call.shape(name))
    order = [*range(rank)]
    if call.get(f"transBatch{name}", int):
        require(rank >= 3, f"operand {name} has rank {rank}, its batch cannot be transposed")
        # Dim 0 is the row dim of the operand, and the batch dims come before it.
        order = [*order[1:-1], 0, rank - 1]
    if call.get(f"trans{name}", int) and rank > 1:
        order = [*order[:-2], order[-1], order[-2]]
    return call[name].transpose(*order) if order != [*range(rank)] else call[name]


def _matmul(call: NodeCall) -> Inner:
    product, alpha = _flipped(call, "A").op("MatMul", _flipped(call, "B")), call.get("alpha", float)
    return product if alpha == 1.0 else product * alpha


def _gelu(approximate: str, first: str, *terms: str) -> OpSignature:
    """Gelu of the sum of inputs."""

    def build(call: NodeCall) -> Inner:
        value = call[first]
        for term in terms:
            value = value.plus(call.optional(term.rstrip("?")))
        return value.op("Gelu", approximate=approximate)

    return OpSignature(" ".join((first, *terms)), build)


def _quick_gelu(call: NodeCall) -> Inner:
    """x * sigmoid(alpha * x)."""
    x = call["X"]
    return x * (x * call.get("alpha", float)).op("Sigmoid")


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
    "BiasAdd": OpSignature("X bias skip", lambda call: call["X"] + call["bias"] + call["skip"]),
    "BiasGelu": _gelu("none", "A", "B"),
    "FastGelu": _gelu("tanh", "X", "bias?"),
    "QuickGelu": OpSignature("X", _quick_gelu, {"alpha": 1.702}),
}
"""Fused ops, by name."""
