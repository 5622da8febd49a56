"""The same files under lit and under the plugin."""

import subprocess
import sys
from pathlib import Path

import pytest

from .test_plugin import ACTIVE, _project, _run

pytest_plugins = ("pytester",)

TESTS = Path(__file__).parents[2]

LIT = """
import os, sys
import lit.formats
config.name = "here"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.available_features = ["slow"]
config.substitutions = [("%check", "filecheck %s")]
config.environment["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.defpath])
"""
RUN = "// RUN: filecheck %s < %S/inputs/text\n"
ONE, TWO = "// CHECK: one\n", "// CHECK: two\n"
BOTH = {
    "good": (RUN + ONE, "PASS"),
    "bad": (RUN + TWO, "FAIL"),
    "own": (f"// RUN: %check < %S/inputs/text\n{ONE}", "PASS"),
    "negated": (
        f"// RUN: not filecheck %s < %S/inputs/text 2>&1 | not filecheck %s\n{TWO}",
        "FAIL",
    ),
    "file": (
        "// RUN: not filecheck %s --check-prefix NO < %S/inputs/text 2> %t && filecheck %s < %t\n"
        "// NO: two\n// CHECK: match\n",
        "PASS",
    ),
    "either": (
        f"// RUN: filecheck %s --check-prefix NO < %S/inputs/text || {RUN[8:]}{ONE}// NO: x\n",
        "PASS",
    ),
    "needs": (f"// REQUIRES: slow && !fast\n{RUN}{ONE}", "PASS"),
    "lacks": (f"// REQUIRES: slow, fast\n{RUN}{ONE}", "UNSUPPORTED"),
    "without": (f"// UNSUPPORTED: slow\n{RUN}{ONE}", "UNSUPPORTED"),
    "expected": (f"// XFAIL: slow\n{RUN}{TWO}", "XFAIL"),
    "surprise": (f"// XFAIL: *\n{RUN}{ONE}", "XPASS"),
    "empty": (ONE, "UNRESOLVED"),
}
"""Files, and how each ends under lit."""
ENDINGS = {"PASS": "PASSED", "UNSUPPORTED": "SKIPPED", "XFAIL": "XFAIL"}
"""What the plugin calls the endings of lit that are no failures."""


@pytest.mark.slow
def test_files_end_as_under_lit(pytester: pytest.Pytester) -> None:
    options = "htp_mlir_features = slow\nhtp_mlir_substitutions = %check = filecheck %s\n"
    _project(pytester, ACTIVE + options, **{name: text for name, (text, _) in BOTH.items()})
    pytester.mkdir("inputs").joinpath("text").write_text("one\n")
    pytester.path.joinpath("lit.cfg.py").write_text(LIT)
    lit = subprocess.run(
        [Path(sys.executable).with_name("lit"), "-v", "."],
        capture_output=True,
        text=True,
        check=False,
    )
    printed = "\n".join(_run(pytester, "-v").outlines)
    for name, (_, ending) in BOTH.items():
        assert f"{ending}: here :: {name}.mlir" in lit.stdout, lit.stdout
        assert f"{name}.mlir::RUN {ENDINGS.get(ending, 'FAILED')}" in printed


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, pytest.param(None, marks=pytest.mark.exhaustive)])
def test_lit_takes_the_same_files(count: int | None) -> None:
    """One file of each room, with the fewest commands: lit starts each program anew."""
    rooms: dict[tuple[str, ...], list[Path]] = {}
    for path in sorted(TESTS.rglob("*.mlir")):
        parts = path.relative_to(TESTS).parts
        if not {"inputs", "corpus", "Output"} & {*parts}:
            rooms.setdefault(parts[:2], []).append(path)
    assert len(rooms) > 12
    files = [min(room, key=lambda path: path.read_text().count("RUN:")) for room in rooms.values()]
    files = files[:count]
    lit = Path(sys.executable).with_name("lit")
    done = subprocess.run([lit, "-v", "-j", "2", *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Passed: {len(files)}" in done.stdout
