"""The command-line tools: what goes wrong takes two lines, and leaves what was there."""

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools import htp_run
from htp_mlir.runtime.tools.tool import ToolOutcome

from .support.tool_files import (
    UNTOUCHED,
    check_fault,
)
from .support.tool_files import folder as folder
from .support.tool_files import inside as inside

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
    "nothing": r"^nothing: has no suffix, which tells the format",
    "cut.onnx": r"^cut\.onnx: is no ONNX model, or only a part of one",
    "empty.onnx": r"^empty\.onnx: is empty",
    "noise.onnx": r"^noise\.onnx: is no ONNX model",
    "none.onnx": r"^none\.onnx: [Nn]o such file",
    "folder.onnx": r"^folder\.onnx: ",
    "symbolic.onnx": r"batch",
}


@pytest.mark.parametrize("run", [htp_opt.run, htp_run.run])
def test_an_unsupported_node_is_told_with_the_three_lines_that_help(
    folder: Path, run: Callable[[list[str]], ToolOutcome]
) -> None:
    outcome = run(["one.onnx", "-o", "out"])
    assert outcome.status == 1
    first, remedy, *lines = outcome.err.splitlines()
    assert "ImageDecoder" in first
    assert "'n0'" in first
    assert remedy.startswith("  ")
    assert len(lines) == 3
    assert lines[0].strip().startswith('@IMPORTERS.importer("ImageDecoder")')
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
    "cse,#fold": "pass pipeline 'cse,#fold': Unknown token at '#fold'",
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
    f"htp-lower{{tcm-bytes={10**22}}}": f"tcm-bytes is {10**22}",
    f"htp-rules{{tcm-bytes={2**63}}}": f"tcm-bytes is {2**63}",
    "htp-rules{tcm-bytes=0}": "tcm-bytes is 0",
    "htp-lower{soc=SM9999}": "soc 'SM9999': is not known",
    "htp-lower{level=final}": "level 'final': is not known",
    "htp-check-level{level=final}": "level 'final': is not known",
    "htp-check-level{level=native}": "qti_aisw.Relu: does not belong to the native level",
    "htp-lower,htp-lower{level=native}": "is at the allocated level, below level=native",
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
    assert "known are .json, .mlir, .onnx, .pt2" in htp_opt.run(["relu.tflite"]).err


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        (htp, ["suport"], "invalid choice: 'suport'\n  did you mean 'support'?"),
        (htp_opt, ["--pases"], "unrecognized arguments: --pases\n  did you mean '--passes'?"),
        (htp_run, ["x", "--chek"], "unrecognized arguments: --chek\n  did you mean '--check'?"),
        (htp_opt, ["--far-from-all"], "arguments: --far-from-all\n  see htp-opt --help"),
        (
            htp,
            ["support", "--format=jsn"],
            "choice: 'jsn'\n  did you mean 'json'? known are text, json",
        ),
        (htp, ["package", "shw"], "choice: 'shw'\n  did you mean 'show'?"),
        (htp, ["rules", "lint", "--strit"], "--strit\n  did you mean '--strict'?"),
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
    ([], "<stdin>: holds no text"),
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
            ("RegexFullMatch", "ImageDecoder", "StringNormalizer"), lines[1:], strict=True
        ):
            assert kind in line
        assert (folder / "out").read_bytes() == UNTOUCHED
