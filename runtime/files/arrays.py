"""Arrays from and to .npz and .npy files: no pickle."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import numpy as np

from ...dialects.diagnostics import CHECK_PATH, fail
from ..functions.support.arrays import Array
from .atomic import write_bytes

_REMEDY = "give an .npz file as numpy.savez writes it"
_BROKEN = (ValueError, EOFError, KeyError, RuntimeError, MemoryError, BadZipFile, zlib.error)


def read_npz(path: str | Path) -> dict[str, Array]:
    """Read the arrays of an .npz file by name; HtpError where it is none or has pickled objects."""
    try:
        with open(path, "rb") as stream:
            content = np.load(stream, allow_pickle=False)
            if not isinstance(content, np.lib.npyio.NpzFile):
                raise fail(str(path), "holds one array without a name", _REMEDY)
            return {name: content[name] for name in content.files}
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), CHECK_PATH) from error
    except _BROKEN as error:
        raise fail(str(path), "cannot be read as arrays", _REMEDY) from error


def read_npy(path: str | Path) -> Array:
    """Read the array of an .npy file; HtpError where it is none or has pickled objects."""
    remedy = "give an .npy file as numpy.save writes it"
    try:
        with open(path, "rb") as stream:
            content = np.load(stream, allow_pickle=False)
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), CHECK_PATH) from error
    except _BROKEN as error:
        raise fail(str(path), "cannot be read as an array", remedy) from error
    if not isinstance(content, np.ndarray):
        raise fail(str(path), "holds several arrays", remedy)
    return content


def write_npz(path: str | Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays by name. Unlike numpy.savez it takes any name, `file` too.

    Of a dtype that is not numpy's own the bytes are written, without its name.
    """
    memory = BytesIO()
    with ZipFile(memory, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                plain = array if array.dtype.isbuiltin != 2 else array.view(f"V{array.itemsize}")
                np.lib.format.write_array(stream, plain, allow_pickle=False)
    write_bytes(path, memory.getvalue())
