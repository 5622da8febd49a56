"""Quantised models out of ONNX and back: QDQ that came in, and graphs of integers."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.lowering import import_model, load_module, save_onnx
from htp_mlir.lowering.quantization import calibrate, quantize, write_encodings
from htp_mlir.lowering.quantization.encodings import Encoding, Encodings, read_encodings
from htp_mlir.lowering.quantization.measure import outputs_of
from htp_mlir.lowering.quantization.quantize import take_encodings
from htp_mlir.lowering.tools.htp_opt import main as htp_opt
from htp_mlir.runtime import Session, parse_module
from onnx.parser import parse_model
from xdsl.dialects.builtin import ModuleOp

from ....support.feeds import feeds
from ...quantization.float_models import MODELS, feeds_of
from ...quantization.onnx_quantised import WAYS, judged, quantised_file
from ...quantization.test_quantised_models import forms
from .kit import assert_returns, assert_same_numbers, checked, raised, run

pytestmark = pytest.mark.needs("onnxruntime")
OPERATORS = "QOperator-u8-u8", "QOperator-u8-i8"
REFUSED = {
    *product(("u_net", "movement", "chosen", "norms"), WAYS),
    *product(("upsampling", "encoder"), OPERATORS),
}
"""Models with a tensor of two encodings, or an op that only a file would make one of integers."""
INSIDE = {
    "hard_swish": "1 in HardSigmoid_abh",
    "gates": "1 in HardSigmoid_abi",
    "sequence": "1 in Conv_aaj",
    "norms": "8 in InstanceNormalization_aah",
}
"""The count of encodings of values inside a node, which no file says, and its name, by model."""


@pytest.mark.slow
@pytest.mark.sampled("name")
@pytest.mark.parametrize(("name", "way"), list(product(MODELS, WAYS)))
def test_quantised_models_go_out_as_they_came_and_as_integers(
    name: str, way: str, tmp_path: Path
) -> None:
    plain = MODELS[name]()
    path = quantised_file(plain, feeds_of(plain, range(4)), WAYS[way], tmp_path)
    module, source = load_module(path), onnx.load(path)
    model = checked(module)
    assert [*model.graph.node] == [*source.graph.node]
    assert_same_numbers(module, source, model)
    assert_returns(module, model)
    take_encodings(module)
    onnx.save(checked(module), tmp_path / "integers.onnx")
    again = load_module(tmp_path / "integers.onnx")
    take_encodings(again)
    assert forms(again) == forms(module)
    feeds = feeds_of(plain, range(10, 14))
    (ours,) = outputs_of(module, feeds).values()
    theirs = judged(tmp_path / "integers.onnx", feeds)
    assert np.median(np.abs(ours - theirs)) < 1e-6 * np.abs(ours).max()


def floats_and_encodings(module: ModuleOp, folder: Path) -> ModuleOp:
    """Write a graph of integers as floats with a file of encodings, and read both again."""
    path, encodings = folder / "floats.onnx", folder / "e.json"
    save_onnx(module, path, encodings=encodings)
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert not any("Quantize" in node.op_type for node in model.graph.node)
    tensors = {name for node in model.graph.node for name in (*node.input, *node.output)}
    read = read_encodings(encodings)
    assert {*read.activations, *read.params} <= tensors
    return quantize(load_module(path), read)


@pytest.mark.slow
@pytest.mark.sampled("name")
@pytest.mark.parametrize(("name", "way"), list(product(MODELS, WAYS)))
def test_quantised_models_go_out_as_floats_with_encodings(
    name: str, way: str, tmp_path: Path
) -> None:
    plain = MODELS[name]()
    module = load_module(quantised_file(plain, feeds_of(plain, range(4)), WAYS[way], tmp_path))
    take_encodings(module)
    feeds = feeds_of(plain, range(10, 14))
    (expected,) = outputs_of(module, feeds).values()
    try:
        again, refusal = floats_and_encodings(module, tmp_path), ""
    except HtpError as error:
        again, refusal = module, str(error)
    assert ("write QuantizeLinear" in refusal) == ((name, way) in REFUSED)
    (result,) = outputs_of(again, feeds).values()
    # f32 rounds a bias that is an i32 in steps of 16-bit data: at most one step of those.
    # An op on a grid inside a node is computed in floats: at most one step of f32.
    largest = 4e-5 if "u16" in way else 2**-24 if name == "hard_swish" else 0
    step = largest * np.abs(expected).max()
    assert np.abs(result - expected).max() <= step


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_a_float_model_stays_as_it_was_beside_its_encodings(name: str, tmp_path: Path) -> None:
    plain, stated, again = MODELS[name](), tmp_path / "stated.json", tmp_path / "again.json"
    plain.metadata_props.add(key="author", value="someone")
    plain.graph.node[0].metadata_props.add(key="origin", value="net.py:1")
    source, floats = [tmp_path / "plain.onnx", tmp_path / "floats.onnx"]
    onnx.save(plain, source)
    write_encodings(stated, calibrate(load_module(source), feeds_of(plain, range(4))))
    flags = ["-p", f'qti-quantize{{encodings="{stated}"}}', "-t", f'onnx{{encodings="{again}"}}']
    outcome = htp_opt.run([str(source), *flags, "-o", str(floats)])
    model, inside = onnx.load(floats), INSIDE.get(name, "")
    onnx.checker.check_model(model, full_check=True)
    assert model == plain
    note = f"; encodings inside nodes left out: {inside}" if inside else ""
    assert outcome.err == f"{len(plain.graph.node)} nodes as they were{note}\n"
    (feed,) = feeds_of(plain, [9])
    for result, wanted in zip(*(run(each, feed).values() for each in (model, plain)), strict=True):
        np.testing.assert_array_equal(result, wanted)
    integers = quantize(load_module(source), read_encodings(stated))
    assert str(save_onnx(integers, tmp_path / "python.onnx", encodings=again)) + "\n" == outcome.err
    if not inside:
        assert forms(quantize(load_module(floats), read_encodings(again))) == forms(integers)


def test_layers_whose_weights_stay_as_stored_keep_their_nodes() -> None:
    source = parse_model("""<ir_version: 8, opset_import: ["" : 17]>
