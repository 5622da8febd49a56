"""Models of older opsets: ops that meant something else, or that the converter has no way for."""

from collections.abc import Callable

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import import_model
from htp_mlir.runtime import Session
from onnx import NodeProto, TensorProto, helper

from .models import floats, model_of

BINARY: dict[str, Callable[..., np.ndarray]] = {
    "Sub": np.subtract,
    "Div": np.divide,
    "Equal": np.equal,
    "Less": np.less,
    "Greater": np.greater,
    "And": np.logical_and,
    "Or": np.logical_or,
    "Xor": np.logical_xor,
}


def test_a_slope_of_before_opset_7_is_per_channel() -> None:
    slope = np.array([0.5, -1, 2], np.float32)
    x = floats(2, 3, 4, 5)
    node = helper.make_node("PRelu", ["x", "slope"], ["y"])
    model = model_of([node], {"x": x}, ["y"], {"slope": slope}, opset=6)
    result = Session(import_model(model)).run({"x": x})["y"]
    np.testing.assert_array_equal(result, np.where(x < 0, slope[:, None, None] * x, x))


@pytest.mark.one_per("op")
@pytest.mark.parametrize("opset", [1, 6])
@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize(
    ("shape", "axis", "wide"),
    [
        ((3,), 1, (3, 1)),
        ((3,), -2, (3, 1)),
        ((2, 3), 0, (2, 3, 1)),
        ((3, 4), 1, (3, 4)),
        ((4,), None, (4,)),
    ],
)
def test_operands_of_before_opset_7_begin_at_an_axis(
    op: str, shape: tuple[int, ...], axis: int | None, wide: tuple[int, ...], opset: int
) -> None:
    dtype = bool if op in ("And", "Or", "Xor") else np.int32 if op == "Equal" else np.float32
    x, y = (floats(*dims).round().astype(dtype) for dims in ((2, 3, 4), shape))
    stated = {} if axis is None else {"axis": axis}
    node = helper.make_node(op, ["x", "b"], ["y"], broadcast=1, **stated)
    model = model_of([node], {"x": x}, ["y"], {"b": y}, opset=opset)
    result = Session(import_model(model)).run({"x": x})["y"]
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(result, BINARY[op](x, y.reshape(wide)))


def test_an_axis_beside_an_unknown_rank_is_refused() -> None:
    shape = helper.make_node("Reshape", ["x", "s"], ["u"])
    node = helper.make_node("Less", ["x", "u"], ["y"], broadcast=1, axis=0)
    feeds = {"x": floats(2, 3), "s": np.array([2])}
    with pytest.raises(HtpError, match="'axis', and the rank of an input is not known"):
        import_model(model_of([shape, node], feeds, ["y"], opset=6))


OLD = {
    "Cast": (5, ({"to": "INT32"}, {"to": TensorProto.INT32})),
    "LpPool": (1, ({"p": 3.0, "kernel_shape": [2, 2]}, {"p": 3, "kernel_shape": [2, 2]})),
    "GlobalLpPool": (1, ({"p": 1.0}, {"p": 1})),
    "Pad": (1, ({"paddings": [0, 0, 1, 0, 0, 0, 0, 2]}, {"pads": [0, 0, 1, 0, 0, 0, 0, 2]})),
    "Split": (1, ({"axis": 1, "split": [1, 2]}, {"axis": 1, "split": [1, 2]})),
}
"""An opset whose ops the converter has no way for, by op: attributes of then, and of opset 6."""


@pytest.mark.parametrize("op", OLD)
def test_nodes_that_the_converter_has_no_way_for(op: str) -> None:
    opset, (attributes, later) = OLD[op]
    assert imported(op, opset, attributes) == imported(op, 6, later)


def imported(op: str, opset: int, attributes: dict[str, object]) -> str:
    """The module of one node, as text."""
    outputs = ["y", "z"] if op == "Split" else ["y"]
    node = helper.make_node(op, ["x"], outputs, **attributes)
    feeds = {"x": floats(1, 3, 4, 5) * 3}
    return str(import_model(model_of([node], feeds, outputs, opset=opset)))


