"""Ops that write to places that an input names: each is one ScatterNd."""

from __future__ import annotations

from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.qti_aisw.ops.scatter import REDUCTIONS
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from .steps import element_numbers, like

ONNX = ImporterSet(keeps_stored=False)


def _reduction(ctx: NodeContext) -> int:
    name, known = ctx.text("reduction", "none"), ", ".join(REDUCTIONS)
    ctx.require(name in REDUCTIONS, f"attribute 'reduction' is {name}", f"it may be {known}")
    return REDUCTIONS.index(name)


@ONNX.importer("ScatterND", folds=True)
def scatter_nd(ctx: NodeContext) -> list[SSAValue]:
    """ScatterND."""
    operands = (ctx.value(0), ctx.value(1), ctx.value(2))
    return [ctx.emit("ScatterNd", *operands, reduction=_reduction(ctx))]


@ONNX.importer("ScatterElements", "Scatter", folds=True)
def scatter_elements(ctx: NodeContext) -> list[SSAValue]:
    """ScatterElements: elements of the flat data, by their numbers."""
    x, indices = ctx.value(0), ctx.value(1)
    axis = ctx.axis(len(ctx.shape(x)), 0)
    return [_flat(ctx, x, element_numbers(ctx, indices, ctx.shape(x), axis), ctx.value(2))]


def _flat(ctx: NodeContext, x: SSAValue, numbers: SSAValue, updates: SSAValue) -> SSAValue:
    """Return the data with updates at elements by their numbers."""
    count = prod(ctx.shape(updates))
    result = ctx.emit(
        "ScatterNd",
        ctx.reshape(x, (prod(ctx.shape(x)),)),
        ctx.reshape(numbers, (count, 1)),
        ctx.reshape(updates, (count,)),
        reduction=_reduction(ctx),
    )
    return ctx.reshape(result, ctx.shape(x))


@ONNX.importer("TensorScatter")
def tensor_scatter(ctx: NodeContext) -> list[SSAValue]:
    """TensorScatter: steps of each batch from its write index on; circular ones wrap around."""
    cache, update, writes = ctx.value(0), ctx.value(1), ctx.optional(2)
    shape, steps, mode = ctx.shape(cache), ctx.shape(update), ctx.text("mode", "linear")
    ctx.require(mode in ("linear", "circular"), f"attribute 'mode' is {mode}")
    axis = ctx.axis(len(shape), -2)
    writes = ctx.const(np.zeros(shape[0], np.int64)) if writes is None else writes
    writes = ctx.reshape(writes, (shape[0], *(1,) * (len(shape) - 1)))
    own = np.indices(steps)[axis]
    places = ctx.emit("ElementWiseAdd", writes, like(ctx, own, writes))
    if mode == "circular":
        places = ctx.emit("ElementWiseMod", places, ctx.scalar(shape[axis], places))
    return [_flat(ctx, cache, element_numbers(ctx, places, shape, axis), update)]
