"""TfIdfVectorizer of numbers: how often each n-gram of a list is in a row of tokens.

Source: ONNX operator spec. Every window of a row is compared with every n-gram of its size:
of the tokens 5 7 5 7, the 2-grams 5 7 and 7 5 are there twice and once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ......dialects.dense import Array
from ......dialects.value.dtypes import DType
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from ..activation import plus
from ..tensors.casts import plain
from ..tensors.steps import like
from .classical import refuse_text

ONNX = ImporterSet(keeps_stored=False)

Integers = NDArray[np.int64]

_MODES = ("TF", "IDF", "TFIDF")


@ONNX.importer("TfIdfVectorizer")
def tf_idf(ctx: NodeContext) -> list[SSAValue]:
    """TfIdfVectorizer: counts, or 1 in place of larger ones, times weights if the mode has them."""
    refuse_text(ctx, "pool_strings")
    mode, weights = ctx.text("mode", "TF"), ctx.reals("weights")
    ctx.require(mode in _MODES, f"attribute 'mode' is {mode}", f"use {', '.join(_MODES)}")
    x, out, skipped = ctx.value(0), ctx.out().shape, ctx.integer("max_skip_count")
    tokens = ctx.reshape(x, (prod(ctx.shape(x)[:-1]), ctx.shape(x)[-1]))
    total = ctx.const(np.zeros((ctx.shape(tokens)[0], out[-1]), np.float32))
    for grams, columns in _grams(ctx, out[-1], np.array(weights if mode != "TF" else ())):
        # No token lies between those of a 1-gram.
        steps = range(1, 2 + (skipped if grams.shape[1] > 1 else 0))
        there = [counts for step in steps if (counts := _counts(ctx, tokens, grams, step))]
        if there:
            count = reduce(lambda a, b: plus(ctx, a, b), there)
            if mode == "IDF":
                count = ctx.emit("ElementWiseMinimum", count, ctx.scalar(1, count))
            total = plus(ctx, total, ctx.emit("MatMul", count, like(ctx, columns, count)))
    return [ctx.reshape(total, out)]


def _grams(ctx: NodeContext, width: int, weights: Array) -> Iterator[tuple[Integers, Array]]:
    """Yield the n-grams of each size, [grams, size], and their weights in their columns."""
    pool = np.array(ctx.integers("pool_int64s") or (), np.int64)
    starts, places = ctx.integers("ngram_counts") or (), ctx.integers("ngram_indexes") or ()
    least, most = ctx.integer("min_gram_length"), ctx.integer("max_gram_length")
    problem = f"attribute 'weights' has {len(weights)} numbers, not {len(places)}"
    ctx.require(len(weights) in (0, len(places)), problem)
    table = np.eye(width)[[p for p in places if 0 <= p < width]]
    table = table * weights[:, None] if len(weights) else table
    first = 0
    for size, (start, end) in enumerate(pairwise((*starts, pool.size)), 1):
        grams = pool[start : start + (end - start) // size * size].reshape(-1, size)
        last = first + len(grams)
        fits = start <= end and last <= len(table) == len(places)
        ctx.require(fits, f"'ngram_counts' or 'ngram_indexes' do not fit n-grams of size {size}")
        if least <= size <= most and len(grams):
            yield grams, table[first:last]
        first = last


def _counts(ctx: NodeContext, tokens: SSAValue, grams: Integers, step: int) -> SSAValue | None:
    """Return [rows, grams] how often each n-gram is there, its tokens `step` apart.

    None where a row has no room for one.
    """
    rows, length = ctx.shape(tokens)
    count, size = grams.shape
    windows = length - (size - 1) * step
    if windows < 1:
        return None
    compared = rows * windows * grams.size
    problem = f"compares {compared} pairs of tokens"
    ctx.require(compared <= MOST_ELEMENTS, problem, f"at most {MOST_ELEMENTS} are taken")
    places = np.arange(windows, dtype=np.int32)[:, None] + step * np.arange(size, dtype=np.int32)
    read = ctx.emit("Gather", tokens, ctx.const(places), axis=1)
    read = ctx.reshape(read, (rows * windows, 1, size))
    equal = ctx.emit("ElementWiseEqual", read, like(ctx, grams, read))
    same = ctx.emit("ReduceMin", plain(ctx, equal, DType.Float32), axes=(2,), keep_dims=False)
    same = ctx.reshape(same, (rows, windows, count))
    return ctx.emit("ReduceSum", same, axes=(1,), keep_dims=False)
