"""Arrays from and to .npz files: no pickle."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import numpy as np

from ..dialects.diagnostics import fail
from .atomic import write_bytes
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
