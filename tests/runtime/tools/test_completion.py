"""Completion scripts: flags, files, and names of passes joined by commas."""

import subprocess
import sys

import pytest
from htp_mlir.lowering.tools import htp, htp_opt
from htp_mlir.runtime.tools import htp_run

COMPLETE = r"""
eval "$SCRIPT"
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
$(complete -p "$1" | sed 's/.*-F \([^ ]*\).*/\1/')
printf '%s\n' "${COMPREPLY[@]}"
"""


def completed(script: str, *words: str) -> list[str]:
    run = ["bash", "-c", COMPLETE, "bash", *words]
    done = subprocess.run(run, env={"SCRIPT": script}, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_flags_and_passes_are_completed_in_bash() -> None:
    status, script, _ = htp_opt.run(["--print-completion", "bash"])
    assert status == 0
    assert "--print-ir-after-change" in completed(script, "htp-opt", "--print-ir-af")
    assert completed(script, "htp-opt", "-p", "htp-lo") == ["htp-lower"]
    assert completed(script, "htp-opt", "-p", "dce,htp-fo") == ["dce,htp-fold"]


def test_commands_and_their_flags_are_completed_in_bash() -> None:
    script = htp.run(["--print-completion", "bash"]).out
    assert completed(script, "htp", "supp") == ["support"]
    assert completed(script, "htp", "rules", "exp") == ["explain"]
    assert completed(script, "htp", "rules", "explain", "--format", "js") == ["json"]
    assert completed(script, "htp", "quantize", "-p", "dce,htp-fo") == ["dce,htp-fold"]


@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_there_are_scripts_for_other_shells(shell: str) -> None:
    status, script, _ = htp_run.run(["--print-completion", shell])
    assert status == 0
    assert "htp-run" in script
    assert "save-state" in script


def test_without_shtab_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    status, out, err = htp_run.run(["--print-completion", "bash"])
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "--print-completion: shtab is not installed",
        "  pip install 'htp-mlir[completion]'",
    ]
