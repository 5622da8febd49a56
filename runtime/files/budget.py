"""The budget of an input: how many bytes more than its own size reading it may allocate."""

import sys
from contextlib import nullcontext
from contextvars import ContextVar
from pathlib import Path

from ...dialects.diagnostics import CHECK_PATH, fail
from ...dialects.faults.op_faults import STDIN_NAME

BYTES = "input-bytes"
INPUT_BYTES = 2**30
"""Bytes that an input may make beyond its own; an archive of zeros unpacks to a thousand times."""

budget: ContextVar[int] = ContextVar("budget", default=INPUT_BYTES)
"""The budget in use, in bytes: `budget.set(2**34)` raises it."""


def afford(where: str, nbytes: int, own: int = 0) -> None:
    """Check what an input of `own` bytes makes before it is made; HtpError beyond the budget."""
    if nbytes > budget.get() + own:
        problem = f"takes {nbytes} bytes when it is read; an input may take {budget.get() + own}"
        remedy = f"give --limit {BYTES}={nbytes} if you trust it, or make it smaller"
        raise fail(where, problem, remedy)


def read_bytes(path: str | Path | None = None) -> bytes:
    """Read a file, or stdin; HtpError without a file, or where more comes than it has and may."""
    where = STDIN_NAME if path is None else str(path)
    try:
        with nullcontext(sys.stdin.buffer) if path is None else open(path, "rb") as stream:
            # A device, whose size is 0, may give bytes without end.
            own = 0 if path is None else Path(path).stat().st_size
            data = stream.read(own + budget.get() + 1)
    except OSError as error:
        raise fail(where, error.strerror or str(error), CHECK_PATH) from error
    afford(where, len(data), own)
    return data


def read_text(path: str | Path | None = None) -> str:
    """Read UTF-8 text from a file, or from stdin; HtpError as `read_bytes`, and for other bytes."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = STDIN_NAME if path is None else str(path)
        remedy = "give text, or name the format by its suffix"
        raise fail(where, "is no UTF-8 text", remedy) from error
