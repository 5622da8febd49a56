"""Resize by scales and by sizes, where one bit decides which element is the nearest."""

from typing import Any

import numpy as np
import pytest
from htp_mlir.lowering import import_model, lower
from htp_mlir.runtime import Session
from onnx import ModelProto, helper

from .models import Array, judged, model_of

PYTORCH = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
ALIGNED = {"coordinate_transformation_mode": "align_corners"}
MODES = [PYTORCH, ALIGNED, {**ALIGNED, "mode": "linear"}, {**ALIGNED, "mode": "cubic"}]


def line(extent: int) -> Array:
    return np.arange(extent, dtype=np.float32).reshape(1, 1, 1, extent)


def resized(extent: int, scale: float | None, size: int | None, **modes: Any) -> ModelProto:
    """Resize a line by a scale or to a size."""
    node = helper.make_node(
        "Resize", ["x", "", "scales" if scale else "", *["size"] * bool(size)], ["y"], **modes
    )
    constants = {
        "scales": np.array((1, 1, 1, scale or 1), np.float32),
        "size": np.array((1, 1, 1, size or 1)),
    }
    used = {name: constants[name] for name in node.input if name in constants}
    return model_of([node], {"x": line(extent)}, ["y"], used)


def at_two_levels(model: ModelProto, x: Array) -> list[Array]:
    module = import_model(model)
    return [Session(m, check=True).run({"x": x})["y"] for m in (module, lower(module))]


@pytest.mark.one_per("modes", "scale")
@pytest.mark.parametrize("modes", MODES, ids=lambda modes: "-".join(modes.values()))
@pytest.mark.parametrize("scale", [0.5, 0.6, 1 / 3, 1.7, 2.3])
@pytest.mark.parametrize("extent", [7, 33])
def test_a_scale_reads_where_onnx_runtime_reads(
    extent: int, scale: float, modes: dict[str, str]
) -> None:
    model, x = resized(extent, scale, None, **modes), line(extent)
    expected = judged(model, {"x": x})["y"]
    for numbers in at_two_levels(model, x):
        np.testing.assert_allclose(numbers, expected, rtol=1e-5, atol=2e-5)


@pytest.mark.parametrize(("before", "after"), [(14, 18), (18, 42), (21, 54), (36, 42), (6, 4)])
def test_a_size_takes_the_element_that_whole_numbers_say(before: int, after: int) -> None:
    expected = [n * before // after for n in range(after)]
    for numbers in at_two_levels(resized(before, None, after, **PYTORCH), line(before)):
        assert numbers.reshape(-1).tolist() == expected
