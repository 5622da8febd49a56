"""The journal of a sweep: each outcome on a line of a file, on the disk before the next one."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ...dialects.diagnostics import fail
from .outcome import Outcome, Row


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
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                remedy = "delete the file to begin anew"
                raise fail(f"{path}:{number}", "is no line of a journal", remedy) from error
        stream.truncate(whole)
        stream.seek(whole)

    def add(self, row: Row) -> None:
        """Write an outcome to the disk."""
        # First of all: Ctrl-C may come as soon as the disk has it, and then the table needs it.
        key = row.case.key
        self.outcomes[key] = row.outcome
        case, outcome = json.loads(row.case.text()), json.loads(row.outcome.text())
        line = json.dumps({"key": key, "case": case, "outcome": outcome})
        self._stream.write(f"{line}\n".encode())
        self._stream.flush()
        os.fsync(self._stream.fileno())


@contextmanager
def journal_at(path: Path) -> Iterator[Journal]:
    """Open the journal in a file for this process alone; HtpError where another one has it."""
    try:
        stream = path.open("r+b" if path.exists() else "w+b")
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), "name a file to write") from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            remedy = "wait for it, or name another output"
            raise fail(str(path), "another sweep is writing it", remedy) from error
        yield Journal(stream, path)
