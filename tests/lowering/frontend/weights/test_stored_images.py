"""Resize, Pad and ArgMax of stored integers, as ONNX Runtime's QOperator models have them."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime import Session
from onnx import ModelProto, NodeProto, helper

from ..cases.case import IMAGE, f32, i64
from ..models import judged, model_of

SCALE = 0.03
ENDS = ("QuantizeLinear", "DequantizeLinear")


def around(node: NodeProto, zero: np.ndarray, **constants: np.ndarray) -> ModelProto:
    """A model that quantises x, has the node read `q` and write `r`, and decodes that."""
    into, out = (
        helper.make_node(op, [name, "s", "z"], [to], axis=1)
        for op, name, to in zip(ENDS, "xr", "qy", strict=True)
    )
    scale = np.full(zero.shape, SCALE, np.float32)
    everything = {"s": scale, "z": zero, **constants}
    return model_of([into, node, out], {"x": IMAGE}, ["y"], everything)


def errors(model: ModelProto) -> list[float]:
    """The largest error at the graph level and lowered, in steps of the encoding."""
    module, wanted = import_model(model), judged(model, {"x": IMAGE})["y"]
    sessions = [Session(module), Session(lower(module, tcm_bytes=1 << 20), check=True)]
    results = [session.run({"x": IMAGE})["y"] for session in sessions]
    return [float(np.max(np.abs(result - wanted))) / SCALE for result in results]


@pytest.mark.parametrize("zero", [np.array(7, np.int8), np.array(130, np.uint8)], ids=str)
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
def test_pad(mode: str, zero: np.ndarray) -> None:
    pads = i64(0, 0, 1, 2, 0, 0, 2, -1)
    node = helper.make_node("Pad", ["q", "pads", "value"], ["r"], mode=mode)
    value = np.array(zero + 20, zero.dtype)
    assert max(errors(around(node, zero, pads=pads, value=value))) < 1e-3


def test_margins_without_a_value_are_stored_zeros() -> None:
    zero = np.array(100, np.uint8)
    node = helper.make_node("Pad", ["q", "pads"], ["r"])
    model = around(node, zero, pads=i64(0, 0, 1, 1, 0, 0, 1, 1))
    assert max(errors(model)) < 1e-3
    corner = Session(import_model(model)).run({"x": IMAGE})["y"][0, 0, 0, 0]
    np.testing.assert_allclose(corner, -100 * SCALE, rtol=1e-6)


@pytest.mark.parametrize(
    "attributes",
    [
        {
            "mode": "nearest",
            "coordinate_transformation_mode": "asymmetric",
            "nearest_mode": "floor",
        },
        {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
    ],
    ids=lambda attributes: attributes["mode"],
)
def test_resize(attributes: dict[str, str]) -> None:
    node = helper.make_node("Resize", ["q", "", "scales"], ["r"], **attributes)
    model = around(node, np.array(120, np.uint8), scales=f32(1, 1, 2, 3))
    # Between two pixels ONNX Runtime cuts a fraction of a step off, which is rounded here.
    assert max(errors(model)) < (1e-3 if attributes["mode"] == "nearest" else 1 + 1e-3)


@pytest.mark.parametrize("op", ["ArgMax", "ArgMin"])
def test_place_of_an_extreme(op: str) -> None:
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node(op, ["q"], ["y"], axis=1, keepdims=0),
    ]
    constants = {"s": np.float32(SCALE), "z": np.array(3, np.int8)}
    assert errors(model_of(nodes, {"x": IMAGE}, ["y"], constants)) == [0, 0]


def test_margins_between_scales_are_refused() -> None:
    node = helper.make_node("Pad", ["q", "pads"], ["r"])
    model = around(node, np.array([1, 2, 3], np.uint8), pads=i64(0, 0, 1, 1, 0, 0, 1, 1))
    with pytest.raises(HtpError, match="a scale for each index of a dim"):
        import_model(model)
