"""The loss of a classification. Source: ONNX operator spec, SoftmaxCrossEntropyLoss."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING

from .....dialects.qti_aisw.ops.losses import NO_TARGET, REDUCTIONS
from ...graph.value import Value
from ..support.context import NodeContext
from ..support.faults import require
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
def softmax_cross_entropy(
    ctx: NodeContext,
    scores: Value,
    targets: Value,
    *,
    ignore_index: int = NO_TARGET,
    reduction: str = "mean",
) -> list[Value]:
    """SoftmaxCrossEntropyLoss; what lies behind the classes is one dim where there is more."""
    rank = scores.rank
    require(rank > _CLASSES, f"scores of rank {rank} have no dim of the classes")
    batch, classes, *rest = scores.shape
    require(reduction in REDUCTIONS, f"attribute 'reduction' is {reduction}")
    places = (prod(rest),) if len(rest) > 1 else tuple(rest)
    loss = scores.reshape(batch, classes, *places).op(
        *("SoftmaxCrossEntropy", targets.reshape(batch, *places)),
        axis=_CLASSES,
        ignored=ignore_index,
        reduction=REDUCTIONS.index(reduction),
    )
    loss = loss.reshape(*targets.shape) if reduction == "none" else loss
    return [loss, scores.op("LogSoftmax", axis=_CLASSES)] if ctx.uses(1) else [loss]
