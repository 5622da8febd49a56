"""Softmax and normalisations."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.checks import text
from .....dialects.value.dtypes import DType
from ..support.context import NodeContext
from ..support.registry import Importer, ImporterSet
from ..support.types import MOST_ELEMENTS, dtype_of_onnx
from .tensors.axes import product
from .tensors.casts import plain

ONNX = ImporterSet(keeps_stored=False)


def softmax_like(name: str) -> Importer:
    """Softmax or LogSoftmax along one axis."""
    return lambda ctx: [ctx.emit(name, ctx.value(0), axis=ctx.integer("axis", -1))]


for _name in ("Softmax", "LogSoftmax"):
    ONNX.importer(_name)(softmax_like(_name))


def _axes_from(ctx: NodeContext, shape: Sequence[int]) -> tuple[int, ...]:
    """Return the axes from the attribute `axis` to the last."""
    return tuple(range(ctx.axis(len(shape), -1), len(shape)))


@ONNX.importer("LayerNormalization")
def layer_norm(ctx: NodeContext) -> list[SSAValue]:
    """LayerNormalization; its statistics, mean and 1 / deviation, only where they are used."""
    x, stash = ctx.value(0), _stash(ctx)
    axes = _axes_from(ctx, ctx.shape(x))
    gamma, beta = (_over_axes(ctx, index, axes) for index in (1, 2))
    epsilon = ctx.real("epsilon", 1e-5)
    result = ctx.emit("LayerNorm", x, gamma, beta, axes=axes, epsilon=epsilon)
    if not ctx.uses(1) and not ctx.uses(2):
        return [result]
    wide = plain(ctx, x, DType.Float32) if ctx.dtype(x).itemsize < DType.Float32.itemsize else x
    mean, _, inverse = statistics(ctx, wide, axes)
    return [result, plain(ctx, mean, stash), plain(ctx, inverse, stash)]


def _stash(ctx: NodeContext) -> DType:
    """Return the type of statistics; all are computed in f32 at least."""
    dtype = dtype_of_onnx(ctx.integer("stash_type", 1))
    ctx.require(dtype.is_float, f"attribute 'stash_type' is {dtype.name}", "use a float")
    return dtype


def statistics(
    ctx: NodeContext, x: SSAValue, axes: Sequence[int]
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Return the mean, x - mean, and 1 / sqrt(variance + epsilon)."""
    mean, centred, variance = moments(ctx, x, axes)
    return mean, centred, inverse_deviation(ctx, variance)


