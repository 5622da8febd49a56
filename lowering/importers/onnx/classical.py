"""Classical machine learning, domain ai.onnx.ml: numbers in, numbers out. Source: ONNX-ML spec."""

from functools import partial
from math import prod

import numpy as np

from ..graph.value import Value, concat, where
from ..support.registry import ImporterSet, Ints, Reals, Texts, require
from .norm import divided_where_not_zero
from .tensors.steps import linear, margins, power_of_size, root

DOMAIN = "ai.onnx.ml"

ONNX = ImporterSet(keeps_stored=False)
_importer = partial(ONNX.importer, domain=DOMAIN)

_POST_TRANSFORMS = {"SOFTMAX": "Softmax", "LOGISTIC": "Sigmoid"}
"""Graph op by post transform, apart from NONE."""


@_importer("ArrayFeatureExtractor")
def array_feature_extractor(x: Value, places: Value) -> Value:
    """ArrayFeatureExtractor: elements of the last dim; a vector becomes a matrix of one row."""
    require(x.rank > 0, "input 0 is a scalar")
    places = places.reshape(prod(places.shape))
    rows = x if x.rank > 1 else x.reshape(1, *x.shape)
    return rows.gather(places, axis=-1)


@_importer("Binarizer")
def binarizer(x: Value, *, threshold: float = 0.0) -> Value:
    """Binarizer: 1 above the threshold, else 0."""
    return (x > threshold).cast(x.dtype)


@_importer("Scaler")
def scaler(x: Value, *, offset: Reals = (), scale: Reals = ()) -> Value:
    """Scaler: (x - offset) * scale, one of each or one for each feature."""
    _check_floats(x)
    less = _per_feature("offset", offset or (0.0,), x)
    return (x - less) * _per_feature("scale", scale or (1.0,), x)


@_importer("Imputer")
def imputer(
    x: Value, *, imputed_value_floats: Reals = (), replaced_value_float: float = 0.0
) -> Value:
    """Imputer of floats: other numbers in place of one, or of NaN."""
    _check_floats(x)
    is_nan = np.isnan(replaced_value_float)
    missing = x.not_equal(x) if is_nan else x.equal(replaced_value_float)
    return where(missing, _per_feature("imputed_value_floats", imputed_value_floats, x), x)


@_importer("Normalizer")
def normalizer(x: Value, *, norm: str = "MAX") -> Value:
    """Normalizer: rows over their largest element, or their norm; rows of zeros stay."""
    _check_floats(x)
    require(norm in ("MAX", "L1", "L2"), f"attribute 'norm' is {norm}", "use MAX, L1 or L2")
    if norm == "MAX":
        return divided_where_not_zero(x, x.reduce("Max", [-1]))
    p = int(norm[1])
    return divided_where_not_zero(x, root(power_of_size(x, p).reduce("Sum", [-1]), p))


@_importer("FeatureVectorizer")
def feature_vectorizer(*inputs: Value, inputdimensions: Ints = ()) -> Value:
    """FeatureVectorizer: inputs side by side, each cut or filled up with zeros to its width."""
    widths, parts = inputdimensions, []
    require(len(widths) == len(inputs), f"has {len(widths)} widths for its inputs")
    for value, width in zip(inputs, widths, strict=True):
        rank = value.rank
        require(rank in (1, 2), f"an input has rank {rank}, 1 and 2 are supported")
        rows = value.reshape(*(*value.shape, 1)[:2])
        parts.append(margins(rows, [(0, 0), (0, width - rows.shape[1])]))
    return concat(parts, axis=1)


@_importer("LinearRegressor")
def linear_regressor(
    x: Value,
    *,
    coefficients: Reals = (),
    intercepts: Reals = (),
    targets: int = 1,
    post_transform: str = "NONE",
) -> Value:
    """LinearRegressor: a product with constant coefficients."""
    return _post_transformed(_scores(x, coefficients, intercepts, targets), post_transform)


@_importer("LinearClassifier")
def linear_classifier(
    x: Value,
    *,
    coefficients: Reals,
    intercepts: Reals = (),
    classlabels_ints: Ints = (),
    classlabels_strings: Texts | None = None,
    multi_class: int = 0,
    post_transform: str = "NONE",
) -> list[Value]:
    """LinearClassifier of labels that are integers: the label of the largest score, and scores.

    The scores of two classes may have one row of coefficients; they are then -score and score.
    """
    text = "attribute 'classlabels_strings' holds text, which is no tensor of numbers"
    require(classlabels_strings is None, text, "number what it names")
    labels = np.array(classlabels_ints, np.int64)
    require(len(labels) >= 2, f"has {len(labels)} labels that are integers, not 2 or more")
    one_row = len(labels) == 2 and len(coefficients) == x.shape[-1]
    scores = _scores(x, coefficients, intercepts, 1 if one_row else len(labels))
    if one_row:
        scores = concat([linear(scores, -1, 0), scores], axis=1)
    label = x.const(labels).gather(scores.op("Argmax", axis=1))
    return [label, _post_transformed(scores, post_transform)]


def _post_transformed(scores: Value, kind: str) -> Value:
    """Return scores [batch, n] after the transform that the attribute `post_transform` names."""
    known = ("NONE", *_POST_TRANSFORMS)
    require(kind in known, f"attribute 'post_transform' is {kind}", f"use {', '.join(known)}")
    if kind == "NONE":
        return scores
    return scores.op(_POST_TRANSFORMS[kind], axis=-1 if kind == "SOFTMAX" else None)


def _check_floats(x: Value) -> None:
    require(x.dtype.is_float, f"input 0 is {x.dtype.name}, it must be float")


def _per_feature(name: str, numbers: Reals, x: Value) -> Value:
    """Return an attribute of one number, or one for each element of the last dim."""
    width = x.shape[-1] if x.rank else 1
    problem = f"attribute '{name}' has {len(numbers)} numbers"
    require(len(numbers) in (1, width), problem, f"give it 1 or {width}")
    return x.like(np.array(numbers))


def _scores(x: Value, coefficients: Reals, intercepts: Reals, rows: int) -> Value:
    """Return x [batch, features] @ coefficients [rows, features].T + intercepts."""
    _check_floats(x)
    require(x.rank == 2, f"input 0 has rank {x.rank}, it must be 2")
    count = rows * x.shape[1]
    problem = f"attribute 'coefficients' has {len(coefficients)} numbers"
    require(len(coefficients) == count, problem, f"give it {count}")
    weights = x.like(np.reshape(coefficients, (rows, -1)))
    product = x.op("MatMul", weights, transpose_in1=True)
    problem = f"attribute 'intercepts' has {len(intercepts)} numbers"
    require(len(intercepts) in (0, rows), problem, f"give it {rows}")
    return product + np.array(intercepts) if intercepts else product
