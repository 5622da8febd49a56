"""The compiled search that is kept on disk: two processes make it, a disk that fails, damage."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from htp_mlir.lowering.planner.allocation.live_intervals import LiveInterval
from htp_mlir.lowering.planner.allocation.packing import compiled
from htp_mlir.lowering.planner.allocation.packing.exact import STRATEGIES, tensors_of
from htp_mlir.lowering.planner.allocation.packing.run import run_on_lists

LIVES = [LiveInterval(f"t{i}", *life) for i, life in enumerate([(3, 0, 2), (5, 1, 4), (2, 3, 5)])]
PROGRAM = f"""
from htp_mlir.lowering.planner.allocation.live_intervals import LiveInterval
from htp_mlir.lowering.planner.allocation.packing.exact import STRATEGIES, tensors_of
from htp_mlir.lowering.planner.allocation.packing.run import run_search
print(run_search(tensors_of({LIVES!r}, STRATEGIES[0]), 8, 1000, True))
"""


def started(cache: Path) -> subprocess.Popen[str]:
    """Start a process that searches with the compiled code of a folder."""
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM], env=variables, stdout=subprocess.PIPE, text=True
    )


def on_lists() -> str:
    """Print what the search finds without compiled code."""
    return f"{run_on_lists(tensors_of(LIVES, STRATEGIES[0]), 8, 1000, True)}\n"


@pytest.mark.slow
def test_two_processes_make_one_cache_and_damage_to_it_changes_no_number(tmp_path: Path) -> None:
    together = [started(tmp_path), started(tmp_path)]
    assert [process.communicate()[0] for process in together] == [on_lists()] * 2
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in kept} == {".nbi", ".nbc"}
    for path in kept:
        whole = path.read_bytes()
        path.write_bytes(whole[: Random(path.suffix).randrange(len(whole))])
        assert started(tmp_path).communicate()[0] == on_lists()
        path.write_bytes(whole)


@pytest.mark.parametrize("error", [RuntimeError("no locator"), PermissionError(), EOFError()])
def test_where_the_disk_fails_the_search_is_compiled_anew(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def machine_code(keep: bool) -> object:
        if keep:
            raise error
        return lambda *numbers: sum(numbers)

    monkeypatch.setattr(compiled, "find_spec", lambda name: True)
    monkeypatch.setattr(compiled, "machine_code", machine_code)
    assert compiled.compiled_search()(1, 2) == 3
