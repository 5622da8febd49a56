"""Decision trees against ONNX Runtime, with random trees and every test that a split can be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.frontend.onnx.ops.classical.forest import (
    FeatureTest,
    Forest,
    Mode,
    tables,
)
from htp_mlir.runtime.session.session import Session
from onnx import ModelProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator

from ..models import (
    Array,
    Arrays,
    judged,
    model_of,
)

FEATURES, TREES, TARGETS = 4, 3, 2
X = np.random.default_rng(0).integers(-2, 3, (20, FEATURES)).astype(np.float32)
HOLES = np.where(X == 2, np.nan, X).astype(np.float32)
MODES = ("LEQ", "LT", "GTE", "GT", "EQ", "NEQ")


def grown(rng: np.random.Generator, tree: int, modes: tuple[str, ...]) -> Iterator[list[object]]:
    """Rows of a random tree: tree, node, mode, feature, number, yes, no."""
    open_, size = [(0, 0)], 1
    while open_:
        node, depth = open_.pop()
        if depth and (depth == 4 or rng.random() < 0.3):
            yield [tree, node, "LEAF", 0, 0.0, 0, 0]
            continue
        mode, feature = f"BRANCH_{rng.choice(modes)}", int(rng.integers(FEATURES))
        yield [tree, node, mode, feature, float(rng.integers(-1, 2)), size, size + 1]
        open_ += [(size + 1, depth + 1), (size, depth + 1)]
        size += 2


def regressor(modes: tuple[str, ...], **attributes: object) -> dict[str, object]:
    """The attributes of a forest in which every leaf has a weight for every target."""
    rng = np.random.default_rng(len(modes))
    rows = [row for tree in range(TREES) for row in grown(rng, tree, modes)]
    names = ["treeids", "nodeids", "modes", "featureids", "values", "truenodeids", "falsenodeids"]
    pairs = zip(names, zip(*rows, strict=True), strict=True)
    nodes = {f"nodes_{name}": list(column) for name, column in pairs}
    leaves = [(row[0], row[1], n) for row in rows if row[2] == "LEAF" for n in range(TARGETS)]
    columns = map(list, zip(*leaves, strict=True))
    targets = dict(zip(("target_treeids", "target_nodeids", "target_ids"), columns, strict=True))
    weights = [float(number) for number in rng.normal(size=len(leaves))]
    return nodes | targets | {"target_weights": weights, "n_targets": TARGETS} | attributes


def classifier(ids: tuple[int, ...], positive: bool = False) -> dict[str, object]:
    """The attributes of a forest whose leaves have weights for these classes."""
    every = regressor(("LEQ",))
    del every["n_targets"]
    every = {name.replace("target_", "class_"): column for name, column in every.items()}
    every["class_ids"] = [ids[index % len(ids)] for index in every["class_ids"]]
    if positive:
        every["class_weights"] = [abs(weight) / 5 for weight in every["class_weights"]]
    return every


def assert_same(x: Array, attributes: dict[str, object], op: str = "TreeEnsembleRegressor") -> None:
    names = ["y", "scores"] if op == "TreeEnsembleClassifier" else ["y"]
    node = helper.make_node(op, ["x"], names, domain="ai.onnx.ml", **attributes)
    model = model_of([node], {"x": x}, names)
    model.opset_import.add(domain="ai.onnx.ml", version=3)
    assert_as(judged(model, {"x": x}), model, x)


def assert_as(every: Arrays, model: ModelProto, x: Array) -> None:
    """Compare the results of a model at both levels with those wanted."""
    module = import_model(model)
    for level in (module, lower(module)):
        results = Session(level, check=True).run({"x": x})
        for name, wanted in every.items():
            assert results[name].dtype == wanted.dtype
            np.testing.assert_allclose(results[name], wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.one_per
@pytest.mark.parametrize("modes", [*((mode,) for mode in MODES), MODES])
def test_every_test_of_a_split(modes: tuple[str, ...]) -> None:
    assert_same(X, regressor(modes))


@pytest.mark.parametrize(
    "attributes",
    [
        {"aggregate_function": "AVERAGE"},
        {"base_values": [0.5, -1.0]},
        {"post_transform": "SOFTMAX"},
        {"post_transform": "LOGISTIC"},
    ],
)
def test_what_becomes_of_the_weights(attributes: dict[str, object]) -> None:
    assert_same(X, regressor(("LEQ",), **attributes))


@pytest.mark.one_per
@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC"])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("base", [{}, {"base_values": [0.2]}])
def test_two_classes_of_one_score(transform: str, positive: bool, base: dict[str, object]) -> None:
    labels = {"post_transform": transform, "classlabels_int64s": [3, 1]}
    assert_same(X, classifier((0,), positive) | base | labels, "TreeEnsembleClassifier")


@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC"])
def test_three_classes(transform: str) -> None:
    """Both classes without weights have a base value: ONNX Runtime leaves out one with neither."""
    attributes = classifier((0, 2)) | {"post_transform": transform, "base_values": [0.1, 0.2, 0.3]}
    assert_same(X, attributes | {"classlabels_int64s": [3, 1, 7]}, "TreeEnsembleClassifier")


@pytest.mark.one_per
@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC"])
@pytest.mark.parametrize("ids", [(0, 2), (1, 2)])
def test_classes_without_weights_or_base_values(transform: str, ids: tuple[int, ...]) -> None:
    """As ONNX's own evaluator: 0 is the score of a class that no leaf has a weight for.

    Where all weights are of one class, it takes that for two classes.
    """
    labels = {"post_transform": transform, "classlabels_int64s": [3, 1, 7]}
    names = ["y", "scores"]
    attributes = classifier(ids) | labels
    node = helper.make_node(
        "TreeEnsembleClassifier", ["x"], names, domain="ai.onnx.ml", **attributes
    )
    model = model_of([node], {"x": X}, names)
    model.opset_import.add(domain="ai.onnx.ml", version=3)
    wanted = ReferenceEvaluator(model).run(None, {"x": X})
    assert_as(dict(zip(names, wanted, strict=True)), model, X)


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ({"classlabels_strings": ["a", "b"]}, "attribute 'classlabels_strings' holds text"),
        ({"classlabels_int64s": [1]}, "has 1 labels that are integers, not 2 or more"),
        ({"classlabels_int64s": [1, 2]}, "has two classes and weights of the second alone"),
        (
            {"classlabels_int64s": [1, 2, 3], "base_values": [0.5]},
            "attribute 'base_values' has 1 numbers; give it 3",
        ),
    ],
)
def test_a_classifier_is_refused(attributes: dict[str, object], problem: str) -> None:
    every = classifier((1,)) | attributes
    node = helper.make_node(
        "TreeEnsembleClassifier", ["x"], ["y", "z"], domain="ai.onnx.ml", **every
    )
    with pytest.raises(HtpError) as caught:
        import_model(model_of([node], {"x": X}, ["y", "z"]))
    assert problem in caught.value.faults[0].line()


@pytest.mark.parametrize("tracks", [0, 1])
def test_missing_numbers(tracks: int) -> None:
    attributes = regressor(("LEQ", "GT"))
    count = len(attributes["nodes_treeids"])
    assert_same(HOLES, attributes | {"nodes_missing_value_tracks_true": [tracks] * count})


def test_membership() -> None:
    """Feature 0 is one of 1 and 2, or else feature 1 is not 0; NaN is a member where it says so."""
    floats = TensorProto.FLOAT
    node = helper.make_node(
        *("TreeEnsemble", ["x"], ["y"]),
        domain="ai.onnx.ml",
        tree_roots=[0],
        nodes_featureids=[0, 1],
        nodes_modes=helper.make_tensor("modes", TensorProto.UINT8, [2], [6, 5]),
        nodes_splits=helper.make_tensor("splits", floats, [2], [0.0, 0.0]),
        membership_values=helper.make_tensor("sets", floats, [3], [1.0, 2.0, np.nan]),
        nodes_missing_value_tracks_true=[1, 0],
        nodes_truenodeids=[0, 1],
        nodes_trueleafs=[1, 1],
        nodes_falsenodeids=[1, 2],
        nodes_falseleafs=[0, 1],
        leaf_targetids=[0, 0, 0],
        leaf_weights=helper.make_tensor("weights", floats, [3], [5.0, 7.0, 9.0]),
        n_targets=1,
    )
    x = np.array([[1, 0], [2, 3], [np.nan, 0], [0, 0], [0, 3], [0, np.nan]], np.float32)
    model = model_of([node], {"x": x}, ["y"])
    model.opset_import.add(domain="ai.onnx.ml", version=5)
    module = import_model(model)
    for level in (module, lower(module)):
        result = Session(level, check=True).run({"x": x})["y"]
        assert result.tolist() == [[5], [5], [5], [9], [7], [7]]


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ({"aggregate_function": "MIN"}, "attribute 'aggregate_function' is MIN; use SUM or AVER"),
        ({"nodes_truenodeids": [0]}, "its nodes_* differ in length"),
        ({"target_weights": [1.0]}, "has 1 weights for"),
    ],
)
def test_refused(attributes: dict[str, object], problem: str) -> None:
    every = regressor(("LEQ",)) | attributes
    node = helper.make_node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **every)
    with pytest.raises(HtpError) as caught:
        import_model(model_of([node], {"x": X}, ["y"]))
    assert problem in caught.value.faults[0].line()


def test_tables_of_the_example() -> None:
    splits = [FeatureTest(0, Mode.LEQ, (1.5,), ~0, 1), FeatureTest(3, Mode.EQ, (2.0, 4.0), ~1, ~2)]
    one = tables(Forest(splits, [0], np.eye(3)), most=100)
    np.testing.assert_array_equal(one.features, [[0, 3]])
    np.testing.assert_array_equal(one.edges, [[[1, -1, -1], [0, 1, -1]]])
    np.testing.assert_array_equal(one.sums, [[1, 1, 0]])
    assert [mode for mode, _ in one.tests] == [Mode.LEQ, Mode.EQ, Mode.EQ]
    np.testing.assert_array_equal(one.tests[2][1], [[np.nan, 4.0]])


@pytest.mark.parametrize(
    ("way", "problem"),
    [(0, "split 0 is none, or reached twice"), (7, "split 7 is none"), (~5, "leaf 5 is none of 3")],
)
def test_what_is_no_tree_has_no_tables(way: int, problem: str) -> None:
    forest = Forest([FeatureTest(0, Mode.LEQ, (1.5,), ~0, way)], [0], np.eye(3))
    with pytest.raises(ValueError, match=problem):
        tables(forest, most=100)


def test_large_forests_have_no_tables() -> None:
    forest = Forest([FeatureTest(0, Mode.LEQ, (1.5,), ~0, ~1)], [0] * 50, np.eye(3))
    with pytest.raises(ValueError, match="50 trees of up to 1 splits are too many"):
        tables(forest, most=100)
