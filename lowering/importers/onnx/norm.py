"""Softmax and normalisations. Source: ONNX operator spec."""

from collections.abc import Sequence
from math import prod

import numpy as np

from ....dialects.qti_aisw.ops.movement import ReshapeOp
from ....dialects.spec_of import text
from ....dialects.value import DType
from ..graph.value import Value, where
from ..support.registry import ImporterSet, NodeContext, counted_axis, require
from ..support.types import MOST_ELEMENTS, dtype_of_onnx, require_few
from .tensors.steps import power_of_size, product, root

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Softmax")
def softmax(x: Value, *, axis: int = -1) -> Value:
    return x.op("Softmax", axis=axis)


@ONNX.importer("LogSoftmax")
def log_softmax(x: Value, *, axis: int = -1) -> Value:
    return x.op("LogSoftmax", axis=axis)


@ONNX.importer("LayerNormalization")
def layer_norm(
    ctx: NodeContext,
    x: Value,
    scale: Value,
    bias: Value | None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
) -> list[Value]:
    """LayerNormalization; its statistics, mean and 1 / deviation, only where they are used."""
    stash, axes = _stash(stash_type), range(counted_axis(axis, x.rank), x.rank)
    gamma, beta = (_over_axes(ctx, i, each, x, axes) for i, each in ((1, scale), (2, bias)))
    result = x.op("LayerNorm", gamma, beta, axes=tuple(axes), epsilon=epsilon)
    if not ctx.uses(1) and not ctx.uses(2):
        return [result]
    wide = x.cast(DType.Float32) if x.dtype.itemsize < DType.Float32.itemsize else x
    mean, _, variance = moments(wide, axes)
    inverse = (variance + epsilon).rsqrt()
    return [result, mean.cast(stash), inverse.cast(stash)]


def _stash(code: int) -> DType:
    """Return the type of statistics; all are computed in f32 at least."""
    dtype = dtype_of_onnx(code)
    require(dtype.is_float, f"attribute 'stash_type' is {dtype.name}", "use a float")
    return dtype


def moments(x: Value, axes: Sequence[int]) -> tuple[Value, Value, Value]:
    """Return the mean, x - mean, and the variance."""
    mean = x.reduce("Mean", axes)
    return mean, x - mean, x.op("ElementWiseSquaredDifference", mean).reduce("Mean", axes)


@ONNX.importer("RMSNormalization")
def rms_norm(
    ctx: NodeContext,
    x: Value,
    scale: Value,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
) -> Value:
    """RMSNormalization; a scale that has dims in front of the axes too is a factor behind it."""
    _stash(stash_type)
    axes = tuple(range(counted_axis(axis, x.rank), x.rank))
    pairs = zip(reversed(scale.shape), reversed(x.shape), strict=False)
    fits = scale.rank <= x.rank and all(n in (1, wanted) for n, wanted in pairs)
    if fits and max(scale.shape[: -len(axes)], default=1) > 1:
        require_few(prod(x.shape[axes[0] :]), f"normalises {prod(x.shape[axes[0] :])} elements")
        ones = x.like(np.ones([x.shape[axis] for axis in axes]))
        return x.op("RmsNorm", ones, None, axes=axes, epsilon=epsilon) * scale
    gamma = _over_axes(ctx, 1, scale, x, axes)
    return x.op("RmsNorm", gamma, None, axes=axes, epsilon=epsilon)


def _over_axes(
    ctx: NodeContext, index: int, value: Value | None, x: Value, axes: Sequence[int]
) -> Value | None:
    """Return a scale or bias, an input by its number, with exactly the extents of the axes."""
    wanted = x.shape[axes[0] :]
    if value is None or value.shape == wanted:
        return value
    array = ctx.constant(index)
    if array.size == 0:
        return None
    varies = array.reshape((1,) * (len(wanted) - array.ndim) + array.shape)
    tail = varies.shape[varies.ndim - len(wanted) :]
    fits = varies.size == prod(tail) and all(
        n in (1, want) for n, want in zip(tail, wanted, strict=True)
    )
    problem = f"input {index} has shape {text(array.shape)}, the normalised dims are {text(wanted)}"
    require(fits and prod(wanted) <= MOST_ELEMENTS, problem, "give it their shape")
    return x.const(np.broadcast_to(varies.reshape(tail), wanted))


@ONNX.importer("InstanceNormalization")
def instance_norm(x: Value, scale: Value, bias: Value, *, epsilon: float = 1e-5) -> Value:
    """InstanceNormalization: (x - mean) / sqrt(variance + epsilon) over the spatial dims."""
    _require_channels(x)
    data, groups = _data_of_groups(x), x.shape[1]
    return _normalised(data, groups, epsilon, scale, bias).reshape(*x.shape)


