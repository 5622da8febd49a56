"""The files that tests of the tools read, the folder with all of them, and a check of faults."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from htp_mlir.runtime.tools.tool import ToolOutcome
from onnx import TensorProto, helper

from .faults import told
from .paths import SPOTTER_MODEL

RELU = """
func.func @main(%x: tensor<2x3xf32> {htp.name = "x"}) -> (tensor<2x3xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
"""
WEIGHTED = """
func.func @main(%x: tensor<1x4xf32> {htp.name = "x"}) -> (tensor<1x4xf32> {htp.name = "y"}) {
  %w = qti_aisw.Const dense<[1.0, 2.0, 3.0, 4.5]> : tensor<4xf32> -> tensor<4xf32>
  %0 = qti_aisw.ElementWiseMultiply(%x, %w) : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  func.return %0 : tensor<1x4xf32>
}
"""
UNTOUCHED = b"as it was"


def onnx_model(*kinds: str) -> bytes:
    """A model of one node of each kind, side by side."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
    outs = [
        helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, [2, 3]) for i in range(len(kinds))
    ]
    nodes = [helper.make_node(kind, ["x"], [f"y{i}"], name=f"n{i}") for i, kind in enumerate(kinds)]
    graph = helper.make_graph(nodes, "g", [x], outs)
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    ).SerializeToString()


FILES: dict[str, Callable[[], bytes]] = {
    "relu.mlir": lambda: RELU.encode(),
    "weighted.mlir": lambda: WEIGHTED.encode(),
    "text.mlir": lambda: RELU.replace("Relu(", "Relu((").encode(),
    "unknown.mlir": lambda: RELU.replace("Relu", "Rleu").encode(),
    "wrong.mlir": lambda: RELU.replace('2x3xf32> {htp.name = "x"}', "2x3xi32>").encode(),
    "unfit.mlir": lambda: (
        RELU.replace("2x3", "2x4", 1).replace("(tensor<2x3", "(tensor<2x4").encode()
    ),
    "bytes.mlir": lambda: b"\xff\xfe\x00",
    "empty.mlir": lambda: b"",
    "deep.mlir": lambda: b"builtin.module {" * 2000 + b"}" * 2000,
    "huge.mlir": lambda: b"func.func @main(%a: tensor<99999x99999xf32>) { func.return }",
    "relu.tflite": lambda: b"TFL3",
    "nothing": lambda: RELU.encode(),
    "cut.onnx": lambda: SPOTTER_MODEL.read_bytes()[:3000],
    "empty.onnx": lambda: b"",
    "noise.onnx": lambda: bytes(range(256)) * 8,
    "one.onnx": lambda: onnx_model("ImageDecoder"),
    "three.onnx": lambda: onnx_model("RegexFullMatch", "Relu", "ImageDecoder", "StringNormalizer"),
    "good.onnx": lambda: onnx_model("Relu"),
    "symbolic.onnx": lambda: symbolic(),
    "shaped.onnx": lambda: shaped(),
}


def shaped() -> bytes:
    """A model whose result has the shape that an input says."""
    values = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 6]),
        helper.make_tensor_value_info("shape", TensorProto.INT64, [2]),
    ]
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(
        [helper.make_node("Reshape", ["x", "shape"], ["y"])], "g", values, [y]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model.SerializeToString()


def symbolic() -> bytes:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 3])
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    ).SerializeToString()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = tmp_path_factory.mktemp("tools")
    for name, content in FILES.items():
        (files / name).write_bytes(content())
    for name in ("folder.mlir", "folder.onnx"):
        (files / name).mkdir()
    return files


@pytest.fixture(autouse=True)
def inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(folder)
    (folder / "out").write_bytes(UNTOUCHED)
    yield
    assert not [path.name for path in folder.iterdir() if "out" in path.name and path.name != "out"]


def check_fault(outcome: ToolOutcome, message: str, output: Path) -> None:
    """Exit status 1, two lines that say the message and an excerpt, nothing else anywhere."""
    assert outcome.status == 1, outcome.out
    assert outcome.out == ""
    assert re.search(message, told(outcome.err)[0]), outcome.err
    assert "Traceback" not in outcome.err
    assert output.read_bytes() == UNTOUCHED
