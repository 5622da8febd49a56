"""Ops that PyTorch's exporter has no translation of, or one that does not hold for all nodes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.value.dtypes import DType
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
def rounded(node: AtenNode) -> SSAValue:
    """Integers rounded stay unchanged; ONNX rounds floats alone."""
    return node.value("self")


@ATEN.conversion("aten.isnan", when=_of_integers)
def no_numbers(node: AtenNode) -> SSAValue:
    """isnan of integers: none is."""
    return node.const(np.zeros(node.out().shape, np.bool_))


@ATEN.conversion("aten.elu", when=lambda args: (args["scale"], args["input_scale"]) != (1, 1))
def elu(node: AtenNode) -> SSAValue:
    """elu with scales, which the exporter puts in the wrong places."""
    x, alpha, scale = node.value("self"), float(node.argument("alpha")), node.argument("scale")
    below = node.one("Mul", x, node.scalar(node.argument("input_scale"), x))
    out = node.one("Elu", below, alpha=alpha)
    out = node.one("Where", node.one("Greater", x, node.scalar(0, x)), x, out)
    return node.one("Mul", out, node.scalar(scale, out))


@ATEN.conversion(
    "aten.add.Tensor", when=lambda args: {_dtype(args[n]) for n in ("self", "other")} == {"BOOL"}
)
def either(node: AtenNode) -> SSAValue:
    """The sum of truth values: or."""
    return node.one("Or", node.value("self"), node.value("other"))


@ATEN.conversion("aten.cat", when=lambda args: any(list(t.shape) == [0] for t in args["tensors"]))
def cat(node: AtenNode) -> SSAValue:
    """cat with what has no elements, as PyTorch's empty default, which is left out."""
    parts = [node.cast(part, node.out().dtype) for part in node.values("tensors")]
    kept = [part for part in parts if node.shape(part) != (0,)] or parts[:1]
    axis = node.argument("dim") % max(1, len(node.out().shape))
    return kept[0] if len(kept) == 1 else node.one("Concat", *kept, axis=axis)


@ATEN.conversion("aten.stack", when=lambda args: len({*map(_dtype, args["tensors"])}) > 1)
def stack(node: AtenNode) -> SSAValue:
    """stack of tensors of several dtypes."""
    axis, shape = node.argument("dim") % len(node.out().shape), list(node.out().shape)
    shape[axis] = 1
    parts = [node.cast(part, node.out().dtype) for part in node.values("tensors")]
    return node.one("Concat", *(node.reshape(part, shape) for part in parts), axis=axis)


@ATEN.conversion("aten.sort.stable")
def sort(node: AtenNode) -> list[SSAValue]:
    """sort in which equal elements stay in their order: TopK of all."""
    x = node.value("self")
    shape = node.shape(x) or (1,)
    results = node.onnx(
        "TopK",
        node.reshape(x, shape),
        np.array([shape[node.axis()]]),
        outputs=2,
        axis=node.axis(),
        largest=int(node.argument("descending")),
    )
    return [node.reshape(each, node.out().shape) for each in results]


@ATEN.conversion("aten.copy", when=lambda args: args["self"].shape != args["src"].shape)
def copied(node: AtenNode) -> SSAValue:
    """copy of a tensor that is repeated to the shape of another."""
    return node.one("Expand", node.as_out("src"), np.array(node.out().shape, np.int64))


@ATEN.conversion(
    *(f"aten.{name}" for name in ("amax", "amin")),
    when=lambda args: not args["dim"] or not args["self"].shape,
)
def extremes(node: AtenNode) -> SSAValue:
    """amax and amin over all dims, or of a tensor without dims."""
    x, keep = node.value("self"), int(node.argument("keepdim"))
    op = "ReduceMax" if "amax" in node.info.op else "ReduceMin"
    return node.one(op, x, keepdims=keep) if node.shape(x) else x


@ATEN.conversion("aten.cumprod")
def cumulated(node: AtenNode) -> SSAValue:
    """cumprod along a dim."""
    x = node.as_out("self")
    return node.one("CumProd", x, np.array(node.axis(), np.int64)) if node.shape(x) else x


@ATEN.conversion("aten.diagonal_scatter")
def put_on_diagonal(node: AtenNode) -> SSAValue:
    """diagonal_scatter: one Gather by the numbers of elements."""
    x, source = node.value("self"), node.as_out("src")
    sizes = [int(np.prod(node.shape(each))) for each in (x, source)]
    numbers = np.arange(sizes[0]).reshape(node.shape(x))
    offset, *dims = (node.argument(name) for name in ("offset", "dim1", "dim2"))
    view = numbers.diagonal(offset, *dims)
    view.flags.writeable = True
    view[...] = sizes[0] + np.arange(sizes[1]).reshape(node.shape(source))
    parts = [node.reshape(each, (size,)) for each, size in zip((x, source), sizes, strict=True)]
    return node.one("Gather", node.one("Concat", *parts, axis=0), numbers, axis=0)


@ATEN.conversion("aten.col2im", when=lambda args: len(args["self"].shape) == 2)
def col2im(node: AtenNode) -> SSAValue:
    """col2im without a batch."""
    x = node.value("self")
    shapes = (np.array(node.argument(name)) for name in ("output_size", "kernel_size"))
    out = node.one(
        "Col2Im",
        node.reshape(x, (1, *node.shape(x))),
        *shapes,
        dilations=node.argument("dilation"),
        pads=list(node.argument("padding")) * 2,
        strides=node.argument("stride"),
    )
    return node.reshape(out, node.out().shape)


