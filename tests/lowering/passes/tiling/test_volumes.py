"""Networks of volumes stay in TCM: their convolutions, pools and Resizes are ops of images."""

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.passes.tiling.plan_tiles import collecting_plans
from htp_mlir.lowering.passes.traffic import least_traffic, traffic
from htp_mlir.runtime import Session
from onnx import ModelProto, helper

from ...frontend.models import EPSILON, floats, judged, model_of

VOLUME = {"x": floats(1, 8, 12, 16, 16)}
SAME = {"kernel_shape": [3, 3, 3], "pads": [1] * 6}
HALVES = {"kernel_shape": [2, 2, 2], "strides": [2, 2, 2]}


def network(pool: str, mode: str) -> ModelProto:
    """A convolution; half of it and back, beside it; and one of both."""
    weights = {"w0": floats(16, 8, 3, 3, 3), "w1": floats(32, 16, 3, 3, 3) / 8}
    constants = {**weights, "w2": floats(8, 48, 3, 3, 3), "scales": np.float32([1, 1, 2, 2, 2])}
    nodes = [
        helper.make_node("Conv", ["x", "w0"], ["wide"], **SAME),
        helper.make_node("Relu", ["wide"], ["skip"]),
        helper.make_node(pool, ["skip"], ["half"], **HALVES),
        helper.make_node("Conv", ["half", "w1"], ["deep"], **SAME),
        helper.make_node("Resize", ["deep", "", "scales"], ["back"], mode=mode),
        helper.make_node("Concat", ["back", "skip"], ["both"], axis=1),
        helper.make_node("Conv", ["both", "w2"], ["y"], **SAME),
    ]
    return model_of(nodes, VOLUME, ["y"], constants)


def depthwise() -> ModelProto:
    """Wide, depthwise, narrow, with a skip around them."""
    weights = {"w0": floats(48, 8, 1, 1, 1), "w1": floats(48, 1, 3, 3, 3)}
    nodes = [
        helper.make_node("Conv", ["x", "w0"], ["wide"]),
        helper.make_node("Conv", ["wide", "w1"], ["deep"], group=48, **SAME),
        helper.make_node("Conv", ["deep", "w2"], ["narrow"]),
        helper.make_node("Add", ["narrow", "x"], ["y"]),
    ]
    return model_of(nodes, VOLUME, ["y"], {**weights, "w2": floats(8, 48, 1, 1, 1)})


def moved_and_planned(model: ModelProto, tcm_bytes: int) -> tuple[float, float]:
    """What moves, and what is planned to, beside the bound; the numbers are ONNX Runtime's."""
    module = import_model(model)
    with collecting_plans() as plans:
        lowered = lower(module, tcm_bytes=tcm_bytes)
    wanted = judged(model, VOLUME)["y"]
    output = Session(lowered, check=True).run(VOLUME)["y"]
    assert np.abs(output - wanted).max() < 64 * EPSILON * np.abs(wanted).max()
    least = least_traffic(lower(module, tcm_bytes=1 << 30, level="native"))
    return traffic(lowered).bytes / least, sum(plan.bytes for plan in plans.values()) / least


@pytest.mark.parametrize(("pool", "mode"), [("MaxPool", "linear"), ("AveragePool", "nearest")])
def test_a_network_of_volumes_moves_what_it_must(pool: str, mode: str) -> None:
    """Its taps take more than the TCM; yet little moves but inputs, weights and outputs."""
    model = network(pool, mode)
    names = [op.name for op in import_model(model).walk()]
    assert names.count("qti_aisw.Conv2d") == 3
    assert not {"qti_aisw.Gather", "qti_aisw.MatMul"} & {*names}
    moved, planned = moved_and_planned(model, 5 << 18)
    assert moved < 1.01
    assert planned == pytest.approx(moved, rel=0.001)


def test_a_depthwise_convolution_is_one_for_each_step_of_its_window() -> None:
    """What is padded along the depth and around each image is read in tiles."""
    names = [op.name for op in import_model(depthwise()).walk()]
    assert names.count("qti_aisw.DepthWiseConv2d") == 3
    moved, planned = moved_and_planned(depthwise(), 1 << 20)
    assert moved < 1.05
    assert planned == pytest.approx(moved, rel=0.001)
