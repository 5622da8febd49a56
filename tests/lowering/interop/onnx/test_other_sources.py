"""Models of no ONNX file: each graph op in text, and a program of torch.export."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import import_model, load_module
from htp_mlir.lowering.interop.onnx.save import saved
from htp_mlir.lowering.tools.htp_opt import main as htp_opt
from htp_mlir.runtime import Session, parse_module
from onnx import checker
from onnx.parser import parse_model

from tests.support.graph import Graph
from tests.support.roundtrip import to_text

from ...conversion.cases import CASES
from .kit import CLOSE, checked, run

pytestmark = pytest.mark.needs("onnxruntime")
REFUSED = {
    "BitCast": "opset 21 has no BitCast",
    "DepthToSpace": "ONNX takes square blocks alone",
    "SpaceToDepth": "ONNX takes square blocks in mode 0",
    **dict.fromkeys(("DecodeWeights", "CodedFullyConnected"), "no op of ONNX is like it"),
    **dict.fromkeys(("SoftmaxCrossEntropy", "RoutedExperts", "Adam"), "no op of ONNX is like it"),
    "NonMaxSuppression": "no op of ONNX is like it",
}
UNDEFINED = {"ElementWiseAsin u8", "Cast f32 to ui8", "Cast f16 to ui8"}
"""Outputs whose numbers ONNX leaves open: NaN as an integer, and integers out of range."""


@pytest.mark.one_per
@pytest.mark.parametrize("name", CASES)
def test_a_graph_op_in_text_gives_its_numbers_in_onnx(name: str) -> None:
    source = CASES[name]()
    module = parse_module(to_text(source.module))
    if name in REFUSED:
        with pytest.raises(HtpError, match=REFUSED[name]):
            checked(module)
        return
    inputs = source.feeds(0)
    if name.endswith(("Gru", "Lstm")):
        # Of a sequence without steps ONNX Runtime returns zeros as the state, not the initial one.
        lengths = {key: np.maximum(x, 1) for key, x in inputs.items() if x.dtype == np.int32}
        inputs |= lengths
    expected = Session(module).run(inputs)
    for label, result in run(checked(module), inputs).items():
        wanted = np.asarray(expected[label])
        assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
        if f"{name} {label}" in UNDEFINED:
            continue
        numbers = np.isfinite(wanted)
        error = np.max(np.abs(result - wanted.astype(np.float64))[numbers], initial=0)
        # Sums in another order may end one step away on the grid of a quantised result.
        is_quantised = "u8" in label or "u8" in name or label == "finer"
        scale = np.max(np.abs(wanted[numbers]), initial=0) or 1
        assert error <= max(is_quantised, scale * CLOSE.get(wanted.dtype.str[1:], 0)), label


def test_a_new_model_of_a_given_opset_has_its_ops(tmp_path: Path) -> None:
    text, path = tmp_path / "norm.mlir", tmp_path / "norm.onnx"
    text.write_text(
        """func.func @main(%x: tensor<2x8xf32>, %g: tensor<8xf32>) -> tensor<2x8xf32> {
  %y = qti_aisw.RmsNorm(%x, %g) {axes = array<i64: 1>, epsilon = 1.0e-06 : f32}
      : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  func.return %y : tensor<2x8xf32>
}""",
        encoding="utf-8",
    )
    assert not htp_opt.run([str(text), "-o", str(path), "-t", "onnx{opset=23}"]).status
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert [node.op_type for node in model.graph.node] == ["RMSNormalization"]
    assert len(checked(load_module(text)).graph.node) > 1
    for source, opset, problem, remedy in (
        (text, 16, "is 16", "give one from 17 to "),
        (path, 21, "is 21, the model that the graph came from has 23", "leave it out: "),
    ):
        outcome = htp_opt.run([str(source), "-t", f"onnx{{opset={opset}}}"])
        assert outcome.err.startswith(f"opset: {problem}\n  {remedy}")


def test_an_op_that_a_given_opset_has_not_is_refused() -> None:
    text = """func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = qti_aisw.ElementWiseNot(%x) : (tensor<4xi32>) -> tensor<4xi32>
  func.return %y : tensor<4xi32>
}"""
    with pytest.raises(HtpError, match="opset 17 has no BitwiseNot\n  give the model opset 18"):
        saved(parse_module(text), opset=17)
    (node,) = saved(parse_module(text), opset=18).model.graph.node
    assert node.op_type == "BitwiseNot"


def test_a_number_beyond_the_integers_of_an_operand_is_refused() -> None:
    text = """func.func @main(%x: tensor<4xi32>) -> tensor<6xi32> {
  %y = qti_aisw.Pad(%x) {pad_amount = array<i64: 1, 1>,
      pad_constant_value = 3.0e+38 : f32} : (tensor<4xi32>) -> tensor<6xi32>
  func.return %y : tensor<6xi32>
}"""
    with pytest.raises(HtpError, match="is beyond the integers of Int32"):
        checked(parse_module(text))


def test_a_window_behind_the_image_is_none_without_padding_there() -> None:
    text = """func.func @main(%x: tensor<1x9x5x2xf32> {htp.name = "x"})
    -> (tensor<1x5x2x2xf32> {htp.name = "y"}) {
  %y = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 2, 2>, stride = array<i64: 2, 3>,
      pad_amount = array<i64: 0, 1, 1, 0>, rounding_mode = 1 : i64}
      : (tensor<1x9x5x2xf32>) -> tensor<1x5x2x2xf32>
  func.return %y : tensor<1x5x2x2xf32>
}"""
    module, image = parse_module(text), np.arange(90, dtype=np.float32).reshape(1, 9, 5, 2)
    (result,) = run(checked(module), {"x": image}).values()
    np.testing.assert_array_equal(result, Session(module).run({"x": image})["y"])


def test_an_output_whose_name_an_input_has_gets_a_number() -> None:
    text = """func.func @main(
    %h: tensor<4xf32> {htp.name = "h"}, %c: tensor<4xf32> {htp.name = "c"}
) -> (tensor<4xf32> {htp.name = "h"}, tensor<4xf32> {htp.name = "c"},
        tensor<4xf32> {htp.name = "h_2"}) {
  %y = qti_aisw.Relu(%h) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y, %c, %h : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}"""
    module, frame = parse_module(text), np.array([-1, 0, 1, 2], np.float32)
    assert str(saved(module)).endswith("; output h is h_3")
    results = run(checked(module), {"h": frame, "c": frame})
    assert [*results] == ["h_3", "c", "h_2"]
    np.testing.assert_array_equal(results["h_3"], np.maximum(frame, 0))
    np.testing.assert_array_equal(results["h_2"], frame)


def test_an_initializer_that_is_an_output_stays_one() -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]>
both (float[2] x) => (float[2] y, float[2] w) <float[2] w = {3,4}> { y = Mul (x, w) }"""
    written = saved(import_model(parse_model(text)))
    model = written.model
    assert str(written) == "1 node as it was"
    results = run(model, {"x": np.ones(2, np.float32)})
    assert [each.tolist() for each in results.values()] == [[3, 4], [3, 4]]