def _data_of_groups(x: Value) -> Value:
    """Return the data of a Reshape that joins some of its channels with its spatial dims."""
    maker = x.ssa.owner
    if x.rank != 3 or not isinstance(maker, ReshapeOp):
        return x
    data = Value(maker.operands[0], x.emitter)
    batch, groups, _ = x.shape
    is_whole = data.rank > 2 and data.shape[0] == batch and data.shape[1] % groups == 0
    return data if is_whole else x


@ONNX.importer("GroupNormalization")
def group_norm(
    x: Value,
    scale: Value,
    bias: Value,
    *,
    num_groups: int,
    epsilon: float = 1e-5,
    stash_type: int = 1,
) -> Value:
    """GroupNormalization: normalised over a group's channels and the spatial dims.

    Before opset 21, scale and bias have a value for a group instead of a channel.
    """
    _stash(stash_type)
    _require_channels(x)
    channels = x.shape[1]
    fits = num_groups > 0 and channels % num_groups == 0
    require(fits, f"{channels} channels do not divide into {num_groups} groups")
    return _normalised(x, num_groups, epsilon, scale, bias)


def _normalised(x: Value, groups: int, epsilon: float, scale: Value, bias: Value) -> Value:
    """Return (x - mean) / sqrt(variance + epsilon), times the scale plus the bias.

    The statistics of a group are means of those of its channels, so that nothing large is reshaped.
    """
    spatial = tuple(range(2, x.rank))
    mean = _mean_of_groups(x, spatial, groups)
    squares = x.op("ElementWiseSquaredDifference", mean)
    variance = _mean_of_groups(squares, spatial, groups)
    normal = (x - mean) * (variance + epsilon).rsqrt()
    factor, summand = (_per_channel(i, v, x.shape) for i, v in ((1, scale), (2, bias)))
    scaled = normal if _is(scale, 1) else normal * factor
    return scaled if _is(bias, 0) else scaled + summand


def _mean_of_groups(x: Value, spatial: Sequence[int], groups: int) -> Value:
    """Return the mean of each channel's group, over the spatial dims, for each channel."""
    mean = x.reduce("Mean", spatial) if spatial else x
    batch, channels, *ones = mean.shape
    if groups == channels:
        return mean
    of_groups = mean.reshape(batch, groups, channels // groups).reduce("Mean", (2,))
    each = of_groups.op("Tile", multiples=(1, 1, channels // groups))
    return each.reshape(batch, channels, *ones)


def _require_channels(x: Value) -> None:
    require(x.rank >= 2, f"the input has rank {x.rank}, it needs a channel dim")


def _is(value: Value, number: int) -> bool:
    """Tell whether a value is a constant of this number alone."""
    return value.array is not None and bool(np.all(value.array == number))


def _per_channel(index: int, value: Value, shape: Sequence[int]) -> Value:
    """Return an input with a number for each channel, or for each group of them."""
    channels, ones = shape[1], (1,) * (len(shape) - 2)
    (count,) = value.shape if value.rank == 1 else (0,)
    fits = count > 0 and channels % count == 0
    require(fits, f"input {index} is not one number for each of {channels} channels")
    if count < channels:
        value = value.reshape(count, 1).op("Tile", multiples=(1, channels // count))
    return value.reshape(channels, *ones)


@ONNX.importer("LpNormalization")
def lp_normalization(x: Value, *, axis: int = -1, p: int = 2) -> Value:
    """LpNormalization: x / its p-norm along one axis, and 0 where that is 0."""
    axis = counted_axis(axis, x.rank)
    return divided_where_not_zero(x, root(power_of_size(x, p).reduce("Sum", (axis,)), p))


def divided_where_not_zero(x: Value, divisor: Value) -> Value:
    """Return x / divisor, and x where that is 0."""
    return x / where(divisor.equal(0), 1, divisor)


@ONNX.importer("LRN")
def local_response(
    x: Value, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0
) -> Value:
    """LRN: x / (bias + alpha / size * the sum of squares of near channels) ** beta."""
    _require_channels(x)
    require(size >= 1, f"attribute 'size' is {size}", "use a number >= 1")
    require_few(x.shape[1] ** 2, f"has {x.shape[1]} channels, with a factor for each two")
    distance = np.subtract.outer(*[np.arange(x.shape[1], dtype=np.int32)] * 2)
    near = (distance <= (size - 1) // 2) & (-distance <= size // 2)
    total = product(x * x, 1, near * (alpha / size))
    return x / (total + bias) ** beta


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
    _require_channels(x)
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
