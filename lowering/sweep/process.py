"""A process that runs cases one at a time, and ends one that takes too long."""

import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from ...dialects.diagnostics import fail
from .cases import Case, Outcome

_MODULE = f"{__package__}.worker"
_INNERMOST = re.compile(r"most recent call first\):\n  (File .*)")
"""The innermost call of a stack, as faulthandler writes it."""


class Worker:
    """A process that runs one case at a time; after it died, the next case gets a new one.

    `errors` is the file for what it writes to standard error, `time_limit` the seconds of wall time
    that a case may take.
    """

    def __init__(self, errors: Path, time_limit: float) -> None:
        self._errors, self._limit = errors, time_limit
        self._process = _Process(errors, time_limit)
        self._closed = False

    def run(self, case: Case) -> Outcome:
        """Run a case; a process that dies of it, or takes too long, is a fault of the case."""
        begin = perf_counter()
        answer = self._process.answer(case.text())
        if answer is not None:
            return Outcome.read(answer)
        problem, remedy = self._process.death(self._limit)
        if not self._closed:
            self._process = _Process(self._errors, self._limit)
        outcome = Outcome.fault(fail(case.command, problem, remedy))
        return replace(outcome, seconds=perf_counter() - begin)

    def close(self) -> None:
        """End the process, also in the middle of a case."""
        self._closed = True
        self._process.end()


class _Process:
    """A running worker program."""

    def __init__(self, errors: Path, time_limit: float) -> None:
        self._errors = errors
        with errors.open("wb") as stream:
            self._program = subprocess.Popen(
                [sys.executable, "-m", _MODULE, str(time_limit)],
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

    def death(self, time_limit: float) -> tuple[str, str]:
        """Describe the end of the program, and what to do."""
        status = self._program.wait()
        wrote = self._errors.read_text(errors="replace").strip()
        self.end()
        if "Timeout (" in wrote:
            # The stack of the thread that ran the case is the last one.
            places = _INNERMOST.findall(wrote)
            where = f"; it was in {places[-1]}" if places else ""
            remedy = "give --time-limit more seconds, or run its command alone"
            return f"the case took more than {time_limit} seconds{where}", remedy
        signals = {number.value: number.name for number in signal.Signals}
        how = signals.get(-status, f"exit status {status}")
        last = wrote.rpartition("\n")[2]
        remedy = "run its command alone; give the sweep fewer processes if memory ran out"
        return f"the process ended by {how}{': ' * bool(last)}{last}", remedy

    def end(self) -> None:
        """Kill the program and close its pipes."""
        self._program.kill()
        self._program.wait()
        for stream in (self._program.stdin, self._program.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
