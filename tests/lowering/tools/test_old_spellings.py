"""Flags and programs of the last release: each does its job still, and says its new name."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering.testing.programs import Programs
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools import htp_run
from htp_mlir.runtime.tools.tool import Tool

TEXT = """
func.func @main(%x: tensor<1x4xf32> {htp.name = "x"}) -> (tensor<1x4xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Relu(%x) {htp.name = "n"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %0 : tensor<1x4xf32>
}
"""
OPT = [
    ("--check-rules --rule Relu --cases 2", "rules check --rule Relu --cases 2"),
    ("--lint-rules --rule Relu", "rules lint --rule Relu"),
    ("--show-op=htp.Relu", "show op htp.Relu"),
    ("--list-passes", "show pass"),
    ("--show-dialects", "show dialect"),
    ("--show-plugins", "show plugin"),
    ("m.mlir --support", "support m.mlir"),
    ("m.mlir --support=json", "support m.mlir --format json"),
    ("m.mlir -p htp-rules --explain Relu", "rules explain m.mlir -p htp-rules --rule Relu -o -"),
    ("m.mlir -p htp-lower --explain-op n", "rules explain m.mlir -p htp-lower --op n -o -"),
    ("m.mlir -p htp-lower --check-numerics", "numerics m.mlir -p htp-lower -o -"),
    ("m.mlir --calibrate x.npz", "quantize m.mlir --inputs x.npz"),
    ("m.mlir --calibrate x.npz --equalize", "quantize m.mlir --inputs x.npz --improve equalize"),
    ("m.mlir --calibrate x.npz --correct-bias", "quantize m.mlir --inputs x.npz --improve bias"),
    ("m.mlir -p htp-lower --explain-kernels", "lower m.mlir --explain-kernels"),
    ("m.mlir -p htp-lower --explain-tiles=json", "lower m.mlir --explain-tiles json"),
]
RUN = [
    ("m.mlir --stream x.npy", "stream m.mlir x.npy"),
    ("--compare m.mlir m.mlir -p htp-lower", "compare m.mlir m.mlir -p htp-lower"),
]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mlir").write_text(TEXT)
    np.savez("x.npz", x=np.ones((2, 1, 4), np.float32))
    np.save("x.npy", np.ones(8, np.float32))


def same(tool: Tool, old: str, new: str) -> None:
    """Check an old command against the new one."""
    status, out, err = tool.run(old.split())
    wanted = htp.run(new.split())
    note, _, rest = err.partition("\n")
    command = " ".join(new.split()[: 2 if new.startswith(("rules", "show")) else 1])
    assert note.startswith(f"note: {tool.name} --")
    assert f" is now `htp {command}" in note
    assert (status, out, rest) == wanted


@pytest.mark.parametrize(("old", "new"), OPT, ids=[old for old, _ in OPT])
def test_a_flag_of_htp_opt(old: str, new: str) -> None:
    same(htp_opt.main, old, new)


@pytest.mark.parametrize(("old", "new"), RUN, ids=[old for old, _ in RUN])
def test_a_flag_of_htp_run(old: str, new: str) -> None:
    same(htp_run.main, old, new)


def test_htp_run_still_explains_kernels() -> None:
    old = htp_run.run(["m.mlir", "-p", "htp-lower", "--explain-kernels"])
    note, first, *_ = old.err.splitlines()
    assert "is now `htp lower --explain-kernels`" in note
    assert first.startswith("m.mlir:3:3: htp.")
    assert old.out == htp_run.run(["m.mlir", "-p", "htp-lower"]).out


def test_statistics_with_the_module() -> None:
    old = htp_opt.run(["m.mlir", "-p", "htp-rules", "--rule-stats"])
    assert old.out == htp_opt.run(["m.mlir", "-p", "htp-rules"]).out
    assert "attempts  matches refusals" in old.err


def test_two_jobs_of_one_run_are_two_commands() -> None:
    assert htp_opt.run(["--lint-rules", "--check-rules"]).err.splitlines() == [
        "htp-opt: --lint-rules and --check-rules are 2 commands now",
        "  run htp rules lint, then htp rules check",
    ]


@pytest.mark.parametrize("name", ["package", "sweep", "reduce", "gui"])
def test_a_program_is_a_command(name: str) -> None:
    tool: Tool = getattr(htp, f"htp_{name}")
    status, out, err = tool.run(["--help"])
    assert (status, out) == htp.run([name, "--help"])[:2]
    assert err == f"note: htp-{name} is now `htp {name}`; the next release knows that alone\n"


def test_run_lines_still_call_the_old_programs() -> None:
    outcome = Programs().run("htp-package", ["show", "gone.cpp"], "")
    assert outcome.status == 1
    assert "gone.cpp: cannot be read" in outcome.err


def test_a_sweep_over_rules() -> None:
    err = htp.htp_sweep.run(["--rules", "--rule", "Nope"]).err
    assert "htp-sweep --rules is now `htp rules sweep`" in err
    assert "--rule 'Nope': no rule of htp is called that" in err
