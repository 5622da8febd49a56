"""Resize and Upsample: one step per axis that changes, a Gather or a product with a constant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ......dialects.qti_aisw.ops.image import INTERPOLATIONS, TRANSFORMATIONS
from ......dialects.qti_aisw.ops.image import ROUNDINGS as QNN_ROUNDINGS
from ......runtime.functions.support.interpolation import (
    COORDINATES,
    ROUNDINGS,
    Axis,
    Method,
    Reals,
    nearest,
    places,
    weights,
)
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from ..tensors.axes import product
from ..tensors.casts import decoded, encoded, plain, real_number, real_of
from .windows import channels_first, channels_last

ONNX = ImporterSet(keeps_stored=False)

_POLICIES: dict[str, Callable[[Sequence[float]], float]] = {"not_larger": min, "not_smaller": max}


@ONNX.importer("Resize", "Upsample", keeps_stored=True)
def resize(ctx: NodeContext) -> list[SSAValue]:
    """Resize: one op of images, or each axis on its own; all but floats pass through these.

    Upsample is a Resize in new opsets. tf_crop_and_resize crops every axis by its region, as ONNX
    says and its reference does; ONNX Runtime crops none that keeps its size.
    """
    data = ctx.value(0)
    x = decoded(ctx, data)
    coordinates = _choice(ctx, "coordinate_transformation_mode", "half_pixel", COORDINATES)
    method = Method(
        _choice(ctx, "mode", "nearest", INTERPOLATIONS),
        _choice(ctx, "nearest_mode", "round_prefer_floor", ROUNDINGS),
        ctx.real("cubic_coeff_a", -0.75),
        bool(ctx.integer("antialias")),
        bool(ctx.integer("exclude_outside")),
    )
    extrapolated = ctx.real("extrapolation_value", 0.0)
    rank = len(ctx.shape(x))
    dims = [dim % rank for dim in ctx.integers("axes") or range(rank)]
    axes = _axes(ctx, dims, *_scales(ctx, dims))
    if method.mode != "nearest":
        x = plain(ctx, x, real_of(ctx.dtype(x)))
    if _is_of_images(ctx, x, axes, coordinates, method):
        return [encoded(ctx, _of_images(ctx, x, coordinates, method), data)]
    for dim, axis in axes.items():
        at = places(axis, coordinates)
        x = _along(ctx, x, dim, axis, at, method)
        if coordinates == "tf_crop_and_resize":
            outside = (at < 0) | (at > axis.before - 1)
            x = _filled(ctx, x, dim, outside, real_number(ctx, extrapolated, data))
    return [encoded(ctx, x, data)]


def _choice(ctx: NodeContext, name: str, default: str, known: Collection[str]) -> str:
    value = ctx.text(name, default)
    ctx.require(value in known, f"attribute '{name}' is {value}", f"use {', '.join(known)}")
    return value


def _scales(ctx: NodeContext, dims: Sequence[int]) -> tuple[list[float], Sequence[float]]:
    """Return the scale of each dim and what the region of interest says: starts, then ends."""
    shape = ctx.shape(ctx.value(0))
    region, scales, sizes = (ctx.optional_constant(index) for index in (1, 2, 3))
    policy = _choice(ctx, "keep_aspect_ratio_policy", "stretch", ("stretch", *_POLICIES))
    roi = [] if region is None else [float(value) for value in region.reshape(-1)]
    if scales is not None and scales.size:
        return [float(scale) for scale in scales.reshape(-1)], roi
    ctx.require(sizes is not None, "has neither scales nor sizes", "give it one of them")
    wanted = () if sizes is None else sizes.reshape(-1)
    ctx.require(len(wanted) == len(dims), f"{len(wanted)} sizes do not fit {len(dims)} axes")
    ctx.require(all(shape[dim] for dim in dims), "has sizes for data without elements")
    ratios = [int(size) / shape[dim] for size, dim in zip(wanted, dims, strict=True)]
    if policy != "stretch":
        ratios = [_POLICIES[policy](ratios)] * len(dims)
    return ratios, roi


def _axes(
    ctx: NodeContext, dims: Sequence[int], scales: Sequence[float], roi: Sequence[float]
) -> dict[int, Axis]:
    """Return the dims that change."""
    before, after, count = ctx.shape(ctx.value(0)), ctx.out().shape, len(dims)
    ctx.require(len(scales) == count, f"{len(scales)} scales do not fit {count} axes")
    parts = roi or [0.0] * count + [1.0] * count
    ctx.require(len(parts) == 2 * count, f"input 'roi' has {len(parts)} elements, not {2 * count}")
    axes = {
        dim: Axis(before[dim], after[dim], scale, start, end)
        for dim, scale, start, end in zip(dims, scales, parts[:count], parts[count:], strict=True)
    }
    return {dim: axis for dim, axis in axes.items() if axis != Axis(axis.before, axis.before, 1.0)}


def _is_of_images(
    ctx: NodeContext, x: SSAValue, axes: Mapping[int, Axis], coordinates: str, method: Method
) -> bool:
    """Tell whether it is a Resize of QNN: of height and width, as their extents alone say."""
    known = coordinates in TRANSFORMATIONS and method.rounding in QNN_ROUNDINGS
    image = len(ctx.shape(x)) == 4 and axes.keys() <= {2, 3} and ctx.dtype(x).is_float
    exact = all(axis.exact for axis in axes.values())
    return bool(axes) and known and image and exact and not method.antialias


def _of_images(ctx: NodeContext, x: SSAValue, coordinates: str, method: Method) -> SSAValue:
    resized = ctx.emit(
        "Resize",
        channels_last(ctx, x),
        size=ctx.out().shape[2:],
        interpolation_mode=INTERPOLATIONS.index(method.mode),
        transformation_mode=TRANSFORMATIONS.index(coordinates),
        nearest_mode=QNN_ROUNDINGS.index(method.rounding),
        exclude_outside=method.exclude_outside,
        cubic_coeff=method.cubic,
    )
    return channels_first(ctx, resized, 4)


def _along(
    ctx: NodeContext, x: SSAValue, dim: int, axis: Axis, at: Reals, method: Method
) -> SSAValue:
    """Return the data with one axis resized."""
    if method.mode == "nearest":
        return ctx.emit("Gather", x, ctx.const(nearest(axis, at, method.rounding)), axis=dim)
    ctx.require(axis.before * axis.after <= MOST_ELEMENTS, "the resized dim is too large")
    return product(ctx, x, dim, weights(axis, at, method))


def _filled(
    ctx: NodeContext, x: SSAValue, dim: int, outside: NDArray[np.bool_], value: float
) -> SSAValue:
    """Return the data with a value in the places beyond the ends of one axis."""
    if not outside.any():
        return x
    mask = outside.reshape(-1, *(1,) * (len(ctx.shape(x)) - dim - 1))
    return ctx.emit("ElementWiseSelect", ctx.const(mask), ctx.scalar(value, x), x)
