"""The command-line tools: what goes wrong takes two lines, and what is asked for works."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import onnx
import pytest
from htp_mlir.lowering.tools import htp_opt, htp_package
from htp_mlir.lowering.universe import PASSES
from htp_mlir.runtime import load_module
from htp_mlir.runtime.tools import htp_run
from htp_mlir.runtime.tools.tool import Outcome
from onnx import TensorProto, helper

from .support.faults import told
from .support.paths import SPOTTER_MODEL
from .support.roundtrip import parse

BIN = Path(sys.executable).parent

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
    "one.onnx": lambda: onnx_model("MaxRoiPool"),
    "three.onnx": lambda: onnx_model("MaxRoiPool", "Relu", "ImageDecoder", "StringNormalizer"),
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
    made = tmp_path_factory.mktemp("tools")
    for name, content in FILES.items():
        (made / name).write_bytes(content())
    for name in ("folder.mlir", "folder.onnx"):
        (made / name).mkdir()
    return made


@pytest.fixture(autouse=True)
def _inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(folder)
    (folder / "out").write_bytes(UNTOUCHED)
    yield
    assert not [path.name for path in folder.iterdir() if "out" in path.name and path.name != "out"]


def check_fault(outcome: Outcome, message: str, output: Path) -> None:
    """Exit status 1, two lines that say the message and an excerpt, nothing else anywhere."""
    assert outcome.status == 1, outcome.out
    assert outcome.out == ""
    assert re.search(message, told(outcome.err)[0]), outcome.err
    assert "Traceback" not in outcome.err
    assert output.read_bytes() == UNTOUCHED


FILE_FAULTS = {
    "text.mlir": r"^text\.mlir:3:\d+: ",
    "unknown.mlir": r"^unknown\.mlir:3:\d+: Operation qti_aisw\.Rleu is not registered",
    "wrong.mlir": r"^wrong\.mlir",
    "unfit.mlir": r"^unfit\.mlir:3:3: %0 = qti_aisw\.Relu: result 0 has shape 2x3, its inputs",
    "bytes.mlir": r"^bytes\.mlir: is no UTF-8 text",
    "empty.mlir": r"^empty\.mlir: holds no text",
    "deep.mlir": r"^deep\.mlir:1:\d+: is nested too deeply, 65 brackets",
    "huge.mlir": r"^huge\.mlir:1:\d+: tensor<99999x99999xf32> takes 39999200004 bytes",
    "none.mlir": r"^none\.mlir: [Nn]o such file",
    "folder.mlir": r"^folder\.mlir: [Ii]s a directory",
    "relu.tflite": r"^relu\.tflite: .*unknown suffix '\.tflite'",
    "nothing": r"^nothing: .*suffix",
    "cut.onnx": r"^cut\.onnx: is no ONNX model, or only a part of one",
    "empty.onnx": r"^empty\.onnx: is empty",
    "noise.onnx": r"^noise\.onnx: is no ONNX model",
    "none.onnx": r"^none\.onnx: [Nn]o such file",
    "folder.onnx": r"^folder\.onnx: ",
    "symbolic.onnx": r"batch",
}


@pytest.mark.parametrize("run", [htp_opt.run, htp_run.run])
def test_an_unsupported_node_is_told_with_the_three_lines_that_help(
    folder: Path, run: Callable[[list[str]], Outcome]
) -> None:
    outcome = run(["one.onnx", "-o", "out"])
    assert outcome.status == 1
    first, remedy, *lines = outcome.err.splitlines()
    assert "MaxRoiPool" in first
    assert "'n0'" in first
    assert remedy.startswith("  ")
    assert len(lines) == 3
    assert lines[0].strip().startswith('@IMPORTERS.importer("MaxRoiPool")')
    assert (folder / "out").read_bytes() == UNTOUCHED


@pytest.mark.parametrize("name", FILE_FAULTS)
def test_a_bad_file_takes_htp_opt_two_lines(folder: Path, name: str) -> None:
    check_fault(htp_opt.run([name, "-o", "out"]), FILE_FAULTS[name], folder / "out")


@pytest.mark.parametrize("name", FILE_FAULTS)
def test_a_bad_file_takes_htp_run_two_lines(folder: Path, name: str) -> None:
    check_fault(htp_run.run([name, "-o", "out"]), FILE_FAULTS[name], folder / "out")


PASS_FAULTS = {
    "nonsense": "unknown pass 'nonsense'",
    "htp-lowr": "unknown pass 'htp-lowr'",
    "htp-lower{": "pass pipeline 'htp-lower{': Expected argument name here",
    "htp-lower{soc=}": "Unknown argument value",
    "htp-lower{chip=1}": "pass 'htp-lower': unknown option 'chip'",
    "htp-fold{x=1}": "pass 'htp-fold': unknown option 'x'",
    "htp-lower{tcm-bytes=many}": "pass 'htp-lower': option 'tcm-bytes' is many",
    "htp-lower{tcm-bytes=nan}": "option 'tcm-bytes' is nan",
    "htp-lower{tcm-bytes=1.5}": "option 'tcm-bytes' is 1.5",
    "htp-lower{tcm-bytes=true}": "option 'tcm-bytes' is True",
    "htp-lower{tcm-bytes=1,2}": "option 'tcm-bytes' is 1, 2",
    "htp-lower{soc=8650}": "option 'soc' is 8650",
    "htp-lower{soc}": "option 'soc' is given no value",
    "htp-check-level": 'requires argument "level"',
    "htp-lower{tcm-bytes=0}": "tcm-bytes is 0",
    "htp-lower{tcm-bytes=-1}": "tcm-bytes is -1",
    "htp-rules{tcm-bytes=0}": "tcm-bytes is 0",
    "htp-lower{soc=SM9999}": "soc 'SM9999': is not known",
    "htp-lower{level=final}": "level 'final': is not known",
    "htp-check-level{level=final}": "level 'final': is not known",
    "htp-check-level{level=native}": "qti_aisw.Relu: does not belong to the native level",
    "htp-lower,htp-lower": "does not belong to the graph level",
    'htp-lower{options="fast"}': "'fast' is not name=value",
    'htp-lower{options="tile_height=nan"}': "'tile_height=nan' is not finite",
    'htp-lower{options="tile_height=high"}': "graph option 'tile_height': is high",
    'htp-lower{options="tile_height=0"}': "tile_height",
    "htp-rules{first=NEVER}": "priority 'NEVER'",
    "htp-rules{first=LATE last=EARLY}": "last=EARLY is before first=LATE",
    "htp-allocate{tcm-bytes=0}": "tcm-bytes is 0",
    "htp-allocate{alignment=0}": "alignment is 0",
    "qti-check-backend{backend=gpu}": "backend 'gpu': is not known",
}


@pytest.mark.parametrize("pipeline", PASS_FAULTS)
def test_a_bad_pipeline_takes_two_lines(folder: Path, pipeline: str) -> None:
    message = re.escape(PASS_FAULTS[pipeline])
    for run in (htp_opt.run, htp_run.run):
        check_fault(run(["relu.mlir", "-p", pipeline, "-o", "out"]), message, folder / "out")


def test_a_wrong_name_brings_the_known_ones() -> None:
    socs = htp_opt.run(["relu.mlir", "-p", "htp-lower{soc=SM9999}"]).err
    assert {"SM8350", "SM8650", "SM8750"} <= set(re.findall(r"\w+", socs))
    assert "known are graph, native, placed, allocated" in (
        htp_opt.run(["relu.mlir", "-p", "htp-lower{level=final}"]).err
    )
    assert "did you mean 'htp-lower'?" in htp_opt.run(["relu.mlir", "-p", "htp-lowr"]).err
    assert "known are .mlir, .onnx" in htp_opt.run(["relu.tflite"]).err


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        (htp_opt, ["--suport"], "unrecognized arguments: --suport\n  did you mean '--support'?"),
        (htp_run, ["x", "--chek"], "unrecognized arguments: --chek\n  did you mean '--check'?"),
        (htp_opt, ["--far-from-all"], "arguments: --far-from-all\n  see htp-opt --help"),
        (htp_opt, ["--support=jsn"], "choice: 'jsn'\n  did you mean 'json'? known are text, json"),
        (
            htp_package,
            ["shw"],
            "choice: 'shw'\n  did you mean 'show'?",
        ),
    ],
)
def test_a_wrong_flag_brings_the_close_ones(
    tool: ModuleType, arguments: list[str], error: str
) -> None:
    outcome = tool.run(arguments)
    assert outcome.status == 1
    assert error in outcome.err
    assert len(outcome.err.splitlines()) == 2


ARGUMENT_FAULTS = [
    (["relu.mlir", "--dim", "n=1"], "'n' is given, and text has no symbolic dims"),
    (["symbolic.onnx", "--dim", "batch"], "'batch' is no NAME=SIZE"),
    (["symbolic.onnx", "--dim", "batch=x"], "'batch=x' is no NAME=SIZE"),
    (["symbolic.onnx", "--dim", "batch=-1"], "'batch=-1' is no NAME=SIZE"),
    (["symbolic.onnx", "--dim", "batch=0"], "dim 'batch'"),
    (["relu.mlir", "--const", "n=1"], "'n' is given, and text has no inputs to fix"),
    (["good.onnx", "--const", "x"], "'x' is no NAME=VALUE"),
    (["good.onnx", "--const", "x=1,,2"], "'x=1,,2' is no NAME=VALUE"),
    (["good.onnx", "--const", "x=@absent.npy"], "absent.npy: No such file"),
    (["good.onnx", "--const", "x=@good.onnx"], "good.onnx: cannot be read as an array"),
    (["good.onnx", "--const", "z=1"], "constant 'z': is no input of the model"),
    (["relu.mlir", "--nonsense"], "unrecognized arguments: --nonsense"),
]
OPT_FAULTS = [
    (["relu.mlir", "--elide-constants", "-1"], "'-1' is no number from 0 on"),
    (["relu.mlir", "--elide-constants", "few"], "'few' is no number from 0 on"),
    (["relu.mlir", "-t", "nonsense"], "invalid choice: 'nonsense'"),
    (["relu.mlir", "-o", "absent/out"], "absent/out: No such file"),
    (["relu.mlir", "-o", "folder.mlir"], "folder.mlir: Is a directory"),
    (["--frontend", "onnx"], "a model is read from a file"),
    ([], "stdin: holds no text"),
]


@pytest.mark.parametrize(("arguments", "message"), ARGUMENT_FAULTS)
def test_bad_arguments_take_two_lines(folder: Path, arguments: list[str], message: str) -> None:
    for run in (htp_opt.run, htp_run.run):
        check_fault(run([*arguments, "-o", "out"]), re.escape(message), folder / "out")


@pytest.mark.parametrize(("arguments", "message"), OPT_FAULTS)
def test_bad_arguments_of_htp_opt(folder: Path, arguments: list[str], message: str) -> None:
    check_fault(htp_opt.run(arguments), re.escape(message), folder / "out")


def test_every_unsupported_node_is_listed(folder: Path) -> None:
    for run in (htp_opt.run, htp_run.run):
        outcome = run(["three.onnx", "-o", "out"])
        assert (outcome.status, outcome.out) == (1, "")
        lines = outcome.err.splitlines()
        assert lines[0] == "3 errors:"
        assert len(lines) == 4
        for kind, line in zip(
            ("MaxRoiPool", "ImageDecoder", "StringNormalizer"), lines[1:], strict=True
        ):
            assert kind in line
        assert (folder / "out").read_bytes() == UNTOUCHED


def test_debug_shows_where() -> None:
    assert "Traceback" in htp_opt.run(["relu.mlir", "-p", "htp-lower{soc=x}", "--debug"]).err


def test_a_file_is_written_when_all_went_well(folder: Path) -> None:
    assert htp_opt.run(["relu.mlir", "-p", "htp-lower", "-o", "out"]) == (0, "", "")
    assert "htp.Relu" in (folder / "out").read_text()


def test_text_comes_from_stdin() -> None:
    printed = htp_opt.run(["relu.mlir"]).out
    assert htp_opt.run([], RELU).out == htp_opt.run(["-"], RELU).out == printed


def test_a_model_is_printed_and_its_dims_fixed() -> None:
    assert "qti_aisw.Relu" in htp_opt.run(["good.onnx"]).out
    assert "tensor<5x3xf32>" in htp_opt.run(["symbolic.onnx", "--dim", "batch=5"]).out
    assert htp_run.run(["symbolic.onnx", "--dim", "batch=5"]).out.startswith("y: 5x3 float32")


def test_inputs_of_a_model_are_fixed(folder: Path) -> None:
    np.save(folder / "shape.npy", np.array([3, 2]))
    assert "(tensor<2x3xf32> {" in htp_opt.run(["shaped.onnx", "--const", "shape=2,3"]).out
    fixed = ["shaped.onnx", "--const", "shape=@shape.npy"]
    assert "(tensor<3x2xf32> {" in htp_opt.run(fixed).out
    assert htp_run.run(fixed).out.startswith("y: 3x2 float32")


def test_generic_text_is_the_same_module() -> None:
    generic = htp_opt.run(["weighted.mlir", "-p", "htp-lower", "--print-op-generic"]).out
    assert '"htp.Mul"(' in generic
    pretty = htp_opt.run(["weighted.mlir", "-p", "htp-lower"]).out
    assert parse(generic).is_structurally_equivalent(parse(pretty))


def test_the_module_is_printed_between_passes() -> None:
    passes = "convert-qti-aisw-to-htp,htp-fold,dce"
    out = htp_opt.run(["relu.mlir", "-p", passes, "--print-between-passes"]).out
    assert out.index("IR after convert-qti-aisw-to-htp:") < out.index("IR after htp-fold:")


def test_parts_of_a_file_are_taken_one_by_one() -> None:
    both = f"{RELU}\n// -----\n{WEIGHTED}"
    out = htp_opt.run(["--split-input-file", "-p", "htp-lower"], both).out
    first, second = out.split("// -----")
    assert "htp.Relu" in first
    assert "htp.Mul" in second


def test_a_fault_in_a_later_part_has_the_line_of_the_file() -> None:
    both = f"{RELU}\n// -----\n{RELU.replace('Relu', 'Rleu')}"
    line = both[: both.index("Rleu")].count("\n") + 1
    assert htp_opt.run(["--split-input-file"], both).err.startswith(f"stdin:{line}:")


def test_a_module_that_a_pass_breaks_is_laid_to_the_pass() -> None:
    outcome = htp_opt.run(["relu.mlir", "-p", "htp-lower{level=native},htp-lower"])
    assert outcome.status == 1
    assert "htp.Reshape: does not belong to the graph level" in told(outcome.err)[0]


def piped(*commands: list[str]) -> subprocess.CompletedProcess[str]:
    """The last of some programs of this environment, each reading what the one before wrote."""
    text = ""
    for command in commands:
        done = subprocess.run(
            [BIN / command[0], *command[1:]],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        if done.returncode:
            return done
        text = done.stdout
    return done


def test_the_installed_programs_pipe_into_each_other(folder: Path) -> None:
    done = piped(
        ["htp-opt", "relu.mlir", "-p", "htp-lower{soc=SM8650}"], ["htp-run", "--check", "-"]
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("y: 2x3 float32, min 0, ")


def test_an_installed_program_fails_in_two_lines() -> None:
    done = piped(["htp-opt", "unknown.mlir"])
    assert (done.returncode, done.stdout) == (1, "")
    assert told(done.stderr) == [
        "unknown.mlir:3:8: Operation qti_aisw.Rleu is not registered",
        "  did you mean 'qti_aisw.Relu'?",
    ]


@pytest.mark.slow
def test_plain_xdsl_opt_has_our_dialects_and_passes() -> None:
    done = piped(["xdsl-opt", "relu.mlir", "-p", "htp-lower{soc=SM8650}"], ["htp-run", "-"])
    assert (done.returncode, done.stderr) == (0, "")
    shown = piped(["xdsl-opt", "--help"]).stdout
    assert all(name in re.sub(r"\s", "", shown) for name in PASSES.all_passes)


def test_what_the_tools_write_is_what_python_gives(folder: Path) -> None:
    x = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
    np.savez(folder / "x.npz", x=x)
    assert htp_opt.run(["relu.mlir", "-p", "htp-lower", "-o", "out"]).status == 0
    (folder / "out").rename(folder / "lowered.mlir")
    (folder / "out").write_bytes(UNTOUCHED)
    assert load_module("lowered.mlir")
    assert htp_run.run(["lowered.mlir", "-i", "x.npz", "-o", "out", "--check"]) == (0, "", "")
    with np.load(folder / "out") as held:
        np.testing.assert_array_equal(held["y"], np.maximum(x, 0))
    assert onnx.load("good.onnx").graph.node[0].op_type == "Relu"
