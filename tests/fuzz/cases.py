"""One case of a fuzzer, bounded in time and memory, and the command that repeats it."""

import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from htp_mlir.dialects.diagnostics import HtpError

SECONDS = 10
"""A case that takes more time of the processor has failed: most take a hundredth of a second."""

MEBIBYTES = 1024
"""A case that takes more memory has failed."""

_LINES = 12

Case = Callable[[int], None]
"""Makes the input of a seed and uses it; HtpError where the input is refused."""


class TooSlow(BaseException):
    """Raised inside a case that takes too long; nothing that catches Exception stops it."""


@dataclass(frozen=True)
class Failure:
    """A case that was neither right nor refused in words."""

    fuzzer: str
    seed: int
    problem: str

    def __str__(self) -> str:
        repeat = f".venv/bin/python -m tests.fuzz {self.fuzzer} --seed {self.seed}"
        return f"{self.fuzzer}, seed {self.seed}; repeat it with\n  {repeat}\n{self.problem}"


@dataclass(frozen=True)
class Outcome:
    """The end of a case: taken, refused in words, or a failure."""

    refused: bool = False
    failure: Failure | None = None


def run_case(fuzzer: str, case: Case, seed: int) -> Outcome:
    """Run one case in this process."""
    # From here on the peak is that of this case, and not of one before it.
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    before = peak_mebibytes()
    try:
        with _limited(SECONDS):
            case(seed)
        outcome = Outcome()
    except HtpError as error:
        lines = error.lines()
        wrong = not 2 <= len(lines) <= _LINES or any("\n" in line for line in lines)
        outcome = _failed(fuzzer, seed, "\n".join(lines)) if wrong else Outcome(refused=True)
    except (Exception, TooSlow):
        outcome = _failed(fuzzer, seed, traceback.format_exc(limit=-8))
    grown = peak_mebibytes() - before
    if outcome.failure is None and grown > MEBIBYTES:
        return _failed(fuzzer, seed, f"it took {grown} MiB of memory")
    return outcome


def _failed(fuzzer: str, seed: int, problem: str) -> Outcome:
    return Outcome(failure=Failure(fuzzer, seed, problem))


def peak_mebibytes() -> int:
    """Return the most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise TooSlow(f"still running after {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
