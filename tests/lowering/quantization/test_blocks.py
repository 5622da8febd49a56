"""Scales of blocks: weights are rounded as ONNX Runtime rounds them, and go on by channel."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw.ops.const import ConstOp
from htp_mlir.dialects.spec_of import Array, spec_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.lowering import load_module
from htp_mlir.lowering.quantization import (
    Encoding,
    Encodings,
    calibrate,
    quantize,
    read_encodings,
    without_encodings,
    write_encodings,
)
from htp_mlir.lowering.quantization.encodings import Blocks
from htp_mlir.lowering.quantization.encodings.files import FORMS
from htp_mlir.lowering.tools.htp import main as htp
from htp_mlir.runtime.functions.quantize import dequantize
from onnx import TensorProto, helper, numpy_helper, save
from onnx.parser import parse_model
from xdsl.dialects.builtin import ModuleOp

from tests.support.graph import Graph, Model

from .kit import feeds_of

FACTORS, STEPS = (1, 3, 2, 15, 4, 7), (0.02, 0.01)


def conv() -> Model:
    graph = Graph()
    x = graph.input(1, 4, 4, 12)
    weights = np.random.default_rng(3).normal(size=(1, 1, 12, 2)).astype(np.float32)
    graph.give("y", graph.op("Conv2d", x, graph.const(weights)))
    return graph.model()


def weights_of(module: ModuleOp) -> tuple[Array, Encoding]:
    """The reals of the filter of a graph, and its encoding."""
    op = next(op for op in module.walk() if op.name == "qti_aisw.Conv2d")
    value = op.operands[1]
    spec, array = spec_of(value), value.owner.array
    if spec.quant is None:
        return array, Encoding(spec.dtype)
    quant = spec.quant
    reals = dequantize(array, quant.scales, quant.zero_points, quant.axis)
    return reals, Encoding(spec.dtype, quant)


def encoded(model: Model, blocks: Blocks, scales: tuple[float, ...], zero: int = 0) -> Encodings:
    encodings = calibrate(model.module, feeds_of(model))
    signed = zero == 0
    bounds = (-8, 7) if signed else (0, 15)
    quant = Quant(scales, (zero,) * len(scales), None, *bounds)
    own = Encoding(DType.QInt8 if signed else DType.QUInt8, quant, blocks)
    return replace(encodings, params={"Conv2d.filter": own})


def judged(weights: Array, scales: Array, zero: int) -> Array:
    """Weights [m, c] through QuantizeLinear and DequantizeLinear in blocks of 4, of 4 bits."""
    kind = TensorProto.UINT4 if zero else TensorProto.INT4
    zeros = [zero] * scales.size
    constants = [
        helper.make_tensor("s", TensorProto.FLOAT, scales.shape, scales.reshape(-1)),
        helper.make_tensor("z", kind, scales.shape, zeros),
    ]
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], axis=1, block_size=4),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"], axis=1, block_size=4),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "blocks",
        [value("x", TensorProto.FLOAT, weights.shape)],
        [value("y", TensorProto.FLOAT, weights.shape)],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, {"x": weights})[0]


def test_products_of_integers_and_floats_become_a_grid_by_channel() -> None:
    model = conv()
    exact, _ = weights_of(model.module)
    scales = np.float32(np.reshape(FACTORS, (2, 3)) * np.reshape(STEPS, (2, 1)))
    blocks = Blocks(1, 4, (2, 3, 1, 1), FACTORS, STEPS)
    module = quantize(model.module, encoded(model, blocks, tuple(scales.reshape(-1).tolist())))
    reals, encoding = weights_of(module)
    wanted = judged(exact[0, 0].T.copy(), scales, 0)
    assert encoding.dtype is DType.QInt8
    assert encoding.quant
    assert (encoding.quant.axis, encoding.quant.scales) == (3, tuple(map(float, np.float32(STEPS))))
    np.testing.assert_allclose(reals[0, 0].T, wanted, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("zero", [0, 8])
def test_floats_by_block_are_rounded_and_stay_in_floats(zero: int) -> None:
    model = conv()
    exact, _ = weights_of(model.module)
    scales = np.array([[0.3, 0.2, 0.25], [0.4, 0.15, 0.35]], np.float32)
    flat = tuple(scales.reshape(-1).tolist())
    module = quantize(model.module, encoded(model, Blocks(1, 4, (2, 3, 1, 1)), flat, zero))
    reals, encoding = weights_of(module)
    assert encoding == Encoding(DType.Float32)
    np.testing.assert_allclose(
        reals[0, 0].T, judged(exact[0, 0].T.copy(), scales, zero), rtol=1e-6, atol=1e-7
    )


def test_blocks_that_do_not_fit() -> None:
    model = conv()
    encodings = encoded(model, Blocks(1, 5, (2, 2, 1, 1)), (0.5,) * 4)
    with pytest.raises(HtpError, match=r"its 4 blocks do not divide the weights \[1, 1, 12, 2\]"):
        quantize(model.module, encodings)
    own = encodings.params["Conv2d.filter"]
    with pytest.raises(HtpError, match="has scales of blocks, its tensor is no constant"):
        quantize(model.module, Encodings({"y": own}))


MODEL = """func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %y = qti_aisw.Tanh(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %z = qti_aisw.Relu(%y) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %z : tensor<2x4xf32>
}
"""


def test_a_file_in_another_version_and_the_tensors_without(tmp_path: Path) -> None:
    encodings = Encodings({"y": Encoding(DType.QUInt8, Quant((0.5,), (3,)))})
    write_encodings(tmp_path / "e.json", encodings, "0.6.1")
    (tmp_path / "m.mlir").write_text(MODEL)
    turned = htp.run(["encodings", str(tmp_path / "e.json"), "--encodings-version", "2.1.0"])
    assert json.loads(turned.out) == {
        "encodings": [{"name": "y", "output_dtype": "uint8", "y_scale": 0.5, "y_zero_point": 3}],
        "version": "2.1.0",
    }
    listed = htp.run(["encodings", str(tmp_path / "e.json"), str(tmp_path / "m.mlir")])
    assert (listed.status, listed.out.split()) == (0, ["arg0", "result0"])
    both = [str(tmp_path / name) for name in ("e.json", "m.mlir")]
    with_model = htp.run(["encodings", *both, "--encodings-version", "2.1.0"])
    assert with_model.out == turned.out
    assert len(without_encodings(Encodings(), conv().module)) == 3


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("version", FORMS)
def test_the_columns_of_a_product_are_its_channels(
    turned: bool, version: str, tmp_path: Path
) -> None:
    graph = Graph()
    x, weights = graph.input(2, 4), np.random.default_rng(5).normal(size=(4, 4))
    w = graph.const(weights.astype(np.float32))
    graph.give("y", graph.op("MatMul", x, w, transpose_in1=turned))
    model = graph.model()
    encodings = calibrate(model.module, feeds_of(model))
    (name,) = encodings.params
    channels = 0 if turned else 1
    scales = (0.5, 0.25, 0.125, 1.0)
    own = Encoding(DType.QInt8, Quant(scales, (0,) * 4, channels - 2))
    write_encodings(tmp_path / "e.json", replace(encodings, params={name: own}), version)
    module = quantize(model.module, read_encodings(tmp_path / "e.json"))
    (kept,) = [op for op in module.walk() if isinstance(op, ConstOp)]
    assert spec_of(kept.out).quant == Quant(scales, (0,) * 4, channels)


LAYERS = {
    "Conv": ("1,6,3,3", "4,6,1,1", {"axis": 1, "block_size": 2}, (4, 3, 1, 1)),
    "ConvTranspose": ("1,6,3,3", "6,4,1,1", {"axis": 0, "block_size": 2}, (3, 4, 1, 1)),
    "MatMul": ("2,6", "6,4", {"axis": 0, "block_size": 2}, (3, 4)),
    "Gemm <transB = 1>": ("2,6", "4,6", {"axis": 1, "block_size": 2}, (4, 3)),
}
"""Layers, the dims of data and weights, and how the scales of their blocks lie."""


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("layer", LAYERS)
def test_blocks_without_a_shape_go_on_with_the_model(
    layer: str, whole: bool, tmp_path: Path
) -> None:
    data, dims, place, shape = LAYERS[layer]
    text = f"""<ir_version: 8, opset_import: ["" : 17]> m (float[{data}] x) => (float[] y)
    {{ y = {layer} (x, w) }}"""
    source, size = parse_model(text), [*map(int, dims.split(","))]
    weights = np.random.default_rng(2).normal(size=size).astype(np.float32)
    source.graph.initializer.append(numpy_helper.from_array(weights, "w"))
    model, old, new = (tmp_path / name for name in ("m.onnx", "old.json", "new.json"))
    save(source, model)
    entry: dict[str, object] = {"name": "w", "dtype": "INT", "is_sym": True, "block_size": 2}
    numbers = [*range(1, 13)]
    if whole:
        entry |= {"enc_type": "LPBQ", "bw": 8, "compressed_bw": 4, "per_block_int_scale": numbers}
        entry |= {"scale": [0.5, 0.25, 0.125, 1.0], "offset": [-128] * 4}
    else:
        entry |= {"enc_type": "PER_BLOCK", "bw": 4, "scale": numbers, "offset": [-8] * 12}
    content = {"version": "1.0.0", "activation_encodings": [], "param_encodings": [entry]}
    old.write_text(json.dumps(content))
    words = ["encodings", str(old), str(model), "--encodings-version", "2.1.0", "-o", str(new)]
    assert htp.run(words).status == 0
    (turned,) = json.loads(new.read_text())["encodings"]
    assert {key: turned[key] for key in place} == place
    assert np.shape(turned["y_scale"]["x"] if whole else turned["y_scale"]) == shape
    first, second = (quantize(load_module(model), read_encodings(path)) for path in (old, new))
    assert str(first) == str(second)
