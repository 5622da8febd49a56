"""QuantizeLinear and DequantizeLinear against ONNX Runtime."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from onnx import NodeProto, helper

from ..models import (
    Array,
    assert_same,
    floats,
    judged,
    model_of,
)

X = floats(2, 3, 4)
PER_TENSOR = {"s": np.array(0.05, np.float32)}
PER_AXIS = {"s": np.array([0.05, 0.1, 0.02], np.float32)}


def node(op: str, source: str, result: str, zero: bool = True, **attributes: object) -> NodeProto:
    return helper.make_node(op, [source, "s", *(["z"] if zero else [])], [result], **attributes)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
@pytest.mark.parametrize("scales", [PER_TENSOR, PER_AXIS], ids=["tensor", "axis"])
def test_there_and_back(dtype: str, scales: dict[str, Array]) -> None:
    constants = {**scales, "z": np.full(scales["s"].shape, 3, dtype)}
    nodes = [
        node("QuantizeLinear", "x", "q", axis=1),
        helper.make_node("Transpose", ["q"], ["t"], perm=[0, 2, 1]),
        node("DequantizeLinear", "t", "y", axis=2),
    ]
    assert_same(model_of(nodes, {"x": X}, ["y", "q"], constants), {"x": X})


def test_without_a_zero_point() -> None:
    nodes = [node("QuantizeLinear", "x", "q", zero=False)]
    assert_same(model_of(nodes, {"x": X}, ["q"], PER_TENSOR), {"x": X})


def test_quantised_input_of_the_model() -> None:
    feeds = {"x": np.arange(24, dtype=np.uint8).reshape(2, 3, 4)}
    constants = {**PER_AXIS, "z": np.array([1, 2, 3], np.uint8)}
    assert_same(model_of([node("DequantizeLinear", "x", "y")], feeds, ["y"], constants), feeds)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16"])
def test_an_image_that_is_only_dequantised_is_a_quantised_input(dtype: str) -> None:
    feeds = {"x": np.arange(1 * 4 * 4 * 3).astype(dtype).reshape(1, 4, 4, 3)}
    constants = {
        **{"s": np.array(0.02, np.float32), "z": np.array(5, dtype)},
        **{"w": np.arange(-54, 54, dtype=np.int8).reshape(4, 3, 3, 3)},
        **{"ws": np.array([0.01, 0.02, 0.03, 0.04], np.float32)},
    }
    nodes = [
        helper.make_node("Transpose", ["x"], ["turned"], perm=[0, 3, 1, 2]),
        node("DequantizeLinear", "turned", "real"),
        helper.make_node("DequantizeLinear", ["w", "ws"], ["weights"], axis=0),
        helper.make_node("Conv", ["real", "weights"], ["c"], pads=[1, 1, 1, 1]),
        node("QuantizeLinear", "c", "q"),
        helper.make_node("Transpose", ["q"], ["y"], perm=[0, 2, 3, 1]),
    ]
    model = model_of(nodes, feeds, ["y"], constants)
    assert_same(model, feeds)
    imported = import_model(model)
    assert Session(imported).inputs["x"].quant is not None
    lowered = lower(imported)
    assert "Dequantize" not in str(lowered)
    output = Session(lowered, check=True).run(dict(feeds))["y"]
    np.testing.assert_array_equal(output, judged(model, feeds)["y"])


def test_an_input_that_is_read_in_two_ways_stays_plain() -> None:
    feeds = {"x": np.arange(24, dtype=np.uint8).reshape(2, 3, 4)}
    constants = {**PER_TENSOR, "z": np.array(5, np.uint8)}
    nodes = [node("DequantizeLinear", "x", "y"), helper.make_node("Not", ["b"], ["t"])]
    nodes.insert(1, helper.make_node("Equal", ["x", "z"], ["b"]))
    model = model_of(nodes, feeds, ["y", "t"], constants)
    assert_same(model, feeds)
    assert Session(import_model(model)).inputs["x"].quant is None


def test_quantised_weights_are_constants() -> None:
    weights = {"w": np.arange(-12, 12, dtype=np.int8).reshape(2, 3, 4), **PER_AXIS}
    constants = {**weights, "z": np.zeros(3, np.int8)}
    nodes = [
        node("DequantizeLinear", "w", "real"),
        helper.make_node("Add", ["x", "real"], ["y"]),
    ]
    model = model_of(nodes, {"x": X}, ["y"], constants)
    assert_same(model, {"x": X})
    assert "Dequantize" not in str(import_model(model))


def test_pooling_keeps_the_encoding() -> None:
    image = floats(1, 2, 4, 4)
    nodes = [
        node("QuantizeLinear", "x", "q"),
        helper.make_node("MaxPool", ["q"], ["p"], kernel_shape=[2, 2]),
        node("DequantizeLinear", "p", "y"),
    ]
    constants = {**PER_TENSOR, "z": np.array(10, np.uint8)}
    assert_same(model_of(nodes, {"x": image}, ["y"], constants), {"x": image})


def test_another_encoding_on_the_way_back_is_a_fault() -> None:
    nodes = [
        node("QuantizeLinear", "x", "q"),
        helper.make_node("DequantizeLinear", ["q", "other", "z"], ["y"]),
    ]
    constants = {**PER_TENSOR, "other": np.array(0.5, np.float32), "z": np.array(3, np.uint8)}
    with pytest.raises(HtpError, match="is not what the input was quantised with"):
        import_model(model_of(nodes, {"x": X}, ["y"], constants))


def test_arithmetic_on_stored_integers_is_a_fault() -> None:
    nodes = [
        node("QuantizeLinear", "x", "q"),
        helper.make_node("Less", ["q", "z"], ["y"]),
    ]
    constants = {**PER_TENSOR, "z": np.array(3, np.uint8)}
    with pytest.raises(HtpError, match="input 'q' is quantised"):
        import_model(model_of(nodes, {"x": X}, ["y"], constants))


def test_types_say_the_encoding() -> None:
    constants = {**PER_AXIS, "z": np.array([1, 2, 3], np.int8)}
    model = model_of([node("QuantizeLinear", "x", "q")], {"x": X}, ["q"], constants)
    spec = Session(import_model(model)).outputs["q"]
    assert spec.quant is not None
    assert (spec.quant.axis, spec.quant.zero_points) == (1, (1, 2, 3))
