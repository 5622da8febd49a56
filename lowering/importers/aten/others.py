"""Ops that PyTorch's exporter cannot translate, or not for all nodes; and refused ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import ceil, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ....dialects.value import DType
from ..graph.value import Value, joined, where
from ..support.registry import NodeFault, require
from .registry import TorchConversions, of_op

if TYPE_CHECKING:
    from .node import AtenNode

ATEN = TorchConversions()
Arguments = Mapping[str, Any]


def _dtype(value: Any) -> str:
    """Return ONNX's name for the dtype of a tensor; empty of a number."""
    return value.dtype.name if hasattr(value, "dtype") else ""


def _of_integers(args: Arguments) -> bool:
    return _dtype(args["self"]).startswith(("INT", "UINT"))


@ATEN.conversion("aten.ceil", "aten.floor", "aten.round.default", "aten.trunc", when=_of_integers)
def rounded(self: Value) -> Value:
    """Integers rounded stay unchanged; ONNX rounds floats alone."""
    return self


@ATEN.conversion("aten.isnan", when=_of_integers)
def no_numbers(node: AtenNode) -> Value:
    """isnan of integers: none is."""
    return node.const(np.zeros(node.out().shape, np.bool_))


@ATEN.conversion("aten.elu", when=lambda args: (args["scale"], args["input_scale"]) != (1, 1))
def elu(node: AtenNode, self: Value, alpha: float, scale: float, input_scale: float) -> Value:
    """elu with scales, which the exporter puts in the wrong places."""
    out = node.one("Elu", self * input_scale, alpha=float(alpha))
    return where(self > 0, self, out) * scale


@ATEN.conversion(
    "aten.add.Tensor", when=lambda args: {_dtype(args[n]) for n in ("self", "other")} == {"BOOL"}
)
def either(self: Value, other: Value) -> Value:
    """The sum of truth values: or."""
    return self | other


@ATEN.conversion("aten.cat", when=lambda args: any(list(t.shape) == [0] for t in args["tensors"]))
def cat(node: AtenNode, tensors: Sequence[Value], dim: int) -> Value:
    """cat with what has no elements, as PyTorch's empty default, which is left out."""
    parts = [node.as_out(part) for part in tensors]
    kept = [part for part in parts if part.shape != (0,)] or parts[:1]
    return kept[0] if len(kept) == 1 else joined(kept, dim % max(1, len(node.out().shape)))


@ATEN.conversion("aten.stack", when=lambda args: len({*map(_dtype, args["tensors"])}) > 1)
def stack(node: AtenNode, tensors: Sequence[Value], dim: int) -> Value:
    """stack of tensors of several dtypes."""
    axis, shape = dim % len(node.out().shape), list(node.out().shape)
    shape[axis] = 1
    parts = [node.as_out(part) for part in tensors]
    return joined([part.reshape(*shape) for part in parts], axis)


@ATEN.conversion("aten.sort.stable")
def sort(node: AtenNode, self: Value, descending: bool) -> list[Value]:
    """sort in which equal elements stay in their order: TopK of all."""
    x, axis = self.reshape(*self.shape or (1,)), node.axis()
    count = np.array([x.shape[axis]])
    results = node.onnx("TopK", x, count, outputs=2, axis=axis, largest=int(descending))
    return [each.reshape(*node.out().shape) for each in results]


@ATEN.conversion("aten.copy", when=lambda args: args["self"].shape != args["src"].shape)
def copied(node: AtenNode, src: Value) -> Value:
    """copy of a tensor that is repeated to the shape of another."""
    return node.one("Expand", node.as_out(src), np.array(node.out().shape, np.int64))


@ATEN.conversion(
    *(f"aten.{name}" for name in ("amax", "amin")),
    when=lambda args: not args["dim"] or not args["self"].shape,
)
def extremes(node: AtenNode, self: Value, keepdim: bool) -> Value:
    """amax and amin over all dims, or of a tensor without dims."""
    op = "ReduceMax" if "amax" in node.info.op else "ReduceMin"
    return node.one(op, self, keepdims=int(keepdim)) if self.rank else self


@ATEN.conversion("aten.cumprod")
def cumulated(node: AtenNode, self: Value) -> Value:
    """cumprod along a dim."""
    x = node.as_out(self)
    return node.one("CumProd", x, np.array(node.axis(), np.int64)) if x.rank else x


