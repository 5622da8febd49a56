"""Inputs that the user fixes, as an exporter leaves shapes, axes and counts to run time."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from numpy.typing import ArrayLike
from onnx import ModelProto, TensorProto, helper

from .models import floats, model_of

X = floats(2, 6)
FEEDS = {"x": X, "shape": np.array([3, 4]), "axes": np.array([1]), "low": np.float32(0)}


def reshaped() -> ModelProto:
    nodes = [
        helper.make_node("Clip", ["x", "low"], ["a"]),
        helper.make_node("Reshape", ["a", "shape"], ["b"]),
        helper.make_node("ReduceSum", ["b", "axes"], ["y"]),
    ]
    return model_of(nodes, FEEDS, ["y"])


@pytest.mark.parametrize("axes", [1, [1], np.array([1])])
@pytest.mark.parametrize("low", [0, 0.0, np.float32(0)])
def test_fixed_inputs_are_constants(axes: ArrayLike, low: ArrayLike) -> None:
    module = import_model(reshaped(), constants={"shape": [3, 4], "axes": axes, "low": low})
    session = Session(module)
    assert set(session.inputs) == {"x"}
    expected = np.maximum(X, 0).reshape(3, 4).sum(1, keepdims=True)
    np.testing.assert_allclose(session.run({"x": X})["y"], expected, rtol=1e-6)


def test_an_input_that_stays_open_is_one_of_the_module() -> None:
    module = import_model(reshaped(), constants={"shape": [3, 4], "axes": 1})
    assert set(Session(module).inputs) == {"x", "low"}


def test_a_fixed_input_needs_no_size_of_its_dims() -> None:
    model = reshaped()
    model.graph.input[1].type.tensor_type.shape.dim[0].dim_param = "rank"
    module = import_model(model, constants={"shape": [4, 3], "axes": 0})
    assert Session(module).outputs["y"].shape == (1, 3)


@pytest.mark.parametrize(
    ("constants", "line"),
    [
        ({"shade": 1}, "constant 'shade': is no input of the model; did you mean 'shape'?"),
        ({"shape": [1.5, 4]}, "constant 'shape': its numbers are float64, the input is int64"),
        ({"shape": np.int32([3, 4])}, "constant 'shape': its numbers are int32, the input is int"),
        ({"low": np.float64(0)}, "constant 'low': its numbers are float64, the input is float32"),
        ({"shape": [1, 3, 4]}, "constant 'shape': its shape is 3, the input's is 2; give a value"),
        ({"low": [1, 2]}, "constant 'low': its shape is 2, the input's is scalar; give a value"),
        ({"axes": "one"}, "constant 'axes': its numbers are <U3, the input is int64"),
        ({"axes": [2**70]}, "constant 'axes': its numbers are object, the input is int64"),
    ],
)
def test_constants_that_do_not_fit(constants: dict[str, ArrayLike], line: str) -> None:
    with pytest.raises(HtpError) as caught:
        import_model(reshaped(), constants=constants)
    (fault,) = caught.value.faults
    assert fault.line().startswith(line)
    assert len(caught.value.lines()) == 2


def test_all_constants_that_do_not_fit_are_listed() -> None:
    with pytest.raises(HtpError) as caught:
        import_model(reshaped(), constants={"a": 1, "axes": 0.5})
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    ("dtype", "value"), [("bfloat16", [1.5, 2]), ("int4", [-8, 7]), ("float64", [0.1, 3])]
)
def test_numbers_take_the_dtype_of_the_input(dtype: str, value: list[float]) -> None:
    nodes = [
        helper.make_node("Cast", ["c"], ["wide"], to=TensorProto.FLOAT),
        helper.make_node("Add", ["x", "wide"], ["y"]),
    ]
    feeds = {"x": np.zeros(2, np.float32), "c": np.zeros(2, dtype)}
    module = import_model(model_of(nodes, feeds, ["y"], opset=25), constants={"c": value})
    result = Session(module).run({"x": feeds["x"]})["y"]
    np.testing.assert_array_equal(result, np.array(value, dtype).astype(np.float32))


def test_numbers_past_those_of_the_input_do_not_fit() -> None:
    node = helper.make_node("Cast", ["c"], ["y"], to=TensorProto.FLOAT)
    model = model_of([node], {"c": np.zeros(1, "int4")}, ["y"], opset=25)
    with pytest.raises(HtpError, match="its numbers are int64, the input is int4"):
        import_model(model, constants={"c": [8]})
