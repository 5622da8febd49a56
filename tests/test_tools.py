"""The command-line tools: what is asked for works."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.lowering.universe import PASSES
from htp_mlir.runtime import load_module
from htp_mlir.runtime.tools import htp_run

from .support.faults import told
from .support.roundtrip import parse
from .support.tool_files import (
    RELU,
    UNTOUCHED,
    WEIGHTED,
)
from .support.tool_files import folder as folder
from .support.tool_files import inside as inside

BIN = Path(sys.executable).parent


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
    assert htp_opt.run(["--split-input-file"], both).err.startswith(f"<stdin>:{line}:")


def test_a_module_that_a_pass_breaks_is_laid_to_the_pass() -> None:
    outcome = htp_opt.run(
        ["relu.mlir", "-p", "htp-lower{level=native},htp-check-level{level=graph}"]
    )
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


@pytest.mark.slow
def test_the_installed_programs_pipe_into_each_other(folder: Path) -> None:
    done = piped(
        ["htp-opt", "relu.mlir", "-p", "htp-lower{soc=SM8650}"], ["htp-run", "--check", "-"]
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("y: 2x3 float32, min 0, ")


@pytest.mark.slow
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
    with np.load(folder / "out") as outputs:
        np.testing.assert_array_equal(outputs["y"], np.maximum(x, 0))
    assert onnx.load("good.onnx").graph.node[0].op_type == "Relu"
