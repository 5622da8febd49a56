"""Cases on processes of this machine.

Each worker is a program of its own that reads cases and writes outcomes, so one that dies takes
only its case with it, and Ctrl-C on the terminal does not reach it.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from .cases import Case
from .outcome import Row
from .process import Worker


def run_local(cases: Sequence[Case], jobs: int, time_limit: float) -> Generator[Row, None, None]:
    """Run cases on `jobs` processes and yield their rows as they end; the processes end with it.

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
