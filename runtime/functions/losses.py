"""Losses of a classification. Source: ONNX operator spec, SoftmaxCrossEntropyLoss."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .norm import log_softmax
from .support.arrays import Array, narrow, widen


class LossReduction(IntEnum):
    """The number that the losses of all targets become."""

    NONE = 0
    MEAN = 1
    SUM = 2


@np.errstate(all="ignore")
def softmax_cross_entropy(
    x: Array, targets: NDArray[np.integer], axis: int, ignored: int, reduction: LossReduction
) -> Array:
    """-log_softmax(x) at each target along `axis`, 0 for those that are `ignored` or not there.

    targets have the shape of x without the axis; a negative one counts from the end.
    """
    count, rows = x.shape[axis], np.expand_dims(targets, axis)
    places = np.moveaxis(np.arange(count).reshape(count, *[1] * (x.ndim - 1)), 0, axis)
    chosen = (places == np.where(rows < 0, rows + count, rows)) & (rows != ignored)
    losses = np.asarray(-np.sum(np.where(chosen, widen(log_softmax(widen(x), axis)), 0), axis))
    if reduction is not LossReduction.NONE:
        losses = np.sum(losses)
    if reduction is LossReduction.MEAN:
        losses = losses / losses.dtype.type(np.count_nonzero(targets != ignored))
    return narrow(losses, x.dtype)
