"""Support vector machines, domain ai.onnx.ml: kernels between rows and support vectors.

Classes vote in pairs: for classes i < j the sum over the vectors of both, weighted by their
coefficients for this pair, speaks for i where it is above 0. Of 3 classes with 2 vectors each the
pairs (0, 1), (0, 2) and (1, 2) are three columns of a matrix [6, 3]. Source: libsvm, ONNX-ML spec.
"""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.dense import Array
from ...support.context import NodeContext
from ...support.registry import ImporterSet
from ...support.types import MOST_ELEMENTS
from ..activation import plus, times
from ..elementwise import cast_like
from ..images.taps import linear
from ..tensors.steps import like
from .classical import (
    DOMAIN,
    floats_of,
    labelled,
    post_transformed,
    whole_labels,
    with_rest,
)

ONNX = ImporterSet(keeps_stored=False)

_KERNELS = ("LINEAR", "POLY", "RBF", "SIGMOID")


@ONNX.importer("SVMRegressor", domain=DOMAIN)
def svm_regressor(ctx: NodeContext) -> list[SSAValue]:
    """SVMRegressor: a sum of kernels, or a product; of one class its sign."""
    ctx.only("post_transform", "NONE")
    x, count = floats_of(ctx, 0), ctx.integer("n_supports")
    coefficients = np.array(ctx.reals("coefficients"))
    if count:
        values = _kernels(ctx, x, count)
    else:
        ctx.text("kernel_type", "LINEAR")
        ctx.reals("kernel_params"), ctx.reals("support_vectors")
        values = x
    scores = _weighted(ctx, values, coefficients.reshape(-1, 1), _rho(ctx, 1))
    if not ctx.integer("one_class"):
        return [scores]
    above = ctx.emit("ElementWiseGreater", scores, ctx.scalar(0, scores))
    return [ctx.emit("ElementWiseSelect", above, ctx.scalar(1, scores), ctx.scalar(-1, scores))]


@ONNX.importer("SVMClassifier", domain=DOMAIN)
def svm_classifier(ctx: NodeContext) -> list[SSAValue]:
    """SVMClassifier of labels that are integers: the class of most votes, and the pairs' sums."""
    labels, x = whole_labels(ctx, "classlabels_ints"), floats_of(ctx, 0)
    for name in ("prob_a", "prob_b"):
        problem = f"attribute '{name}' asks for probabilities, which are found step by step"
        ctx.require(not ctx.reals(name), problem, "export it without probabilities")
    kind, counts = ctx.text("post_transform", "NONE"), ctx.integers("vectors_per_class") or ()
    coefficients = np.array(ctx.reals("coefficients"))
    if not counts:
        problem = "has two classes and no support vectors, of which runtimes make different labels"
        ctx.require(len(labels) > 2, problem, "use LinearClassifier")
        ctx.text("kernel_type", "LINEAR")
        ctx.reals("kernel_params"), ctx.reals("support_vectors")
        weights = coefficients.reshape(len(labels), -1).T
        scores = _weighted(ctx, x, weights, np.repeat(_rho(ctx, 0)[:1], len(labels)))
        return [labelled(ctx, labels, scores), post_transformed(ctx, scores, kind)]
    problem = f"has vectors of {len(counts)} classes for {len(labels)} labels"
    ctx.require(len(counts) == len(labels), problem)
    pairs = [*combinations(range(len(labels)), 2)]
    weights, votes = _pairs(ctx, coefficients, counts)
    sums = _weighted(ctx, _kernels(ctx, x, sum(counts)), weights, _rho(ctx, len(pairs)))
    wins = cast_like(ctx, ctx.emit("ElementWiseGreater", sums, ctx.scalar(0, sums)), sums)
    # A lost pair is a vote for its second class.
    against = np.array([[float(c == j) for c in range(len(labels))] for _, j in pairs])
    if len(pairs) == 1:
        problem = f"attribute 'post_transform' is {kind} for one pair of classes"
        ctx.require(kind in ("NONE", "LOGISTIC"), problem, "use NONE or LOGISTIC")
        sums = with_rest(ctx, sums, 0)
    counted = ctx.emit("MatMul", wins, like(ctx, votes - against, wins))
    counted = plus(ctx, counted, like(ctx, against.sum(0, keepdims=True), counted))
    return [labelled(ctx, labels, counted), post_transformed(ctx, sums, kind)]