@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("pairs", [False, True])
def test_a_rotary_embedding_is_the_op_of_opset_23(batch: int, pairs: bool) -> None:
    """Its constants have each angle once; angles that differ in a pair are products still."""
    angles = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)
    whole = np.repeat(angles, 2, -1) if pairs else np.concatenate([angles, angles], -1)
    uneven = np.arange(40, dtype=np.float32).reshape(5, 8)
    for rows, is_own in ((whole, True), (uneven, False)):
        graph = Graph()
        x, cos, sin = (
            graph.input(batch, 3, 5, 8),
            graph.const(np.cos(rows)),
            graph.const(np.sin(rows)),
        )
        graph.give("y", graph.op("RotaryEmbedding", x, cos, sin, interleaved=pairs))
        source = graph.model()
        model = saved(parse_module(to_text(source.module)), opset=23).model
        checker.check_model(model, full_check=True)
        names = [node.op_type for node in model.graph.node]
        assert (names == ["RotaryEmbedding"]) is is_own
        inputs = source.feeds(0)
        expected = Session(source.module).run(inputs)["y"]
        np.testing.assert_allclose(run(model, inputs)["y"], expected, atol=1e-6)
        assert ("qti_aisw.RotaryEmbedding" in to_text(import_model(model))) is is_own