m (float[1,2,3,3] x) => (float[6,3] y)
<int8[2,2,1,1] v = {1,2,3,-4}, int8[3,3] w = {1,-2,3,4,5,-6,7,8,9}, int64[2] rows = {6,3},
 float[2] two = {0.5,0.25}, float[3] three = {0.5,0.25,2}, float s = {0.5}, uint8 z = {9}> {
    a = QuantizeLinear (x, s, z)
    b = DequantizeLinear (a, s, z)
    by_channel = DequantizeLinear <axis = 0> (v, two)
    c = Conv (b, by_channel)
    of_one_scale = DequantizeLinear (v, s)
    d = Conv (c, of_one_scale)
    e = Reshape (d, rows)
    by_column = DequantizeLinear <axis = 1> (w, three)
    f = MatMul (e, by_column)
    whole = DequantizeLinear (w, s)
    g = MatMul (f, whole)
    by_row = DequantizeLinear <axis = 0> (w, three)
    y = Gemm <transB = 1> (g, by_row)
}""")
    module = raised(import_model(source))
    assert str(module) != str(import_model(source))
    assert checked(module).graph.node == source.graph.node
    assert_returns(module, source, blocks=False)


CODED = {
    "product": """float[2,16] x) => (float[2,6] y) <int4[16,6] w, float[4,6] s> {
    d = DequantizeLinear <axis = 0, block_size = 4> (w, s)
    y = MatMul (x, d)
}""",
    "gemm": """float[2,16] x) => (float[2,6] y) <int4[6,16] w, float[6,4] s, float[6] b> {
    d = DequantizeLinear <axis = 1, block_size = 4> (w, s)
    y = Gemm <transB = 1> (x, d, b)
}""",
    "turned": """float[2,16] x) => (float[2,6] y) <int4[6,16] w, float[6,4] s> {
    d = DequantizeLinear <axis = 1, block_size = 4> (w, s)
    t = Transpose <perm = [1, 0]> (d)
    y = MatMul (x, t)
}""",
    "contributed": """float[2,16] x) => (float[2,6] y) <uint8[6,1,8] w, float[6] s> {
    y = com.microsoft.MatMulNBits <K = 16, N = 6, bits = 4, block_size = 16> (x, w, s)
}""",
}
"""Products of weights in blocks of 4 bits."""


@pytest.mark.parametrize("is_raised", [False, True])
@pytest.mark.parametrize("name", CODED)
def test_products_of_weights_in_blocks_keep_their_nodes(name: str, is_raised: bool) -> None:
    text = re.sub("<int4.*> {|<uint8.*> {", "{", CODED[name])
    head = '<ir_version: 10, opset_import: ["" : 21, "com.microsoft" : 1]>'
    source, rng = parse_model(f"{head}\nm ({text}"), np.random.default_rng(7)
    for kind, dims, constant in re.findall(
        r"(int4|uint8|float)\[([\d,]+)\] (w|s|b)\b", CODED[name]
    ):
        shape = [*map(int, dims.split(","))]
        dtype = getattr(onnx.TensorProto, kind.upper())
        numbers = rng.integers(1, 8, shape).reshape(-1).tolist()
        source.graph.initializer.append(onnx.helper.make_tensor(constant, dtype, shape, numbers))
    module = import_model(source)
    if is_raised:
        assert "CodedFullyConnected" in str(raised(module))
    model = checked(module)
    assert model.graph.node == source.graph.node
    assert_same_numbers(module, source, model)


def test_a_name_that_is_not_there_does_not_hide_those_of_the_model() -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]>
m (float[1,1,3,3] x) => (float[1,1,2,2] y) <float[1,1,2,2] k = {1,2,3,4}> { y = Conv (x, k) }"""
    u8, i8 = (Encoding(dtype, Quant((0.5,), (0,))) for dtype in (DType.QUInt8, DType.QInt8))
    with pytest.raises(HtpError) as caught:
        quantize(import_model(parse_model(text)), Encodings({"x": u8, "z": u8}, {"k": i8}))
    (fault,) = caught.value.faults
    assert fault.line() == "encoding 'z': the graph has no such tensor; leave it out"


