"""Normalisations, with the sums in front of them and the embeddings that they follow."""

from __future__ import annotations

from collections.abc import Callable

from onnx import TensorProto

from ..builder import Inner
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
