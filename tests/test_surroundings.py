"""A folder that takes no files and a clock that goes back: no tool fails in other than words."""

import ast
import os
import sys
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import Position
from htp_mlir.dialects.faults.op_faults import remember, source_line
from htp_mlir.lowering.tools.htp import main as htp

from .support.paths import ROOT

MODEL = """func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %y = qti_aisw.Relu(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  func.return %y : tensor<1x8x8x4xf32>
}
"""
CLOSED = "/proc/none"
"""A file of a folder that takes none, not even from root."""

COMMANDS = {
    "lower": ["m.mlir", "-o", CLOSED],
    "plan of TCM": ["m.mlir", "--plan", CLOSED],
    "tile plan": ["m.mlir", "--save-tiles", CLOSED],
    "run": ["m.mlir", "-o", f"{CLOSED}.npz"],
    "support": ["m.mlir", "-o", CLOSED],
    "numerics": ["m.mlir", "-p", "htp-lower", "-o", CLOSED],
    "report memory": ["m.mlir", "-p", "htp-lower", "-o", f"{CLOSED}.html"],
    "sweep": ["m.mlir", "-o", f"{CLOSED}.csv"],
    "reduce": ["m.mlir", "-o", CLOSED, "--", sys.executable, "-c", "exit(1)", "{}"],
    "rules sweep": ["-o", f"{CLOSED}.csv"],
    "package new": ["Own", "--op", "Op", "-o", CLOSED],
}
"""What each command that writes is called with, by its name, or by what it writes."""
WRITES = {"plan of TCM": "lower", "tile plan": "lower"}


@pytest.mark.parametrize("what", COMMANDS)
def test_a_closed_folder_is_two_lines(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mlir").write_text(MODEL)
    outcome = htp.run([*WRITES.get(what, what).split(), *COMMANDS[what]])
    problem, remedy = outcome.err.splitlines()[-2:]
    assert problem.startswith(CLOSED)
    assert remedy.startswith("  name a f")
    assert outcome.status == 1
    assert sorted(tmp_path.iterdir()) == [tmp_path / "m.mlir"]


def wall_clocks(source: str) -> list[str]:
    """The names in a source that ask for the time of day, which can go back."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute | ast.alias)
        and ast.unparse(node) in {"time.time", "time.time_ns", "datetime", "datetime.datetime"}
    ]


@pytest.mark.parametrize("folder", ["dialects", "runtime", "lowering"])
def test_no_module_asks_for_the_time_of_day(folder: str) -> None:
    assert wall_clocks("import time\nimport datetime\ntime.time()") == ["datetime", "time.time"]
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py"))
    assert [name for source in sources for name in wall_clocks(source)] == []


def test_a_file_from_before_it_was_read_is_another_file(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text("first")
    remember(str(path), "first")
    place = Position(str(path), 1, 1)
    assert source_line(place) == "first"
    path.write_text("other")
    os.utime(path, (1, 1))
    assert source_line(place) is None
