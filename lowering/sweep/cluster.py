"""Cases on the workers of a Dask cluster, which see the same files as this process."""

from __future__ import annotations

import importlib.util
from collections.abc import Generator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import get_ident
from typing import TYPE_CHECKING

from ...dialects.diagnostics import fail
from ...dialects.version import VERSION
from ...runtime.files.json_object import read_json
from .cases import Case, Outcome, Row, case_of
from .run import Worker, version

if TYPE_CHECKING:
    from distributed import Client

_SECONDS = 10
"""Longest wait for the scheduler, and for a first worker, in seconds."""


def run_on_cluster(
    cases: Sequence[Case], address: str, time_limit: float
) -> Generator[Row, None, None]:
    """Run cases on a cluster and yield their rows as they end.

    `address` is that of the scheduler, as `tcp://host:8786`, or a file that the scheduler wrote
    with it. HtpError where distributed is not installed, nobody answers, there is no worker, or the
    workers have another version of the project. A case runs in a process beside its worker, so one
    that dies, or takes more than `time_limit` seconds, is a fault and the worker lives on. A worker
    that dies all the same is one only after others died of the case too, as often as Dask allows.
    """
    client = _client(address)
    from distributed import as_completed

    try:
        _check_workers(client, address)
        futures = {
            client.submit(_run_beside, case.text(), time_limit, key=key, pure=False): case
            for key, case in ((f"htp-sweep-{case.key}", case) for case in cases)
        }
        for future in as_completed(futures, loop=client.loop):
            error = future.exception()
            if error is None:
                outcome = Outcome.read(future.result())
            else:
                problem = f"{type(error).__name__}: {error}".partition("\n")[0]
                remedy = "look at the logs of the workers, or run the command alone"
                outcome = Outcome.fault(fail(futures[future].command, problem, remedy))
            yield Row(futures[future], outcome)
            future.release()
    finally:
        client.close()


def _run_beside(text: str, time_limit: float) -> str:
    """Run the case in a text beside this worker, and return the text of its outcome."""
    worker, _ = _beside(get_ident(), time_limit)
    return worker.run(case_of(text)).text()


@cache
def _beside(thread: int, time_limit: float) -> tuple[Worker, TemporaryDirectory[str]]:
    """Return the process beside a thread of this worker; it ends with the worker."""
    folder = TemporaryDirectory(prefix=f"htp-sweep-{thread}-")
    return Worker(Path(folder.name, "errors"), time_limit), folder


def _client(address: str) -> Client:
    if importlib.util.find_spec("distributed") is None:
        raise fail("--cluster", "distributed is not installed", "pip install 'htp-mlir[sweep]'")
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port

    target, in_file = address, "://" not in address
    remedy = "write tcp://HOST:PORT, or the file of dask scheduler --scheduler-file FILE"
    if in_file and not Path(address).is_file():
        raise fail(f"--cluster '{address}'", "is no address, and no such file", remedy)
    if in_file:
        target = read_json(address, remedy).text("address")
    try:
        # A client that fails at this waits for itself when it is collected.
        get_address_host_port(target)
        return Client(target, timeout=_SECONDS, set_as_default=False)
    except (OSError, ValueError, KeyError, TypeError) as error:
        problem = f"no scheduler answers: {str(error).partition(chr(10))[0]}"
        raise fail(f"--cluster '{address}'", problem, "start one by `dask scheduler`") from error


def _check_workers(client: Client, address: str) -> None:
    where = f"--cluster '{address}'"
    try:
        client.wait_for_workers(1, timeout=_SECONDS)
    except TimeoutError as error:
        raise fail(where, "has no worker", "start one by `dask worker ADDRESS`") from error
    remedy = f"install htp-mlir {VERSION} where the workers run"
    try:
        versions = set(client.run(version).values())
    except ImportError as error:
        raise fail(where, f"a worker has no htp-mlir: {error}", remedy) from error
    if others := versions - {VERSION}:
        raise fail(where, f"a worker has htp-mlir {others.pop()}, not {VERSION}", remedy)
