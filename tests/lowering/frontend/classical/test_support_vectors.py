"""Support vector machines against ONNX Runtime: every kernel, two classes and more."""

from __future__ import annotations

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

X = floats(9, 4)
KERNELS = ("LINEAR", "POLY", "RBF", "SIGMOID")


def numbers(*shape: int, seed: int = 0) -> list[float]:
    return [float(number) for number in floats(*shape, seed=seed).ravel()]


def model(op: str, **attributes: object) -> ModelProto:
    names = ["y", "scores"] if op == "SVMClassifier" else ["y"]
    node = helper.make_node(op, ["x"], names, domain="ai.onnx.ml", **attributes)
    proto = model_of([node], {"x": X}, names)
    proto.opset_import.add(domain="ai.onnx.ml", version=1)
    return proto


def assert_same(proto: ModelProto, x: Array = X) -> None:
    module = import_model(proto)
    for level in (module, lower(module)):
        results = Session(level, check=True).run({"x": x})
        for name, wanted in judged(proto, {"x": x}).items():
            assert results[name].dtype == wanted.dtype
            np.testing.assert_allclose(results[name], wanted, rtol=1e-4, atol=1e-5)


def machine(kernel: str, *counts: int, **attributes: object) -> dict[str, object]:
    """A classifier with so many vectors of each class."""
    total, classes = sum(counts), len(counts)
    return {
        "coefficients": numbers(classes - 1, total, seed=2),
        "support_vectors": numbers(total, 4, seed=1),
        "vectors_per_class": counts,
        "rho": numbers(classes * (classes - 1) // 2, seed=5),
        "kernel_type": kernel,
        "kernel_params": [0.4, 0.2, 2.0],
        "classlabels_ints": [*range(5, 5 + classes)],
        **attributes,
    }


@pytest.mark.one_per
@pytest.mark.parametrize("one_class", [0, 1])
@pytest.mark.parametrize("kernel", KERNELS)
def test_regressors(kernel: str, one_class: int) -> None:
    attributes = {"coefficients": numbers(3), "support_vectors": numbers(3, 4, seed=1)}
    kind = {"kernel_type": kernel, "kernel_params": [0.4, 0.2, 2.0], "one_class": one_class}
    assert_same(model("SVMRegressor", n_supports=3, rho=[0.1], **attributes, **kind))


def test_a_regressor_without_vectors_is_a_product() -> None:
    params = {"coefficients": numbers(4), "rho": [0.1], "kernel_params": [0.0] * 3}
    assert_same(model("SVMRegressor", **params))


@pytest.mark.one_per
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("counts", [(2, 1, 2), (2, 3), (1, 2, 1, 2)])
def test_classifiers(kernel: str, counts: tuple[int, ...]) -> None:
    assert_same(model("SVMClassifier", **machine(kernel, *counts)))


@pytest.mark.parametrize(
    ("counts", "kind"), [((2, 1, 2), "SOFTMAX"), ((2, 1, 2), "LOGISTIC"), ((2, 3), "LOGISTIC")]
)
def test_transforms(counts: tuple[int, ...], kind: str) -> None:
    assert_same(model("SVMClassifier", **machine("RBF", *counts, post_transform=kind)))


def test_a_classifier_without_vectors_is_a_product() -> None:
    params = {"coefficients": numbers(3, 4), "rho": [0.2], "kernel_params": [0.0] * 3}
    assert_same(model("SVMClassifier", classlabels_ints=[4, 5, 6], **params))


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        (machine("RBF", 2, 3, prob_a=[0.1], prob_b=[0.2]), "'prob_a' asks for probabilities"),
        (machine("RBF", 2, 3, post_transform="SOFTMAX"), "is SOFTMAX for one pair of classes"),
        (machine("CUBIC", 2, 3), "attribute 'kernel_type' is CUBIC; use LINEAR, POLY"),
        (machine("RBF", 2, 3, rho=[0.1, 0.2]), "attribute 'rho' has 2 numbers; give it 1"),
        (machine("RBF", 2, 3, support_vectors=[0.5]), "has 1 numbers; give it 20"),
        (machine("RBF", 2, 3, coefficients=[0.5]), "has 1 coefficients"),
        (machine("RBF", 2, 3, classlabels_ints=[1, 2, 3]), "vectors of 2 classes for 3 labels"),
        (
            {"coefficients": numbers(2, 4), "rho": [0.2], "classlabels_ints": [4, 5]},
            "two classes and no support vectors",
        ),
    ],
)
def test_refused(attributes: dict[str, object], problem: str) -> None:
    with pytest.raises(HtpError) as caught:
        import_model(model("SVMClassifier", **attributes))
    assert problem in caught.value.faults[0].line()
