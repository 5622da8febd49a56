"""Ops of the domain ai.onnx.ml against ONNX Runtime, at the graph level and lowered."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from onnx import ModelProto, helper

from ..models import (
    Array,
    floats,
    judged,
    model_of,
)

X = floats(5, 3)
HOLES = np.where(X > 0.5, np.nan, X).astype(np.float32)
ZEROS = np.concatenate([np.abs(X), np.zeros((1, 3), np.float32)])
WEIGHTS = [0.5, -1.0, 2.0, 1.5, 0.25, -0.75, 1.0, 0.0, -2.0]


def modelled(op: str, feeds: dict[str, Array], outputs: list[str], **attributes) -> ModelProto:
    node = helper.make_node(op, [*feeds], outputs, domain="ai.onnx.ml", **attributes)
    model = model_of([node], feeds, outputs)
    model.opset_import.add(domain="ai.onnx.ml", version=3)
    return model


@pytest.mark.parametrize(
    ("op", "x", "attributes"),
    [
        ("Binarizer", X, {"threshold": 0.25}),
        ("Binarizer", X, {}),
        ("Scaler", X, {"offset": [0.5], "scale": [2.0]}),
        ("Scaler", X, {"offset": [0.5, 0.0, -1.0], "scale": [2.0, 0.5, 3.0]}),
        *(("Normalizer", ZEROS, {"norm": norm}) for norm in ("MAX", "L1", "L2")),
        (
            "Imputer",
            HOLES,
            {"imputed_value_floats": [1.0, 2.0, 3.0], "replaced_value_float": np.nan},
        ),
        ("Imputer", ZEROS, {"imputed_value_floats": [7.0], "replaced_value_float": 0.0}),
        ("LinearRegressor", X, {"coefficients": WEIGHTS[:3]}),
        ("LinearRegressor", X, {"coefficients": WEIGHTS, "intercepts": [1.0, 0, -1], "targets": 3}),
    ],
)
def test_one_output(op: str, x: Array, attributes: dict[str, object]) -> None:
    assert_same(modelled(op, {"x": x}, ["y"], **attributes), {"x": x})


def assert_same(model: ModelProto, feeds: dict[str, Array]) -> None:
    wanted = judged(model, feeds)
    module = import_model(model)
    for level in (module, lower(module)):
        results = Session(level, check=True).run(feeds)
        for name, numbers in wanted.items():
            assert results[name].dtype == numbers.dtype
            np.testing.assert_allclose(results[name], numbers, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX"])
@pytest.mark.parametrize("labels", [[3, 5], [3, 5, -1]])
def test_linear_classifier(labels: list[int], transform: str) -> None:
    count = 3 * len(labels)
    model = modelled(
        *("LinearClassifier", {"x": X}, ["label", "scores"]),
        coefficients=WEIGHTS[:count],
        intercepts=[0.25, 0.5, -0.5][: len(labels)],
        classlabels_ints=labels,
        post_transform=transform,
    )
    assert_same(model, {"x": X})


def test_two_classes_may_have_one_row_of_coefficients() -> None:
    """The scores are -s and s; the reference says so, other runtimes differ."""
    model = modelled(
        *("LinearClassifier", {"x": X}, ["label", "scores"]),
        coefficients=WEIGHTS[:3],
        intercepts=[0.25],
        classlabels_ints=[4, 9],
    )
    results = Session(import_model(model)).run({"x": X})
    score = X @ np.array(WEIGHTS[:3], np.float32) + 0.25
    np.testing.assert_allclose(results["scores"], np.stack([-score, score], axis=1), rtol=1e-5)
    np.testing.assert_array_equal(results["label"], np.where(score > 0, 9, 4))


def test_array_feature_extractor() -> None:
    for x in (X, X[0]):
        feeds = {"x": x, "places": np.array([2, 0], np.int64)}
        assert_same(modelled("ArrayFeatureExtractor", feeds, ["y"]), feeds)


def test_feature_vectorizer() -> None:
    """It cuts the first input to two features, and fills the second up to two."""
    feeds = {"a": X, "b": X[:, 0].copy()}
    model = modelled("FeatureVectorizer", feeds, ["y"], inputdimensions=[2, 2])
    wanted = np.stack([X[:, 0], X[:, 1], X[:, 0], np.zeros(5)], axis=1)
    np.testing.assert_array_equal(Session(import_model(model)).run(feeds)["y"], wanted)


@pytest.mark.parametrize(
    ("op", "attributes", "problem"),
    [
        ("Scaler", {"scale": [1.0, 2.0]}, "attribute 'scale' has 2 numbers; give it 1 or 3"),
        ("Imputer", {}, "attribute 'imputed_value_floats' has 0 numbers; give it 1 or 3"),
        ("Normalizer", {"norm": "L3"}, "attribute 'norm' is L3; use MAX, L1 or L2"),
        ("LinearRegressor", {"coefficients": [1.0]}, "attribute 'coefficients' has 1 numbers"),
        (
            "LinearRegressor",
            {"coefficients": WEIGHTS[:3], "post_transform": "PROBIT"},
            "attribute 'post_transform' is PROBIT; use NONE, SOFTMAX, LOGISTIC",
        ),
    ],
)
def test_refused(op: str, attributes: dict[str, object], problem: str) -> None:
    with pytest.raises(HtpError) as caught:
        import_model(modelled(op, {"x": X}, ["y"], **attributes))
    assert problem in caught.value.faults[0].line()
