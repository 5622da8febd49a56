"""Normalisations, with the sums in front of them and the embeddings that they follow."""

from __future__ import annotations

from onnx import TensorProto

from .call import NodeCall, OpSignature


def _layer(call: NodeCall) -> list[str]:
    count = 1 + max((i for i, name in enumerate(call.node.output) if name), default=0)
    operands = [call["X"], call["scale"], call["B"]]
    return call.emit_all("LayerNormalization", operands, count, call.stated("axis", "epsilon"))


def _simplified(call: NodeCall) -> list[str]:
    return [
        call.emit("RMSNormalization", call["X"], call["scale"], **call.stated("axis", "epsilon"))
    ]


def _skip(call: NodeCall) -> list[str]:
    """LayerNormalization of a sum, and the sum."""
    total = call.plus(call.emit("Add", call["X"], call["skip"]), call["bias"])
    epsilon = call.get("epsilon", float)
    normal = call.emit("LayerNormalization", total, call["gamma"], call["beta"], epsilon=epsilon)
    return [normal, "", "", total]


def _skip_simplified(call: NodeCall) -> list[str]:
    total = call.plus(call.emit("Add", call["X"], call["skip"]), call["bias"])
    epsilon = call.get("epsilon", float)
    return [call.emit("RMSNormalization", total, call["gamma"], epsilon=epsilon), "", "", total]


def _embeddings(call: NodeCall) -> list[str]:
    """Sum rows for words, positions and segments and normalise; count the mask of each sequence.

    Without position numbers, the first positions are taken in their order.
    """
    length = call.shape("ids")[1]
    positions = call.integers(*range(length))
    if call["positions"]:
        positions = call["positions"]
    total = call.emit("Gather", call["words"], call["ids"])
    total = call.emit("Add", total, call.emit("Gather", call["places"], positions))
    if call["segments"]:
        rows = call.emit("Gather", call["kinds"], call["segments"])
        total = call.emit("Add", total, rows)
    epsilon = call.get("epsilon", float)
    normal = call.emit("LayerNormalization", total, call["gamma"], call["beta"], epsilon=epsilon)
    return [normal, _lengths(call), total]


def _lengths(call: NodeCall) -> str:
    """Return the number of ones in each row of the mask, 0 without a mask."""
    if call["mask"]:
        ones = call.emit("Cast", call["mask"], to=TensorProto.INT32)
        return call.emit("ReduceSum", ones, call.integers(1), keepdims=0)
    batch = call.integers(*[0] * call.shape("ids")[0])
    return call.emit("Cast", batch, to=TensorProto.INT32)


_EPSILON = {"epsilon": 1e-12}

NORMS: dict[str, OpSignature] = {
    "LayerNormalization": OpSignature(
        "X scale B?", _layer, {"axis": -1, "epsilon": 1e-5}, {"stash_type": 1}
    ),
    "SimplifiedLayerNormalization": OpSignature(
        "X scale", _simplified, {"axis": -1, "epsilon": 1e-5}, {"stash_type": 1}
    ),
    "SkipLayerNormalization": OpSignature("X skip gamma beta? bias?", _skip, _EPSILON),
    "SkipSimplifiedLayerNormalization": OpSignature(
        "X skip gamma bias?", _skip_simplified, _EPSILON
    ),
    "EmbedLayerNormalization": OpSignature(
        "ids segments? words places kinds? gamma beta mask? positions?",
        _embeddings,
        {**_EPSILON, "mask_index_type": 0},
    ),
}
"""Normalisations, by name."""
