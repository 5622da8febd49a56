"""Ctrl-C in a run of `htp-opt`: what was done so far is told, and the last whole module written."""

import sys
from io import StringIO
from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime import parse_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = qti_aisw.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = qti_aisw.Relu(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = qti_aisw.ElementWiseAdd(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %2 : tensor<2xf32>
}
"""
SEEN: list[str] = []


@pytest.fixture(autouse=True)
def _dce_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes when dce has erased half of the function."""

    def apply(step: DeadCodeElimination, ctx: Context, op: ModuleOp) -> None:
        SEEN.append(sys.stderr.getvalue() if isinstance(sys.stderr, StringIO) else "")
        block = next(iter(op.ops)).regions[0].block
        last = block.last_op
        assert last is not None
        last.detach()
        raise KeyboardInterrupt

    monkeypatch.setattr(DeadCodeElimination, "apply", apply)


def test_the_module_is_as_the_last_whole_pass_left_it() -> None:
    whole = htp_opt.run(["-p", "cse"], TEXT).out
    status, out, err = htp_opt.run(["-p", "cse,dce,cse", "--time-passes"], TEXT)
    assert (status, out) == (130, f"// interrupted: the module as cse left it\n{whole}")
    times, told = err.splitlines()[:-2], err.splitlines()[-2:]
    assert [line.split()[-1] for line in times] == ["pass", "total", "cse", "dce"]
    assert told == [
        "interrupted in dce, 1 pass done",
        "  the output holds the module as cse left it",
    ]


def test_that_no_plan_is_written_is_said(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    status, _, err = htp_opt.run(["-p", "dce", "--plan", str(path)], TEXT)
    left = f"  the output holds the module as it was before the passes; {path} was not written"
    assert (status, err.splitlines()[1]) == (130, left)
    assert not path.exists()


def test_in_the_first_pass_it_is_as_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "out.mlir"
    status, out, err = htp_opt.run(["-p", "dce", "-o", str(path)], TEXT)
    assert (status, out) == (130, "")
    assert err.splitlines()[1] == f"  {path} holds the module as it was before the passes"
    assert path.read_text().splitlines()[1:] == htp_opt.run([], TEXT).out.splitlines()


def test_passes_inside_another_count() -> None:
    status, out, err = htp.run(["rules", "stats", "-p", "htp-lower", "-o", "-"], TEXT)
    assert status == 130
    assert out.startswith("// interrupted: the module as htp-lower > cse left it\n")
    assert "interrupted in htp-lower > dce, 12 passes done\n" in err
    assert "attempts  matches refusals  firings" in err
    parse_module(out).verify()


def test_ir_is_printed_as_the_passes_run() -> None:
    htp_opt.run(["-p", "cse,dce", "--print-ir-after=cse"], TEXT)
    assert "// -----// IR Dump After cse //----- //\nbuiltin.module {\n" in SEEN[-1]


def test_of_pieces_those_behind_are_left_out() -> None:
    flags = ["--split-input-file", "-p", "dce"]
    status, out, _ = htp_opt.run(flags, f"{TEXT}// -----\n{TEXT}")
    assert (status, out.count("func.func"), out.count("// interrupted")) == (130, 1, 1)


LEFT = "interrupted: the module as cse left it\n"


@pytest.mark.parametrize(
    ("target", "begin"),
    [
        ("dot", f"// {LEFT}digraph"),
        ("model-explorer", "{"),
        ("model-explorer{data=bytes}", "{"),
        ("irdl-module", f"// {LEFT}builtin.module"),
    ],
)
def test_other_targets_write_the_module_so_far(target: str, begin: str, tmp_path: Path) -> None:
    path = tmp_path / "out"
    status, _, err = htp_opt.run(["-p", "cse,dce", "-t", target, "-o", str(path)], TEXT)
    assert status == 130
    assert err.splitlines()[1] == f"  {path} holds the module as cse left it"
    assert path.read_text().startswith(begin)


@pytest.mark.parametrize("target", ["memory-report", "llvm"])
def test_a_target_that_cannot_says_why(target: str, tmp_path: Path) -> None:
    path = tmp_path / "out"
    status, _, err = htp_opt.run(["-p", "cse,dce", "-t", target, "-o", str(path)], TEXT)
    assert (status, path.exists()) == (130, False)
    told = f"  no output was written, the module as cse left it is no {target}: "
    assert err.splitlines()[1].startswith(told)


def test_the_report_tells_of_the_passes_so_far() -> None:
    status, out, err = htp_opt.run(["-p", "cse,dce", "-t", "report"], TEXT)
    assert status == 130
    assert "id='ending'>dce interrupted</pre>" in out
    assert err.splitlines()[1] == "  the output tells of the passes so far"
