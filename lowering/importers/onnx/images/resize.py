"""Resize and Upsample: one step per axis that changes, a Gather or a product with a constant."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from .....dialects.qti_aisw.ops.image import INTERPOLATIONS, TRANSFORMATIONS
from .....dialects.qti_aisw.ops.image import ROUNDINGS as QNN_ROUNDINGS
from .....dialects.spec_of import Array
from .....runtime.functions.support.interpolation import (
    COORDINATES,
    ROUNDINGS,
    Axis,
    Method,
    Reals,
    nearest,
    places,
    weights,
)
from ...graph.value import Value, where
from ...support.registry import ImporterSet, Ints, NodeContext, require
from ...support.types import require_few
from ..tensors.casts import decoded, encoded, real_number, real_of
from ..tensors.steps import product
from .windows import by_images, channels_first, channels_last

ONNX = ImporterSet(keeps_stored=False)

_POLICIES: dict[str, Callable[[Sequence[float]], float]] = {"not_larger": min, "not_smaller": max}


@dataclass(frozen=True)
class _Sampling:
    """The attributes that say how elements between those of the data are computed."""

    mode: str = "nearest"
    coordinate_transformation_mode: str = "half_pixel"
    nearest_mode: str = "round_prefer_floor"
    cubic_coeff_a: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False
    extrapolation_value: float = 0.0

    @property
    def coordinates(self) -> str:
        """The way from places of the result to those of the data."""
        name = "coordinate_transformation_mode"
        return _checked(name, self.coordinate_transformation_mode, COORDINATES)

    @property
    def method(self) -> Method:
        """The way of interpolation."""
        return Method(
            _checked("mode", self.mode, INTERPOLATIONS),
            _checked("nearest_mode", self.nearest_mode, ROUNDINGS),
            self.cubic_coeff_a,
            self.antialias,
            self.exclude_outside,
        )


@ONNX.importer("Resize", "Upsample", keeps_stored=True)
def resize(
    ctx: NodeContext,
    data: Value,
    region: Array | None,
    scales: Array | None,
    sizes: Array | None,
    *,
    sampling: _Sampling,
    axes: Ints | None = None,
    keep_aspect_ratio_policy: str = "stretch",
) -> Value:
    """Resize: one op of images, or each axis on its own; all but floats pass through these.

    Upsample is a Resize in new opsets. tf_crop_and_resize crops every axis by its region, as ONNX
    says and its reference does; ONNX Runtime crops none that keeps its size.
    """
    x, after = decoded(data), ctx.out().shape
    coordinates, method = sampling.coordinates, sampling.method
    dims = [dim % x.rank for dim in axes or range(x.rank)]
    ratios = _ratios(x.shape, dims, scales, sizes, keep_aspect_ratio_policy)
    changed = _axes(
        x.shape, after, dims, ratios, () if region is None else region.reshape(-1).tolist()
    )
    if method.mode != "nearest":
        x = x.cast(real_of(x.dtype))
    if _is_of_images(x, changed, coordinates, method):
        return encoded(ctx, _of_images(x, after, coordinates, method), data)
    for dim, axis in changed.items():
        at = places(axis, coordinates)
        x = _along(x, dim, axis, at, method)
        outside = (at < 0) | (at > axis.before - 1)
        if coordinates == "tf_crop_and_resize" and outside.any():
            # Places beyond the ends have a value of their own.
            mask = outside.reshape(-1, *(1,) * (x.rank - dim - 1))
            x = where(mask, real_number(sampling.extrapolation_value, data), x)
    return encoded(ctx, x, data)


def _checked(name: str, value: str, known: Collection[str]) -> str:
    require(value in known, f"attribute '{name}' is {value}", f"use {', '.join(known)}")
    return value


def _ratios(
    shape: Sequence[int],
    dims: Sequence[int],
    scales: Array | None,
    sizes: Array | None,
    policy: str,
) -> list[float]:
    """Return the scale of each dim: as stated, or as it leads to a size."""
    _checked("keep_aspect_ratio_policy", policy, ("stretch", *_POLICIES))
    if scales is not None and scales.size:
        return [float(scale) for scale in scales.reshape(-1)]
    require(sizes is not None, "has neither scales nor sizes", "give it one of them")
    wanted = () if sizes is None else sizes.reshape(-1)
    require(len(wanted) == len(dims), f"{len(wanted)} sizes do not fit {len(dims)} axes")
    require(all(shape[dim] for dim in dims), "has sizes for data without elements")
    ratios = [int(size) / shape[dim] for size, dim in zip(wanted, dims, strict=True)]
    return ratios if policy == "stretch" else [_POLICIES[policy](ratios)] * len(dims)


def _axes(
    before: Sequence[int],
    after: Sequence[int],
    dims: Sequence[int],
    scales: Sequence[float],
    region: Sequence[float],
) -> dict[int, Axis]:
    """Return the dims that change; the region of interest is starts, then ends."""
    count = len(dims)
    require(len(scales) == count, f"{len(scales)} scales do not fit {count} axes")
    parts = [float(part) for part in region] or [0.0] * count + [1.0] * count
    require(len(parts) == 2 * count, f"input 'roi' has {len(parts)} elements, not {2 * count}")
    axes = {
        dim: Axis(before[dim], after[dim], scale, start, end)
        for dim, scale, start, end in zip(dims, scales, parts[:count], parts[count:], strict=True)
    }
    return {dim: axis for dim, axis in axes.items() if axis != Axis(axis.before, axis.before, 1.0)}


def _is_of_images(x: Value, axes: Mapping[int, Axis], coordinates: str, method: Method) -> bool:
    """Tell whether it is one of QNN by image and by depth, as the extents alone say."""
    known = coordinates in TRANSFORMATIONS and method.rounding in QNN_ROUNDINGS
    image = x.rank in (4, 5) and axes.keys() <= {2, 3, 4} and x.dtype.is_float
    exact = all(axis.exact for axis in axes.values())
    return bool(axes) and known and image and exact and not method.antialias


def _of_images(x: Value, after: Sequence[int], coordinates: str, method: Method) -> Value:
    def resized(images: Value, *size: int) -> Value:
        if size == images.shape[1:3]:
            return images
        return images.op(
            "Resize",
            size=size,
            interpolation_mode=INTERPOLATIONS.index(method.mode),
            transformation_mode=TRANSFORMATIONS.index(coordinates),
            nearest_mode=QNN_ROUNDINGS.index(method.rounding),
            exclude_outside=method.exclude_outside,
            cubic_coeff=method.cubic,
        )

    if x.rank == 4:
        return channels_first(resized(channels_last(x), *after[2:]), 4)
    depth, *image = after[2:]
    return by_images(
        x,
        lambda images: resized(images, *image),
        lambda steps: resized(steps, depth, steps.shape[2]),
    )


def _along(x: Value, dim: int, axis: Axis, at: Reals, method: Method) -> Value:
    """Return the data with one axis resized."""
    if method.mode == "nearest":
        return x.gather(nearest(axis, at, method.rounding), dim)
    require_few(axis.before * axis.after, "the resized dim is too large")
    return product(x, dim, weights(axis, at, method))