@pytest.mark.parametrize("op", ["GRU", "LSTM", "RNN"])
def test_a_recurrence_of_opset_1_beside_a_comparison(op: str) -> None:
    old = compared(op, 1, {"output_sequence": 1}, {"broadcast": 1})
    new = compared(op, 7, {}, {})
    for name in ("h", "y"):
        np.testing.assert_array_equal(old[name], new[name])


def compared(
    op: str, opset: int, attributes: dict[str, object], of_greater: dict[str, object]
) -> dict[str, np.ndarray]:
    """The states of a recurrence, and where they are above zero."""
    rows = {"GRU": 3, "LSTM": 4, "RNN": 1}[op] * 2
    weights = {"w": floats(1, rows, 3), "r": floats(1, rows, 2), "zero": np.zeros(1, np.float32)}
    nodes = [
        helper.make_node(op, ["x", "w", "r"], ["h", "last"], hidden_size=2, **attributes),
        helper.make_node("Greater", ["h", "zero"], ["y"], **of_greater),
    ]
    feeds = {"x": floats(5, 1, 3)}
    module = import_model(model_of(nodes, feeds, ["h", "y"], weights, opset=opset))
    return Session(module).run(feeds)


@pytest.mark.parametrize(
    ("node", "problem"),
    [
        (
            helper.make_node("Tile", ["x", "n", "n"], ["y"]),
            "No Adapter From Version $5 for Tile",
        ),
        (helper.make_node("Cast", ["x"], ["y"], to="REAL"), "Enum DataType has no value"),
    ],
)
def test_what_onnx_says_of_a_model_that_it_cannot_convert(node: NodeProto, problem: str) -> None:
    n = np.ones((), np.int64)
    with pytest.raises(HtpError) as caught:
        import_model(model_of([node], {"x": floats(2, 3)}, ["y"], {"n": n}, opset=5))
    first, second = caught.value.lines()
    assert first.startswith(f"model: cannot be brought to opset 23: {problem}")
    assert second == "  export it with opset 23"


@pytest.mark.parametrize(("opset", "alpha"), [(1, 1.6732), (6, 1.67326319)])
def test_selu_of_opset_1_has_defaults_of_its_own(opset: int, alpha: float) -> None:
    x = np.array([-40], np.float32)
    node = helper.make_node("Selu", ["x"], ["y"], gamma=1.0)
    model = model_of([node], {"x": x}, ["y"], opset=opset)
    np.testing.assert_allclose(Session(import_model(model)).run({"x": x})["y"], -alpha, rtol=1e-7)


def scan_8(lengths: str) -> NodeProto:
    """A running sum from the last row on."""
    row = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [2]) for n in ("a", "b", "c", "d")]
    add = [helper.make_node("Add", ["a", "b"], ["c"]), helper.make_node("Identity", ["c"], ["d"])]
    body = helper.make_graph(add, "body", row[:2], row[2:])
    attributes = {"body": body, "num_scan_inputs": 1, "directions": [1]}
    return helper.make_node("Scan", [lengths, "zero", "x"], ["last", "y"], **attributes)


@pytest.mark.parametrize("batch", [1, 3])
def test_a_scan_of_opset_8_runs_once_for_each_index_of_a_batch(batch: int) -> None:
    feeds = {"zero": floats(batch, 2), "x": floats(batch, 4, 2)}
    model = model_of([scan_8("")], feeds, ["last", "y"], opset=8)
    outputs = Session(import_model(model)).run(feeds)
    sums = feeds["zero"][:, None] + np.cumsum(feeds["x"][:, ::-1], axis=1)
    np.testing.assert_allclose(outputs["y"], sums, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(outputs["last"], sums[:, -1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("lengths", "batch"), [("n", 1), ("", 1025), ("", 0)])
def test_a_scan_of_opset_8_over_another_batch_is_refused(lengths: str, batch: int) -> None:
    feeds = {"n": np.array([2], np.int64), "zero": floats(batch, 2), "x": floats(batch, 4, 2)}
    with pytest.raises(HtpError, match="its batch is not of 1 to 1024 rows of one length"):
        import_model(model_of([scan_8(lengths)], feeds, ["last", "y"], opset=8))
