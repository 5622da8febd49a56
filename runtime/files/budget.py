"""The budget of an input: the bytes that reading it may make beyond those that it has itself."""

from contextvars import ContextVar
from pathlib import Path

from ...dialects.diagnostics import CHECK_PATH, fail

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


def read_text(path: str | Path) -> str:
    """Read UTF-8 text; HtpError where there is no file, or a device gives more than the budget."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(budget.get() + 1)
        afford(str(path), len(data))
        return data.decode("utf-8-sig")
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), CHECK_PATH) from error
    except UnicodeDecodeError as error:
        raise fail(str(path), "is no text", "give a file of UTF-8 text") from error
