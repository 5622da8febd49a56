"""Pools, and adaptive pools."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from xdsl.ir import SSAValue

from ..dtypes import bounds
from ..registry import TorchConversions
from .places import Numbers

if TYPE_CHECKING:
    from ..node import AtenNode

ATEN = TorchConversions()

_DIMS = (1, 2, 3)


@ATEN.conversion(
    *(f"aten.max_pool{n}d" for n in _DIMS), *(f"aten.max_pool{n}d_with_indices" for n in (2, 3))
)
def max_pool(node: AtenNode) -> list[SSAValue]:
    """Max pools; the stride is the window where it is left out."""
    dilations = _each(node, "dilation")
    x = _batched(node)
    out = node.one("MaxPool", x, **_options(node), dilations=dilations)
    results = [node.reshape(out, node.out().shape)]
    return [*results, _places(node, x)] if node.uses(1) else results


@ATEN.conversion(*(f"aten.avg_pool{n}d" for n in _DIMS))
def average_pool(node: AtenNode) -> SSAValue:
    """Average pools; `divisor_override` takes the place of the count."""
    divisor, options = node.argument("divisor_override"), _options(node)
    counted = int(bool(divisor) or node.argument("count_include_pad"))
    node.require(not (divisor and options["ceil_mode"]), "has divisor_override and ceil_mode")
    out = node.one("AveragePool", _batched(node), **options, count_include_pad=counted)
    if divisor:
        factor = np.prod(options["kernel_shape"]) / divisor
        out = node.one("Mul", out, node.scalar(factor, out))
    return node.reshape(out, node.out().shape)


def _batched(node: AtenNode) -> SSAValue:
    """Return the input with a batch, which it may be without."""
    x, rank = node.value("self"), len(node.argument("kernel_size"))
    shape = node.shape(x)
    return x if len(shape) == rank + 2 else node.reshape(x, (1, *shape))


def _each(node: AtenNode, name: str) -> list[int]:
    """Return a number for each spatial dim, where one may stand for all."""
    rank = len(node.argument("kernel_size"))
    return list(node.argument(name)) * (rank if len(node.argument(name)) == 1 else 1)


def _options(node: AtenNode) -> dict[str, Any]:
    window = list(node.argument("kernel_size"))
    return {
        "kernel_shape": window,
        "strides": _each(node, "stride") or window,
        "pads": _each(node, "padding") * 2,
        "ceil_mode": int(node.argument("ceil_mode")),
    }


def _places(node: AtenNode, x: SSAValue) -> SSAValue:
    """Return the places of a max pool's results, as numbers of elements of a plane."""
    sizes = node.shape(x)[2:]
    count = int(np.prod(sizes))
    outs = node.out().shape[-len(sizes) :]
    numbers = np.arange(count).reshape(sizes)
    taps = _windows(numbers, outs, _options(node), _each(node, "dilation"), outside=count)
    return _best_of(node, _gathered(node, x, count, taps), taps)


def _gathered(node: AtenNode, x: SSAValue, count: int, taps: Numbers) -> SSAValue:
    """Return the elements of each window [planes, windows, taps], outside the least number."""
    planes = int(np.prod(node.shape(x))) // count
    least = np.full((planes, 1), bounds(node.dtype(x))[0], node.dtype(x).storage)
    flat = node.one("Concat", node.reshape(x, (planes, count)), node.const(least), axis=1)
    return node.one("Gather", flat, taps, axis=1)


def _best_of(node: AtenNode, elements: SSAValue, taps: Numbers) -> SSAValue:
    """Return the number of the largest element of each window."""
    best = node.one("ArgMax", elements, axis=2, keepdims=0)
    first = node.const(np.arange(len(taps)) * taps.shape[1])
    chosen = node.one("Gather", node.const(taps.reshape(-1)), node.one("Add", best, first))
    return node.reshape(chosen, node.out(1).shape)


def _windows(
    numbers: Numbers,
    outs: Sequence[int],
    options: dict[str, Any],
    dilations: Sequence[int],
    outside: int,
) -> Numbers:
    """List the numbers in each window, [windows, taps]; `outside` stands for padding."""
    reach = [d * (k - 1) + 1 for k, d in zip(options["kernel_shape"], dilations, strict=True)]
    pads = options["pads"][: len(outs)]
    ends = [(o - 1) * s + r for o, s, r in zip(outs, options["strides"], reach, strict=True)]
    amounts = [
        (p, max(0, end - n - p)) for p, end, n in zip(pads, ends, numbers.shape, strict=True)
    ]
    views = sliding_window_view(np.pad(numbers, amounts, constant_values=outside), reach)
    starts = tuple(
        slice(0, (o - 1) * s + 1, s) for o, s in zip(outs, options["strides"], strict=True)
    )
    taps = views[starts + tuple(slice(None, None, d) for d in dilations)]
    return np.ascontiguousarray(taps).reshape(int(np.prod(outs)), -1)


@ATEN.conversion(
    *("aten.adaptive_avg_pool1d", "aten._adaptive_avg_pool2d", "aten._adaptive_avg_pool3d")
)
def adaptive_average_pool(node: AtenNode) -> SSAValue:
    """Adaptive average pools: per axis a product with the weights of its windows."""
    x, wanted = node.value("self"), node.argument("output_size")
    first = len(node.shape(x)) - len(wanted)
    return reduce(
        lambda value, axis: _averaged(node, value, axis, wanted[axis - first]),
        range(first, first + len(wanted)),
        x,
    )


def _averaged(node: AtenNode, x: SSAValue, axis: int, count: int) -> SSAValue:
    """Return the averages of `count` windows along an axis."""
    size = node.shape(x)[axis]
    if size == count:
        return x
    weights = np.zeros((size, count), node.dtype(x).storage)
    for index, window in enumerate(_ranges(size, count)):
        weights[window, index] = 1 / len(window)
    perm = [*range(len(node.shape(x)))]
    perm[axis], perm[-1] = perm[-1], perm[axis]
    return node.transpose(node.one("MatMul", node.transpose(x, perm), node.const(weights)), perm)


@ATEN.conversion("aten.adaptive_max_pool2d", "aten.adaptive_max_pool3d")
def adaptive_max_pool(node: AtenNode) -> list[SSAValue]:
    """Adaptive max pools: the largest of each window, and its place."""
    x, wanted = node.value("self"), node.argument("output_size")
    sizes = node.shape(x)[-len(wanted) :]
    numbers = np.arange(int(np.prod(sizes))).reshape(sizes)
    ranges = [_ranges(size, count) for size, count in zip(sizes, wanted, strict=True)]
    windows = [numbers[np.ix_(*cell)].reshape(-1) for cell in product(*ranges)]
    taps = np.full((len(windows), max(map(len, windows))), numbers.size)
    for row, window in zip(taps, windows, strict=True):
        row[: len(window)] = window
    elements = _gathered(node, x, numbers.size, taps)
    best = node.one("ReduceMax", elements, np.array([2]), keepdims=0)
    return [node.reshape(best, node.out().shape), _best_of(node, elements, taps)]


def _ranges(size: int, count: int) -> list[range]:
    """List the windows of an adaptive pool along an axis."""
    return [range(n * size // count, ceil((n + 1) * size / count)) for n in range(count)]
