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


@pytest.mark.parametrize(("pool", "mode"), [("MaxPool", "linear"), ("AveragePool", "nearest")])
def test_a_network_of_volumes_moves_what_it_must(pool: str, mode: str) -> None:
    """Its taps take more than the TCM; yet little moves but inputs, weights and outputs."""
    model = network(pool, mode)
    module = import_model(model)
    names = [op.name for op in module.walk()]
    assert names.count("qti_aisw.Conv2d") == 3
    assert not {"qti_aisw.Gather", "qti_aisw.MatMul"} & {*names}
    with collecting_plans() as plans:
        lowered = lower(module, tcm_bytes=5 << 18)
    least = least_traffic(lower(module, tcm_bytes=1 << 30, level="native"))
    moved, planned = traffic(lowered).bytes, sum(plan.bytes for plan in plans.values())
    assert moved < 1.01 * least
    assert planned == pytest.approx(moved, rel=0.001)
    wanted = judged(model, VOLUME)["y"]
    output = Session(lowered, check=True).run(VOLUME)["y"]
    assert np.abs(output - wanted).max() < 64 * EPSILON * np.abs(wanted).max()