@ATEN.conversion("aten._cdist_forward")
def distances(node: AtenNode) -> SSAValue:
    """cdist: the p-norm of each row of x1 less each row of x2."""
    x1, x2 = node.value("x1"), node.value("x2")
    (*batch, rows, width), (*other, columns, _) = node.shape(x1), node.shape(x2)
    left = node.reshape(x1, (*batch, rows, 1, width))
    return _norm(node, node.one("Sub", left, node.reshape(x2, (*other, 1, columns, width))))


@ATEN.conversion("aten._pdist_forward")
def distances_of_pairs(node: AtenNode) -> SSAValue:
    """pdist: the p-norm of each row less each row behind it."""
    x = node.value("self")
    first, second = (node.one("Gather", x, n) for n in np.triu_indices(node.shape(x)[0], 1))
    return _norm(node, node.one("Sub", first, second))


def _norm(node: AtenNode, x: SSAValue) -> SSAValue:
    """Return the p-norm over the last dim."""
    p, size, axes = node.argument("p"), node.one("Abs", x), np.array([-1])
    if p == math.inf:
        return node.one("ReduceMax", size, axes, keepdims=0)
    if p == 0:
        size = node.one("Sign", size)
    powers = size if p in (0, 1) else node.one("Pow", size, node.scalar(p, x))
    total = node.one("ReduceSum", powers, axes, keepdims=0)
    return total if p in (0, 1) else node.one("Pow", total, node.scalar(1 / p, x))


def _is_masked(args: Arguments) -> bool:
    """Tell whether one number is written wherever a mask is true."""
    first, *others = args["indices"]
    is_number = list(args["values"].shape) in ([], [1])
    return not others and _dtype(first) == "BOOL" and is_number


@ATEN.conversion("aten.index_put", when=_is_masked)
def masked_put(node: AtenNode) -> SSAValue:
    """index_put of one number wherever a mask is true; the exporter lists the places."""
    x, values = node.value("self"), node.as_out("values")
    node.require(not node.argument("accumulate"), "accumulates where a mask is true")
    mask = node.tensor(node.argument("indices")[0], "indices")
    wide = (*node.shape(mask), *(1,) * (len(node.shape(x)) - len(node.shape(mask))))
    return node.one("Where", node.reshape(mask, wide), values, x)


@ATEN.conversion("aten.masked_scatter")
def masked_scatter(node: AtenNode) -> SSAValue:
    """masked_scatter: the next element of the source wherever the mask is true."""
    x, source = node.value("self"), node.value("source")
    shape = np.array(node.out().shape, np.int64)
    mask, x = (node.one("Expand", each, shape) for each in (node.value("mask"), x))
    count, size = int(shape.prod()), int(np.prod(node.shape(source)))
    flat = node.cast(node.reshape(mask, (count,)), DType.Int64)
    order = node.one("CumSum", flat, np.array(0))
    place = node.one("Sub", order, node.scalar(1, order))
    inside = node.one("Max", place, node.scalar(0, place))
    inside = node.one("Min", inside, node.scalar(max(0, size - 1), place))
    chosen = node.one("Gather", node.reshape(source, (size,)), inside)
    return node.one("Where", mask, node.reshape(chosen, node.out().shape), x)


@ATEN.conversion("aten.scatter.src", when=lambda args: args["src"].shape != args["index"].shape)
def scattered(node: AtenNode) -> SSAValue:
    """scatter of the part of a tensor that has the shape of the index."""
    return _scattered(node, node.value("self"), _source(node), "none")


@ATEN.conversion("aten.scatter.reduce")
def reduced(node: AtenNode) -> SSAValue:
    """scatter with a sum or a product."""
    reduction = {"add": "add", "multiply": "mul"}[node.argument("reduce")]
    return _scattered(node, node.value("self"), _source(node), reduction)


@ATEN.conversion("aten.scatter_reduce.two", when=lambda args: args["reduce"] == "mean")
def scattered_means(node: AtenNode) -> SSAValue:
    """scatter_reduce by means, of which the exporter makes sums: sums divided by their counts."""
    x, source = node.value("self"), _source(node)
    dtype, shape = node.dtype(x).storage, node.shape(x)
    ones = node.const(np.ones(node.shape(source), dtype))
    if node.argument("include_self"):
        total = _scattered(node, x, source, "add")
        counts = _scattered(node, node.const(np.ones(shape, dtype)), ones, "add")
        return node.one("Div", total, counts)
    zeros = node.const(np.zeros(node.shape(source), dtype))
    total = _scattered(node, _scattered(node, x, zeros, "none"), source, "add")
    counts = _scattered(node, node.const(np.zeros(shape, dtype)), ones, "add")
    return node.one("Div", total, node.one("Max", counts, node.scalar(1, counts)))


def _source(node: AtenNode) -> SSAValue:
    """Return what is written, of the shape of the index."""
    shape, source = node.shape(node.value("index")), node.value("src")
    if node.shape(source) == shape or not shape:
        return source
    return node.one("Slice", source, np.zeros(len(shape), np.int64), np.array(shape, np.int64))


def _scattered(node: AtenNode, x: SSAValue, source: SSAValue, reduction: str) -> SSAValue:
    parts = (node.reshape(v, node.shape(v) or (1,)) for v in (x, node.value("index"), source))
    out = node.one("ScatterElements", *parts, axis=node.axis(), reduction=reduction)
    return node.reshape(out, node.shape(x))
