"""Random numbers of nodes with a seed: constants, the first that ONNX's reference draws with it.

So every inference sees the same ones. A node without a seed is refused: its numbers would be others
at each run. Source: ONNX operator spec; the generator is numpy's RandomState.
"""

from collections.abc import Callable
from math import prod

import numpy as np

from ....dialects.spec_of import Array
from ....dialects.value import Shape
from ..graph.value import Value
from ..support.registry import ImporterSet, Ints, NodeContext, NodeFault, require
from ..support.types import require_few

ONNX = ImporterSet(keeps_stored=False)

_MOST_SEED = 2**32 - 1


def _generator(seed: float | None, shape: Shape) -> np.random.RandomState:
    """Return the generator of a node that draws numbers of a shape."""
    remedy = "give it a seed, or make its numbers an input"
    if seed is None:
        raise NodeFault("has no seed, so its numbers are others at each run", remedy)
    count = prod(shape)
    require_few(count, f"draws {count} numbers")
    problem = f"attribute 'seed' is {seed:g}, it must be from 0 to {_MOST_SEED}"
    require(0 <= seed <= _MOST_SEED, problem)
    return np.random.RandomState(int(seed))


_Draw = Callable[[np.random.RandomState, Shape], Array]


@ONNX.importer("RandomUniform", "RandomUniformLike")
def random_uniform(
    ctx: NodeContext,
    *like: Value,
    low: float = 0.0,
    high: float = 1.0,
    seed: float | None = None,
    shape: Ints = (),
    dtype: int = 1,
) -> Value:
    """RandomUniform: numbers from `low` to `high`."""
    return _drawn(ctx, seed, np.random.RandomState.random_sample, high - low, low)


@ONNX.importer("RandomNormal", "RandomNormalLike")
def random_normal(
    ctx: NodeContext,
    *like: Value,
    mean: float = 0.0,
    scale: float = 1.0,
    seed: float | None = None,
    shape: Ints = (),
    dtype: int = 1,
) -> Value:
    """RandomNormal: numbers around `mean`, with `scale` as their deviation."""
    return _drawn(ctx, seed, np.random.RandomState.standard_normal, scale, mean)


def _drawn(
    ctx: NodeContext, seed: float | None, draw: _Draw, factor: float, offset: float
) -> Value:
    """Return numbers of the node's shape and dtype, times a factor, plus an offset."""
    out = ctx.out()
    require(out.dtype.is_float, f"draws numbers of {out.dtype.name}", "draw floats")
    real = out.dtype.storage.type
    numbers = draw(_generator(seed, out.shape), out.shape).astype(real)
    return ctx.const(numbers * real(factor) + real(offset))


@ONNX.importer("Bernoulli")
def bernoulli(ctx: NodeContext, x: Value, *, seed: float | None = None, dtype: int = 0) -> Value:
    """Bernoulli: 1 where a uniform number is below the probability."""
    below = x.like(_generator(seed, x.shape).random_sample(x.shape)) < x
    return below.cast(ctx.out().dtype)


@ONNX.importer("Multinomial")
def multinomial(
    ctx: NodeContext, x: Value, *, sample_size: int = 1, seed: float | None = None, dtype: int = 6
) -> Value:
    """Multinomial: the class whose log-probability and Gumbel noise have the largest sum."""
    require(x.rank == 2, f"input 0 has rank {x.rank}, it must be 2")
    batch, classes = x.shape
    problem = f"attribute 'sample_size' is {sample_size}"
    require(sample_size >= 1, problem, "use a number >= 1")
    shape = (batch, sample_size, classes)
    exponential = -np.log1p(-_generator(seed, shape).random_sample(shape))
    noise = -np.log(np.maximum(exponential, np.finfo(np.float64).tiny))
    sums = x.reshape(batch, 1, classes) + noise
    return sums.op("Argmax", axis=2).cast(ctx.out().dtype)


@ONNX.importer("Dropout", keeps_stored=True)
def dropout(
    ctx: NodeContext,
    x: Value,
    rate: Value | None,
    training: Array | None,
    *,
    seed: int | None = None,
) -> list[Value]:
    """Dropout: the input and a mask that keeps all; in training, what a uniform number keeps."""
    ratio, count = 0.0, prod(x.shape)
    if training is not None and training.any():
        stated = ctx.optional_constant(1)
        ratio = 0.5 if stated is None else float(stated.reshape(-1)[0])
    require(0 <= ratio < 1, f"its ratio is {ratio:g}", "use a number from 0 to below 1")
    if not ratio:
        require_few(ctx.uses(1) * count, f"its mask has {count} elements")
        return [x, x.const(np.ones(x.shape, np.bool_))] if ctx.uses(1) else [x]
    kept = _generator(seed, x.shape).random_sample(x.shape) >= ratio
    return [x * (kept / (1 - ratio)), x.const(kept)]
