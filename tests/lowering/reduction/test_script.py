"""Scripts of this Python run in copies of a process that has our packages loaded."""

import sys
from pathlib import Path

import pytest
from htp_mlir.lowering.reduction.reduce import is_ours, run_script

BODY = """
import sys
from htp_mlir.dialects.htp import ReluOp
if __name__ == "__main__":
    print(sys.argv[1], ReluOp.name, 'htp_mlir.runtime.kernels' in sys.modules)
    sys.exit(sys.argv[2])
"""


def script(folder: Path, first: str, body: str) -> Path:
    path = folder / "is bad.py"
    path.write_text(f"{first}\n{body}")
    return path


def test_arguments_streams_and_status(tmp_path: Path) -> None:
    path = script(tmp_path, f"#!{sys.executable}", BODY)
    outcome = run_script(str(path), ["a b", "no good"], 60)
    assert outcome == (1, "a b htp.Relu True\n", "no good\n")


def test_what_a_script_raises_is_its_failure(tmp_path: Path) -> None:
    path = script(tmp_path, f"#!{sys.executable}", "1 / 0")
    outcome = run_script(str(path), [], 60)
    assert outcome is not None
    assert (outcome.status, outcome.out) == (1, "")
    assert "ZeroDivisionError" in outcome.err


def test_one_that_hangs_is_ended(tmp_path: Path) -> None:
    path = script(tmp_path, f"#!{sys.executable}", "import time\ntime.sleep(60)")
    assert run_script(str(path), [], 0.1) is None


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (f"#!{sys.executable}", True),
        ("#!/bin/sh", False),
        (f"#!{sys.executable} -O", False),
        ("#!/usr/bin/env", False),
        ("#!/usr/bin/env no-such-python", False),
        ("#!", False),
        ("import sys", False),
    ],
)
def test_which_scripts_are_ours(first: str, *, expected: bool, tmp_path: Path) -> None:
    assert is_ours(script(tmp_path, first, "")) is expected
    assert not is_ours(tmp_path / "none")


def test_env_finds_this_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    name = Path(sys.executable).name
    assert is_ours(script(tmp_path, f"#!/usr/bin/env {name}", ""))
