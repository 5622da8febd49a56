"""Arrays from and to .npz files: no pickle, and a failed write leaves the old file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import numpy as np

from ..dialects.diagnostics import fail
from .functions.arrays import Array


def read_npz(path: str | Path) -> dict[str, Array]:
    """The arrays of an .npz file by name; HtpError where it is none or holds pickled objects."""
    remedy = "give an .npz file as numpy.savez writes it"
    try:
        with np.load(path, allow_pickle=False) as held:
            if not isinstance(held, np.lib.npyio.NpzFile):
                raise fail(str(path), "holds one array without a name", remedy)
            return {name: held[name] for name in held.files}
    except FileNotFoundError as error:
        raise fail(str(path), "no such file") from error
    except (ValueError, EOFError, BadZipFile, KeyError) as error:
        raise fail(str(path), "cannot be read as arrays", remedy) from error


def write_npz(path: str | Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays by name. Unlike numpy.savez it takes any name, `file` too."""
    memory = BytesIO()
    with ZipFile(memory, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, np.asarray(array), allow_pickle=False)
    write_bytes(path, memory.getvalue())


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file through a temporary one beside it, so that it is whole or as it was."""
    target = Path(path)
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
