"""The line on a terminal that follows a run of passes, and what an interrupt says of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..passes import Instrument, instrumented, passes_around
from .tool import Show, progress


@contextmanager
def following() -> Iterator[None]:
    """Show the pass that runs inside the block, and how many are done; an interrupt notes both."""
    with progress() as show, instrumented(Following(show)):
        yield


class Following(Instrument):
    """Shows each pass and pass group, and counts the passes that are done."""

    hears_trials: ClassVar[bool] = True

    def __init__(self, show: Show) -> None:
        self._show = show
        self._done = 0
        self._is_noted = False

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self._show(f"{_count(self._done)}; {_path()}")

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self._done += 1

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        if isinstance(error, KeyboardInterrupt) and not self._is_noted:
            self._is_noted = True
            error.add_note(f"in {_path()}, {_count(self._done)}")

    def group_begins(self, group: str, function: FuncOp) -> None:
        self._show(f"{_count(self._done)}; {_path()}, group {group}")


def _path() -> str:
    return " > ".join(step.name for step in passes_around())


def _count(done: int) -> str:
    return f"{done} pass{'es' * (done != 1)} done"
