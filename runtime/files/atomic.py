"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ...dialects.diagnostics import fail


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file through a temporary one beside it, so that it is whole or as it was.

    A link is followed; a device or pipe is written directly. HtpError where it cannot be written.
    """
    target = Path(path).resolve()
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), "name a file to write") from error


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _mode(target: Path) -> int:
    """The permissions of the file that is there, else those that a new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
