"""Pools that PyTorch's exporter has no translation of, or a wrong one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import ceil, prod
from typing import TYPE_CHECKING

import numpy as np

from ..graph.value import Value
from ..support.context import require
from .registry import TorchConversions

if TYPE_CHECKING:
    from .node import AtenNode

ATEN = TorchConversions()


@ATEN.conversion(
    *(f"aten.avg_pool{n}d" for n in (2, 3)), when=lambda args: bool(args["divisor_override"])
)
def average_pool(
    node: AtenNode,
    self: Value,
    kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    ceil_mode: bool,
    divisor_override: int,
) -> Value:
    """An average pool whose sums are divided by a number: the exporter leaves the number out."""
    rank, window = len(kernel_size), list(kernel_size)
    strides, pads = (
        list(numbers) * (rank // max(1, len(numbers))) for numbers in (stride, padding)
    )
    require(not ceil_mode, "has divisor_override and ceil_mode")
    out = node.one(
        "AveragePool",
        self.reshape(*(1, *self.shape)[-rank - 2 :]),
        kernel_shape=window,
        strides=strides or window,
        pads=pads * 2,
        count_include_pad=1,
    )
    return (out * (float(prod(window)) / divisor_override)).reshape(*node.out().shape)


@ATEN.conversion(
    *("aten.adaptive_avg_pool3d", "aten._adaptive_avg_pool3d"),
    when=lambda args: {*args["output_size"]} != {1},
)
def adaptive_average_pool(self: Value, output_size: Sequence[int]) -> Value:
    """Adaptive average pools: per axis a product with the weights of its windows."""
    first = self.rank - len(output_size)
    return reduce(lambda x, row: _averaged(x, *row), enumerate(output_size, first), self)


def _averaged(x: Value, axis: int, count: int) -> Value:
    """Return the averages of `count` windows along an axis."""
    size = x.shape[axis]
    if size == count:
        return x
    weights = np.zeros((size, count))
    for index, window in enumerate(_ranges(size, count)):
        weights[window, index] = 1 / len(window)
    order = [*range(x.rank)]
    order[axis], order[-1] = order[-1], order[axis]
    return (x.transpose(*order) @ weights).transpose(*order)


@ATEN.conversion(*(f"aten.adaptive_max_pool{n}d" for n in (1, 2, 3)))
def adaptive_max_pool(node: AtenNode, self: Value, output_size: Sequence[int]) -> list[Value]:
    """Adaptive max pools: the largest of each window, and its number in the plane."""
    sizes, planes = self.shape[-len(output_size) :], prod(self.shape[: -len(output_size)])
    count = prod(sizes)
    ranges = [_ranges(size, parts) for size, parts in zip(sizes, output_size, strict=True)]
    windows = [
        np.arange(count).reshape(sizes)[np.ix_(*cell)].reshape(-1) for cell in product(*ranges)
    ]
    # A window of fewer elements has its last one again.
    longest = max(map(len, windows))
    taps = np.array([np.pad(window, (0, longest - len(window)), "edge") for window in windows])
    elements = self.reshape(planes, count).gather(taps, axis=1)
    best = node.one("ReduceMax", elements, np.array([2]), keepdims=0)
    results = [best.reshape(*node.out().shape)]
    if node.uses(1):
        first = self.const(np.arange(len(taps)) * longest)
        place = node.one("ArgMax", elements, axis=2, keepdims=0) + first
        numbers = self.const(taps.reshape(-1)).gather(place)
        results.append(numbers.reshape(*node.out(1).shape))
    return results


def _ranges(size: int, count: int) -> list[range]:
    """List the windows of an adaptive pool along an axis."""
    return [range(n * size // count, ceil((n + 1) * size / count)) for n in range(count)]