TABLE = "float[2,3] x, int64[2] i) => (float[2,3] y) <float[2,3] w = {1,2,3,4,5,6}>"
ROWS = ", ".join(map(str, range(1, 17)))
BACK = {
    "gathered": f"{TABLE} {{ g = Gather (w, i) y = Mul (g, x) }}",
    "joined": f"{TABLE} {{ g = Concat <axis = 0> (w, x) y = Gather (g, i) }}",
    "one channel": """float[1,2,3,3] x) => (float[1,1,3,3] y)
        <float[1,2,1,1] w = {1,2}, float[1] b = {0.3}> { y = Conv (x, w, b) }""",
    "one number for all": """float[1,4] x) => (float[1,4] y)
        <float[4] ones = {1,1,1,1}, float[4] zeros = {0,0,0,0}> {
            n = LayerNormalization (x, ones, zeros)
            a = Add (n, zeros)
            m = Mul (a, ones)
            y = Neg (m)
        }""",
    "constants alone": """float[1,4] x) => (float[1,4] y)
        <float[4] g = {1,2,3,4}, float[1,4] d = {4,1,2,2}, float[4] zeros = {0,0,0,0}> {
            n = LayerNormalization (d, g, zeros)
            a = Add (x, zeros)
            y = Add (n, a)
        }""",
    **{
        f"state {name}": f"""float[3,1,2] x) => (float[{shape}] z)
        <float[1,8,2] w = {{{ROWS}}}, float[1,8,2] r = {{{ROWS}}}> {{
            y, h, c = LSTM <hidden_size = 2> (x, w, r)
            z = Neg ({name})
        }}"""
        for name, shape in {"y": "3,1,1,2", "h": "1,1,2", "c": "1,1,2"}.items()
    },
}
"""Graphs whose integers come back as they were."""


@pytest.mark.parametrize("name", BACK)
def test_a_graph_of_integers_comes_back_as_it_was(name: str, tmp_path: Path) -> None:
    module = import_model(parse_model(f'<ir_version: 8, opset_import: ["" : 17]>\nm ({BACK[name]}'))
    feed = feeds(Session(module)) | ({"i": np.array([1, 0])} if "int64" in BACK[name] else {})
    integers = quantize(module, calibrate(module, [feed]))
    again = import_model(checked(integers))
    take_encodings(again)
    assert forms(again) == forms(integers) == forms(floats_and_encodings(integers, tmp_path))


RAISED = {
    "attention": """float[1,5,8] x, float[1,5,2,4] k) => (float[1,2,5,4] y)
    <int64[4] s = {1,5,2,4}> {
        r = Reshape (x, s)
        q = Transpose <perm = [0, 2, 1, 3]> (r)
        t = Transpose <perm = [0, 2, 3, 1]> (k)
        m = MatMul (q, t)
        w = Softmax (m)
        y = MatMul (w, q)
    }""",
    "gelu": """float[2,8] x) => (float[2,8] y)
        <float root = {1.4142135}, float one = {1}, float half = {0.5}> {
            d = Div (x, root)
            e = Erf (d)
            a = Add (e, one)
            b = Mul (x, a)
            y = Mul (b, half)
        }""",
    "norm": """float[1,3,4,4] x) => (float[1,3,4,4] y)
        <float[3] ones = {1,1,1}, float[3] zeros = {0,0,0}> {
            a = MaxPool <kernel_shape = [1, 1]> (x)
            n = InstanceNormalization (a, ones, zeros)
            y = Relu (n)
        }""",
}
"""Graphs that are raised, then quantised, and come back once they are raised again."""


