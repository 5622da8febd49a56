"""Constants that PyTorch's older exporter leaves in a graph as computations."""

from dataclasses import replace

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model
from onnx import TensorProto, helper, numpy_helper

from .cases.case import PLACES, SQUARE, Case, case, f32, i64
from .models import assert_same, floats, judged, model_of


def test_what_is_computed_from_places_in_a_constant_has_a_size() -> None:
    nodes = [
        helper.make_node("NonZero", ["mask"], ["places"]),
        helper.make_node("Transpose", ["places"], ["rows"], perm=[1, 0]),
        helper.make_node("Squeeze", ["rows", "one"], ["indices"]),
        helper.make_node("Gather", ["x", "indices"], ["y"], axis=1),
    ]
    feeds = {"x": floats(2, 3, 4)}
    constants = {"mask": np.array([True, False, True]), "one": i64(1)}
    assert_same(model_of(nodes, feeds, ["y"], constants), feeds)


@pytest.mark.parametrize("axis", [i64(0), np.array(0, np.int64)], ids=["list", "number"])
@pytest.mark.parametrize("of", ["ones", "x"])
def test_axis_of_a_sum_is_a_number_or_a_list_of_one(of: str, axis: np.ndarray) -> None:
    nodes = [
        helper.make_node("CumSum", [of, "axis"], ["sums"]),
        helper.make_node("Mul", ["sums", "x"], ["y"]),
    ]
    feeds = {"x": floats(4)}
    assert_same(
        model_of(nodes, feeds, ["y"], {"ones": np.ones(4, np.float32), "axis": axis}), feeds
    )


def test_two_axes_of_a_sum_are_refused() -> None:
    nodes = [
        helper.make_node("CumSum", ["ones", "axes"], ["sums"]),
        helper.make_node("Mul", ["sums", "x"], ["y"]),
    ]
    constants = {"ones": np.ones(4, np.float32), "axes": i64(0, 0)}
    with pytest.raises(HtpError, match="constant inputs cannot be evaluated"):
        import_model(model_of(nodes, {"x": floats(4)}, ["y"], constants))


FOLDED = [
    case("GatherElements", SQUARE[0], i64(5, -6), axis=-1),
    case("GatherElements", SQUARE, PLACES, axis=1),
    case("GatherElements", floats(80, 3), i64(79, 0, -1).reshape(1, 3), axis=0),
    case("Pad", SQUARE, i64(-1, 2, 1, -3), np.array(0.5, np.float32)),
    case("Pad", SQUARE, i64(2, -1), None, i64(-1), mode="edge"),
    case("Pad", SQUARE.astype(np.int64), i64(0, 1, 0, 1)),
    case("OneHot", i64(0, -1, 7), i64(3), f32(0, 1)),
    case("OneHot", i64(0, 2), np.array(3, np.int64), f32(-1, 2), axis=0),
]
"""Nodes that onnx's own evaluator refuses on constants, or did in some release."""


@pytest.mark.parametrize("folded", FOLDED, ids=str)
def test_folds_to_what_onnx_runtime_computes(folded: Case) -> None:
    _, alone = replace(folded, fixed=0).model()
    (constant,) = judged(alone, {}).values()
    nodes = [
        *alone.graph.node,
        helper.make_node("Cast", ["y0"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["real", "x"], ["y"]),
    ]
    feeds = {"x": floats(*constant.shape)}
    arrays = {i.name: numpy_helper.to_array(i) for i in alone.graph.initializer}
    model = model_of(nodes, feeds, ["y"], arrays)
    assert_same(model, feeds)
    assert "qti_aisw.Gather" not in str(import_model(model))
