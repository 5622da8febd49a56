"""Sweeps on a Dask cluster of two workers on this machine."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import distributed
import pytest
from htp_mlir.lowering import HtpError
from htp_mlir.lowering.sweep import Status, cluster, lowerings, sweep
from htp_mlir.lowering.tools import htp

from ...support.faults import told

pytestmark = pytest.mark.needs("distributed")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as local:
        yield local.scheduler_address


@pytest.mark.slow
def test_a_cluster_gives_the_rows_of_local_processes(address: str) -> None:
    cases = lowerings(["relu.mlir", "bad.mlir", "weighted.mlir"], tcm_bytes=[65536])
    far = sweep(cases, "far.csv", cluster=address)
    near = sweep(cases, "near.csv", jobs=2)
    assert [row.outcome.status for row in far] == [Status.OK, Status.FAULT, Status.OK]
    for one, other in zip(far, near, strict=True):
        assert one.outcome.figures == other.outcome.figures
        assert one.outcome.remedy == other.outcome.remedy


@pytest.mark.slow
def test_a_scheduler_file_names_the_cluster(address: str, inside: Path) -> None:
    (inside / "scheduler.json").write_text(json.dumps({"address": address}))
    (row,) = sweep(lowerings(["relu.mlir"]), "sweep.csv", cluster="scheduler.json")
    assert row.outcome.status is Status.OK


ENDS = {
    "dies": ("os.kill(os.getpid(), 9)", "the process ended by SIGKILL"),
    "hangs": ("time.sleep(3600)", "the case took more than 2 seconds"),
}
"""What a package does as it is loaded, and what the row of its case says."""


@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS)
def test_a_case_takes_no_worker_with_it(end: str, address: str, inside: Path) -> None:
    statement, problem = ENDS[end]
    (inside / "deadly.py").write_text(f"import os, time\n{statement}\n")
    cases = lowerings(["relu.mlir"])
    cases += [replace(case, packages=(str(inside / "deadly.py"),)) for case in cases]
    cases = [replace(case, digest=case.digest_of_files()) for case in cases]
    alive, dead = sweep(cases, "sweep.csv", cluster=address, time_limit=2)
    assert alive.outcome.status is Status.OK
    assert problem in dead.outcome.problem
    with distributed.Client(address, set_as_default=False) as client:
        assert len(client.scheduler_info()["workers"]) == 2


@pytest.mark.slow
def test_a_worker_of_another_version_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "VERSION", "9.9")
    with pytest.raises(HtpError, match=r"a worker has htp-mlir \S+, not 9\.9"):
        sweep(lowerings(["relu.mlir"]), "sweep.csv", cluster=address)
    assert not Path("sweep.csv").exists()


@pytest.mark.slow
def test_no_answer_takes_two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS", 1)
    outcome = htp.run(["sweep", "relu.mlir", "--cluster", "tcp://127.0.0.1:9"])
    problem, remedy = told(outcome.err)
    assert problem.startswith("--cluster 'tcp://127.0.0.1:9': no scheduler answers")
    assert remedy == "  start one by `dask scheduler`"


@pytest.mark.parametrize(
    ("text", "told_of"),
    [
        ("", "scheduler.json:1:1: is not JSON"),
        ("{}", "scheduler.json: 'address' is absent, not text"),
        ('{"address": "x"}', "no scheduler answers: missing port number"),
        ('{"address": "odd://x"}', "no scheduler answers: unknown address scheme"),
    ],
)
def test_a_damaged_scheduler_file_is_told(text: str, told_of: str, inside: Path) -> None:
    (inside / "scheduler.json").write_text(text)
    outcome = htp.run(["sweep", "relu.mlir", "--cluster", "scheduler.json"])
    assert told_of in told(outcome.err)[0]


@pytest.mark.slow
def test_a_cluster_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS", 1)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty,
        pytest.raises(HtpError, match="has no worker"),
    ):
        sweep(lowerings(["relu.mlir"]), "sweep.csv", cluster=empty.scheduler_address)