def moments(
    ctx: NodeContext, x: SSAValue, axes: Sequence[int]
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Return the mean, x - mean, and the variance."""
    mean = ctx.emit("ReduceMean", x, axes=axes, keep_dims=True)
    centred = ctx.emit("ElementWiseSubtract", x, mean)
    square = ctx.emit("ElementWiseMultiply", centred, centred)
    return mean, centred, ctx.emit("ReduceMean", square, axes=axes, keep_dims=True)


def inverse_deviation(ctx: NodeContext, variance: SSAValue) -> SSAValue:
    """Return 1 / sqrt(variance + epsilon)."""
    epsilon = ctx.scalar(ctx.real("epsilon", 1e-5), variance)
    return ctx.emit("ElementWiseRsqrt", ctx.emit("ElementWiseAdd", variance, epsilon))


@ONNX.importer("RMSNormalization")
def rms_norm(ctx: NodeContext) -> list[SSAValue]:
    """RMSNormalization; a scale that has dims in front of the axes too is a factor behind it."""
    _stash(ctx)
    x, scale = ctx.value(0), ctx.value(1)
    shape = ctx.shape(x)
    axes = _axes_from(ctx, shape)
    epsilon = ctx.real("epsilon", 1e-5)
    extents = ctx.shape(scale)
    pairs = zip(reversed(extents), reversed(shape), strict=False)
    fits = len(extents) <= len(shape) and all(n in (1, wanted) for n, wanted in pairs)
    if fits and max(extents[: -len(axes)], default=1) > 1:
        ones = ctx.const(np.ones([shape[axis] for axis in axes], ctx.dtype(x).storage))
        y = ctx.emit("RmsNorm", x, ones, None, axes=axes, epsilon=epsilon)
        return [ctx.emit("ElementWiseMultiply", y, scale)]
    gamma = _over_axes(ctx, 1, axes)
    return [ctx.emit("RmsNorm", x, gamma, None, axes=axes, epsilon=epsilon)]


def _over_axes(ctx: NodeContext, index: int, axes: Sequence[int]) -> SSAValue | None:
    """Return a scale or bias with exactly the extents of the axes."""
    wanted = ctx.shape(ctx.value(0))[axes[0] :]
    value = ctx.optional(index)
    if value is None or ctx.shape(value) == wanted:
        return value
    array = ctx.optional_constant(index)
    if array is None or array.size == 0:
        return None
    varies = array.reshape((1,) * (len(wanted) - array.ndim) + array.shape)
    tail = varies.shape[varies.ndim - len(wanted) :]
    fits = varies.size == prod(tail) and all(
        n in (1, want) for n, want in zip(tail, wanted, strict=True)
    )
    problem = f"input {index} has shape {text(array.shape)}, the normalised dims are {text(wanted)}"
    ctx.require(fits and prod(wanted) <= MOST_ELEMENTS, problem, "give it their shape")
    return ctx.const(np.broadcast_to(varies.reshape(tail), wanted))


@ONNX.importer("InstanceNormalization")
def instance_norm(ctx: NodeContext) -> list[SSAValue]:
    """InstanceNormalization: (x - mean) / sqrt(variance + epsilon) over the spatial dims."""
    x = ctx.value(0)
    axes = tuple(range(2, len(ctx.shape(x))))
    _, centred, inverse = statistics(ctx, x, axes)
    return [_scaled(ctx, ctx.emit("ElementWiseMultiply", centred, inverse))]


@ONNX.importer("GroupNormalization")
def group_norm(ctx: NodeContext) -> list[SSAValue]:
    """GroupNormalization: normalised over a group's channels and the spatial dims.

    Before opset 21, scale and bias have a value for a group instead of a channel.
    """
    _stash(ctx)
    x, groups = ctx.value(0), ctx.integer("num_groups")
    batch, channels, *spatial = shape = ctx.shape(x)
    fits = groups > 0 and channels % groups == 0
    ctx.require(fits, f"{channels} channels do not divide into {groups} groups")
    grouped = ctx.reshape(x, (batch, groups, channels // groups * prod(spatial)))
    _, centred, inverse = statistics(ctx, grouped, (2,))
    normal = ctx.reshape(ctx.emit("ElementWiseMultiply", centred, inverse), shape)
    return [_scaled(ctx, normal)]


def _scaled(ctx: NodeContext, normal: SSAValue) -> SSAValue:
    """Return the value, whose dim 1 is the channels, times input 1 plus input 2."""
    scaled = ctx.emit("ElementWiseMultiply", normal, _per_channel(ctx, 1, ctx.shape(normal)))
    return ctx.emit("ElementWiseAdd", scaled, _per_channel(ctx, 2, ctx.shape(normal)))


def _per_channel(ctx: NodeContext, index: int, shape: Sequence[int]) -> SSAValue:
    """Return an input with a number for each channel, or for each group of them."""
    value = ctx.value(index)
    channels, ones = shape[1], (1,) * (len(shape) - 2)
    (count,) = ctx.shape(value) if len(ctx.shape(value)) == 1 else (0,)
    fits = count > 0 and channels % count == 0
    ctx.require(fits, f"input {index} is not one number for each of {channels} channels")
    if count < channels:
        column = ctx.reshape(value, (count, 1))
        value = ctx.emit("Tile", column, multiples=(1, channels // count))
    return ctx.reshape(value, (channels, *ones))


@ONNX.importer("LpNormalization")
def lp_normalization(ctx: NodeContext) -> list[SSAValue]:
    """LpNormalization: x / its p-norm along one axis, and 0 where that is 0."""
    x, p = ctx.value(0), ctx.integer("p", 2)
    axis = ctx.axis(len(ctx.shape(x)), -1)
    total = ctx.emit("ReduceSum", power_of_size(ctx, x, p), axes=(axis,), keep_dims=True)
    return [divided_where_not_zero(ctx, x, root(ctx, total, p))]


def divided_where_not_zero(ctx: NodeContext, x: SSAValue, divisor: SSAValue) -> SSAValue:
    """Return x / divisor, and x where that is 0."""
    empty = ctx.emit("ElementWiseEqual", divisor, ctx.scalar(0, x))
    safe = ctx.emit("ElementWiseSelect", empty, ctx.scalar(1, x), divisor)
    return ctx.emit("ElementWiseDivide", x, safe)


def power_of_size(ctx: NodeContext, x: SSAValue, p: int) -> SSAValue:
    """|x| to the power of p."""
    ctx.require(p >= 1, f"attribute 'p' is {p}", "use a number >= 1")
    if p == 2:
        return ctx.emit("ElementWiseMultiply", x, x)
    size = ctx.emit("ElementWiseAbs", x)
    return size if p == 1 else ctx.emit("ElementWisePower", size, ctx.scalar(p, x))


def root(ctx: NodeContext, x: SSAValue, p: int) -> SSAValue:
    """Return the p-th root of numbers >= 0."""
    if p == 2:
        return ctx.emit("ElementWiseSquareRoot", x)
    return x if p == 1 else ctx.emit("ElementWisePower", x, ctx.scalar(1 / p, x))


@ONNX.importer("LRN")
def local_response(ctx: NodeContext) -> list[SSAValue]:
    """LRN: x / (bias + alpha / size * the sum of squares of near channels) ** beta."""
    x, size = ctx.value(0), ctx.integer("size")
    ctx.require(size >= 1, f"attribute 'size' is {size}", "use a number >= 1")
    distance = np.subtract.outer(*[np.arange(ctx.shape(x)[1])] * 2)
    near = (distance <= (size - 1) // 2) & (-distance <= size // 2)
    factor = ctx.real("alpha", 1e-4) / size
    total = product(ctx, ctx.emit("ElementWiseMultiply", x, x), 1, near * factor)
    above = ctx.emit("ElementWiseAdd", total, ctx.scalar(ctx.real("bias", 1.0), x))
    power = ctx.emit("ElementWisePower", above, ctx.scalar(ctx.real("beta", 0.75), x))
    return [ctx.emit("ElementWiseDivide", x, power)]
