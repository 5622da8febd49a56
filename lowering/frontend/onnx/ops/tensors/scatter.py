"""Ops that write to places that an input names: each is one ScatterNd."""

from __future__ import annotations

from math import prod

import numpy as np

from ......dialects.qti_aisw.ops.scatter import REDUCTIONS
from ....graph.value import Value
from ...support.faults import counted_axis, require
from ...support.registry import ImporterSet
from .steps import element_numbers

ONNX = ImporterSet(keeps_stored=False)


def _code(reduction: str) -> int:
    known = ", ".join(REDUCTIONS)
    problem = f"attribute 'reduction' is {reduction}"
    require(reduction in REDUCTIONS, problem, f"it may be {known}")
    return REDUCTIONS.index(reduction)


@ONNX.importer("ScatterND", folds=True)
def scatter_nd(x: Value, indices: Value, updates: Value, *, reduction: str = "none") -> Value:
    return x.op("ScatterNd", indices, updates, reduction=_code(reduction))


@ONNX.importer("ScatterElements", "Scatter", folds=True)
def scatter_elements(
    x: Value, indices: Value, updates: Value, *, axis: int = 0, reduction: str = "none"
) -> Value:
    """ScatterElements: elements of the flat data, by their numbers."""
    axis = counted_axis(axis, x.rank)
    return _flat(x, element_numbers(indices, x.shape, axis), updates, reduction)


def _flat(x: Value, numbers: Value, updates: Value, reduction: str = "none") -> Value:
    """Return the data with updates at elements by their numbers."""
    rows, count = x.reshape(prod(x.shape)), prod(updates.shape)
    places, flat = numbers.reshape(count, 1), updates.reshape(count)
    return rows.op("ScatterNd", places, flat, reduction=_code(reduction)).reshape(*x.shape)


@ONNX.importer("TensorScatter")
def tensor_scatter(
    cache: Value, update: Value, writes: Value | None, *, axis: int = -2, mode: str = "linear"
) -> Value:
    """TensorScatter: steps of each batch from its write index on; circular ones wrap around."""
    require(mode in ("linear", "circular"), f"attribute 'mode' is {mode}")
    axis, batch = counted_axis(axis, cache.rank), cache.shape[0]
    starts = cache.const(np.zeros(batch, np.int64)) if writes is None else writes
    places = starts.reshape(batch, *(1,) * (cache.rank - 1)) + np.indices(update.shape)[axis]
    places = places % cache.shape[axis] if mode == "circular" else places
    return _flat(cache, element_numbers(places, cache.shape, axis), update)
