"""Convolutions and pools over one dim, written anew: nodes of rows, and no Transposes around."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, build
from htp_mlir.dialects.qti_aisw.ops.pool import PoolMax2dOp
from htp_mlir.lowering import import_model, load_module, save_onnx
from htp_mlir.lowering.interop.onnx.save import saved
from htp_mlir.lowering.quantization import calibrate, quantize
from htp_mlir.lowering.quantization.encodings import read_encodings
from htp_mlir.lowering.quantization.quantize import take_encodings
from htp_mlir.runtime import Session
from onnx import ModelProto, checker, helper, numpy_helper
from onnx.parser import parse_model

from tests.support.feeds import feeds
from tests.support.graph import Graph

from ...quantization.test_quantised_models import forms
from .kit import assert_returns, assert_same_numbers, checked, run

pytestmark = pytest.mark.needs("onnxruntime")
WIDE, ROW = "float[2,4,16]", "float[1,1,16]"
MODELS = {
    "chain": (
        WIDE,
        "a = Conv <pads = [1, 1]> (x, w443, b) r = Relu (a) c = Conv <strides = [2]> (r, w443) "
        "y = MaxPool <kernel_shape = [2], strides = [2]> (c)",
    ),
    "pools": (
        WIDE,
        "a = AveragePool <kernel_shape = [3], pads = [1, 1], count_include_pad = 1> (x) "
        "c = Conv <dilations = [2]> (a, w443) "
        "y = MaxPool <kernel_shape = [3], strides = [2], ceil_mode = 1> (c)",
    ),
    "transposed": (
        WIDE,
        "a = ConvTranspose <strides = [2], pads = [1, 1], output_padding = [1]> (x, w443, b) "
        "r = LeakyRelu (a) y = ConvTranspose <group = 2, dilations = [2]> (r, w423)",
    ),
    "grouped": (
        WIDE,
        "a = Conv <group = 4> (x, w413, b) r = Abs (a) c = Conv <group = 2> (r, w423) "
        "y = Conv (c, w441)",
    ),
    "residual": (
        WIDE,
        "a = Conv <pads = [1, 1]> (x, w443) n = BatchNormalization (a, b, e, m, v) r = Relu (n) "
        "d = Conv <pads = [1, 1]> (r, w443) s = Add (x, d) y = Relu (s)",
    ),
    "normal": (WIDE, "n = BatchNormalization (x, b, e, m, v) y = Conv (n, w443)"),
    "gates": (
        WIDE,
        "a = Conv (x, w443) g = Sigmoid (a) t = Tanh (a) p = Mul (g, t) q = Conv (p, w441) "
        "f, l = Split <axis = 1, num_outputs = 2> (q) y = Concat <axis = 1> (l, f)",
    ),
    "mono": (ROW, "a = Conv (x, w413) r = Relu (a) y = Conv (r, w143)"),
    "pixel": ("float[1,4,1]", "a = Conv (x, w441) r = Relu (a) y = Conv <pads = [1, 1]> (r, w443)"),
    "matrix": (
        "float[2,64]",
        "s = Reshape (x, parts) a = Conv (s, w443) p = MaxPool <kernel_shape = [14]> (a) "
        "y = Flatten (p)",
    ),
    "samples": (
        "float[2,24]",
        "s = Unsqueeze (x, one) a = Conv <strides = [2]> (s, w413) "
        "t = ConvTranspose <strides = [2]> (a, w413) y = Squeeze (t, one)",
    ),
}
SHAPES = ("Reshape", "Unsqueeze", "Squeeze", "Flatten")
VECTORS = {"b": [1, 2, -1, 0], "e": [0, -1, 1, 3], "m": [0, 1, 0, 2], "v": [1, 2, 1, 3]}


def model_of(name: str, opset: int = 17) -> ModelProto:
    """Return a model, whose weights are random."""
    source, body = MODELS[name]
    body = body.replace(", num_outputs = 2", "") if opset < 18 else body
    result = parse_model(
        f'<ir_version: 8, opset_import: ["" : {opset}]> m ({source} x) => (float y) {{{body}}}'
    )
    rng = np.random.default_rng(0)
    arrays = {key: np.array(values, np.float32) for key, values in VECTORS.items()}
    arrays |= {"one": np.array([1]), "parts": np.array([2, 4, 16])}
    for shape in ("443", "423", "413", "441", "143"):
        arrays[f"w{shape}"] = rng.normal(size=[*map(int, shape)]).astype(np.float32)
    read = {key for node in result.graph.node for key in node.input} & {*arrays}
    tensors = [numpy_helper.from_array(arrays[key], key) for key in sorted(read)]
    result.graph.initializer.extend(tensors)
    result.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", 1, None))
    return result


@pytest.mark.parametrize("opset", [17, 20, 23])
@pytest.mark.parametrize("name", MODELS)
def test_no_transpose_stands_around_rows(name: str, opset: int) -> None:
    source = model_of(name, opset)
    # A clone has no source.
    module = import_model(source).clone()
    model = saved(module, opset=opset).model
    checker.check_model(model, full_check=True)
    ops = [node.op_type for node in model.graph.node]
    assert "Transpose" not in ops
    assert [op for op in ops if op != "Reshape"] == [
        node.op_type for node in source.graph.node if node.op_type not in SHAPES
    ]
    assert_same_numbers(module, source, model)
    assert_returns(module, model)


@pytest.mark.parametrize(
    ("filters", "body"),
    [
        ("4,4,3", "r = Conv (x, w) u = Relu (r) y = Conv (u, w)"),
        ("4,1,3", "y = Conv <group = 4> (x, w)"),
        ("4,2,3", "t = Tanh (w) y = ConvTranspose <strides = [2], group = 2> (x, t)"),
        ("3,4,4", "t = Transpose <perm = [1, 2, 0]> (w) y = Conv (x, t)"),
        ("4,12", "t = Reshape (w, parts) y = Conv (x, t)"),
    ],
)
def test_no_transpose_stands_around_filters_that_are_computed(filters: str, body: str) -> None:
    source = parse_model(f"""<ir_version: 8, opset_import: ["" : 17]>
