"""Comparison of two outputs: the first place where they differ by more than rounding."""

from __future__ import annotations

import numpy as np

from ....dialects.dense import Array
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec
from .drawing.data import real_values

_TOLERANCE = {DType.Float32: 1e-5, DType.Float16: 4e-3}
"""Largest error of floats, relative to the output's scale and at least to 1.

The data is of scale 1, so sums that cancel leave an error of that scale.
"""
_STEPS = 1
"""Largest error of quantised results in steps: sums in another order differ in the last bit."""


def difference(
    before: Array, after: Array, spec: TensorSpec, noise: float, relaxed: bool = False
) -> str | None:
    """Say where two outputs differ by more than rounding; None where they agree.

    The arrays are stored values of several inferences along a new leading axis. `noise` is the
    error of the graph before from rounding inner quantised results; twice that is allowed, since a
    rewrite may round elsewhere. `relaxed`: floats are compared as Float16 is.
    """
    if before.shape != after.shape:
        return f"shape {before.shape} before, {after.shape} after"
    first, second = _reals(before, spec), _reals(after, spec)
    with np.errstate(all="ignore"):
        near = np.abs(first - second) <= _allowed(first, spec, relaxed) + 2 * noise
        wrong = ~(near | (first == second) | (np.isnan(first) & np.isnan(second)))
    if not wrong.any():
        return None
    place = tuple(int(index) for index in np.argwhere(wrong)[0])
    step = f"inference {place[0]}, " if len(before) > 1 else ""
    where = f"{int(wrong.sum())} of {wrong.size} elements, the first at {step}{list(place[1:])}"
    return f"{where}: {first[place]:g} before, {second[place]:g} after"


def noise_of(stored: Array, exact: Array, spec: TensorSpec) -> float:
    """Return the largest error of stored values against the values without rounding."""
    with np.errstate(all="ignore"):
        errors = np.abs(_reals(stored, spec) - exact.astype(np.float64))
    return float(np.max(errors[np.isfinite(errors)], initial=0.0))


def _allowed(values: Array, spec: TensorSpec, relaxed: bool) -> float:
    if spec.quant is not None:
        return spec.quant.scale * (_STEPS + 0.01)
    if spec.dtype not in _TOLERANCE:
        return 0.0
    finite = np.abs(values[np.isfinite(values)])
    tolerance = _TOLERANCE[DType.Float16 if relaxed else spec.dtype]
    return tolerance * max(1.0, float(np.max(finite, initial=0.0)))


def _reals(array: Array, spec: TensorSpec) -> Array:
    return real_values(array, spec).astype(np.float64)
