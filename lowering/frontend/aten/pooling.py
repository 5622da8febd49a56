"""Pools that PyTorch's exporter has no translation of, or a wrong one."""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from xdsl.ir import SSAValue

from .registry import TorchConversions

if TYPE_CHECKING:
    from .node import AtenNode

ATEN = TorchConversions()


@ATEN.conversion(
    *(f"aten.avg_pool{n}d" for n in (2, 3)), when=lambda args: bool(args["divisor_override"])
)
def average_pool(node: AtenNode) -> SSAValue:
    """An average pool whose sums are divided by a number: the exporter leaves the number out."""
    x, window = node.value("self"), list(node.argument("kernel_size"))
    rank, divisor = len(window), node.argument("divisor_override")
    stride, pads = (
        list(node.argument(name)) * (rank // max(1, len(node.argument(name))))
        for name in ("stride", "padding")
    )
    node.require(not node.argument("ceil_mode"), "has divisor_override and ceil_mode")
    out = node.one(
        "AveragePool",
        node.reshape(x, (1, *node.shape(x))[-rank - 2 :]),
        kernel_shape=window,
        strides=stride or window,
        pads=pads * 2,
        count_include_pad=1,
    )
    out = node.one("Mul", out, node.scalar(float(np.prod(window)) / divisor, out))
    return node.reshape(out, node.out().shape)


@ATEN.conversion(
    *("aten.adaptive_avg_pool3d", "aten._adaptive_avg_pool3d"),
    when=lambda args: {*args["output_size"]} != {1},
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


@ATEN.conversion(*(f"aten.adaptive_max_pool{n}d" for n in (1, 2, 3)))
def adaptive_max_pool(node: AtenNode) -> list[SSAValue]:
    """Adaptive max pools: the largest of each window, and its number in the plane."""
    x, wanted = node.value("self"), node.argument("output_size")
    sizes = node.shape(x)[-len(wanted) :]
    count, planes = int(np.prod(sizes)), int(np.prod(node.shape(x)[: -len(wanted)]))
    ranges = [_ranges(size, parts) for size, parts in zip(sizes, wanted, strict=True)]
    windows = [
        np.arange(count).reshape(sizes)[np.ix_(*cell)].reshape(-1) for cell in product(*ranges)
    ]
    # A window of fewer elements has its last one again.
    longest = max(map(len, windows))
    taps = np.array([np.pad(window, (0, longest - len(window)), "edge") for window in windows])
    elements = node.one("Gather", node.reshape(x, (planes, count)), taps, axis=1)
    best = node.one("ReduceMax", elements, np.array([2]), keepdims=0)
    results = [node.reshape(best, node.out().shape)]
    if node.uses(1):
        first = node.const(np.arange(len(taps)) * longest)
        place = node.one("Add", node.one("ArgMax", elements, axis=2, keepdims=0), first)
        numbers = node.one("Gather", node.const(taps.reshape(-1)), place)
        results.append(node.reshape(numbers, node.out(1).shape))
    return results


def _ranges(size: int, count: int) -> list[range]:
    """List the windows of an adaptive pool along an axis."""
    return [range(n * size // count, ceil((n + 1) * size / count)) for n in range(count)]
