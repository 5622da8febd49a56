"""Training: steps of optimisers, and losses of a classification.

Source: Kingma and Ba, Adam, 2015; Loshchilov and Hutter, AdamW, 2019; ONNX operator spec,
SoftmaxCrossEntropyLoss.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .norm import log_softmax
from .support.arrays import Array, narrow, widen


def rest(beta: float) -> float:
    """Return 1 - beta of the shortest decimal that is beta in f32: 0.001 for 0.999."""
    return 1 - float(str(np.float32(beta)))


@np.errstate(all="ignore")
def adam(
    weights: Array,
    gradient: Array,
    mean: Array,
    square: Array,
    lr: Array,
    step: Array,
    largest: Array | None,
    beta1: float,
    beta2: float,
    epsilon: float,
    weight_decay: float,
    decoupled: bool,
    epsilon_hat: bool,
) -> list[Array]:
    """One step of Adam, or AdamW: weights, mean and square after it, and the largest if there.

    lr and step have one element; step counts this one. f16 is computed in f32.
    """
    x, g, m, v = map(widen, (weights, gradient, mean, square))
    kind = x.dtype.type
    rate, count = (kind(widen(number).reshape(())) for number in (lr, step))
    shares = [kind(rest(beta)) for beta in (beta1, beta2)]
    if decoupled:
        x = x * (1 - rate * kind(weight_decay))
    else:
        g = g + kind(weight_decay) * x
    kept = [1 - share for share in shares]
    m = kept[0] * m + shares[0] * g
    v = kept[1] * v + shares[1] * g * g
    tops = [] if largest is None else [np.maximum(widen(largest), v)]
    gone = [1 - beta**count if count > 0 else kind(1) for beta in kept]
    root = np.sqrt(gone[1])
    added = kind(epsilon) * (1 if epsilon_hat else root)
    x = x - rate * root / gone[0] * (m / (np.sqrt(tops[0] if tops else v) + added))
    return [narrow(result, weights.dtype) for result in (x, m, v, *tops)]


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
