"""Data for the inputs and constants of a case."""

import numpy as np

from .....dialects.spec_of import Array
from .....dialects.value import DType, Quant, TensorSpec
from .....runtime.functions.quantize import dequantize, quantize
from .constraint_system import Choices, Contradiction
from .template import SCALES, Slot

LARGEST = 40_000
"""Maximum number of elements of a tensor; a graph with a larger one is not a case."""

_SEEDS = 1 << 16
_REACH, _STORED_REACH = 8, 100
"""Largest distance of integers from 0, and of stored values from their zero point."""
_GRAIN = 64
"""Steps per unit of drawn normal numbers: a sum of up to 1,000 products is exact in f32."""


def spec_of_slot(slot: Slot) -> TensorSpec:
    """Return the spec of a solved slot; Contradiction where the tensor is too large."""
    dtype = slot.dtype
    quant = Quant((SCALES[slot.step.known],), (slot.zero.known,)) if dtype.is_quantized else None
    spec = TensorSpec(slot.shape if slot.shown is None else slot.shown, dtype, quant)
    if spec.elements > LARGEST:
        raise Contradiction("a tensor is too large")
    return spec


def draw(slot: Slot, choices: Choices, steps: int | None = None) -> Array:
    """Draw stored values for a slot; with `steps`, one set for each along a new leading axis.

    Mostly small multiples of a quarter, at times normal numbers in steps of 1/64. Sums of products
    are exact with both, in whatever order a machine adds them up.
    """
    spec = spec_of_slot(slot)
    style = choices.below(4)
    generator = np.random.default_rng(choices.below(_SEEDS)) if style else None
    shape = spec.shape if steps is None else (steps, *spec.shape)
    array = np.array(_drawn(slot, spec, shape, generator, normal=style == 3))
    # Last the elements whose values are set.
    solved = {place: float(number.known * slot.unit) for place, number in slot.numbers.items()}
    for place, value in {**solved, **slot.exact}.items():
        if place >= array.size:
            raise Contradiction("a constant without that element")
        array.flat[place] = _stored(value, spec)
    if slot.filled is not None:
        array[...] = _stored(slot.filled, spec)
    return array


def real_values(array: Array, spec: TensorSpec) -> Array:
    """Return the real numbers of stored values: dequantised floats, or the values themselves."""
    if spec.quant is None:
        return array
    return dequantize(array, spec.quant.scales[0], spec.quant.zero_points[0])


def _drawn(
    slot: Slot,
    spec: TensorSpec,
    shape: tuple[int, ...],
    generator: np.random.Generator | None,
    normal: bool,
) -> Array:
    storage = spec.dtype.storage
    if slot.bounds is not None:
        low, end = slot.bounds[0], slot.bounds[1].known
        return _integers(generator, low, max(low, end - 1), shape).astype(storage)
    if spec.dtype is DType.Bool8:
        return _integers(generator, 0, 1, shape).astype(storage)
    if spec.dtype.is_float:
        if normal and generator is not None:
            return (np.rint(generator.standard_normal(shape) * _GRAIN) / _GRAIN).astype(storage)
        return (_integers(generator, -_REACH, _REACH, shape) / 4).astype(storage)
    info = np.iinfo(storage.str)
    zero, reach = (spec.quant.zero_point, _STORED_REACH) if spec.quant else (0, _REACH)
    low, high = max(info.min, zero - reach), min(info.max, zero + reach)
    return _integers(generator, low, high, shape).astype(storage)


def _integers(
    generator: np.random.Generator | None, low: int, high: int, shape: tuple[int, ...]
) -> Array:
    """Return integers from low to high; without a generator those around the middle, in a row."""
    if generator is not None:
        return generator.integers(low, high, shape, endpoint=True)
    middle, count = (low + high + 1) // 2, min(high - low + 1, 7)
    row = np.arange(int(np.prod(shape)), dtype=np.int64) % count
    return np.clip(middle - count // 2 + row, low, high).reshape(shape)


def _stored(value: float, spec: TensorSpec) -> Array:
    real = np.asarray(value, np.float32)
    if spec.quant is None:
        with np.errstate(all="ignore"):
            return np.asarray(value).astype(spec.dtype.storage)
    return quantize(real, spec.quant.scale, spec.quant.zero_point, spec.dtype.storage)
