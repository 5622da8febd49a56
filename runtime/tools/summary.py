"""Inputs made up from a seed, and outputs in a few words."""

from collections.abc import Mapping

import numpy as np

from ...dialects.value import DType, TensorSpec
from ..functions.support.arrays import Array

_SMALL_INTEGERS = 2


def random_inputs(specs: Mapping[str, TensorSpec], seed: int) -> dict[str, Array]:
    """Draw one array per input.

    Floats are normal, quantised ones take all stored values, other integers 0 or 1 (they are
    lengths and indices more often than not), bools are false (they are resets).
    """
    generator = np.random.default_rng(seed)
    return {name: _random(generator, spec) for name, spec in specs.items()}


def _random(generator: np.random.Generator, spec: TensorSpec) -> Array:
    shape, storage = spec.shape, spec.dtype.storage
    if spec.dtype.is_float:
        return generator.standard_normal(shape).astype(storage)
    if spec.dtype is DType.Bool8:
        return np.zeros(shape, storage)
    if spec.dtype.is_integer:
        return generator.integers(0, _SMALL_INTEGERS, shape).astype(storage)
    info = np.iinfo(storage.str)
    return generator.integers(info.min, info.max, shape, dtype=np.int64, endpoint=True).astype(
        storage
    )


def summary(outputs: Mapping[str, Array]) -> str:
    """Write one line per output: name, shape, dtype, min, mean, max."""
    return "".join(f"{name}: {described(array)}\n" for name, array in outputs.items())


def described(array: Array) -> str:
    """Write shape, dtype, min, mean and max of an array."""
    shape = "x".join(map(str, array.shape)) or "scalar"
    if not array.size:
        return f"{shape} {array.dtype}, empty"
    values = array.astype(np.float64)
    with np.errstate(all="ignore"):
        numbers = values.min(), values.mean(), values.max()
    low, mean, high = (f"{number:.6g}" for number in numbers)
    return f"{shape} {array.dtype}, min {low}, mean {mean}, max {high}"
