"""Ops that PyTorch's exporter has no translation of, or one that does not hold for all nodes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ....dialects.value import DType
from ..graph.value import Value, joined, where
from ..support.context import require
from .registry import TorchConversions

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
