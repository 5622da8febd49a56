"""The collector of .mlir files: what it runs, and what it must refuse."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from .support.collector import PipelineError, run_file
from .support.run_lines import Command, RunLineError, pipeline, run_lines
from .support.tools import TOOLS, Outcome, Tool


def _cat(arguments: Sequence[str], stdin: str) -> Outcome:
    text = "".join(Path(name).read_text() for name in arguments) if arguments else stdin
    return Outcome(0, "".join(line for line in text.splitlines(True) if "//" not in line), "")


def _fault(arguments: Sequence[str], stdin: str) -> Outcome:
    return Outcome(1, "half\n", "boom\n")


def _write(arguments: Sequence[str], stdin: str) -> Outcome:
    Path(arguments[0]).write_text(stdin)
    return Outcome(0, stdin, "")


STUBS: dict[str, Tool] = {**TOOLS, "cat": _cat, "fault": _fault, "write": _write}


def _run(tmp_path: Path, text: str) -> None:
    path = tmp_path / "case.mlir"
    path.write_text(text)
    run_file(path, STUBS)


GOOD = {
    "pipe": "// RUN: cat %s | filecheck %s\n// CHECK: one\none\n",
    "continuation": "// RUN: cat %s | \\\n// RUN:   filecheck %s\n// CHECK: one\none\n",
    "not": "// RUN: not fault | filecheck %s\n// CHECK: half\n",
    "not filecheck": "// RUN: cat %s | not filecheck %s\n// CHECK: two\none\n",
    "merge": "// RUN: not fault 2>&1 | filecheck %s\n// CHECK: half\n// CHECK-NEXT: boom\n",
    "prefixes": "// RUN: cat %s | filecheck %s --check-prefixes=A,B\n// A: one\n// B-NEXT: two\n"
    "one\ntwo\n",
    "scratch": "// RUN: cat %s | write %t\n// RUN: cat %t | filecheck %s\n// CHECK: one\none\n",
    "quotes": "// RUN: cat %s | filecheck %s --check-prefix='A'\n// A: one\none\n",
    "variable": "// RUN: cat %s | filecheck %s\n// CHECK: [[X:%.+]] to\n// CHECK: from [[X]]\n"
    "%a to\nfrom %a\n",
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD.keys())
def test_runs(tmp_path: Path, text: str) -> None:
    _run(tmp_path, text)


MISMATCHES = {
    "first of two lines": "// RUN: cat %s | filecheck %s\n// RUN: cat %s\n// CHECK: two\none\n",
    "second of two lines": "// RUN: cat %s\n// RUN: cat %s | filecheck %s\n// CHECK: two\none\n",
    "a stage before the last": "// RUN: fault | filecheck %s\n// CHECK: half\n",
    "not of a success": "// RUN: not cat %s | filecheck %s\n// CHECK: one\none\n",
    "stderr stays apart": "// RUN: not fault | filecheck %s\n// CHECK: boom\n",
    "check-not": "// RUN: cat %s | filecheck %s\n// CHECK-NOT: one\none\n",
    "nothing checked": "// RUN: cat %s | filecheck %s\none\n",
    "empty input": "// RUN: cat %s | filecheck %s\n// CHECK-NOT: one\n",
}


@pytest.mark.parametrize("text", MISMATCHES.values(), ids=MISMATCHES.keys())
def test_fails(tmp_path: Path, text: str) -> None:
    with pytest.raises(PipelineError):
        _run(tmp_path, text)


REFUSED = {
    "no RUN line": ("one\n", "has no RUN line"),
    "misspelt suffix": (
        "// RUN: cat %s | filecheck %s\n// CHECK: one\n// CHECK-NEX: two\none\n",
        "line 3: 'CHECK-NEX:' is no directive",
    ),
    "no colon": (
        "// RUN: cat %s | filecheck %s\n// CHECK: one\n// CHECK-NEXT two\none\n",
        "line 3: 'CHECK-NEXT' is no directive",
    ),
    "misspelt suffix of a prefix": (
        "// RUN: cat %s | filecheck %s --check-prefix=A\n// A: one\n// A-LABLE: one\none\n",
        "line 3: 'A-LABLE:' is no directive",
    ),
    "underscore": (
        "// RUN: cat %s | filecheck %s\n// CHECK: one\n// CHECK_NEXT: two\none\n",
        "line 3: 'CHECK_NEXT:' is no directive",
    ),
    "unknown program": ("// RUN: python %s\n", "'python' cannot be run in process"),
    "redirection": ("// RUN: cat %s > %t\n", "'>' cannot be run in process"),
    "list": ("// RUN: cat %s && cat %s\n", "'&&' cannot be run in process"),
    "unknown substitution": ("// RUN: cat %q\n", "unknown substitution '%q'"),
    "open continuation": ("// RUN: cat %s \\\n", "ends in a backslash"),
    "empty stage": ("// RUN: cat %s |\n", "names no program"),
    "filecheck option": ("// RUN: cat %s | filecheck\n", "filecheck: Missing argument"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refuses(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RunLineError, match=message):
        _run(tmp_path, text)


def test_words_of_a_pipeline() -> None:
    line = run_lines("// RUN: htp-opt %s -p 'a{b=1 c=x},d' 2>&1 | filecheck %s")[0]
    assert pipeline(line, Path("f.mlir"), Path("t")) == (
        Command(("htp-opt", "f.mlir", "-p", "a{b=1 c=x},d"), merge=True),
        Command(("filecheck", "f.mlir")),
    )


def test_other_comments_are_no_directives(tmp_path: Path) -> None:
    _run(tmp_path, "// RUN: cat %s | filecheck %s\n// CHECKED by hand\n// CHECK: one\none\n")


@pytest.mark.slow
def test_lit_takes_the_same_files() -> None:
    dialects = Path(__file__).parent / "dialects"
    files = [dialects / "qti_aisw" / "errors.mlir", dialects / "qti_aisw" / "tensors.mlir"]
    lit = Path(sys.executable).with_name("lit")
    done = subprocess.run([lit, "-v", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed: 2" in done.stdout
