"""RUN lines: those that run, that fail, and that are refused."""

import os
import re
import sys
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.testing.runner import PipelineError, run_file
from htp_mlir.lowering.testing.syntax import ShellCommand, pipelines, run_lines

from .stubs import SUITE


def _run(folder: Path, text: str) -> None:
    path = folder / "case.mlir"
    path.write_text(text)
    run_file(path, SUITE)


CHECKED = "// RUN: cat %s | filecheck %s\n"
TO_FILE = "// RUN: fault || cat > %t\n"
GOOD = {
    "pipe": f"{CHECKED}// CHECK: one\none\n",
    "continuation": "// RUN: cat %s | \\\n// RUN:   filecheck %s\n// CHECK: one\none\n",
    "other comments": "# RUN: cat %s | FileCheck %s\n# CHECK: one\n// \none\n",
    "not": "// RUN: not fault | filecheck %s\n// CHECK: half\n",
    "not not": "// RUN: not not cat %s | filecheck %s\n// CHECK: one\none\n",
    "not filecheck": "// RUN: cat %s | not filecheck %s\n// CHECK: two\none\n",
    "merge": "// RUN: not fault 2>&1 | filecheck %s\n// CHECK: half\n// CHECK-NEXT: boom\n",
    "merge in order": "// RUN: alternate 2>&1 | filecheck %s\n// CHECK: one\n"
    "// CHECK-NEXT: ONE\n// CHECK-NEXT: two\n// CHECK-NEXT: TWO\n",
    "merge of a process": "// RUN: sed -n x 2>&1 | cat %s | filecheck %s\n// CHECK: one\none\n",
    "prefixes": "// RUN: cat %s | filecheck %s --check-prefixes=A,B\n// A: one\n// B-NEXT: two\n"
    "one\ntwo\n",
    "quotes": "// RUN: cat %s | filecheck %s --check-prefix='A'\n// A: one\none\n",
    "variable": f"{CHECKED}// CHECK: [[X:%.+]] to\n// CHECK: from [[X]]\n%a to\nfrom %a\n",
    "output": "// RUN: cat %s > %t\n// RUN: cat %t | filecheck %s\n// CHECK: one\none\n",
    "append": "// RUN: cat %s > %t && cat %s >> %t\n// RUN: filecheck %s < %t\n"
    "// CHECK-COUNT-2: one\none\n",
    "errors": "// RUN: not fault 2> %t\n// RUN: filecheck %s --input-file %t\n// CHECK: boom\n",
    "or": "// RUN: fault || cat %s | filecheck %s\n// CHECK: one\none\n",
    "semicolon": "// RUN: fault ; cat %s | filecheck %s\n// CHECK: one\none\n",
    "own substitution": "// RUN: %opt | filecheck %s\n// CHECK: one\none\n",
    "own pipeline": "// RUN: %two | filecheck %s\n// CHECK: one\none\n",
    "percent": "// RUN: driver 5%% | filecheck %s\n// CHECK: driver 5%\n",
    "names": "// RUN: driver %{s:basename} %basename_t %{s:stem} %{pathsep} | filecheck %s\n"
    f"// CHECK: driver case.mlir case.mlir case {os.pathsep}\n",
    "folders": "// RUN: cat %S/case.mlir %p/case.mlir %/s | filecheck %s\n"
    "// CHECK-COUNT-3: one\none\n",
    "class": "// RUN: driver a 'b c' | filecheck %s\n// CHECK: driver a b c\n",
    "traceback": "// RUN: not crash 2>&1 | filecheck %s\n// CHECK: ValueError: out of range\n",
    "message": "// RUN: not leave 2>&1 | filecheck %s\n// CHECK: no such thing\n",
    "external": "// RUN: cat %s | sed s/n/v/ | filecheck %s\n// CHECK: ove\none\n",
    "no directive": f"{CHECKED}// CHECKED by hand\n// NOTE: x\n// CHECK: one\none\n",
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD.keys())
def test_runs(tmp_path: Path, text: str) -> None:
    before = sys.argv, sys.stdin
    _run(tmp_path, text)
    assert (sys.argv, sys.stdin) == before


MISMATCHES = {
    "first of two lines": f"{CHECKED}// RUN: cat %s\n// CHECK: two\none\n",
    "second of two lines": f"// RUN: cat %s\n{CHECKED}// CHECK: two\none\n",
    "a stage before the last": "// RUN: fault | filecheck %s\n// CHECK: half\n",
    "not of a success": "// RUN: not cat %s | filecheck %s\n// CHECK: one\none\n",
    "stderr stays apart": "// RUN: not fault | filecheck %s\n// CHECK: boom\n",
    "check-not": f"{CHECKED}// CHECK-NOT: one\none\n",
    "empty input": f"{CHECKED}// CHECK-NOT: one\n",
    "and": "// RUN: fault && cat %s\none\n",
    "external": "// RUN: cat %s | sed nonsense\none\n",
}


@pytest.mark.parametrize("text", MISMATCHES.values(), ids=MISMATCHES.keys())
def test_fails(tmp_path: Path, text: str) -> None:
    with pytest.raises(PipelineError):
        _run(tmp_path, text)


