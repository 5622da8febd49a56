"""Reductions and index searches."""

from collections.abc import Callable
from math import prod

import numpy as np

from ....dialects.qti_aisw.ops.reduce import reduced
from ....dialects.value import DType, integer_bounds
from ..graph.value import Value
from ..support.registry import ImporterSet, Ints, NodeContext, counted_axis, require
from ..support.types import require_few
from .tensors.casts import decoded, real_of

ONNX = ImporterSet(keeps_stored=False)

Step = Callable[[Value], Value]


def _reduction(
    op: str,
    kind: str = "Sum",
    before: Step | None = None,
    after: Callable[[Value, DType], Value] | None = None,
) -> None:
    """Declare a reduction over constant axes, with element-wise steps around it.

    The last step gets the dtype of the input.
    """

    @ONNX.importer(op, folds=kind in _OF_NOTHING or not (before or after))
    def reduction(
        x: Value,
        listed: Ints | None,
        *,
        axes: Ints | None = None,
        keepdims: bool = True,
        noop_with_empty_axes: bool = False,
    ) -> Value:
        over = _axes(axes or listed, x.rank, noop_with_empty_axes)
        number = before(x) if before else x
        total = _reduced(number, kind, over, keepdims) if over else number
        return after(total, x.dtype) if after else total


_OF_NOTHING = {"Max": -np.inf, "Min": np.inf}
"""The extremes of no elements."""


def _reduced(x: Value, kind: str, axes: Ints, keep: bool) -> Value:
    """Append a reduction; an extreme of no elements is the bound of the dtype, as ONNX says."""
    # The op says of an axis that is not there.
    dims = [x.shape[axis] for axis in axes if axis in range(x.rank)]
    if kind not in _OF_NOTHING or 0 not in dims or len(dims) < len(axes):
        return x.reduce(kind, axes, keep=keep)
    bound = _OF_NOTHING[kind]
    if not x.dtype.is_float:
        low, high = integer_bounds(x.dtype.storage)
        bound = low if bound < 0 else high
    shape = reduced(x.shape, {axis % x.rank for axis in axes}, keep)
    require_few(prod(shape), f"gives {prod(shape)} elements")
    return x.like(np.full(shape, bound))


def _axes(stated: Ints | None, rank: int, noop: bool) -> Ints:
    """Return the axes, counted from the front; without any, all, unless there is nothing to do."""
    # An axis that is not there stays as it is: the op says so.
    counted = (axis % rank if -rank <= axis < rank else axis for axis in stated or ())
    return tuple(counted) or (() if noop else tuple(range(rank)))


def _in_reals(step: Step) -> Callable[[Value, DType], Value]:
    """Return a step that is one of floats; integers pass through them."""
    return lambda x, _: step(x.cast(real_of(x.dtype))).cast(x.dtype)


def _square(x: Value) -> Value:
    return x * x


def _number(x: Value) -> Value:
    """Return 0 and 1 in place of bools, of which there is a least and a largest."""
    return x.cast(DType.Int32) if x.dtype is DType.Bool8 else x


def _as_stated(x: Value, dtype: DType) -> Value:
    """Return bools where bools came in; the bound that nothing reduces to is one of them."""
    return x > 0 if dtype is DType.Bool8 else x


for _kind in ("Sum", "Mean", "Prod"):
    _reduction(f"Reduce{_kind}", _kind)
for _kind in ("Max", "Min"):
    _reduction(f"Reduce{_kind}", _kind, before=_number, after=_as_stated)
_reduction("ReduceL1", before=Value.abs)
_reduction("ReduceL2", before=_square, after=_in_reals(Value.sqrt))
_reduction("ReduceSumSquare", before=_square)
_reduction("ReduceLogSum", after=_in_reals(Value.log))


@ONNX.importer("ReduceLogSumExp")
def log_sum_exp(
    ctx: NodeContext,
    x: Value,
    listed: Ints | None,
    *,
    axes: Ints | None = None,
    keepdims: bool = True,
    noop_with_empty_axes: bool = False,
) -> Value:
    """ReduceLogSumExp, with the maximum taken out first so that exp never overflows."""
    over = _axes(axes or listed, x.rank, noop_with_empty_axes)
    require(bool(over), "attribute 'noop_with_empty_axes' is not supported here")
    peak = _reduced(x, "Max", over, keep=True)
    total = (x - peak).exp().reduce("Sum", over)
    return (total.log() + peak).reshape(*ctx.out().shape)


def _index(op: str, name: str) -> None:
    """Declare ArgMax or ArgMin; the result is int64, as the model says."""

    @ONNX.importer(op, keeps_stored=True)
    def index(
        x: Value, *, axis: int = 0, keepdims: bool = True, select_last_index: bool = False
    ) -> Value:
        x, axis = decoded(x), counted_axis(axis, x.rank)
        data = x.cut(axis, None, None, -1) if select_last_index else x
        place = data.op(name, axis=axis, keep_dims=keepdims)
        place = x.shape[axis] - 1 - place if select_last_index else place
        return place.cast(DType.Int64)


_index("ArgMax", "Argmax")
_index("ArgMin", "Argmin")
