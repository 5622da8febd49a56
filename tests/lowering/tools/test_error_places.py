"""Each kind of error about an op names its place: of text the line, of a model node and line."""

from pathlib import Path

import onnx
import pytest
from htp_mlir.lowering.tools.htp_opt import run
from onnx import ModelProto, TensorProto, helper

from tests.support.paths import SPOTTER

TEXT = """
func.func @main(%x: tensor<1x8x8x32xf32> {htp.name = "x"})
    -> (tensor<1x8x8x32xf32> {htp.name = "y"}) {
  %0 = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = htp.Relu(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %2 : tensor<1x8x8x32xf32>
}
"""
AT, OP = "model.mlir:5:3", "htp.Relu"
TO_PLACED = "htp-assign-places,htp-realise-places,htp-schedule"
PACKAGE = '''
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import EARLY, EXTERNAL_CONSTRAINT, OK, Op, ResizeDim, rule
from htp_mlir.lowering.rules import external_constraint

@external_constraint("broken")
def broken(node):
    """Always fails."""
    raise ValueError("boo")

RELU = Op("q::Relu", "X")
RULES = {
    "wrong": [rule(EARLY, RELU, OK, ResizeDim(1, 9, Op("q::Neg", "X")), name="wrong")],
    "endless": [
        rule(EARLY, RELU, OK, Op("q::Neg", "X"), name="there"),
        rule(EARLY, Op("q::Neg", "X"), OK, RELU, name="back"),
    ],
    "raises": [rule(EARLY, RELU, EXTERNAL_CONSTRAINT(broken, "X"), "X", name="raises")],
}
PACKAGE = op_package("Mine", rules=RULES["KIND"])
'''
TOO_DEEP = (
    ("x32xf32>\n  %2", "x9xf32>\n  %2"),
    ("(%1) : (tensor<1x8x8x32", "(%1) : (tensor<1x8x8x9"),
)
"""Edits after which the Relu has more rows than what it reads."""
Edits = tuple[tuple[str, str], ...]
KINDS: dict[str, tuple[Edits, str, str]] = {
    "parser": ((("Relu(%0)", "Relu((%0)"),), "", "model.mlir:5:17: "),
    "unknown op": ((("htp.Relu", "htp.Rleu"),), "", "model.mlir:5:8: "),
    "verifier": (TOO_DEEP, "", f"{AT}: %1 = {OP}: result 0 has shape"),
    "level": (
        (),
        "htp-check-level{level=placed}",
        "model.mlir:4:3: htp.Reshape: does not belong",
    ),
    "places": ((), "htp-realise-places", f"{AT}: {OP}: 'in' is flat in ddr"),
    "fit": ((), f"{TO_PLACED},htp-allocate{{tcm-bytes=2048}}", f"{AT}: htp.Relu: needs"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_about_text_names_its_line(kind: str, tmp_path: Path) -> None:
    edits, passes, wanted = KINDS[kind]
    told = error(tmp_path, edited(TEXT, *edits), passes)
    assert told.startswith(f"{tmp_path}/{wanted}")


RULES = {
    "wrong": f"{AT}: {OP} was left as it was",
    "endless": f"last firings at one place, {AT}: htp.Neg: ",
    "raises": f": at {AT}: {OP}: function broken: ValueError: boo",
}


@pytest.mark.parametrize("kind", RULES)
def test_an_error_of_a_rule_names_the_line_of_its_root(kind: str, tmp_path: Path) -> None:
    package = tmp_path / "mine.py"
    package.write_text(PACKAGE.replace("KIND", kind), encoding="utf-8")
    told = error(tmp_path, TEXT, "htp-rules", "--package", str(package))
    assert RULES[kind] in told.replace(f"{tmp_path}/", "")


def test_a_place_that_the_text_states_is_told_beside_its_line(tmp_path: Path) -> None:
    stated = 'loc(fused["act"("net.py":7:1), "conv"("net.py":6:1)])'
    text = edited(TEXT, *TOO_DEEP, ("x9xf32>\n", f"x9xf32> {stated}\n"))
    first, *_, last = error(tmp_path, text, "").splitlines()
    assert first.startswith(f"{tmp_path}/{AT}: %1 = htp.Relu 'act': result 0 has shape")
    assert last == "    from 'act' at net.py:7:1, 'conv' at net.py:6:1"


def test_an_error_about_a_fused_op_names_all_nodes() -> None:
    passes = "htp-lower{level=placed},htp-schedule,htp-allocate{tcm-bytes=16384}"
    done = run([str(SPOTTER / "stateless.onnx"), "-p", passes])
    first, *_, last = done.err.splitlines()
    assert "htp.ConvLayer_valid.clamp 'node_relu': needs" in first
    assert last == "    from 'node_relu', 'node_conv2d'"


def traced(op: str) -> ModelProto:
    """A model of one node, with the lines of Python that PyTorch's exporter keeps."""
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "xy"]
    node = helper.make_node(op, ["x"], ["y"], name="act")
    trace = 'File "net.py", line 7, in forward\n  File "lib/torch/nn/act.py", line 1, in forward'
    node.metadata_props.add(key="pkg.torch.onnx.stack_trace", value=trace)
    graph = helper.make_graph([node], "net", values[:1], values[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


@pytest.mark.parametrize("op", ["Relu", "Celu"])
def test_an_error_about_a_model_names_the_node_and_the_users_line(op: str, tmp_path: Path) -> None:
    onnx.save(traced(op), tmp_path / "net.onnx")
    lowered = "htp-lower{level=placed},htp-schedule,htp-allocate{tcm-bytes=64}"
    done = run([str(tmp_path / "net.onnx"), "-p", lowered])
    assert done.status == 1
    assert done.err.startswith("net.py:7:1: ")
    assert " 'act': needs " in done.err.splitlines()[0]


def edited(text: str, *edits: tuple[str, str]) -> str:
    """A text after replacements, each of which must find its place."""
    for old, new in edits:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def error(folder: Path, text: str, passes: str, *flags: str) -> str:
    """What is told about a text that passes refuse."""
    (folder / "model.mlir").write_text(text, encoding="utf-8")
    done = run([str(folder / "model.mlir"), "-p", passes, *flags])
    assert done.status == 1
    return done.err


def test_a_function_without_a_type_is_no_internal_error() -> None:
    text = '"func.func"() <{sym_name = "f"}> ({ "func.return"() : () -> () }) : () -> ()'
    status, _, errors = run([], text)
    assert status == 1
    assert errors.startswith("<stdin>:1:1: func.func: property 'function_type' expected")