REFUSED = {
    "no RUN line": ("one\n", "has no RUN line"),
    "misspelt suffix": (
        f"{CHECKED}// CHECK: one\n// CHECK-NEX: two\none\n",
        "line 3: 'CHECK-NEX:' is no directive of filecheck\n  did you mean 'CHECK-NEXT:'",
    ),
    "no colon": (
        f"{CHECKED}// CHECK: one\n// CHECK-NEXT two\none\n",
        "line 3: 'CHECK-NEXT' is no directive",
    ),
    "misspelt suffix of a prefix": (
        "// RUN: cat %s | filecheck %s --check-prefix=A\n// A: one\n// A-LABLE: one\none\n",
        "line 3: 'A-LABLE:' is no directive",
    ),
    "underscore": (
        f"{CHECKED}// CHECK: one\n// CHECK_NEXT: two\none\n",
        "line 3: 'CHECK_NEXT:' is no directive",
    ),
    "misspelt behind not": (
        "// RUN: cat %s | not filecheck %s\n// CHECK: two\n// CHECK-NEX: one\none\n",
        "line 3: 'CHECK-NEX:' is no directive",
    ),
    "misspelt prefix": (
        f"{CHECKED}// CHECK: one\n// CHEKC: two\none\n",
        "line 3: 'CHEKC:' is no keyword\n  did you mean 'CHECK:'?",
    ),
    "misspelt keyword": (
        f"// REQUIRE: here\n{CHECKED}// CHECK: one\none\n",
        "line 1: 'REQUIRE:' is no keyword\n  did you mean 'REQUIRES:'?",
    ),
    "misspelt RUN": (f"// RUNS: x\n{CHECKED}// CHECK: one\none\n", "'RUNS:' is no keyword"),
    "swapped letters of RUN": (
        f"{CHECKED}// RNU: x\n// CHECK: one\none\n",
        "line 2: 'RNU:' is no keyword\n  did you mean 'RUN:'?",
    ),
    "keyword of lit": (
        f"{CHECKED}// CHECK: one\n// END:\none\n",
        "line 3: 'END:' is read by lit alone",
    ),
    "prefix without a reader": (
        f"{CHECKED}// CHECK: one\n// LOWER-NEXT: two\none\n",
        "line 3: no RUN line reads the prefix 'LOWER'",
    ),
    "prefix without a directive": (
        "// RUN: cat %s | filecheck %s --check-prefixes=A,B\n// A: one\none\n",
        "no check strings found with prefix 'B'",
    ),
    "nothing checked": (f"{CHECKED}one\n", "no check strings found with prefix 'CHECK'"),
    "unknown program": ("// RUN: python %s\n", "'python' cannot be run in process\n  known are"),
    "absent program": ("// RUN: absent %s\n", "absent: is not installed"),
    "background": ("// RUN: cat %s &\n", "'&' cannot be run in process"),
    "subshell": ("// RUN: (cat %s)\n", r"'\(' cannot be run in process"),
    "no file": ("// RUN: cat %s >\n", "a redirection names no file"),
    "missing input": ("// RUN: cat < %S/absent\n", "absent: No such file"),
    "missing check file": ("// RUN: cat %s | filecheck %S/absent\n", "absent: No such file"),
    "unknown substitution": ("// RUN: cat %q\n", "unknown substitution '%q'"),
    "open continuation": ("// RUN: cat %s \\\n", "ends in a backslash"),
    "a line without end": (f"// RUN: cat %s{' -n' * 3000}\n", "at most 8,192 are taken"),
    "open quotes": ("// RUN: cat '%s\n", "no closing quotation"),
    "empty stage": ("// RUN: cat %s |\n", "names no program"),
    "filecheck option": ("// RUN: cat %s | filecheck\n", "filecheck: Missing argument"),
    "numbers": (f"{CHECKED}// CHECK: [[#NN:]]\n// CHECK: [[#NN + 1]]\n1\n2\n", "not supported"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refuses(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(HtpError, match=message) as refused:
        _run(tmp_path, text)
    assert len(str(refused.value).splitlines()) == 2


def test_words_of_a_pipeline() -> None:
    (line,) = run_lines("// RUN: htp-opt %s -p 'a{b=1 c=x};d' 2>&1 | filecheck %s")
    (pipeline,) = pipelines(line.text)
    assert pipeline.stages == (
        ShellCommand(("htp-opt", "%s", "-p", "a{b=1 c=x};d"), merge=True),
        ShellCommand(("filecheck", "%s")),
    )


def _told(folder: Path, text: str) -> str:
    with pytest.raises(PipelineError) as failure:
        _run(folder, text)
    return str(failure.value).replace(f"{folder}/", "")


def test_a_miss_shows_the_directive_the_nearest_line_and_the_command(tmp_path: Path) -> None:
    checks = "// CHECK: [[X:%.+]] = load\n// CHECK: use [[X]] twice\n"
    text = f"// RUN: cat %s > %t\n{CHECKED}{checks}%a = load\nuse %b once\n"
    assert _told(tmp_path, text).splitlines() == [
        "RUN: cat %s | filecheck %s",
        "exit status 1 of filecheck",
        "case.mlir:4: // CHECK: use [[X]] twice",
        '  Couldn\'t match "use [[X]] twice".',
        "  with X = %a",
        "  looked for from line 1 of the input on; the nearest is line 2:",
        "       1 | %a = load",
        "  >    2 | use %b once",
        "",
        "repeat it with",
        "  cat case.mlir > case.mlir.tmp",
        "  cat case.mlir | filecheck case.mlir",
    ]


def test_a_miss_without_a_like_line_says_so(tmp_path: Path) -> None:
    told = _told(tmp_path, f"{CHECKED}// CHECK: something else\n1234\n")
    assert "no line of the input from line 1 on is like it:\n       1 | 1234" in told


def test_what_must_not_be_there_is_shown(tmp_path: Path) -> None:
    told = _told(tmp_path, f"{CHECKED}// CHECK: one\n// CHECK-NOT: two\none\ntwo\n")
    assert re.search(r"line 2 of the input has it:\n +1 \| one\n  > +2 \| two", told)
