"""Random numbers of nodes with a seed: constants, the first that ONNX's reference draws with it.

So every inference sees the same ones. A node without a seed is refused: its numbers would be others
at each run. Source: ONNX operator spec; the generator is numpy's RandomState.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.dense import Array
from .....dialects.spec_of import plain_element_type
from .....dialects.value.spec import Shape
from ..support.context import NodeContext
from ..support.registry import ImporterSet
from ..support.types import MOST_ELEMENTS
from .activation import plus
from .tensors.steps import like

ONNX = ImporterSet(keeps_stored=False)

_MOST_SEED = 2**32 - 1


def _generator(ctx: NodeContext, seed: float, shape: Shape) -> np.random.RandomState:
    """Return the generator of a node that draws numbers of a shape."""
    remedy = "give it a seed, or make its numbers an input"
    ctx.require(ctx.given("seed"), "has no seed, so its numbers are others at each run", remedy)
    count = prod(shape)
    ctx.require(count <= MOST_ELEMENTS, f"draws {count} numbers, {MOST_ELEMENTS} at most are taken")
    problem = f"attribute 'seed' is {seed:g}, it must be from 0 to {_MOST_SEED}"
    ctx.require(0 <= seed <= _MOST_SEED, problem)
    return np.random.RandomState(int(seed))


def _uniform(ctx: NodeContext, shape: Shape) -> Array:
    """Return numbers from 0 to 1, without 1."""
    return np.asarray(_generator(ctx, ctx.real("seed", 0.0), shape).random_sample(shape))


def _normal(ctx: NodeContext, shape: Shape) -> Array:
    return np.asarray(_generator(ctx, ctx.real("seed", 0.0), shape).standard_normal(shape))


@ONNX.importer("RandomUniform", "RandomUniformLike")
def random_uniform(ctx: NodeContext) -> list[SSAValue]:
    """RandomUniform: numbers from `low` to `high`."""
    low, high = ctx.real("low", 0.0), ctx.real("high", 1.0)
    return [_drawn(ctx, _uniform, high - low, low)]


@ONNX.importer("RandomNormal", "RandomNormalLike")
def random_normal(ctx: NodeContext) -> list[SSAValue]:
    """RandomNormal: numbers around `mean`, with `scale` as their deviation."""
    return [_drawn(ctx, _normal, ctx.real("scale", 1.0), ctx.real("mean", 0.0))]


def _drawn(
    ctx: NodeContext, draw: Callable[[NodeContext, Shape], Array], factor: float, offset: float
) -> SSAValue:
    """Return numbers of the node's shape and dtype, times a factor, plus an offset."""
    ctx.integers("shape")
    ctx.integer("dtype")
    if ctx.node.input:
        ctx.value(0)
    out = ctx.out()
    ctx.require(out.dtype.is_float, f"draws numbers of {out.dtype.name}", "draw floats")
    real = out.dtype.storage.type
    return ctx.const(draw(ctx, out.shape).astype(real) * real(factor) + real(offset))


@ONNX.importer("Bernoulli")
def bernoulli(ctx: NodeContext) -> list[SSAValue]:
    """Bernoulli: 1 where a uniform number is below the probability."""
    ctx.integer("dtype")
    x = ctx.value(0)
    below = ctx.emit("ElementWiseLess", like(ctx, _uniform(ctx, ctx.shape(x)), x), x)
    return [_as_stated(ctx, below)]


def _as_stated(ctx: NodeContext, value: SSAValue) -> SSAValue:
    """Return a value in the dtype of the node's output."""
    wanted = ctx.out().dtype
    if ctx.dtype(value) is wanted:
        return value
    return ctx.emit("Cast", value, to=plain_element_type(wanted))


@ONNX.importer("Multinomial")
def multinomial(ctx: NodeContext) -> list[SSAValue]:
    """Multinomial: the class whose log-probability and Gumbel noise have the largest sum."""
    ctx.integer("dtype")
    x, count = ctx.value(0), ctx.integer("sample_size", 1)
    ctx.require(len(ctx.shape(x)) == 2, f"input 0 has rank {len(ctx.shape(x))}, it must be 2")
    batch, classes = ctx.shape(x)
    ctx.require(count >= 1, f"attribute 'sample_size' is {count}", "use a number >= 1")
    exponential = -np.log1p(-_uniform(ctx, (batch, count, classes)))
    noise = -np.log(np.maximum(exponential, np.finfo(np.float64).tiny))
    sums = plus(ctx, ctx.reshape(x, (batch, 1, classes)), like(ctx, noise, x))
    return [_as_stated(ctx, ctx.emit("Argmax", sums, axis=2))]


@ONNX.importer("Dropout", keeps_stored=True)
def dropout(ctx: NodeContext) -> list[SSAValue]:
    """Dropout: the input and a mask that keeps all; in training, what a uniform number keeps."""
    seed, training = ctx.integer("seed"), ctx.optional_constant(2)
    x, shape = ctx.value(0), ctx.shape(ctx.value(0))
    if training is None or not training.any():
        ctx.optional(1)
        ratio = 0.0
    else:
        stated = ctx.optional_constant(1)
        ratio = 0.5 if stated is None else float(stated.reshape(-1)[0])
    ctx.require(0 <= ratio < 1, f"its ratio is {ratio:g}", "use a number from 0 to below 1")
    count = prod(shape)
    if not ratio:
        ctx.require(not ctx.uses(1) or count <= MOST_ELEMENTS, f"its mask has {count} elements")
        return [x, ctx.const(np.ones(shape, np.bool_))] if ctx.uses(1) else [x]
    kept = _generator(ctx, seed, shape).random_sample(shape) >= ratio
    factors = like(ctx, kept / (1 - ratio), x)
    return [ctx.emit("ElementWiseMultiply", x, factors), ctx.const(kept)]
