"""Files written whole or not at all."""

import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path

from ...dialects.diagnostics import HtpError, fail

Parts = Iterable[bytes | memoryview]


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file through a temporary one beside it, so that it is whole or as it was.

    A link is followed; a device or pipe is written directly. HtpError where it cannot be written.
    """
    write_files({path: [data]})


def write_files(files: Mapping[str | Path, Parts]) -> None:
    """Write several files, each in parts; none takes its place before all are on the disk."""
    staged: dict[str, Path] = {}
    path: str | Path = ""
    try:
        for path, parts in files.items():
            target = Path(path).resolve()
            if target.exists() and not target.is_file():
                _write_directly(target, parts)
            else:
                _stage(target, parts, staged)
        for name, target in staged.items():
            os.replace(name, target)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        for name in staged:
            with suppress(FileNotFoundError):
                os.unlink(name)


def unwritable(path: str | Path, error: OSError) -> HtpError:
    """Return the error of a file that cannot be written."""
    full = error.errno in (ENOSPC, EDQUOT, EFBIG)
    remedy = "make room, or name a file elsewhere" if full else "name a file to write"
    return fail(str(path), error.strerror or str(error), remedy)


def _write_directly(target: Path, parts: Parts) -> None:
    with open(target, "wb") as stream:
        stream.writelines(parts)


def _stage(target: Path, parts: Parts, staged: dict[str, Path]) -> None:
    """Write a temporary file beside the target, and note it."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    staged[name] = target
    with os.fdopen(handle, "wb") as stream:
        stream.writelines(parts)
    os.chmod(name, _mode(target))


def _mode(target: Path) -> int:
    """The permissions of the file that is there, else those that a new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
