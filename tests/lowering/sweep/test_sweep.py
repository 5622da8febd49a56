"""Sweeps on local processes: one row a case, whatever happens, and nothing done twice."""

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from htp_mlir.lowering.sweep import Row, Status, lowerings, sweep
from htp_mlir.lowering.sweep import sweep as module_of
from htp_mlir.lowering.sweep.run import outcome_of
from htp_mlir.lowering.tools import htp

from ...support.faults import told
from ...support.paths import SPOTTER_MODEL


def table(path: str = "sweep.csv") -> list[dict[str, str]]:
    with open(path, newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
def test_a_fault_is_a_row_and_the_others_are_done() -> None:
    outcome = htp.run(["sweep", "relu.mlir", "bad.mlir", "weighted.mlir", "-j", "2"])
    assert outcome.status == 1
    assert outcome.out == "sweep.csv: 3 cases, 2 ok, 1 fault\n"
    first, second = told(outcome.err)
    assert first.startswith("htp sweep: 1 of 3 cases failed; the first: bad.mlir:3:8: Operation")
    assert second == "  see the column 'problem' of sweep.csv"
    relu, bad, weighted = table()
    assert (relu["status"], bad["status"], weighted["status"]) == ("ok", "fault", "ok")
    assert (bad["moved_bytes"], bad["remedy"]) == ("", "did you mean 'qti_aisw.Relu'?")
    assert int(weighted["moved_bytes"]) > 0


KILLED = """
import os
from pathlib import Path
from htp_mlir.lowering.packages import op_package

runs = Path("runs")
runs.write_text(runs.read_text() + "." if runs.exists() else ".")
# The first process to run a case, the second of all that import this, dies.
if runs.read_text() == "..":
    os.write(2, b"out of memory\\n")
    os.kill(os.getpid(), 9)
PACKAGE = op_package("Killed", ops=[], kernels=[], rules=[])
"""


@pytest.mark.slow
def test_a_process_that_dies_takes_its_case_alone(inside: Path) -> None:
    (inside / "killed.py").write_text(KILLED)
    (inside / "runs").write_text(".")
    cases = lowerings(["relu.mlir", "weighted.mlir"], packages=["killed.py"])
    dead, alive = sweep(cases, "sweep.csv", jobs=1)
    assert dead.outcome.problem.endswith("the process ended by SIGKILL: out of memory")
    assert alive.outcome.status is Status.OK
    again, same = sweep(cases, "sweep.csv", jobs=1, retry=True)
    assert again.outcome.status is Status.OK
    assert same == alive


HANGING = """
import time
from pathlib import Path
from htp_mlir.lowering.packages import op_package

def wait_for_ever():
    time.sleep(3600)

runs = Path("runs")
runs.write_text(runs.read_text() + "." if runs.exists() else ".")
# The first process to run a case, the second of all that import this, hangs.
if runs.read_text() == "..":
    wait_for_ever()
PACKAGE = op_package("Hanging", ops=[], kernels=[], rules=[])
"""


@pytest.mark.slow
def test_a_case_that_hangs_is_a_row(inside: Path) -> None:
    (inside / "hanging.py").write_text(HANGING)
    (inside / "runs").write_text(".")
    cases = lowerings(["relu.mlir", "weighted.mlir"], packages=["hanging.py"])
    hung, alive = sweep(cases, "sweep.csv", jobs=1, time_limit=2)
    assert "the case took more than 2 seconds; it was in File " in hung.outcome.problem
    assert hung.outcome.problem.endswith("in wait_for_ever")
    assert hung.outcome.remedy == "give --time-limit more seconds, or run its command alone"
    assert hung.outcome.seconds >= 2
    assert alive.outcome.status is Status.OK
    again, same = sweep(cases, "sweep.csv", jobs=1, retry=True)
    assert again.outcome.status is Status.OK
    assert same == alive


def test_what_is_done_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_here(cases, jobs, time_limit):
        ran.extend(case.model for case in cases)
        yield from (Row(case, outcome_of(case)) for case in cases)

    ran: list[str] = []
    monkeypatch.setattr(sys.modules[module_of.__module__], "run_local", run_here)
    sweep(lowerings(["relu.mlir", "bad.mlir"]), "sweep.csv")
    # A line that a killed sweep did not end is none.
    with open("sweep.csv.journal", "a") as journal:
        journal.write('{"key": "')
    rows = sweep(lowerings(["weighted.mlir", "bad.mlir", "relu.mlir"]), "sweep.csv")
    assert ran == ["relu.mlir", "bad.mlir", "weighted.mlir"]
    assert [row["model"] for row in table()] == ["weighted.mlir", "bad.mlir", "relu.mlir"]
    assert len(rows) == 3
    sweep(lowerings(["relu.mlir", "bad.mlir"]), "sweep.csv", retry=True)
    assert ran[3:] == ["bad.mlir"]


def started(sizes: str) -> subprocess.Popen[str]:
    """A sweep of some seconds in a process of its own, of which a case is done."""
    words = [SPOTTER_MODEL, "--tcm", sizes, "-j", "2"]
    process = subprocess.Popen(
        [Path(sys.executable).with_name("htp"), "sweep", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where tests run in the background, SIGINT is ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    journal, deadline = Path("sweep.csv.journal"), time.monotonic() + 60
    while not (journal.exists() and journal.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.02)
    return process


SIZES = ",".join(f"{size}K" for size in range(16, 36))


@pytest.mark.slow
def test_ctrl_c_ends_with_what_was_done() -> None:
    process = started(SIZES)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines() == [
        "interrupted; sweep.csv has what was done",
        "  the same command goes on from there",
    ]
    assert 1 <= len(table()) < 20


@pytest.mark.slow
def test_a_killed_sweep_loses_nothing() -> None:
    process = started(SIZES)
    process.kill()
    process.communicate(timeout=60)
    done = Path("sweep.csv.journal").read_text().count("\n")
    assert 1 <= done < 20
    sizes = ",".join(SIZES.split(",")[:done])
    assert htp.run(["sweep", str(SPOTTER_MODEL), "--tcm", sizes, "-j", "2"]).status == 0
    assert len(table()) == done


def test_one_sweep_at_a_time_writes_a_file() -> None:
    from htp_mlir.lowering.sweep.sweep import journal_at

    with journal_at(Path("sweep.csv.journal")):
        outcome = htp.run(["sweep", "relu.mlir"])
    assert told(outcome.err)[0] == "sweep.csv.journal: another sweep is writing it"


@pytest.mark.slow
@pytest.mark.needs("pyarrow")
def test_a_table_in_parquet_has_types() -> None:
    from pyarrow import parquet

    (row,) = sweep(lowerings(["relu.mlir"]), "sweep.parquet", jobs=1)
    (read,) = parquet.read_table("sweep.parquet").to_pylist()
    assert read["moved_bytes"] == row.outcome.figures["moved_bytes"]
    assert read["model"] == "relu.mlir"


@pytest.mark.parametrize(
    ("words", "library"),
    [(["-o", "x.parquet"], "pyarrow"), (["--cluster", "tcp://x:1"], "distrib")],
)
def test_what_the_extra_brings_is_named(
    words: list[str], library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    first, second = told(htp.run(["sweep", "relu.mlir", *words]).err)
    assert library in first
    assert "is not installed" in first
    assert "pip install 'htp-mlir[sweep]'" in second


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "the following arguments are required: MODEL"),
        (["none.mlir"], "none.mlir: no such file"),
        (["relu.mlir", "--soc", "SM1"], "soc 'SM1': is not known"),
        (["relu.mlir", "--tcm", "64Q"], "is no SIZE,...: write 65536,256K,8M"),
        (["relu.mlir", "-j", "0"], "'0' is no number from 1 on"),
        (["relu.mlir", "--time-limit", "0"], "'0' is no number from 1 on"),
        (["relu.mlir", "--time-limit", "99999999"], "99999999 seconds"),
        (["relu.mlir", "-o", "sweep.txt"], "a table has no suffix '.txt'"),
        (["relu.mlir", "-o", "none/sweep.csv"], "none/sweep.csv.journal: No such file"),
        (["relu.mlir", "--seeds", "2"], "htp sweep: unrecognized arguments: --seeds 2"),
        pytest.param(
            ["relu.mlir", "--cluster", "none.json"],
            "--cluster 'none.json': ",
            marks=pytest.mark.needs("distributed"),
        ),
    ],
)
def test_bad_flags_take_two_lines(words: list[str], message: str) -> None:
    outcome = htp.run(["sweep", *words])
    assert (outcome.status, outcome.out) == (1, "")
    assert message in told(outcome.err)[0]
    assert not Path("sweep.csv").exists()


OUTCOME = {"status": "ok", "figures": {"ops": 1}, "problem": "", "remedy": "", "seconds": 1.5}
DAMAGED = [
    {"figures": [1]},
    {"figures": {"moved_bytes": "x"}},
    {"figures": {"moved_bytes": [1]}},
    {"seconds": "x"},
    {"seconds": float("inf")},
    {"status": "odd"},
    {"problem": 3},
]


@pytest.mark.parametrize(
    "line",
    ["{}", *(json.dumps({"key": "k", "outcome": {**OUTCOME, **each}}) for each in DAMAGED)],
)
def test_a_damaged_journal_is_told(line: str) -> None:
    Path("sweep.csv.journal").write_text(f"{line}\n")
    outcome = htp.run(["sweep", "relu.mlir"])
    assert told(outcome.err) == [
        "sweep.csv.journal:1: is no line of a journal",
        "  delete the file to begin anew",
    ]