m (float[2,4,16] x, float[{filters}] w) => (float y) <int64[3] parts = {{4,4,3}}> {{ {body} }}""")
    source.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", 1, None))
    module = import_model(source).clone()
    model = checked(module)
    types = [node.op_type for node in source.graph.node]
    assert [node.op_type for node in model.graph.node] == types
    assert_same_numbers(module, source, model)
    assert_returns(module, model)


@pytest.mark.parametrize("name", ["chain", "pools", "transposed", "grouped", "residual", "pixel"])
def test_quantised_rows_come_back(name: str, tmp_path: Path) -> None:
    """Between a convolution and a pool integers have no Reshapes, and the tensor keeps its name."""
    module = import_model(model_of(name)).clone()
    feed = feeds(Session(module))
    integers = quantize(module, calibrate(module, [feed]))
    model = checked(integers)
    assert "Transpose" not in [node.op_type for node in model.graph.node]
    again = import_model(model)
    take_encodings(again)
    assert forms(again) == forms(integers)
    path, encodings = tmp_path / "floats.onnx", tmp_path / "e.json"
    save_onnx(integers, path, encodings=encodings)
    back = quantize(load_module(path), read_encodings(encodings))
    wanted = Session(integers).run(feed)
    np.testing.assert_array_equal(Session(back).run(feed)["y"], wanted["y"])


def test_an_image_of_one_channel_is_read_as_it_comes() -> None:
    graph = Graph()
    x = graph.op("Reshape", graph.input(2, 1, 6, 5), shape=(2, 6, 5, 1))
    pool = graph.op("PoolMax2d", x, filter_size=(3, 2))
    result = graph.op("Conv2d", pool, graph.weights(1, 2, 1, 1))
    graph.give("y", graph.op("Reshape", result, shape=(2, 1, 4, 3)))
    source = graph.model()
    model, feed = checked(source.module), source.feeds(0)
    assert [node.op_type for node in model.graph.node] == ["MaxPool", "Conv"]
    np.testing.assert_allclose(
        run(model, feed)["y"], Session(source.module).run(feed)["y"], rtol=1e-5, atol=1e-6
    )
    assert_returns(source.module, model)


@pytest.mark.parametrize("filtered", ["constant", "input"])
def test_an_image_of_height_1_stays_one(filtered: str) -> None:
    """Other ops read it, or its filter is computed."""
    graph = Graph()
    x = graph.op("Reshape", graph.input(2, 16, 4), shape=(2, 1, 16, 4))
    if filtered == "constant":
        x = graph.op("Relu", graph.op("Conv2d", x, graph.weights(1, 3, 4, 4)))
    else:
        x = graph.op("Conv2d", x, graph.input(1, 3, 4, 4))
    graph.give("y", graph.op("Reshape", x, shape=(2, 14, 4)))
    source = graph.model()
    model, feed = checked(source.module), source.feeds(0)
    np.testing.assert_allclose(
        run(model, feed)["y"], Session(source.module).run(feed)["y"], rtol=1e-5, atol=1e-6
    )
    assert_returns(source.module, model)


def test_a_row_that_stays_is_an_image_for_a_new_op() -> None:
    source = model_of("chain")
    module = import_model(source)
    (pool,) = (op for op in module.walk() if isinstance(op, PoolMax2dOp))
    relu = build(GRAPH_OPS["Relu"], [pool.inp])
    assert pool.parent is not None
    pool.parent.insert_op_before(relu, pool)
    pool.operands[0] = relu.results[0]
    model = checked(module)
    assert [*model.graph.node[:3]] == [*source.graph.node[:3]]
    feed = feeds(Session(module))
    np.testing.assert_allclose(run(model, feed)["y"], Session(module).run(feed)["y"], rtol=1e-5)
