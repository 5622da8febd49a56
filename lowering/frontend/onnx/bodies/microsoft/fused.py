"""Ops fused with what follows or precedes them, and activations.

Normalisations come with the sums in front of them and the embeddings that they follow.
"""

from collections.abc import Callable, Sequence

from onnx import TensorProto

from .....importers.support.registry import NodeFault, require
from ..body import Attribute, Inner
from .call import NodeCall, OpSignature


def _layer(call: NodeCall) -> list[Inner]:
    count = 1 + max((i for i, name in enumerate(call.node.output) if name), default=0)
    operands, attributes = (call["scale"], call.optional("B")), call.stated("axis", "epsilon")
    return call["X"].ops("LayerNormalization", count, *operands, **attributes)


def _simplified(call: NodeCall) -> Inner:
    return call["X"].op("RMSNormalization", call["scale"], **call.stated("axis", "epsilon"))


def _skip(op: str) -> Callable[[NodeCall], list[Inner | None]]:
    """A normalisation of a sum, and the sum."""

    def build(call: NodeCall) -> list[Inner | None]:
        total = (call["X"] + call["skip"]).plus(call.optional("bias"))
        beta = [call.optional("beta")] if op == "LayerNormalization" else []
        normal = total.op(op, call["gamma"], *beta, epsilon=call.get("epsilon", float))
        return [normal, None, None, total]

    return build


def _embeddings(call: NodeCall) -> list[Inner]:
    """Sum rows for words, positions and segments and normalise; count the mask of each sequence.

    Without position numbers, the first positions are taken in their order.
    """
    ids, segments, mask = call["ids"], call.optional("segments"), call.optional("mask")
    batch, length = call.shape("ids")
    positions = call.integers(*range(length))
    total = call["words"].op("Gather", ids)
    total = total + call["places"].op("Gather", call.optional("positions") or positions)
    if segments is not None:
        total = total + call["kinds"].op("Gather", segments)
    operands, epsilon = (call["gamma"], call["beta"]), call.get("epsilon", float)
    normal = total.op("LayerNormalization", *operands, epsilon=epsilon)
    # The number of ones in each row of the mask, 0 without a mask.
    if mask is None:
        lengths = call.integers(*[0] * batch).cast(TensorProto.INT32)
    else:
        ones = mask.cast(TensorProto.INT32)
        lengths = ones.op("ReduceSum", call.integers(1), keepdims=0)
    return [normal, lengths, total]


_EPSILON = {"epsilon": 1e-12}

NORMS: dict[str, OpSignature] = {
    "LayerNormalization": OpSignature(
        "X scale B?", _layer, {"axis": -1, "epsilon": 1e-5}, {"stash_type": 1}
    ),
    "SimplifiedLayerNormalization": OpSignature(
        "X scale", _simplified, {"axis": -1, "epsilon": 1e-5}, {"stash_type": 1}
    ),
    "SkipLayerNormalization": OpSignature(
        "X skip gamma beta? bias?", _skip("LayerNormalization"), _EPSILON
    ),
    "SkipSimplifiedLayerNormalization": OpSignature(
        "X skip gamma bias?", _skip("RMSNormalization"), _EPSILON
    ),
    "EmbedLayerNormalization": OpSignature(
        "ids segments? words places kinds? gamma beta mask? positions?",
        _embeddings,
        {**_EPSILON, "mask_index_type": 0},
    ),
}
"""Normalisations, by name."""


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
