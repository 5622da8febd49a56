"""Ops of ONNX whose results its shape inference leaves open, in front of ops that need a shape."""

import numpy as np
import pytest
from htp_mlir.lowering.frontend.onnx.preparation.supported import result_of
from onnx import NodeProto, TypeProto, helper

from .cases.case import f32
from .models import assert_same, floats, model_of

ML = "ai.onnx.ml"
DATA = floats(3, 4)


def classical(op: str, *inputs: str, **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs or ["x"], ["t"], domain=ML, **attributes)


CLASSICAL = [
    classical("Scaler", offset=[1.0, 2.0, 3.0, 4.0], scale=[1.0, 0.5, 2.0, 1.0]),
    classical("Normalizer", norm="L1"),
    classical("Imputer", imputed_value_floats=[1.0, 2.0, 3.0, 4.0], replaced_value_float=9.0),
    classical("FeatureVectorizer", "x", "x", inputdimensions=[3, 4]),
    classical("LinearRegressor", coefficients=[*map(float, range(8))], targets=2),
]


@pytest.mark.parametrize("node", CLASSICAL, ids=lambda node: node.op_type)
def test_what_follows_a_classical_op_has_a_shape(node: NodeProto) -> None:
    rest = helper.make_node("Split", ["t"], ["y"], axis=1, num_outputs=1)
    model = model_of([node, rest], {"x": DATA}, ["y"])
    model.opset_import.add(domain=ML, version=3)
    assert_same(model, {"x": DATA})


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_what_follows_a_group_norm_has_a_shape(groups: int) -> None:
    x, factors = floats(2, 4, 3, 5), f32(1, 2, -1, 0.5)
    nodes = [
        helper.make_node("GroupNormalization", ["x", "g", "b"], ["t"], num_groups=groups),
        helper.make_node("Relu", ["t"], ["u"]),
        helper.make_node("Split", ["u"], ["y", "z"], axis=1, num_outputs=2),
    ]
    constants = {"g": factors, "b": np.flip(factors)}
    assert_same(model_of(nodes, {"x": x}, ["y", "z"], constants), {"x": x})


def test_without_a_shape_of_the_data_there_is_none() -> None:
    assert result_of(CLASSICAL[0], {"x": TypeProto()}) is None
    assert result_of(CLASSICAL[0], {}) is None
