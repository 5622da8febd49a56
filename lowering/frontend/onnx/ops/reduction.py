"""Reductions and index searches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.qti_aisw.ops.reduce import reduced
from .....dialects.spec_of import plain_element_type
from .....dialects.value.dtypes import DType, integer_bounds
from ..support.context import NodeContext
from ..support.registry import Importer, ImporterSet
from .tensors.casts import decoded, plain, real_of
from .tensors.steps import flipped

ONNX = ImporterSet(keeps_stored=False)

Step = Callable[[NodeContext, SSAValue], SSAValue]


def reduce_by(name: str, before: Step | None = None, after: Step | None = None) -> Importer:
    """Return a reduction over constant axes, with element-wise steps around it."""

    def apply(ctx: NodeContext) -> list[SSAValue]:
        x = ctx.value(0)
        axes = _axes(ctx, len(ctx.shape(x)))
        x = before(ctx, x) if before else x
        keep = bool(ctx.integer("keepdims", 1))
        total = _reduced(ctx, name, x, axes, keep) if axes else x
        return [after(ctx, total) if after else total]

    return apply


_OF_NOTHING = {"ReduceMax": -np.inf, "ReduceMin": np.inf}


def _reduced(
    ctx: NodeContext, name: str, x: SSAValue, axes: tuple[int, ...], keep: bool
) -> SSAValue:
    """Append a reduction; an extreme of no elements is the bound of the dtype, as ONNX says."""
    shape = ctx.shape(x)
    if name not in _OF_NOTHING or all(shape[axis] for axis in axes):
        return ctx.emit(name, x, axes=axes, keep_dims=keep)
    bound, storage = _OF_NOTHING[name], ctx.dtype(x).storage
    if not ctx.dtype(x).is_float:
        low, high = integer_bounds(storage)
        bound = low if bound < 0 else high
    kept = reduced(shape, {axis % len(shape) for axis in axes}, keep)
    return ctx.const(np.full(kept, bound, storage))


def _axes(ctx: NodeContext, rank: int) -> tuple[int, ...]:
    """Return the axes, counted from the front; without any, all, unless `noop_with_empty_axes`."""
    noop = bool(ctx.integer("noop_with_empty_axes", 0))
    axes = ctx.integers("axes") or ctx.integers_at(1) or ()
    # An axis that is not there stays as it is: the op says so.
    counted = tuple(axis % rank if -rank <= axis < rank else axis for axis in axes)
    return counted or (() if noop else tuple(range(rank)))


def _step(name: str) -> Step:
    return lambda ctx, x: ctx.emit(name, x)


def _in_reals(name: str) -> Step:
    """Return a step that is one of floats; integers pass through them."""

    def apply(ctx: NodeContext, x: SSAValue) -> SSAValue:
        dtype = ctx.dtype(x)
        return plain(ctx, ctx.emit(name, plain(ctx, x, real_of(dtype))), dtype)

    return apply


def _square(ctx: NodeContext, x: SSAValue) -> SSAValue:
    return ctx.emit("ElementWiseMultiply", x, x)


def _number(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """Return 0 and 1 in place of bools, of which there is a least and a largest."""
    is_bool = ctx.dtype(x) is DType.Bool8
    return ctx.emit("Cast", x, to=plain_element_type(DType.Int32)) if is_bool else x


def _as_stated(ctx: NodeContext, x: SSAValue) -> SSAValue:
    """Return bools where bools came in; the bound that nothing reduces to is one of them."""
    is_bool = ctx.dtype(ctx.value(0)) is DType.Bool8
    return ctx.emit("ElementWiseGreater", x, ctx.scalar(0, x)) if is_bool else x


for _name in ("ReduceSum", "ReduceMean", "ReduceProd"):
    ONNX.importer(_name, folds=True)(reduce_by(_name))
for _name in ("ReduceMax", "ReduceMin"):
    ONNX.importer(_name, folds=True)(reduce_by(_name, before=_number, after=_as_stated))

ONNX.importer("ReduceL1")(reduce_by("ReduceSum", before=_step("ElementWiseAbs")))
ONNX.importer("ReduceL2")(
    reduce_by("ReduceSum", before=_square, after=_in_reals("ElementWiseSquareRoot"))
)
ONNX.importer("ReduceSumSquare")(reduce_by("ReduceSum", before=_square))
ONNX.importer("ReduceLogSum")(reduce_by("ReduceSum", after=_in_reals("ElementWiseLog")))


@ONNX.importer("ReduceLogSumExp")
def log_sum_exp(ctx: NodeContext) -> list[SSAValue]:
    """ReduceLogSumExp, with the maximum taken out first so that exp never overflows."""
    x = ctx.value(0)
    axes = _axes(ctx, len(ctx.shape(x)))
    ctx.require(bool(axes), "attribute 'noop_with_empty_axes' is not supported here")
    peak = _reduced(ctx, "ReduceMax", x, axes, keep=True)
    powers = ctx.emit("ElementWiseExp", ctx.emit("ElementWiseSubtract", x, peak))
    total = ctx.emit("ReduceSum", powers, axes=axes, keep_dims=True)
    result = ctx.emit("ElementWiseAdd", ctx.emit("ElementWiseLog", total), peak)
    ctx.integer("keepdims", 1)
    return [ctx.reshape(result, ctx.out().shape)]


def index_of(name: str) -> Importer:
    """ArgMax or ArgMin; the result is int64, as the model says."""

    def apply(ctx: NodeContext) -> list[SSAValue]:
        x, keep = decoded(ctx, ctx.value(0)), bool(ctx.integer("keepdims", 1))
        axis, last = ctx.axis(len(ctx.shape(x)), 0), bool(ctx.integer("select_last_index"))
        indices = ctx.emit(name, flipped(ctx, x, axis) if last else x, axis=axis, keep_dims=keep)
        if last:
            end = ctx.scalar(ctx.shape(x)[axis] - 1, indices)
            indices = ctx.emit("ElementWiseSubtract", end, indices)
        return [ctx.emit("Cast", indices, to=plain_element_type(ctx.out().dtype))]

    return apply


ONNX.importer("ArgMax", keeps_stored=True)(index_of("Argmax"))
ONNX.importer("ArgMin", keeps_stored=True)(index_of("Argmin"))
