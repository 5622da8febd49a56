"""Cases on processes of this machine.

Each worker is a program of its own that reads cases and writes outcomes, so one that dies takes
only its case with it, and Ctrl-C on the terminal does not reach it.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from ...dialects.diagnostics import fail
from .cases import Case
from .outcome import Outcome, Row

_MODULE = f"{__package__}.worker"


def run_local(cases: Sequence[Case], jobs: int) -> Generator[Row, None, None]:
    """Run cases on `jobs` processes and yield their rows as they end; the processes end with it."""
    folder = TemporaryDirectory()
    workers = [Worker(Path(folder.name, f"{number}")) for number in range(min(jobs, len(cases)))]
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


class Worker:
    """A process that runs one case at a time; after it died, the next case gets a new one.

    `errors` is the file for what it writes to standard error.
    """

    def __init__(self, errors: Path) -> None:
        self._errors = errors
        self._process = _Process(errors)
        self._closed = False

    def run(self, case: Case) -> Outcome:
        """Run a case; a process that dies of it is a fault of the case."""
        answer = self._process.answer(case.text())
        if answer is not None:
            return Outcome.read(answer)
        problem = self._process.death()
        if not self._closed:
            self._process = _Process(self._errors)
        remedy = "run its command alone; give the sweep fewer processes if memory ran out"
        return Outcome.fault(fail(case.command, problem, remedy))

    def close(self) -> None:
        """End the process, also in the middle of a case."""
        self._closed = True
        self._process.end()


class _Process:
    """A running worker program."""

    def __init__(self, errors: Path) -> None:
        self._errors = errors
        with errors.open("wb") as stream:
            self._program = subprocess.Popen(
                [sys.executable, "-m", _MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                text=True,
                start_new_session=True,
            )

    def answer(self, text: str) -> str | None:
        """Send a line and return the line that comes back; None where the program ended."""
        source, sink = self._program.stdin, self._program.stdout
        if source is None or sink is None:
            return None
        try:
            source.write(f"{text}\n")
            source.flush()
        except OSError:
            return None
        answer = sink.readline()
        return answer if answer.endswith("\n") else None

    def death(self) -> str:
        """Describe the end of the program, with the last line that it wrote."""
        status = self._program.wait()
        signals = {number.value: number.name for number in signal.Signals}
        how = signals.get(-status, f"exit status {status}")
        last = self._errors.read_text(errors="replace").strip().rpartition("\n")[2]
        self.end()
        return f"the process ended by {how}{': ' * bool(last)}{last}"

    def end(self) -> None:
        """Kill the program and close its pipes."""
        self._program.kill()
        self._program.wait()
        for stream in (self._program.stdin, self._program.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
