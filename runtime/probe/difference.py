"""The difference of two arrays: its largest error, where that is, and what is allowed.

The tolerance of a tensor is the coarsest of its dtype and of those that it is computed from.
"""

from dataclasses import dataclass
from math import inf, isfinite, log10

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.value import DType, TensorSpec
from ..functions.support.arrays import Array
from ..program.program import Program

FLOATS = {DType.Float64: 1e-9, DType.Float32: 1e-5, DType.Float16: 4e-3, DType.BFloat16: 3e-2}
"""Largest error of a float that is not a fault, relative to the largest value of its tensor.

That is some 100 roundings of f32 and 4 of f16 and bf16 in one direction. Passes that compute sums
in another order, over the depth of a whole model, stay at a sixth of that and less.
"""
_STEPS = 2
"""Largest error of a quantised tensor that is not a fault, in steps of its encoding."""
_COARSE = 0.25
"""The tolerance of floats of 8 bits and less, relative to the largest value."""


def tolerance_of(spec: TensorSpec) -> float:
    """Return the tolerance of a tensor by its dtype, relative to its largest value."""
    if spec.dtype.is_quantized:
        levels = 1 << 8 * min(spec.dtype.itemsize, 2)
        return _STEPS / (levels - 1)
    return FLOATS.get(spec.dtype, _COARSE) if spec.dtype.is_float else 0.0


def tolerances(program: Program) -> dict[SSAValue, float]:
    """Return the tolerance of every value of a program that is not a constant."""
    known: dict[SSAValue, float] = {}
    for value, at in program.allocations.items():
        if value not in program.constants:
            owner = value.owner
            read = owner.operands if isinstance(owner, Operation) else ()
            known[value] = max(
                tolerance_of(at.spec), *(known.get(operand, 0.0) for operand in read), 0.0
            )
    return known


@dataclass(frozen=True)
class Difference:
    """The element that differs most: its place, both values, its error and the error allowed.

    `count` of the `size` elements differ by more than that. An error is infinite where one value
    alone is not a number. `decibels` is the signal to noise ratio.
    """

    place: tuple[int, ...]
    shape: tuple[int, ...]
    value: float
    wanted: float
    error: float
    allowed: float
    count: int
    decibels: float

    @property
    def is_fault(self) -> bool:
        """Tell whether the error is larger than allowed."""
        return self.count > 0

    @property
    def ratio(self) -> float:
        """The error in units of what is allowed; infinite where nothing is."""
        if self.allowed:
            return self.error / self.allowed
        return float("inf") if self.error else 0.0

    def __str__(self) -> str:
        where = f"[{', '.join(map(str, self.place))}] of {dims(self.shape)}"
        return (
            f"by {self.error:.3g} at {where}: {self.value:.6g} is not {self.wanted:.6g}; "
            f"allowed is {self.allowed:.3g}"
        )


def dims(shape: tuple[int, ...]) -> str:
    """Write a shape as messages do."""
    return "x".join(map(str, shape)) or "a scalar"


def alike(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Tell whether two shapes are the same but for dims of 1."""
    return [n for n in shape if n != 1] == [n for n in other if n != 1]


def signal_to_noise(signal: Array, other: Array) -> float:
    """Return the signal to noise ratio of another array in dB; infinite without noise."""
    exact, actual = signal.astype(np.float64), other.astype(np.float64)
    with np.errstate(all="ignore"):
        noise = np.where(exact == actual, 0.0, exact - actual)
        power, total = float((noise**2).sum()), float((exact**2).sum())
    if power == 0:
        return inf
    return 10 * log10(total / power) if total and isfinite(total / power) else -inf


def difference(array: Array, wanted: Array, tolerance: float) -> Difference:
    """Compare two arrays of one shape, but for dims of 1; the place is that in the first.

    `tolerance` is relative to the largest finite value of `wanted`.
    """
    first = array.astype(np.float64)
    second = wanted.astype(np.float64).reshape(first.shape)
    finite = np.abs(second[np.isfinite(second)])
    allowed = tolerance * float(np.max(finite, initial=0.0))
    with np.errstate(all="ignore"):
        same = (first == second) | (np.isnan(first) & np.isnan(second))
        errors = np.where(same, 0.0, np.abs(first - second))
    errors[np.isnan(errors)] = np.inf
    count = int((errors > allowed).sum())
    if not errors.size:
        return Difference((), array.shape, 0.0, 0.0, 0.0, allowed, 0, inf)
    place = tuple(int(i) for i in np.unravel_index(int(errors.argmax()), errors.shape))
    return Difference(
        place,
        array.shape,
        float(first[place]),
        float(second[place]),
        float(errors[place]),
        allowed,
        count,
        signal_to_noise(second, first),
    )
