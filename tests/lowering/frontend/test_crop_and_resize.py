"""Resize by tf_crop_and_resize: ONNX's formula, also where ONNX Runtime leaves it."""

import numpy as np
import pytest
from htp_mlir.lowering import import_model, lower
from htp_mlir.runtime import Session
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator

from .models import judged, model_of

X = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
INSIDE = (0, 0, 0.4, 0.6, 1, 1, 0.6, 0.8)
BEYOND = (0, 0, -0.2, 0.1, 1, 1, 1.3, 0.9)
ROUNDINGS = ("ceil", "floor", "round_prefer_ceil", "round_prefer_floor")


def crop(roi: tuple[float, ...], size: tuple[int, ...], rounding: str) -> ModelProto:
    node = helper.make_node(
        *("Resize", ["x", "roi", "", "size"], ["y"]),
        mode="nearest",
        nearest_mode=rounding,
        coordinate_transformation_mode="tf_crop_and_resize",
        extrapolation_value=-1.0,
    )
    constants = {"roi": np.array(roi, np.float32), "size": np.array((1, 1, *size))}
    return model_of([node], {"x": X}, ["y"], constants)


@pytest.mark.one_per("rounding")
@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("size", [(2, 5), (8, 8), (1, 4), (4, 3)])
@pytest.mark.parametrize("roi", [INSIDE, BEYOND])
def test_the_nearest_of_a_crop_is_that_of_the_formula(
    roi: tuple[float, ...], size: tuple[int, ...], rounding: str
) -> None:
    model = crop(roi, size, rounding)
    (expected,) = ReferenceEvaluator(model).run(None, {"x": X})
    module = import_model(model)
    for each in (module, lower(module)):
        np.testing.assert_array_equal(Session(each, check=True).run({"x": X})["y"], expected)


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_onnx_runtime_crops_no_axis_that_keeps_its_size(rounding: str) -> None:
    model = crop(INSIDE, (8, 4), rounding)
    whole = judged(model, {"x": X})["y"]
    cropped = Session(import_model(model)).run({"x": X})["y"]
    assert np.array_equal(whole[..., 0] % 4, np.zeros((1, 1, 8)))
    assert (cropped[..., 0] % 4 >= 1).all()
