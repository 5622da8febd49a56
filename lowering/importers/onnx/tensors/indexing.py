"""Ops that look elements up, each one Gather, or write to places, each one ScatterNd."""

from math import prod

import numpy as np

from .....dialects.qti_aisw.ops.movement import REDUCTIONS
from .....dialects.spec_of import Array
from .....dialects.value import DType
from ...graph.value import Value, where
from ...support.registry import ImporterSet, Ints, counted_axis, require
from ...support.types import require_few
from .steps import element_numbers, from_front, row_numbers

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("GatherElements", folds=True, keeps_stored=True)
def gather_elements(x: Value, indices: Value, *, axis: int = 0) -> Value:
    """GatherElements: elements of the flat data by their numbers."""
    numbers = element_numbers(indices, x.shape, counted_axis(axis, x.rank))
    return x.reshape(prod(x.shape)).gather(numbers)


@ONNX.importer("GatherND", folds=True, keeps_stored=True)
def gather_nd(x: Value, indices: Value, *, batch_dims: int = 0) -> Value:
    """GatherND: rows of the data by their numbers."""
    *front, width = indices.shape
    depth = batch_dims + width
    if depth == width == 1:
        return x.gather(indices.reshape(*front))
    rows = x.reshape(prod(x.shape[:depth]), *x.shape[depth:])
    return rows.gather(row_numbers(indices, x.shape, batch_dims))


@ONNX.importer("ReverseSequence", folds=True, keeps_stored=True)
def reverse_sequence(x: Value, lengths: Value, *, time_axis: int = 0, batch_axis: int = 1) -> Value:
    """ReverseSequence: step t of a batch comes from length - 1 - t, as long as t is within."""
    problem = f"'time_axis' is {time_axis}, 'batch_axis' is {batch_axis}"
    require({time_axis, batch_axis} == {0, 1}, problem)
    count, steps = x.shape[batch_axis], x.shape[time_axis]
    require_few(count * steps, f"reverses {count} sequences of {steps} steps")
    own = np.arange(steps).reshape((-1, 1) if time_axis == 0 else (1, -1))
    before = lengths.reshape(*(count, 1) if batch_axis == 0 else (count,)) - (own + 1)
    source = where(before >= 0, before, own)
    numbers = element_numbers(source, x.shape[:2], time_axis)
    return x.reshape(steps * count, *x.shape[2:]).gather(numbers)


@ONNX.importer("Compress", folds=True, keeps_stored=True)
def compress(x: Value, condition: Array, *, axis: int | None = None) -> Value:
    """Compress by a constant condition; without an axis the data is flat."""
    rows = x.reshape(prod(x.shape)) if axis is None else x
    dim = counted_axis(axis or 0, rows.rank)
    require_few(condition.size, f"has a condition of {condition.size} elements")
    places = np.flatnonzero(condition.reshape(-1)).astype(np.int32)
    size = rows.shape[dim]
    outside = bool((places >= size).any())
    require(not outside, f"input 'condition' is longer than dim {dim}, which is {size}")
    return rows.gather(places, dim)


@ONNX.importer("OneHot", folds=True)
def one_hot(indices: Value, depths: Ints, values: Value, *, axis: int = -1) -> Value:
    """OneHot: a Select by where the index is the number of the class."""
    (depth,) = depths
    count = depth * prod(indices.shape)
    require_few(count, f"makes {count} elements of its depth {depth}")
    axis = counted_axis(axis, indices.rank + 1)
    places = indices.cast(DType.Int64) if indices.dtype.is_float else indices
    places = from_front(places, depth)
    places = places.reshape(*indices.shape[:axis], 1, *indices.shape[axis:])
    classes = np.arange(depth).reshape((-1, *(1,) * (indices.rank - axis)))
    hit = places.equal(classes)
    off, on = (values.op("StridedSlice", ranges=[i, i + 1, 1]) for i in (0, 1))
    return where(hit, on, off)


@ONNX.importer("TopK", folds=True, keeps_stored=True)
def top_k(
    x: Value, counts: Ints, *, axis: int = -1, largest: bool = True, sorted: bool = True
) -> list[Value]:
    """TopK along the last dim; what need not be sorted is sorted all the same."""
    count, *_ = counts
    axis = counted_axis(axis, x.rank)
    order = [dim for dim in range(x.rank) if dim != axis] + [axis]
    back = [order.index(dim) for dim in range(x.rank)]
    values, places = x.transpose(*order).ops("TopK", k=count, largest=largest)
    return [each.transpose(*back) for each in (values, places.cast(DType.Int64))]


@ONNX.importer("Hardmax")
def hardmax(x: Value, *, axis: int = -1) -> Value:
    """Hardmax: 1 where the first largest element of the axis is, 0 elsewhere."""
    axis = counted_axis(axis, x.rank)
    require_few(x.shape[axis], f"counts {x.shape[axis]} classes")
    first = x.op("Argmax", axis=axis, keep_dims=True)
    places = np.arange(x.shape[axis], dtype=np.int32).reshape(-1, *(1,) * (x.rank - 1 - axis))
    return first.equal(places).cast(x.dtype)


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
    require_few(update.rank * prod(update.shape), f"writes {prod(update.shape)} elements")
    places = starts.reshape(batch, *(1,) * (cache.rank - 1)) + np.indices(update.shape)[axis]
    places = places % cache.shape[axis] if mode == "circular" else places
    return _flat(cache, element_numbers(places, cache.shape, axis), update)
