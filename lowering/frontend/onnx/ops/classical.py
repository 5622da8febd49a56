"""Classical machine learning, domain ai.onnx.ml: numbers in, numbers out. Source: ONNX-ML spec."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from xdsl.ir import SSAValue

from ..support.context import NodeContext
from ..support.registry import ImporterSet
from .activation import plus, times
from .elementwise import cast_like
from .images.taps import linear
from .norm import divided_where_not_zero, power_of_size, root
from .tensors.steps import concat, like, margins

DOMAIN = "ai.onnx.ml"

ONNX = ImporterSet(keeps_stored=False)
_importer = partial(ONNX.importer, domain=DOMAIN)

_POST_TRANSFORMS = {"SOFTMAX": "Softmax", "LOGISTIC": "Sigmoid"}
"""Graph op by post transform, apart from NONE."""


@_importer("ArrayFeatureExtractor")
def array_feature_extractor(ctx: NodeContext) -> list[SSAValue]:
    """ArrayFeatureExtractor: elements of the last dim; a vector becomes a matrix of one row."""
    x, places = ctx.value(0), ctx.value(1)
    rank = len(ctx.shape(x))
    ctx.require(rank > 0, "input 0 is a scalar")
    places = ctx.reshape(places, (int(np.prod(ctx.shape(places))),))
    rows = x if rank > 1 else ctx.reshape(x, (1, *ctx.shape(x)))
    return [ctx.emit("Gather", rows, places, axis=-1)]


@_importer("Binarizer")
def binarizer(ctx: NodeContext) -> list[SSAValue]:
    """Binarizer: 1 above the threshold, else 0."""
    x = ctx.value(0)
    above = ctx.emit("ElementWiseGreater", x, ctx.scalar(ctx.real("threshold", 0.0), x))
    return [cast_like(ctx, above, x)]


@_importer("Scaler")
def scaler(ctx: NodeContext) -> list[SSAValue]:
    """Scaler: (x - offset) * scale, one of each or one for each feature."""
    x = _floats_of(ctx, 0)
    offset, scale = (_per_feature(ctx, name, x, default) for name, default in _SCALER.items())
    return [times(ctx, ctx.emit("ElementWiseSubtract", x, offset), scale)]


_SCALER = {"offset": 0.0, "scale": 1.0}
"""The attributes of Scaler, with what changes nothing."""


@_importer("Imputer")
def imputer(ctx: NodeContext) -> list[SSAValue]:
    """Imputer of floats: other numbers in place of one, or of NaN."""
    x = _floats_of(ctx, 0)
    replaced = ctx.real("replaced_value_float", 0.0)
    if np.isnan(replaced):
        missing = ctx.emit("ElementWiseNotEqual", x, x)
    else:
        missing = ctx.emit("ElementWiseEqual", x, ctx.scalar(replaced, x))
    values = _per_feature(ctx, "imputed_value_floats", x, None)
    return [ctx.emit("ElementWiseSelect", missing, values, x)]


@_importer("Normalizer")
def normalizer(ctx: NodeContext) -> list[SSAValue]:
    """Normalizer: rows over their largest element, or their norm; rows of zeros stay."""
    x, kind = _floats_of(ctx, 0), ctx.text("norm", "MAX")
    ctx.require(kind in ("MAX", "L1", "L2"), f"attribute 'norm' is {kind}", "use MAX, L1 or L2")
    if kind == "MAX":
        return [divided_where_not_zero(ctx, x, ctx.emit("ReduceMax", x, axes=[-1], keep_dims=True))]
    p = int(kind[1])
    total = ctx.emit("ReduceSum", power_of_size(ctx, x, p), axes=[-1], keep_dims=True)
    return [divided_where_not_zero(ctx, x, root(ctx, total, p))]


@_importer("FeatureVectorizer")
def feature_vectorizer(ctx: NodeContext) -> list[SSAValue]:
    """FeatureVectorizer: inputs side by side, each cut or filled up with zeros to its width."""
    widths, parts = ctx.integers("inputdimensions") or (), []
    ctx.require(len(widths) == len(ctx.values()), f"has {len(widths)} widths for its inputs")
    for value, width in zip(ctx.values(), widths, strict=True):
        shape = ctx.shape(value)
        ctx.require(len(shape) in (1, 2), f"an input has rank {len(shape)}, 1 and 2 are supported")
        rows = ctx.reshape(value, (*shape, 1)[:2])
        parts.append(margins(ctx, rows, [(0, 0), (0, width - ctx.shape(rows)[1])]))
    return [concat(ctx, parts, axis=1)]


@_importer("LinearRegressor")
def linear_regressor(ctx: NodeContext) -> list[SSAValue]:
    """LinearRegressor: a product with constant coefficients."""
    scores = _scores(ctx, ctx.integer("targets", 1))
    return [_post_transformed(ctx, scores, ctx.text("post_transform", "NONE"))]


@_importer("LinearClassifier")
def linear_classifier(ctx: NodeContext) -> list[SSAValue]:
    """LinearClassifier of labels that are integers: the label of the largest score, and scores.

    The scores of two classes may have one row of coefficients; they are then -score and score.
    """
    text = "attribute 'classlabels_strings' holds text, which is no tensor of numbers"
    ctx.require(not ctx.given("classlabels_strings"), text, "number what it names")
    labels = np.array(ctx.integers("classlabels_ints") or (), np.int64)
    ctx.require(len(labels) >= 2, f"has {len(labels)} labels that are integers, not 2 or more")
    ctx.integer("multi_class")
    one_row = len(labels) == 2 and len(ctx.reals("coefficients")) == ctx.shape(ctx.value(0))[-1]
    scores = _scores(ctx, 1 if one_row else len(labels))
    if one_row:
        scores = concat(ctx, [linear(ctx, scores, -1, 0), scores], axis=1)
    best = ctx.emit("Argmax", scores, axis=1)
    label = ctx.emit("Gather", ctx.const(labels), best, axis=0)
    return [label, _post_transformed(ctx, scores, ctx.text("post_transform", "NONE"))]


def _post_transformed(ctx: NodeContext, scores: SSAValue, kind: str) -> SSAValue:
    """Return scores [batch, n] after the transform that the attribute `post_transform` names."""
    known = ("NONE", *_POST_TRANSFORMS)
    ctx.require(kind in known, f"attribute 'post_transform' is {kind}", f"use {', '.join(known)}")
    if kind == "NONE":
        return scores
    params = {"axis": -1} if kind == "SOFTMAX" else {}
    return ctx.emit(_POST_TRANSFORMS[kind], scores, **params)


def _floats_of(ctx: NodeContext, index: int) -> SSAValue:
    """Return an input that must be floats."""
    value = ctx.value(index)
    name = ctx.dtype(value).name
    ctx.require(ctx.dtype(value).is_float, f"input {index} is {name}, it must be float")
    return value


def _per_feature(ctx: NodeContext, name: str, x: SSAValue, default: float | None) -> SSAValue:
    """Return an attribute of one number, or one for each element of the last dim."""
    numbers: Sequence[float] = ctx.reals(name) or ([] if default is None else [default])
    width = ctx.shape(x)[-1] if ctx.shape(x) else 1
    problem = f"attribute '{name}' has {len(numbers)} numbers"
    ctx.require(len(numbers) in (1, width), problem, f"give it 1 or {width}")
    return like(ctx, np.array(numbers), x)


def _scores(ctx: NodeContext, rows: int) -> SSAValue:
    """Return x [batch, features] @ coefficients [rows, features].T + intercepts."""
    x, coefficients = _floats_of(ctx, 0), ctx.reals("coefficients")
    ctx.require(len(ctx.shape(x)) == 2, f"input 0 has rank {len(ctx.shape(x))}, it must be 2")
    count = rows * ctx.shape(x)[1]
    problem = f"attribute 'coefficients' has {len(coefficients)} numbers"
    ctx.require(len(coefficients) == count, problem, f"give it {count}")
    weights = like(ctx, np.reshape(coefficients, (rows, -1)), x)
    product = ctx.emit("MatMul", x, weights, transpose_in1=True)
    intercepts = ctx.reals("intercepts")
    problem = f"attribute 'intercepts' has {len(intercepts)} numbers"
    ctx.require(len(intercepts) in (0, rows), problem, f"give it {rows}")
    return plus(ctx, product, like(ctx, np.array(intercepts), x)) if intercepts else product