@ATEN.conversion("aten.diagonal_scatter")
def put_on_diagonal(
    node: AtenNode, self: Value, src: Value, offset: int, dim1: int, dim2: int
) -> Value:
    """diagonal_scatter: one Gather by the numbers of elements."""
    source = node.as_out(src)
    sizes = [prod(each.shape) for each in (self, source)]
    numbers = np.arange(sizes[0]).reshape(self.shape)
    view = numbers.diagonal(offset, dim1, dim2)
    view.flags.writeable = True
    view[...] = sizes[0] + np.arange(sizes[1]).reshape(source.shape)
    parts = [each.reshape(size) for each, size in zip((self, source), sizes, strict=True)]
    return joined(parts, 0).gather(numbers)


@ATEN.conversion("aten.col2im", when=lambda args: len(args["self"].shape) == 2)
def col2im(
    node: AtenNode,
    self: Value,
    output_size: Sequence[int],
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Value:
    """col2im without a batch."""
    shapes = np.array(output_size), np.array(kernel_size)
    attributes = {"dilations": dilation, "pads": list(padding) * 2, "strides": stride}
    out = node.one("Col2Im", self.reshape(1, *self.shape), *shapes, **attributes)
    return out.reshape(*node.out().shape)


@ATEN.conversion("aten._cdist_forward")
def distances(x1: Value, x2: Value, p: float) -> Value:
    """cdist: the p-norm of each row of x1 less each row of x2."""
    (*batch, rows, width), (*other, columns, _) = x1.shape, x2.shape
    left = x1.reshape(*batch, rows, 1, width)
    return _norm(left - x2.reshape(*other, 1, columns, width), p)


@ATEN.conversion("aten._pdist_forward")
def distances_of_pairs(self: Value, p: float) -> Value:
    """pdist: the p-norm of each row less each row behind it."""
    first, second = (self.gather(n) for n in np.triu_indices(self.shape[0], 1))
    return _norm(first - second, p)


def _norm(x: Value, p: float) -> Value:
    """Return the p-norm over the last dim."""
    size, last = x.abs(), [x.rank - 1]
    if p == math.inf:
        return size.reduce("Max", last, keep=False)
    size = size.sign() if p == 0 else size
    powers = size if p in (0, 1) else size**p
    total = powers.reduce("Sum", last, keep=False)
    return total if p in (0, 1) else total ** (1 / p)


def _is_masked(args: Arguments) -> bool:
    """Tell whether one number is written wherever a mask is true."""
    first, *others = args["indices"]
    is_number = list(args["values"].shape) in ([], [1])
    return not others and _dtype(first) == "BOOL" and is_number


@ATEN.conversion("aten.index_put", when=_is_masked)
def masked_put(
    node: AtenNode, self: Value, indices: Sequence[Value], values: Value, accumulate: bool
) -> Value:
    """index_put of one number wherever a mask is true; the exporter lists the places."""
    numbers, (mask,) = node.as_out(values), indices
    require(not accumulate, "accumulates where a mask is true")
    return where(mask.reshape(*mask.shape, *(1,) * (self.rank - mask.rank)), numbers, self)


@ATEN.conversion("aten.masked_scatter")
def masked_scatter(node: AtenNode, self: Value, mask: Value, source: Value) -> Value:
    """masked_scatter: the next element of the source wherever the mask is true."""
    shape = np.array(node.out().shape, np.int64)
    mask, x = (node.one("Expand", each, shape) for each in (mask, self))
    count, size = int(shape.prod()), prod(source.shape)
    flat = node.cast(mask.reshape(count), DType.Int64)
    place = node.one("CumSum", flat, np.array(0)) - 1
    inside = place.maximum(0).minimum(max(0, size - 1))
    return where(mask, source.reshape(size).gather(inside).reshape(*node.out().shape), x)


@ATEN.conversion("aten.scatter.src", when=lambda args: args["src"].shape != args["index"].shape)
def scattered(node: AtenNode, self: Value, index: Value, src: Value) -> Value:
    """scatter of the part of a tensor that has the shape of the index."""
    return _scattered(node, self, index, _source(node, index, src), "none")


@ATEN.conversion("aten.scatter.reduce")
def reduced(node: AtenNode, self: Value, index: Value, src: Value, reduce: str) -> Value:
    """scatter with a sum or a product."""
    reduction = {"add": "add", "multiply": "mul"}[reduce]
    return _scattered(node, self, index, _source(node, index, src), reduction)


@ATEN.conversion("aten.scatter_reduce.two", when=lambda args: args["reduce"] == "mean")
def scattered_means(
    node: AtenNode, self: Value, index: Value, src: Value, include_self: bool
) -> Value:
    """scatter_reduce by means, of which the exporter makes sums: sums divided by their counts."""
    source = _source(node, index, src)
    ones = self.like(np.ones(source.shape))
    if include_self:
        total = _scattered(node, self, index, source, "add")
        counts = _scattered(node, self.like(np.ones(self.shape)), index, ones, "add")
        return total / counts
    zeros = self.like(np.zeros(source.shape))
    cleared = _scattered(node, self, index, zeros, "none")
    total = _scattered(node, cleared, index, source, "add")
    counts = _scattered(node, self.like(np.zeros(self.shape)), index, ones, "add")
    return total / counts.maximum(1)


def _source(node: AtenNode, index: Value, source: Value) -> Value:
    """Return what is written, of the shape of the index."""
    if source.shape == index.shape or not index.rank:
        return source
    ends = np.array(index.shape, np.int64)
    return node.one("Slice", source, np.zeros(index.rank, np.int64), ends)


def _scattered(node: AtenNode, x: Value, index: Value, source: Value, reduction: str) -> Value:
    parts = (each.reshape(*each.shape or (1,)) for each in (x, index, source))
    out = node.one("ScatterElements", *parts, axis=node.axis(), reduction=reduction)
    return out.reshape(*x.shape)


if TYPE_CHECKING:
    from .node import AtenNode


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


@dataclass(frozen=True)
class Refusal:
    """The reason why an op has no conversion, and what to do instead."""

    reason: str
    remedy: str


_BACKWARD = Refusal("it is a step of training", "export the module without gradients")
_RANDOM = Refusal("its numbers are random", "draw them outside, and make them an input")
_DRAWS = (
    *(f"aten.{op}{like}" for op in ("rand", "randn", "randint") for like in ("", "_like")),
    *(f"aten.{op}" for op in ("bernoulli", "multinomial", "normal", "randperm", "uniform")),
)
_COMPLEX = Refusal("graph IR has no complex numbers", "compute real and imaginary parts apart")
_WRITES = Refusal("it writes into an argument", "use the form without out=")
_TRAINS = Refusal("it writes running statistics", "call model.eval()")
_ITEM = Refusal("it makes a number of a tensor that is not constant", "keep it a tensor")
_NONZERO = Refusal("its shape depends on numbers", "use a mask and torch.where")
_BAGS = Refusal("its bags depend on numbers", "use an embedding and a sum over rows")
_STRIDES = Refusal("it reads memory, which a graph does not have", "use views, slices or gather")

REFUSED: Mapping[str, Refusal] = {
    "aten._adaptive_avg_pool2d_backward": _BACKWARD,
    "aten.avg_pool2d_backward": _BACKWARD,
    "aten.convolution_backward": _BACKWARD,
    "aten.embedding_dense_backward": _BACKWARD,
    "aten.max_pool2d_with_indices_backward": _BACKWARD,
    "aten.native_group_norm_backward": _BACKWARD,
    "aten.native_layer_norm_backward": _BACKWARD,
    **dict.fromkeys(_DRAWS, _RANDOM),
    "aten._fft_c2r": _COMPLEX,
    "aten._fft_r2c": _COMPLEX,
    "aten.atan2.out": _WRITES,
    "aten._native_batch_norm_legit.default": _TRAINS,
    "aten._local_scalar_dense": _ITEM,
    "aten.nonzero": _NONZERO,
    "aten._embedding_bag": _BAGS,
    "aten.as_strided": _STRIDES,
}
"""The refusal by op, of an overload or of all its overloads."""


def refusal(op: str, *, is_random: bool = False) -> NodeFault:
    """Return the fault of an op without a conversion: why there is none, and what to do."""
    stated = of_op(REFUSED, op) or (_RANDOM if is_random else None)
    if stated is not None:
        return NodeFault(f"the op has no conversion: {stated.reason}", stated.remedy)
    remedy = f'give it one: @CONVERSIONS.conversion("{op}"), or keep it: --fallback, fallback=True'
    return NodeFault("the op has no conversion", remedy)