@pytest.mark.parametrize("name", RAISED)
def test_a_raised_graph_of_integers_comes_back_as_it_was(name: str) -> None:
    module = raised(
        import_model(parse_model(f'<ir_version: 8, opset_import: ["" : 17]>\nm ({RAISED[name]}'))
    )
    integers = quantize(module, calibrate(module, [feeds(Session(module))]))
    again = import_model(checked(integers))
    take_encodings(again)
    take_encodings(raised(again))
    assert forms(again) == forms(integers)


def test_inputs_and_outputs_on_grids_are_floats_beside_their_encodings(tmp_path: Path) -> None:
    q = "!quant.uniform<u8:f32, 0.5:3>"
    text = f"""func.func @main(%x: tensor<4x{q}> {{htp.name = "x"}})
    -> (tensor<4x{q}> {{htp.name = "y"}}) {{
  %y = qti_aisw.Relu(%x) : (tensor<4x{q}>) -> tensor<4x{q}>
  func.return %y : tensor<4x{q}>
}}"""
    save_onnx(parse_module(text), tmp_path / "x.onnx", encodings=tmp_path / "e.json")
    model, numbers = onnx.load(tmp_path / "x.onnx"), np.array([-1, 0, 1, 2], np.float32)
    onnx.checker.check_model(model, full_check=True)
    assert run(model, {"x": numbers})["y"].tolist() == [0, 0, 1, 2]
    wanted = Encoding(DType.QUInt8, Quant((0.5,), (3,)))
    assert read_encodings(tmp_path / "e.json").activations == {"x": wanted, "y": wanted}


def test_one_file_for_a_model_and_its_encodings_is_refused(tmp_path: Path) -> None:
    text = """func.func @main(%x: tensor<4xf32> {htp.name = "x"}) -> (tensor<4xf32>) {
  %y = qti_aisw.Relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}"""
    both = tmp_path / "x.onnx"
    with pytest.raises(HtpError, match="is named for the model and its encodings"):
        save_onnx(parse_module(text), both, encodings=str(both))
    assert not both.exists()


def test_tensors_of_two_encodings_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "graph.mlir"
    text.write_text(
        """!q = !quant.uniform<u8:f32, 0.5:3>
!r = !quant.uniform<u8:f32, 0.25:0>
func.func @main(%x: tensor<1x4xf32> {htp.name = "x"}) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %a = qti_aisw.Quantize(%x) {to = !q} : (tensor<1x4xf32>) -> tensor<1x4x!q>
  %b = qti_aisw.Quantize(%a) {to = !r} : (tensor<1x4x!q>) -> tensor<1x4x!r>
  %y = qti_aisw.Dequantize(%a) : (tensor<1x4x!q>) -> tensor<1x4xf32>
  %z = qti_aisw.Dequantize(%b) : (tensor<1x4x!r>) -> tensor<1x4xf32>
  func.return %y, %z : tensor<1x4xf32>, tensor<1x4xf32>
}""",
        encoding="utf-8",
    )
    path = tmp_path / "out.onnx"
    target = f'onnx{{encodings="{tmp_path}/e.json"}}'
    outcome = htp_opt.run([str(text), "-t", target, "-o", str(path)])
    assert outcome.status == 1
    first, second = outcome.err.splitlines()
    assert first.startswith("qti_aisw.Quantize %b: ")
    assert "write QuantizeLinear instead" in second
    assert {each.name for each in tmp_path.iterdir()} == {"graph.mlir"}


LAYER = """<ir_version: 8, opset_import: ["" : 17]>
m (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,2,1,1] w = {1,2,3,4}> {
    z = Conv (x, w)
    y = Relu (z)
}"""


def test_a_relu_that_its_encoding_makes_idle_stays_beside_the_encodings(tmp_path: Path) -> None:
    module, path = import_model(parse_model(LAYER)), tmp_path / "layer.onnx"
    grids = {"x": Quant((0.02,), (128,)), "y": Quant((0.02,), (0,))}
    activations = {name: Encoding(DType.QUInt8, quant) for name, quant in grids.items()}
    params = {"w": Encoding(DType.QInt8, Quant((0.5, 0.25), (0, 0), 0))}
    save_onnx(
        quantize(module, Encodings(activations, params)), path, encodings=tmp_path / "layer.json"
    )
    assert [node.op_type for node in onnx.load(path).graph.node] == ["Conv", "Relu"]


def test_a_grid_that_the_opset_has_not_is_refused_once() -> None:
    module = import_model(parse_model(LAYER))
    feeds = [{"x": np.ones((1, 2, 4, 4), np.float32)}]
    grids = calibrate(module, feeds, activations="u16")
    with pytest.raises(HtpError) as caught:
        checked(quantize(module, grids))
    (fault,) = caught.value.faults
    assert (
        fault.line()
        == "tensor 'x': opset 17 has no QuantizeLinear of 16 bits; export it with opset 21"
    )
