"""Arrays from and to .npz and .npy files: no pickle."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from io import BytesIO
from math import prod
from os import SEEK_END
from pathlib import Path
from typing import IO
from warnings import catch_warnings
from zipfile import ZipExtFile, ZipFile, is_zipfile

import numpy as np

from ...dialects.diagnostics import CHECK_PATH, HtpError, fail
from ..functions.support.arrays import Array
from .atomic import write_bytes
from .budget import afford

_REMEDY = "give an .npz file as numpy.savez writes it"
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def read_npz(path: str | Path) -> dict[str, Array]:
    """Read the arrays of an .npz file by name; HtpError where it is none or has pickled objects."""
    with _reading(path, "cannot be read as arrays", _REMEDY) as stream:
        if not is_zipfile(stream):
            _sized(stream)
            raise fail(str(path), "holds one array without a name", _REMEDY)
        archive, own = ZipFile(stream), stream.seek(0, SEEK_END)
        with archive:
            members = archive.infolist()
            afford(str(path), sum(member.file_size for member in members), own)
            afford(str(path), sum(_sized(archive.open(member)) for member in members), own)
        stream.seek(0)
        content = np.load(stream, allow_pickle=False)
        return {name: content[name] for name in content.files}


def read_npy(path: str | Path) -> Array:
    """Read the array of an .npy file; HtpError where it is none or has pickled objects."""
    remedy = "give an .npy file as numpy.save writes it"
    with _reading(path, "cannot be read as an array", remedy) as stream:
        if is_zipfile(stream):
            raise fail(str(path), "holds several arrays", remedy)
        stream.seek(0)
        afford(str(path), _sized(stream), Path(path).stat().st_size)
        stream.seek(0)
        content: Array = np.load(stream, allow_pickle=False)
        return content


@contextmanager
def _reading(path: str | Path, problem: str, remedy: str) -> Iterator[IO[bytes]]:
    """Open a file of arrays; every error of reading becomes an HtpError."""
    if Path(path).exists() and not Path(path).is_file():
        raise fail(str(path), "is not a file", remedy)
    try:
        # numpy warns that headers of Python 2 are slow to parse; they are taken like others.
        with catch_warnings(action="ignore", category=UserWarning), open(path, "rb") as stream:
            yield stream
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), CHECK_PATH) from error
    except HtpError:
        raise
    # Archives, codecs and headers have their own errors; a header goes through Python's tokenizer.
    except Exception as error:
        raise fail(str(path), problem, remedy) from error


def _sized(stream: IO[bytes]) -> int:
    """Read the header of an array alone: the bytes that the whole takes."""
    with stream if isinstance(stream, ZipExtFile) else nullcontext():
        read = _HEADERS.get(np.lib.format.read_magic(stream))
        if read is None:
            raise ValueError("another version of the format")
        shape, _, dtype = read(stream)
        return prod(shape) * dtype.itemsize


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
