"""Constants that PyTorch's older exporter leaves in a graph as computations."""

from __future__ import annotations

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model
from onnx import helper

from .cases.case import i64
from .models import assert_same, floats, model_of


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
