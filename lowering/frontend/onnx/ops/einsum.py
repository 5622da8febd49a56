"""Einsum as products of matrices: contraction of two operands at a time, from left to right.

Labels that only one of the two has and nobody else wants are summed there. Of the rest, those that
both have are batch dims if the result or a later operand wants them, else the sum of a MatMul.

Cost: a MatMul for each operand but the first, in the order of the operands; no order is searched.
Example: `bhqd,bhkd->bhqk` is one MatMul of [b*h, q, d] and [b*h, d, k], with d summed.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import ImporterSet

ONNX = ImporterSet(keeps_stored=False)

_ELLIPSIS = "0123456789"
"""Labels of the dims of an ellipsis, from last to first."""


@dataclass(frozen=True)
class _Term:
    """A value and the label of each of its dims; a label occurs once."""

    value: SSAValue
    labels: str


@ONNX.importer("Einsum", folds=True)
def einsum(ctx: NodeContext) -> list[SSAValue]:
    """Einsum; a label of extent 1 stretches only within an ellipsis."""
    inputs = ctx.values()
    texts, result = _labels(ctx, [len(ctx.shape(value)) for value in inputs])
    # Each operand with labels that occur once, and with the extents that all agree on.
    unknown = set(result).difference(*texts)
    ctx.require(not unknown, f"no operand has label '{min(unknown, default='')}' of the result")
    terms = [_diagonal(ctx, v, labels) for v, labels in zip(inputs, texts, strict=True)]
    terms = [_stretched(ctx, term, terms) for term in terms]
    # Two at a time; a label that a later operand has is kept until then.
    left, *rest = terms
    for index, right in enumerate(rest):
        wanted = {*result, *(label for term in rest[index + 1 :] for label in term.labels)}
        left = _product(ctx, left, right, wanted)
    left = _summed(ctx, left, result)
    return [_ordered(ctx, left, result)]


def _labels(ctx: NodeContext, ranks: list[int]) -> tuple[list[str], str]:
    """Return the labels of each operand and of the result, an ellipsis spelt out."""
    equation = ctx.text("equation", "").replace(" ", "")
    left, arrow, right = equation.partition("->")
    texts = left.split(",")
    ctx.require(len(texts) == len(ranks), f"'{equation}' has {len(texts)} operands")
    spelt = []
    for text, rank in zip(texts, ranks, strict=True):
        more = rank - len(text.replace("...", ""))
        fits = more >= 0 if "..." in text else more == 0
        ctx.require(fits and more <= len(_ELLIPSIS), f"'{text}' does not name {rank} dims")
        spelt.append(text.replace("...", _ELLIPSIS[:more][::-1]))
    dots = "".join(sorted({label for text in spelt for label in text if label.isdigit()}))[::-1]
    if arrow:
        return spelt, right.replace("...", dots)
    once = sorted(label for label in {*left} if label.isalpha() and left.count(label) == 1)
    return spelt, dots + "".join(once)


def _diagonal(ctx: NodeContext, value: SSAValue, labels: str) -> _Term:
    """Return the elements at which equal labels agree, picked from the flat dims of the two."""
    for label in labels:
        first, second = labels.index(label), labels.rindex(label)
        if first == second:
            continue
        order = [first, second, *(d for d in range(len(labels)) if d not in (first, second))]
        n, m, *others = (ctx.shape(value)[dim] for dim in order)
        ctx.require(n == m, f"label '{label}' stands for {n} and for {m}")
        flat = ctx.reshape(ctx.transpose(value, order), (n * n, *others))
        value = ctx.emit("Gather", flat, ctx.const(np.arange(n, dtype=np.int32) * (n + 1)), axis=0)
        labels = label + "".join(labels[dim] for dim in order[2:])
        return _diagonal(ctx, value, labels)
    return _Term(value, labels)


def _stretched(ctx: NodeContext, term: _Term, terms: Collection[_Term]) -> _Term:
    """Return the term with dims of an ellipsis at the extent that the operands share."""
    extents: dict[str, int] = {}
    for other in terms:
        for label, size in zip(other.labels, ctx.shape(other.value), strict=True):
            known = extents.get(label, size)
            ctx.require(
                size == known or (label.isdigit() and 1 in (size, known)),
                f"label '{label}' stands for {known} and for {size}",
            )
            extents[label] = max(size, known)
    shape = ctx.shape(term.value)
    times = [extents[label] // size for label, size in zip(term.labels, shape, strict=True)]
    if set(times) <= {1}:
        return term
    return _Term(ctx.emit("Tile", term.value, multiples=times), term.labels)


def _summed(ctx: NodeContext, term: _Term, wanted: Collection[str]) -> _Term:
    """Return the term summed over the labels that nobody wants."""
    axes = [dim for dim, label in enumerate(term.labels) if label not in wanted]
    if not axes:
        return term
    value = ctx.emit("ReduceSum", term.value, axes=axes, keep_dims=False)
    return _Term(value, "".join(label for label in term.labels if label in wanted))


def _ordered(ctx: NodeContext, term: _Term, labels: str) -> SSAValue:
    return ctx.transpose(term.value, [term.labels.index(label) for label in labels])


def _product(ctx: NodeContext, left: _Term, right: _Term, wanted: Collection[str]) -> _Term:
    """Return the product of two terms, summed over the labels that nobody wants."""
    # Labels that one operand alone has and nobody wants.
    left = _summed(ctx, left, {*wanted, *right.labels})
    right = _summed(ctx, right, {*wanted, *left.labels})
    # The labels by their part in the MatMul: batch, rows, the sum, columns.
    shared = [label for label in left.labels if label in right.labels]
    batch = "".join(label for label in shared if label in wanted)
    joined = "".join(label for label in shared if label not in wanted)
    rows, columns = (
        "".join(label for label in term.labels if label not in shared) for term in (left, right)
    )
    # Both as matrices [batch, rows, sum] and [batch, sum, columns].
    dims = (*ctx.shape(left.value), *ctx.shape(right.value))
    extents = dict(zip(left.labels + right.labels, dims, strict=True))
    b, r, j, c = (prod(extents[x] for x in labels) for labels in (batch, rows, joined, columns))
    a = ctx.reshape(_ordered(ctx, left, batch + rows + joined), (b, r, j))
    d = ctx.reshape(_ordered(ctx, right, batch + joined + columns), (b, j, c))
    labels = batch + rows + columns
    product = ctx.emit("MatMul", a, d) if joined else ctx.emit("ElementWiseMultiply", a, d)
    return _Term(ctx.reshape(product, [extents[label] for label in labels]), labels)
