"""A sweep: the cases that were not done yet are run, and all rows become a table and a plot.

In the journal of a sweep each outcome is a line, on the disk before the next one.
"""

import csv
import fcntl
import importlib.util
import json
import os
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager, suppress
from io import BytesIO, StringIO
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import IO

from ...dialects.diagnostics import HtpError, fail, listed
from ...dialects.faults.arguments import NUMBER, PATH, TEXT, WHOLE, a, arguments, many
from ...runtime.files.atomic import Parts, unwritable, write_files
from ...runtime.tools.tool import progress
from .cases import Case, Cell, Outcome, Row, Status
from .cluster import run_on_cluster
from .plot import plot
from .run import Worker


class Journal:
    """The outcomes of all cases that ever ended, by key; the last one of a case counts."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        self._stream = stream
        self.outcomes: dict[str, Outcome] = {}
        whole = 0
        for number, line in enumerate(stream, 1):
            if not line.endswith(b"\n"):
                break  # The sweep was killed while it wrote this line.
            whole += len(line)
            try:
                entry = json.loads(line)
                self.outcomes[entry["key"]] = Outcome.read(json.dumps(entry["outcome"]))
            except (HtpError, ValueError, TypeError, KeyError, RecursionError) as error:
                remedy = "delete the file to begin anew"
                raise fail(f"{path}:{number}", "is no line of a journal", remedy) from error
        stream.truncate(whole)
        stream.seek(whole)

    def add(self, row: Row) -> None:
        """Write an outcome to the disk; HtpError where it takes no more."""
        # First of all: Ctrl-C may come as soon as the disk has it, and then the table needs it.
        key = row.case.key
        self.outcomes[key] = row.outcome
        case, outcome = json.loads(row.case.text()), json.loads(row.outcome.text())
        line = json.dumps({"key": key, "case": case, "outcome": outcome})
        try:
            self._stream.write(f"{line}\n".encode())
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise unwritable(self._stream.name, error) from error


@contextmanager
def journal_at(path: Path) -> Iterator[Journal]:
    """Open the journal in a file for this process alone; HtpError where another one has it."""
    try:
        stream = path.open("r+b" if path.exists() else "w+b")
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            remedy = "wait for it, or name another output"
            raise fail(str(path), "another sweep is writing it", remedy) from error
        yield Journal(stream, path)
    finally:
        with suppress(OSError):  # Of a line that the disk does not take, which was said.
            stream.close()


_LAST = ("seconds", "problem", "remedy", "command")
"""The columns behind the figures."""
_CSV, _PARQUET = FORMATS = (".csv", ".parquet")
"""The suffixes of tables."""


def _check_format(path: Path) -> None:
    """HtpError for a suffix that no table has, and for Parquet without pyarrow."""
    if path.suffix not in FORMATS:
        remedy = listed(path.suffix, FORMATS)
        raise fail(str(path), f"a table has no suffix '{path.suffix}'", remedy)
    if path.suffix == _PARQUET and importlib.util.find_spec("pyarrow") is None:
        remedy = "pip install 'htp-mlir[sweep]', or write a .csv file"
        raise fail(str(path), "pyarrow is not installed", remedy)


def _csv(columns: Sequence[str], cells: Sequence[dict[str, Cell]]) -> bytes:
    text = StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(cells)
    return text.getvalue().encode()


def _parquet(columns: Sequence[str], cells: Sequence[dict[str, Cell]]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    data = BytesIO()
    table = pyarrow.table({name: [row.get(name) for row in cells] for name in columns})
    parquet.write_table(table, data)
    return data.getvalue()


def run_local(cases: Sequence[Case], jobs: int, time_limit: float) -> Generator[Row, None, None]:
    """Run cases on `jobs` processes and yield their rows as they end; the processes end with it.

    Each worker is a program of its own that reads cases and writes outcomes, so one that dies takes
    only its case with it, and Ctrl-C on the terminal does not reach it.
    `time_limit` is what a case may take, in seconds.
    """
    folder = TemporaryDirectory()
    errors = [Path(folder.name, f"{number}") for number in range(min(jobs, len(cases)))]
    workers = [Worker(path, time_limit) for path in errors]
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def run(case: Case) -> Row:
        worker = idle.get()
        try:
            return Row(case, worker.run(case))
        finally:
            idle.put(worker)

    pool = ThreadPoolExecutor(max(len(workers), 1))
    try:
        for future in as_completed([pool.submit(run, case) for case in cases]):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.close()
        pool.shutdown()
        folder.cleanup()


_HOUR = 3600
"""Seconds that a case may take unless a limit is given."""
_MOST_SECONDS = 10_000_000
"""The longest limit, in seconds: timers count its nanoseconds in 64 bits."""

_CASES = many(a("a case", Case))


@arguments(cases=_CASES, output=PATH, jobs=WHOLE, cluster=TEXT, picture=PATH, time_limit=NUMBER)
def sweep(
    cases: Sequence[Case],
    output: str | Path,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    picture: str | Path | None = None,
    retry: bool = False,
    time_limit: float | None = None,
) -> list[Row]:
    """Run cases and write their table to `output`, a .csv or .parquet file; return the rows.

    They run on `jobs` local processes, as many as there are cores unless given, or on the Dask
    cluster at the address `cluster`. A journal beside the output keeps each outcome as it comes;
    cases that it has are not run again, those that failed only with `retry`. A case that
    fails is a row, and so is one that takes more than `time_limit` seconds, an hour unless given.
    After Ctrl-C the table has what was done. `picture` is an SVG file for a plot.
    HtpError for an output that cannot be written, and a cluster that cannot be reached.
    """
    path = Path(output)
    _check_format(path)
    limit = _HOUR if time_limit is None else time_limit
    _check_limits(jobs, limit)
    wanted = {case.key: case for case in cases}
    with journal_at(path.with_name(f"{path.name}.journal")) as journal, progress() as show:
        done = journal.outcomes
        left = [case for key, case in wanted.items() if _is_open(done.get(key), retry)]
        try:
            with closing(_rows(left, jobs, cluster, limit)) as rows:
                for number, row in enumerate(rows, 1):
                    journal.add(row)
                    show(f"case {number} of {len(left)}: {row.case.command}")
        finally:
            # Also when Ctrl-C or a lost cluster ends the sweep.
            table = [Row(case, done[key]) for key, case in wanted.items() if key in done]
            if table:
                _write(table, path, picture)
    return table


def _rows(
    cases: Sequence[Case], jobs: int | None, cluster: str | None, seconds: float
) -> Generator[Row, None, None]:
    """Return the rows of cases as they come from a cluster or from local processes."""
    if cluster and cases:
        return run_on_cluster(cases, cluster, seconds)
    return run_local(cases, jobs or os.cpu_count() or 1, seconds)


def _check_limits(jobs: int | None, seconds: float) -> None:
    """HtpError unless there is a process to run on, and a case may take some time."""
    if jobs is not None and jobs < 1:
        raise fail("-j", f"{jobs} processes", "give a number above 0")
    if not 0 < seconds <= _MOST_SECONDS:
        raise fail("--time-limit", f"{seconds} seconds", f"give 1 to {_MOST_SECONDS}")


def _is_open(outcome: Outcome | None, retry: bool) -> bool:
    return outcome is None or (retry and outcome.status is Status.FAULT)


def _write(table: Sequence[Row], path: Path, picture: str | Path | None) -> None:
    """Write the table and the picture, both or none; a figure that a row lacks is an empty cell."""
    cells = [row.cells() for row in table]
    names = dict.fromkeys(name for each in cells for name in each if name not in _LAST)
    written = (_parquet if path.suffix == _PARQUET else _csv)([*names, *_LAST], cells)
    files: dict[str | Path, Parts] = {path: [written]}
    if picture is not None:
        files[picture] = [plot(table).encode()]
    write_files(files)
