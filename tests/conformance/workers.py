"""Work in processes of their own, so that one that hangs or dies costs one item.

Each process gets an item, by its index, and answers; a process that does not answer in time is
ended and another takes its place. Processes are forked, so work and items need not be pickled.
"""

from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Generic, TypeVar

R = TypeVar("R")


class _Worker(Generic[R]):
    """A process, the item that it works on, and the time until which it may."""

    def __init__(self, work: Callable[[int], R]) -> None:
        fork = get_context("fork")
        self.pipe, theirs = fork.Pipe()
        self.process = fork.Process(target=_serve, args=(work, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.index = -1
        self.until = 0.0

    def ask(self, index: int, seconds: float) -> None:
        self.index, self.until = index, monotonic() + seconds
        self.pipe.send(index)

    def answer(self) -> R:
        """Return the result; EOFError in words where there is none."""
        if not self.pipe.poll():
            raise EOFError("it takes too long")
        try:
            result: R = self.pipe.recv()
        except (EOFError, ConnectionError) as error:
            self.process.join()
            raise EOFError(f"its process died, exit code {self.process.exitcode}") from error
        return result

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def work_through(
    work: Callable[[int], R],
    count: int,
    *,
    jobs: int,
    seconds: float,
    lost: Callable[[int, str], R],
) -> Iterator[R]:
    """Yield the results of the items 0 to `count`, as they come.

    `lost` makes the result of an item whose process died or took more than `seconds`.
    """
    indices = iter(range(count))
    idle: list[_Worker[R]] = []
    busy: list[_Worker[R]] = []
    try:
        while True:
            while len(busy) < jobs and (index := next(indices, None)) is not None:
                worker = idle.pop() if idle else _Worker(work)
                busy.append(worker)
                worker.ask(index, seconds)
            if not busy:
                return
            wait([w.pipe for w in busy], max(0.0, min(w.until for w in busy) - monotonic()))
            for worker in [w for w in busy if w.pipe.poll() or monotonic() >= w.until]:
                busy.remove(worker)
                try:
                    result = worker.answer()
                    idle.append(worker)
                except EOFError as error:
                    worker.end()
                    result = lost(worker.index, str(error))
                yield result
    finally:
        for worker in (*busy, *idle):
            worker.end()


def _serve(work: Callable[[int], R], pipe: Connection) -> None:
    while True:
        pipe.send(work(pipe.recv()))