def _pairs(ctx: NodeContext, numbers: Array, counts: tuple[int, ...]) -> tuple[Array, Array]:
    """Return the weights [vectors, pairs] of vectors, and the classes [pairs, n] that pairs favour.

    Row r of the coefficients weighs the vectors of a class for the r-th of its rivals.
    """
    starts, classes = np.cumsum((0, *counts)), len(counts)
    rows = numbers.reshape(classes - 1, -1)
    ctx.require(rows.shape[1] == starts[-1], f"has {numbers.size} coefficients")
    pairs = [*combinations(range(classes), 2)]
    weights, votes = np.zeros((starts[-1], len(pairs))), np.zeros((len(pairs), classes))
    for pair, (i, j) in enumerate(pairs):
        for own, row in ((i, j - 1), (j, i)):
            vectors = slice(starts[own], starts[own + 1])
            weights[vectors, pair] = rows[row, vectors]
        votes[pair, i] = 1
    return weights, votes


def _weighted(ctx: NodeContext, values: SSAValue, weights: Array, offsets: Array) -> SSAValue:
    """Return values [batch, n] @ weights [n, m] + offsets [m]."""
    shape = ctx.shape(values)
    problem = f"has coefficients for {len(weights)} of {shape[-1]} numbers"
    ctx.require(len(weights) == shape[-1], problem)
    product = ctx.emit("MatMul", values, like(ctx, weights, values))
    return plus(ctx, product, like(ctx, offsets, values))


def _rho(ctx: NodeContext, count: int) -> Array:
    """Return the offsets; `count` of them, or any number for 0."""
    rho = np.array(ctx.reals("rho"))
    fits = rho.size == count if count else rho.size > 0
    ctx.require(fits, f"attribute 'rho' has {rho.size} numbers", f"give it {count or 1}")
    return rho


def _kernels(ctx: NodeContext, x: SSAValue, count: int) -> SSAValue:
    """Return the kernel [batch, vectors] between each row and each support vector."""
    kind, numbers = ctx.text("kernel_type", "LINEAR"), ctx.reals("kernel_params")
    ctx.require(
        kind in _KERNELS, f"attribute 'kernel_type' is {kind}", f"use {', '.join(_KERNELS)}"
    )
    gamma, offset, degree = (*numbers, 0.0, 0.0, 0.0)[:3]
    rows, width = ctx.shape(x)
    vectors = np.array(ctx.reals("support_vectors"))
    problem = f"attribute 'support_vectors' has {vectors.size} numbers"
    ctx.require(vectors.size == count * width, problem, f"give it {count * width}")
    vectors = vectors.reshape(count, width)
    if kind == "RBF":
        size = prod((rows, count, width))
        ctx.require(size <= MOST_ELEMENTS, f"compares {size} pairs", f"at most {MOST_ELEMENTS}")
        apart = ctx.emit(
            "ElementWiseSubtract", ctx.reshape(x, (rows, 1, width)), like(ctx, vectors, x)
        )
        distance = ctx.emit("ReduceSum", times(ctx, apart, apart), axes=[2], keep_dims=False)
        return ctx.emit("ElementWiseExp", linear(ctx, distance, -gamma, 0))
    product = ctx.emit("MatMul", x, like(ctx, vectors, x), transpose_in1=True)
    if kind == "LINEAR":
        return product
    value = linear(ctx, product, gamma, offset)
    if kind == "SIGMOID":
        return ctx.emit("Tanh", value)
    return ctx.emit("ElementWisePower", value, ctx.scalar(degree, value))
