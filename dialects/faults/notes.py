"""Notes: what a pass tells the user of a module that it does not refuse."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..diagnostics import Fault

_HEAR: ContextVar[Callable[[Fault], None] | None] = ContextVar("notes", default=None)


def note(fault: Fault) -> None:
    """Print a note to stderr, or give it to who collects notes."""
    hear = _HEAR.get()
    if hear is None:
        print(f"note: {fault.line()}", file=sys.stderr)
    else:
        hear(fault)


@contextmanager
def notes_to(hear: Callable[[Fault], None]) -> Iterator[None]:
    """Give the notes inside the block to a function, and print none."""
    token = _HEAR.set(hear)
    try:
        yield
    finally:
        _HEAR.reset(token)