def test_a_slope_on_a_grid_for_each_row_goes_before_the_transpose() -> None:
    grid, slopes = (
        "!quant.uniform<u8:f32, 0.05:128>",
        "!quant.uniform<u8:f32:0, {1.0, 0.5, 0.2, 0.3, 2.0}>",
    )
    text = f"""func.func @main(%x: tensor<1x3x5xf32> {{htp.name = "x"}})
    -> (tensor<1x5x3xf32> {{htp.name = "y"}}) {{
  %q = qti_aisw.Quantize(%x) {{to = {grid}}} : (tensor<1x3x5xf32>) -> tensor<1x3x5x{grid}>
  %t = qti_aisw.Transpose(%q) {{perm = array<i64: 0, 2, 1>}}
      : (tensor<1x3x5x{grid}>) -> tensor<1x5x3x{grid}>
  %s = qti_aisw.Const dense<2> : tensor<5x3xui8> -> tensor<5x3x{slopes}>
  %p = qti_aisw.Prelu(%t, %s) : (tensor<1x5x3x{grid}>, tensor<5x3x{slopes}>) -> tensor<1x5x3x{grid}>
  %y = qti_aisw.Dequantize(%p) : (tensor<1x5x3x{grid}>) -> tensor<1x5x3xf32>
  func.return %y : tensor<1x5x3xf32>
}}"""
    module, feed = parse_module(text), {"x": np.linspace(-6, 6, 15, dtype=np.float32)}
    feed["x"] = feed["x"].reshape(1, 3, 5)
    wanted = Session(module).run(feed)["y"]
    np.testing.assert_allclose(run(checked(module), feed)["y"], wanted, atol=1e-6)


@pytest.mark.needs("torch")
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.filterwarnings("ignore:The tensor attributes:UserWarning")
def test_a_program_of_torch_export_goes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from torch import Tensor, nn

    class Tagger(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.LayerNorm(8)
            self.gru = nn.GRU(8, 8, batch_first=True)

        def forward(self, x: Tensor, h0: Tensor) -> dict[str, Tensor]:
            rows, h = self.gru(self.conv(x).relu().mean(-1).transpose(1, 2), h0)
            return {"y": self.norm(rows), "h": h}

    monkeypatch.chdir(tmp_path)
    tagger, inputs = Tagger().eval(), (torch.randn(1, 3, 8, 8), torch.randn(1, 1, 8))
    torch.export.save(torch.export.export(tagger, inputs), "model.pt2")
    for flags, kinds in ((), "GRU"), (("-p", "qti-raise-block-ops{reset=r}"), "StatefulGru"):
        outcome = htp_opt.run(["model.pt2", *flags, "-t", "onnx", "-o", "x.onnx"])
        assert (outcome.status, outcome.out) == (0, "")
        model = onnx.load("x.onnx")
        onnx.checker.check_model(model, full_check=True)
        assert kinds in [node.op_type for node in model.graph.node]
        feeds = dict(zip(("x", "h0"), (each.numpy() for each in inputs), strict=True))
        results = run(model, feeds | {"r": np.array(True)})
        for name, wanted in tagger(*inputs).items():
            np.testing.assert_allclose(results[name], wanted.detach(), rtol=1e-5, atol=1e-6)
        again = Session(load_module("x.onnx")).run(feeds | ({"r": np.array(True)} if flags else {}))
        np.testing.assert_allclose(again["y"], results["y"], rtol=1e-5, atol=1e-6)
