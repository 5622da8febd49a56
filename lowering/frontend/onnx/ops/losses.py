"""The loss of a classification. Source: ONNX operator spec, SoftmaxCrossEntropyLoss."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from .....dialects.qti_aisw.ops.losses import NO_TARGET, REDUCTIONS
from ..support.context import NodeContext
from ..support.registry import ImporterSet

if TYPE_CHECKING:
    from onnx import NodeProto, TypeProto

ONNX = ImporterSet(keeps_stored=False)

_SCORES, _TARGETS, _WEIGHTS = range(3)
_CLASSES = 1
"""The dim of the classes."""


def _has_weights(node: NodeProto, types: Mapping[str, TypeProto]) -> bool:
    """Leave a loss in which classes weigh more or less."""
    return any(node.input[_WEIGHTS:])


@ONNX.importer("SoftmaxCrossEntropyLoss", leaves=_has_weights)
def softmax_cross_entropy(ctx: NodeContext) -> list[SSAValue]:
    """SoftmaxCrossEntropyLoss; what lies behind the classes is one dim where there is more."""
    scores, targets = ctx.value(_SCORES), ctx.value(_TARGETS)
    shape = ctx.shape(scores)
    ctx.require(len(shape) > _CLASSES, f"scores of rank {len(shape)} have no dim of the classes")
    batch, classes, *rest = shape
    reduction = ctx.text("reduction", "mean")
    ctx.require(reduction in REDUCTIONS, f"attribute 'reduction' is {reduction}")
    places = (prod(rest),) if len(rest) > 1 else tuple(rest)
    loss = ctx.emit(
        "SoftmaxCrossEntropy",
        ctx.reshape(scores, (batch, classes, *places)),
        ctx.reshape(targets, (batch, *places)),
        axis=_CLASSES,
        ignored=ctx.integer("ignore_index", NO_TARGET),
        reduction=REDUCTIONS.index(reduction),
    )
    if reduction == "none":
        loss = ctx.reshape(loss, ctx.shape(targets))
    return [loss, *([ctx.emit("LogSoftmax", scores, axis=_CLASSES)] if ctx.uses(1) else [])]
