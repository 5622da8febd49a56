"""BatchNormalization of inference and of training. Source: ONNX operator spec."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.qti_aisw.ops.const import ConstOp
from ..support.context import NodeContext
from ..support.registry import ImporterSet
from .activation import plus, times
from .norm import inverse_deviation, moments

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("BatchNormalization")
def batch_norm(ctx: NodeContext) -> list[SSAValue]:
    """BatchNormalization: one scale and one offset per channel; in training, the batch's own."""
    momentum, rank = ctx.real("momentum", 0.9), len(ctx.shape(ctx.value(0)))
    ctx.require(rank >= 2, f"the input has rank {rank}, it needs a channel dim")
    if ctx.integer("training_mode"):
        return _of_batch(ctx, momentum)
    operands = [ctx.value(index) for index in range(5)]
    constant = all(isinstance(value.owner, ConstOp) for value in operands[1:])
    weights, bias = _constants(ctx) if constant else _computed(ctx, *operands[1:])
    channel_last = ctx.transpose(operands[0], (0, *range(2, rank), 1))
    result = ctx.emit("Batchnorm", channel_last, weights, bias)
    return [ctx.transpose(result, (0, rank - 1, *range(1, rank - 1)))]


def _constants(ctx: NodeContext) -> tuple[SSAValue, SSAValue]:
    """Return scale and offset, computed in f64."""
    scale, offset, mean, variance = (
        ctx.constant(index).astype(np.float64) for index in (1, 2, 3, 4)
    )
    factor = scale / np.sqrt(variance + ctx.real("epsilon", 1e-5))
    dtype = ctx.dtype(ctx.value(0)).storage
    return ctx.const(factor.astype(dtype)), ctx.const((offset - mean * factor).astype(dtype))


def _computed(
    ctx: NodeContext, scale: SSAValue, offset: SSAValue, mean: SSAValue, variance: SSAValue
) -> tuple[SSAValue, SSAValue]:
    """Return scale and offset from values that are not known before the run."""
    factor = times(ctx, scale, inverse_deviation(ctx, variance))
    return factor, ctx.emit("ElementWiseSubtract", offset, times(ctx, mean, factor))


def _of_batch(ctx: NodeContext, momentum: float) -> list[SSAValue]:
    """Return the result, and the running mean and variance with this batch's."""
    x, (scale, offset, *running) = ctx.value(0), (ctx.value(index) for index in range(1, 5))
    shape = ctx.shape(x)
    mean, centred, variance = moments(ctx, x, (0, *range(2, len(shape))))
    wide = (shape[1], *(1,) * (len(shape) - 2))
    factor = times(ctx, ctx.reshape(scale, wide), inverse_deviation(ctx, variance))
    result = plus(ctx, times(ctx, centred, factor), ctx.reshape(offset, wide))
    after = []
    for before, ours in zip(running, (mean, variance), strict=True):
        kept = times(ctx, before, ctx.scalar(momentum, before))
        share = times(ctx, ours, ctx.scalar(1 - momentum, ours))
        after.append(plus(ctx, kept, ctx.reshape(share, shape[1:2])))
    return [result, *after]
