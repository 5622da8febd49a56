"""BatchNormalization of inference and of training. Source: ONNX operator spec."""

from __future__ import annotations

import numpy as np

from ...graph.value import Value
from ..support.faults import require
from ..support.registry import ImporterSet
from .norm import moments

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("BatchNormalization")
def batch_norm(
    x: Value,
    scale: Value,
    offset: Value,
    mean: Value,
    variance: Value,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    training_mode: bool = False,
) -> Value | list[Value]:
    """BatchNormalization: one scale and one offset per channel; in training, the batch's own."""
    require(x.rank >= 2, f"the input has rank {x.rank}, it needs a channel dim")
    if training_mode:
        return _of_batch(x, scale, offset, (mean, variance), epsilon, momentum)
    constants = [value.array for value in (scale, offset, mean, variance)]
    known = [array.astype(np.float64) for array in constants if array is not None]
    if len(known) == len(constants):
        # They are computed in f64.
        gain, shift, centre, spread = known
        factor = gain / np.sqrt(spread + epsilon)
        operands = x.like(factor), x.like(shift - centre * factor)
    else:
        weights = scale * (variance + epsilon).rsqrt()
        operands = weights, offset - mean * weights
    result = x.transpose(0, *range(2, x.rank), 1).op("Batchnorm", *operands)
    return result.transpose(0, x.rank - 1, *range(1, x.rank - 1))


def _of_batch(
    x: Value,
    scale: Value,
    offset: Value,
    running: tuple[Value, Value],
    epsilon: float,
    momentum: float,
) -> list[Value]:
    """Return the result, and the running mean and variance with this batch's."""
    mean, centred, variance = moments(x, (0, *range(2, x.rank)))
    wide = (x.shape[1], *(1,) * (x.rank - 2))
    factor = scale.reshape(*wide) * (variance + epsilon).rsqrt()
    after = [centred * factor + offset.reshape(*wide)]
    for before, ours in zip(running, (mean, variance), strict=True):
        kept, share = before * momentum, ours * (1 - momentum)
        after.append(kept + share.reshape(x.shape[1]))
    return after
