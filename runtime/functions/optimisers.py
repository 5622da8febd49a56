"""Steps of optimisers. Source: Kingma and Ba, Adam, 2015; Loshchilov and Hutter, AdamW, 2019."""

from __future__ import annotations

import numpy as np

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
