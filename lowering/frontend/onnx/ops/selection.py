"""Ops that tell elements apart: by place, by index, or as no numbers."""

from __future__ import annotations

import math

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.spec_of import plain_element_type
from ..support.context import NodeContext
from ..support.registry import ImporterSet
from ..support.types import MOST_ELEMENTS

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Trilu", folds=True)
def trilu(ctx: NodeContext) -> list[SSAValue]:
    """Trilu: zero outside one triangle of the last two dims."""
    x, upper = ctx.value(0), bool(ctx.integer("upper", 1))
    *_, rows, columns = ctx.shape(x)
    ctx.require(rows * columns <= MOST_ELEMENTS, f"its mask has {rows * columns} elements")
    (diagonal,) = ctx.integers_at(1) or (0,)
    diagonal = max(-rows - 1, min(diagonal, columns + 1))
    ones = np.ones((rows, columns), np.bool_)
    mask = ctx.const(np.triu(ones, diagonal) if upper else np.tril(ones, diagonal))
    return [ctx.emit("ElementWiseSelect", mask, x, ctx.scalar(0, x))]


@ONNX.importer("OneHot")
def one_hot(ctx: NodeContext) -> list[SSAValue]:
    """OneHot: negative indices count from the back, those beyond the depth are nowhere."""
    indices, (depth,) = ctx.value(0), ctx.integers_at(1) or (0,)
    off, on = (ctx.const(value) for value in ctx.constant(2))
    shape = ctx.shape(indices)
    axis = ctx.axis(len(shape) + 1, -1)
    places = np.arange(depth).reshape(-1, *(1,) * (len(shape) - axis))
    expanded = ctx.reshape(indices, (*shape[:axis], 1, *shape[axis:]))
    storage = ctx.dtype(indices).storage
    hit = ctx.emit("ElementWiseEqual", expanded, ctx.const(places.astype(storage)))
    if storage.kind != "u":
        behind = ctx.const((places - depth).astype(storage))
        hit = ctx.emit("ElementWiseOr", hit, ctx.emit("ElementWiseEqual", expanded, behind))
    return [ctx.emit("ElementWiseSelect", hit, on, off)]


@ONNX.importer("Hardmax")
def hardmax(ctx: NodeContext) -> list[SSAValue]:
    """Hardmax: 1 at the first largest element along the axis, else 0."""
    x = ctx.value(0)
    shape = ctx.shape(x)
    axis = ctx.axis(len(shape), -1)
    places = np.arange(shape[axis], dtype=np.int32).reshape(-1, *(1,) * (len(shape) - axis - 1))
    largest = ctx.emit("Argmax", x, axis=axis, keep_dims=True)
    hit = ctx.emit("ElementWiseEqual", largest, ctx.const(places))
    return [ctx.emit("Cast", hit, to=plain_element_type(ctx.dtype(x)))]


@ONNX.importer("IsNaN", folds=True)
def is_nan(ctx: NodeContext) -> list[SSAValue]:
    """IsNaN: no other number differs from itself."""
    x = ctx.value(0)
    return [ctx.emit("ElementWiseNotEqual", x, x)]


@ONNX.importer("IsInf", folds=True)
def is_inf(ctx: NodeContext) -> list[SSAValue]:
    """IsInf, of both signs or of one."""
    x = ctx.value(0)
    negative, positive = (bool(ctx.integer(f"detect_{s}", 1)) for s in ("negative", "positive"))
    if not (negative or positive):
        return [ctx.emit("ElementWiseLess", x, x)]
    size = ctx.emit("ElementWiseAbs", x) if negative and positive else x
    wanted = math.inf if positive else -math.inf
    return [ctx.emit("ElementWiseEqual", size, ctx.scalar(wanted, x))]
