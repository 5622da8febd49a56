"""Reductions over axes. Floats are accumulated in 32 bits or more; integer sums wrap."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .quantize import cast
from .support.arrays import Array, mean, narrow, widen

Reduction: TypeAlias = Callable[[Array, tuple[int, ...], bool], Array]


def _summable(x: Array) -> NDArray[np.number]:
    least = np.float32 if x.dtype.kind == "f" else x.dtype
    return x.astype(np.promote_types(x.dtype, least), copy=False)


@np.errstate(all="ignore")
def _sum(x: Array, axes: tuple[int, ...], keep_dims: bool = True) -> Array:
    wide = _summable(x)
    return narrow(np.sum(wide, axis=axes, keepdims=keep_dims, dtype=wide.dtype), x.dtype)


@np.errstate(all="ignore")
def _prod(x: Array, axes: tuple[int, ...], keep_dims: bool = True) -> Array:
    wide = _summable(x)
    return narrow(np.prod(wide, axis=axes, keepdims=keep_dims, dtype=wide.dtype), x.dtype)


@np.errstate(all="ignore")
def _mean(x: Array, axes: tuple[int, ...], keep_dims: bool = True) -> Array:
    """Of integers: truncated towards zero."""
    if x.dtype.kind == "f":
        return narrow(mean(widen(x), axes, keep_dims), x.dtype)
    return cast(np.trunc(mean(x.astype(np.float64), axes, keep_dims)), x.dtype)


def _max(x: Array, axes: tuple[int, ...], keep_dims: bool = True) -> Array:
    return np.asarray(np.max(x, axis=axes, keepdims=keep_dims))


def _min(x: Array, axes: tuple[int, ...], keep_dims: bool = True) -> Array:
    return np.asarray(np.min(x, axis=axes, keepdims=keep_dims))


REDUCE: dict[str, Reduction] = {
    "Sum": _sum,
    "Mean": _mean,
    "Max": _max,
    "Min": _min,
    "Prod": _prod,
}


def argmax(x: Array, axis: int, keep_dims: bool = True) -> Array:
    """int32 index of the first largest element along `axis`."""
    return np.asarray(np.argmax(x, axis=axis, keepdims=keep_dims)).astype(np.int32)


def argmin(x: Array, axis: int, keep_dims: bool = True) -> Array:
    """int32 index of the first smallest element along `axis`."""
    return np.asarray(np.argmin(x, axis=axis, keepdims=keep_dims)).astype(np.int32)


def top_k(x: Array, count: int, largest: bool = True) -> list[Array]:
    """The `count` best elements along the last axis, best first, and their int32 indices.

    Of equal elements the first one comes first; NaN counts as the largest.
    """
    if largest:
        # Sorted from the end, so that the order of equal elements is right once it is turned.
        order = x.shape[-1] - 1 - np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]
    else:
        order = np.argsort(x, axis=-1, kind="stable")
    indices = order[..., :count]
    return [np.take_along_axis(x, indices, axis=-1), indices.astype(np.int32)]
