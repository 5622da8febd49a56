"""Softmax and the normalisations. f16 is computed in f32 and rounded once."""

from collections.abc import Sequence

import numpy as np

from .support.arrays import Array, Floats, in_pieces, mean, narrow, widen


def _shifted(x: Array, axis: int, beta: float) -> Floats:
    """beta * x minus its maximum along `axis`, so that exp never overflows."""
    scaled = widen(x) * beta
    peak: Floats = np.max(scaled, axis=axis, keepdims=True, initial=-np.inf)
    return scaled - peak


@np.errstate(all="ignore")
def softmax(x: Array, axis: int = -1, beta: float = 1.0) -> Array:
    """exp(beta * x) over its sum along `axis`."""
    along = axis % x.ndim - x.ndim

    def on(rows: Array) -> Array:
        exps = np.exp(_shifted(rows, along, beta))
        return narrow(exps / np.sum(exps, axis=along, keepdims=True), x.dtype)

    return in_pieces(on, x, (along,))


@np.errstate(all="ignore")
def log_softmax(x: Array, axis: int = -1, beta: float = 1.0) -> Array:
    """The logarithm of `softmax`, without its underflow."""
    shifted = _shifted(x, axis, beta)
    total = np.sum(np.exp(shifted), axis=axis, keepdims=True)
    return narrow(shifted - np.log(total), x.dtype)


def _affine(
    normal: Floats, gamma: Array | None, beta: Array | None, axes: tuple[int, ...]
) -> Floats:
    """normal * gamma + beta, both with the extents of `axes` and 1 elsewhere."""
    rank = normal.ndim
    kept = [n if i - rank in axes else 1 for i, n in enumerate(normal.shape)]
    if gamma is not None:
        normal = normal * widen(gamma).reshape(kept)
    if beta is not None:
        normal = normal + widen(beta).reshape(kept)
    return normal


def _from_end(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    return tuple(axis % rank - rank for axis in axes)


@np.errstate(all="ignore")
def layer_norm(
    x: Array, gamma: Array | None, beta: Array | None, axes: Sequence[int], epsilon: float
) -> Array:
    """(x - mean) / sqrt(variance + epsilon) over `axes`, then * gamma + beta.

    gamma and beta have one element for each position within `axes`.
    """
    over = _from_end(axes, x.ndim)

    def on(rows: Array) -> Array:
        wide = widen(rows)
        centred = wide - mean(wide, over)
        variance = mean(np.square(centred), over)
        return narrow(_affine(centred / np.sqrt(variance + epsilon), gamma, beta, over), x.dtype)

    return in_pieces(on, x, over)


@np.errstate(all="ignore")
def rms_norm(
    x: Array, gamma: Array | None, beta: Array | None, axes: Sequence[int], epsilon: float
) -> Array:
    """x / sqrt(mean(x * x) + epsilon) over `axes`, then * gamma + beta as in `layer_norm`."""
    over = _from_end(axes, x.ndim)

    def on(rows: Array) -> Array:
        wide = widen(rows)
        power = mean(np.square(wide), over)
        return narrow(_affine(wide / np.sqrt(power + epsilon), gamma, beta, over), x.dtype)

    return in_pieces(on, x, over)


@np.errstate(all="ignore")
def batchnorm(x: Array, scale: Array, offset: Array) -> Array:
    """x * scale + offset, with scale[c] and offset[c] along the last axis."""
    return narrow(widen(x) * widen(scale) + widen(offset), x.dtype)
