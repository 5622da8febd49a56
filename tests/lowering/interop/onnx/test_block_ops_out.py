"""Block ops found in plain models, as nodes with bodies, at each opset."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import import_model, load_module, save_onnx
from htp_mlir.lowering.interop.onnx import save
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.graph.raise_ops import RaiseBlockOps
from htp_mlir.lowering.tools.htp_opt import main as htp_opt
from onnx.parser import parse_model

from .kit import assert_returns, assert_same_numbers, checked, difference, raised

MODEL = """m (float[2,2,4] x, float[1,2,3] h0, int32[2,4] mask)
=> (float[2,1,2,3] y, float[1,2,3] h, float[2,2,3,4] shares)
<float[1,9,4] w, float[1,9,3] r, int64[2] axes = {1,2}, float[4,1,3,3] filters> {
    y, h = GRU <hidden_size = 3> (x, w, r, , , h0)
    turned = Transpose <perm = [2, 1, 0, 3]> (y)
    both = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (turned, filters)
    bounded = Relu (both)
    scores = Transpose <perm = [0, 2, 3, 1]> (bounded)
    real = Cast <to = 1> (mask)
    added = Unsqueeze (real, axes)
    masked = Add (scores, added)
    shares = Softmax <axis = -1> (masked)
}"""
OPSETS = range(17, 24)
KEPT = ["Transpose", "Conv", "Relu", "Transpose"]


def plain(opset: int = 17) -> onnx.ModelProto:
    """A GRU with a threaded state, and a softmax with a mask, among nodes that nothing touches."""
    model = parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]>\n' + MODEL)
    rng = np.random.default_rng(3)
    for name, dims in {"w": (1, 9, 4), "r": (1, 9, 3), "filters": (4, 1, 3, 3)}.items():
        array = rng.standard_normal(dims).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    for number, node in enumerate(model.graph.node):
        node.name = f"node{number}"
    model.metadata_props.add(key="from", value="a tool")
    return model


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.needs("onnxruntime")
def test_block_ops_go_out_at_every_opset(opset: int) -> None:
    source = plain(opset)
    module = raised(import_model(source), blocks=True)
    model = checked(module)
    assert [value.name for value in model.graph.input] == ["x", "h0", "mask", "reset"]
    assert {function.opset_import[0].version for function in model.functions} == {opset}
    assert_same_numbers(module, source, model)
    assert_returns(module, model)


def test_a_recurrent_block_op_without_a_reset_comes_back_without_one() -> None:
    module = import_model(plain())
    RaiseBlockOps().apply(installed().context(), module)
    assert "qti_aisw.StatefulGru" in str(module)
    assert_returns(module, checked(module))


def test_nodes_that_no_pass_touched_stay() -> None:
    source = plain()
    model = checked(raised(import_model(source), blocks=True))
    kinds = ["StatefulGru", *KEPT, "MaskedSoftmax"]
    assert [node.op_type for node in model.graph.node] == kinds
    assert [*model.graph.node][1:-1] == [*source.graph.node][1:-4]
    assert {tensor.name for tensor in model.graph.initializer} >= {"w", "r", "filters"}
    assert model.metadata_props == source.metadata_props


def test_the_command_writes_the_model_and_says_what_changed(tmp_path: Path) -> None:
    source, result = tmp_path / "plain.onnx", tmp_path / "blocks.onnx"
    onnx.save(plain(), source)
    passes = "qti-raise,qti-raise-block-ops{reset=reset}"
    outcome = htp_opt.run([str(source), "-p", passes, "-t", "onnx", "-o", str(result)])
    assert (outcome.status, outcome.out) == (0, "")
    assert outcome.err == (
        "1 StatefulGru, 1 MaskedSoftmax; 5 nodes replaced by 2, 4 as they were; "
        "reset is a new input\n"
    )
    onnx.checker.check_model(result, full_check=True)
    text = htp_opt.run([str(result), "-t", "onnx"]).out
    assert "qti_aisw.StatefulGru <" in text


ATTENDED = """<ir_version: 8, opset_import: ["" : 17]>
m (float[5,2,8] x, float[2,2,8] states, int32[2,5] mask) => (float[2,5,8] y, float[2,2,8] h)
<float[1,24,8] w, int64[1] one = {1}, float root = {2.5}, int64[2] inner = {1,2},
 int64[4] apart = {5,2,2,4}, int64[3] together = {2,5,8}> {
    below, above = Split <axis = 0> (states)
    first, h0 = GRU <hidden_size = 8> (x, w, w, , , below)
    rows = Squeeze (first, one)
    second, h1 = GRU <hidden_size = 8> (rows, w, w, , , above)
    h = Concat <axis = 0> (h0, h1)
    heads = Reshape (second, apart)
    q = Transpose <perm = [1, 2, 0, 3]> (heads)
    k = Transpose <perm = [1, 2, 3, 0]> (heads)
    raw = MatMul (q, k)
    scores = Div (raw, root)
    real = Cast <to = 1> (mask)
    wide = Unsqueeze (real, inner)
    masked = Add (scores, wide)
    shares = Softmax <axis = -1> (masked)
    mixed = MatMul (shares, q)
    turned = Transpose <perm = [0, 2, 1, 3]> (mixed)
    y = Reshape (turned, together)
}"""


@pytest.mark.needs("onnxruntime")
def test_a_masked_softmax_between_products_goes_out(tmp_path: Path) -> None:
    source = parse_model(ATTENDED)
    weights = np.random.default_rng(5).standard_normal((1, 24, 8)).astype(np.float32)
    source.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
    plain, result = tmp_path / "plain.onnx", tmp_path / "blocks.onnx"
    onnx.save(source, plain)
    passes = "qti-raise,qti-raise-block-ops{reset=reset}"
    outcome = htp_opt.run([str(plain), "-p", passes, "-t", "onnx", "-o", str(result)])
    assert outcome.err == (
        "2 StatefulGru, 1 MaskedSoftmax; 9 nodes replaced by 6, 8 as they were; "
        "reset is a new input\n"
    )
    onnx.checker.check_model(result, full_check=True)
    module = raised(import_model(source), blocks=True)
    assert_same_numbers(module, source, onnx.load(result))


def test_weights_above_a_size_go_into_a_file_beside_it(tmp_path: Path) -> None:
    model = parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> m (float[2,32] x) => (float[2,32] y)'
        "{ y = MatMul (x, w) }"
    )
    weights = np.random.default_rng(0).standard_normal((32, 32)).astype(np.float32)
    model.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
    module, path = import_model(model), tmp_path / "model.onnx"
    save_onnx(module, path, external="1K")
    assert (tmp_path / "model.onnx.data").stat().st_size == weights.nbytes
    onnx.checker.check_model(path, full_check=True)
    assert difference(module, load_module(path)) == ""
    for size in ("1024", '"1K"', '"1.2.3K"'):
        words = ["-t", f"onnx{{external={size}}}", "-o", str(tmp_path / f"{len(size)}.onnx")]
        assert htp_opt.run([str(path), *words]).status == (len(size) == 8)
        assert (tmp_path / f"{len(size)}.onnx.data").exists() == (len(size) < 8)


def test_what_protobuf_holds_in_no_file_goes_beside_it_whatever_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(save, "_MOST", 4096)
    model = parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> m (float[2,33] x) => (float[2,33] y)'
        "{ y = MatMul (x, w) }"
    )
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.eye(33, dtype="f4"), "w"))
    save_onnx(import_model(model), tmp_path / "model.onnx", external="8G")
    assert (tmp_path / "model.onnx.data").stat().st_size == 33 * 33 * 4


def test_what_onnx_cannot_say_is_named(tmp_path: Path) -> None:
    text = tmp_path / "native.mlir"
    text.write_text(
        """func.func @main(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %y = htp.Relu(%x) : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  func.return %y : tensor<1x2x2x4xf32>
}""",
        encoding="utf-8",
    )
    path = tmp_path / "out.onnx"
    with pytest.raises(HtpError, match=r"htp\.Relu %y: is not a graph op"):
        save_onnx(load_module(text), path)
    outcome = htp_opt.run([str(text), "-t", "onnx", "-o", str(path)])
    assert outcome.status == 1
    assert len(outcome.err.splitlines()) == 2
    assert not path.exists()


def test_a_lowered_module_is_refused_by_one_native_op(tmp_path: Path) -> None:
    model = parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> m (float[1,3,8,8] x) => (float[1,4,6,6] y)'
        "<float[4,3,3,3] w = {1}> { y = Conv (x, w) }".replace("{1}", f"{{{', '.join('1' * 108)}}}")
    )
    onnx.save(model, tmp_path / "conv.onnx")
    words = [str(tmp_path / "conv.onnx"), "-p", "htp-lower", "-t", "onnx"]
    outcome = htp_opt.run([*words, "-o", str(tmp_path / "out.onnx")])
    problem, remedy = outcome.err.splitlines()
    assert problem.endswith("is not a graph op")
    assert remedy == "  write the module before it is lowered"


def test_a_graph_in_text_becomes_a_new_model(tmp_path: Path) -> None:
    text = tmp_path / "graph.mlir"
    text.write_text(
        """func.func @main(%x: tensor<1x9x9x4xf32> {htp.name = "x"}, %w: tensor<3x3x4x8xf32>)
    -> (tensor<1x4x4x8xf32> {htp.name = "y"}) {
  %conv = qti_aisw.Conv2d(%x, %w) {stride = array<i64: 2, 2>}
      : (tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  %y = qti_aisw.Relu(%conv) : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  func.return %y : tensor<1x4x4x8xf32>
}""",
        encoding="utf-8",
    )
    module = load_module(text)
    model = checked(module)
    kinds = ["Transpose", "Transpose", "Conv", "Relu", "Transpose"]
    assert [node.op_type for node in model.graph.node] == kinds
    assert [value.name for value in model.graph.output] == ["y"]


def test_a_transpose_that_moves_no_element_stays_before_a_block_op() -> None:
    """Its batch is one, as that of `nn.GRU(batch_first=True)` often is."""
    source = parse_model("""<ir_version: 8, opset_import: ["" : 17]>
m (float[1,4,2] x, float[1,1,1] h0) => (float[4,1,1,1] y, float[1,1,1] h)
<float[1,3,2] w = {1,2,3,-1,-2,-3}, float[1,3,1] r = {1,-1,2}> {
    [turn] steps = Transpose <perm = [1, 0, 2]> (x)
    [layer] y, h = GRU <hidden_size = 1> (steps, w, r, , , h0)
}""")
    module = raised(import_model(source), blocks=True)
    model = checked(module)
    kept, block = model.graph.node
    assert (kept, block.op_type) == (source.graph.node[0], "StatefulGru")
    assert_same_numbers(module, source, model)
    assert_returns(module, model)
