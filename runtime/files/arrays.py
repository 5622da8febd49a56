"""Arrays from and to files: .npz and .npy without pickle, and raw little-endian numbers.

Raw files are those that the vendor's runner takes and writes. A line of an input list is one
inference: `name:=path` for each input, or a path alone for the only one. The results of inference N
are `Result_N/NAME.raw`. Numbers are f32 on disk, also those of quantised tensors and integers; a
file of another size that fits the tensor's own type is of that, and so is one of i32 that has no
whole numbers as f32.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from io import BytesIO
from math import prod
from os import SEEK_END
from pathlib import Path
from textwrap import shorten
from typing import IO
from warnings import catch_warnings
from zipfile import ZipExtFile, ZipFile, is_zipfile

import numpy as np

from ...dialects.diagnostics import CHECK_PATH, HtpError, fail
from ...dialects.value import DType, TensorSpec
from ..functions.quantize import cast, dequantize, quantize
from ..functions.support.arrays import Array
from .atomic import write_bytes, write_files
from .budget import afford, read_text

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


LIST = ".txt"
"""The suffix of a list."""
Specs = Mapping[str, TensorSpec]
_FORM = "write name:=path for each input, with a blank between"


def read_input_list(path: str | Path, specs: Specs) -> dict[str, Array]:
    """Read the inputs of all inferences, stacked along a leading axis, as stored values.

    Paths go from the working folder, else from that of the list. HtpError names the line.
    """
    steps: dict[str, list[tuple[Path, str]]] = {name: [] for name in specs}
    lines = [line.split() for line in read_text(path).splitlines()]
    for number, words in enumerate(lines, 1):
        where = f"{path}:{number}"
        # Such a line names the outputs that the runner is to write.
        if not words or words[0].startswith(("#", "%")):
            continue
        parts = (word.rpartition(":=") for word in words)
        pairs = [(name or next(iter(specs), ""), file) for name, _, file in parts]
        files = dict(pairs)
        known = {name: _find(name, files) for name in specs}
        if len(files) < len(words) or len(files) != len(specs) or "" in known.values():
            some = (name if file else f"{name} without a path" for name, file in pairs)
            named = shorten(", ".join(some), 200, placeholder=" ...")
            raise fail(where, f"names {named}; the inputs are {', '.join(specs)}", _FORM)
        for name, file in known.items():
            beside = Path(path).parent / file
            own = Path(file) if Path(file).exists() else beside
            steps[name].append((own, where))
    if not any(steps.values()):
        raise fail(str(path), "lists no inference", _FORM)
    # What makes a list larger than its files is a file that is named again.
    again = {name: len(files) - len(dict(files)) for name, files in steps.items()}
    afford(str(path), sum(specs[name].nbytes * count for name, count in again.items()))
    return {
        name: np.stack([_read(file, specs[name], where) for file, where in files])
        for name, files in steps.items()
    }


def _find(name: str, files: Mapping[str, str]) -> str:
    """Return the file of a tensor, whose name the runner may have made plain; empty without one."""
    plain = re.sub(r"\W", "_", name)
    return files.get(name) or files.get(plain) or files.get(plain.strip("_"), "")


def _read(path: Path, spec: TensorSpec, where: str) -> Array:
    """Read a tensor as stored values."""
    own, quant = spec.dtype.storage.newbyteorder("<"), spec.quant
    try:
        size, wanted = path.stat().st_size, 4 * spec.elements
        if size not in (wanted, spec.nbytes) and not path.is_dir():
            shape = "x".join(map(str, spec.shape))
            problem = f"{path} has {size} bytes, {shape} takes {wanted} as f32"
            types = "f32" if spec.dtype is DType.Float32 else f"f32, or of {own.name}"
            raise fail(where, problem, f"give a file of {types}")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise fail(f"{where}: {path}", reason or str(error), CHECK_PATH) from error
    array = np.frombuffer(data, "<f4" if size == wanted else own).reshape(spec.shape)
    if size == wanted == spec.nbytes and own.kind in "iu" and quant is None:
        with np.errstate(invalid="ignore"):
            is_whole = bool((array % 1 == 0).all())
        array = array if is_whole else array.view(own)
    if array.dtype == own:
        return array.astype(spec.dtype.storage)
    if quant is None:
        return cast(array, spec.dtype.storage)
    return quantize(array, quant.scales, quant.zero_points, spec.dtype.storage, quant.axis)


def write_results(folder: str | Path, outputs: Mapping[str, Array], specs: Specs) -> None:
    """Write the stacked outputs of all inferences as f32; one that did not run has no file."""
    files: dict[str | Path, list[bytes]] = {}
    for name, spec in specs.items():
        ran = outputs.get(f"{name}.ran", np.ones(len(outputs[name]), bool))
        for step, array in zip(np.flatnonzero(ran), outputs[name], strict=True):
            plain = re.sub(r"[^\w.-]", "_", name)
            path = Path(folder) / f"Result_{step}" / f"{plain}.raw"
            files[path] = [_reals(array, spec).astype("<f4").tobytes()]
    try:
        for file in files:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise fail(str(folder), error.strerror or str(error), "name a folder with -o") from error
    write_files(files)


def _reals(array: Array, spec: TensorSpec) -> Array:
    quant = spec.quant
    if quant is None:
        return array
    return dequantize(array, quant.scales, quant.zero_points, quant.axis)


def read_results(folder: str | Path, specs: Specs) -> dict[str, Array]:
    """Read the results that are in a folder, stacked by inference, as real numbers."""
    results: dict[str, Array] = {}
    for name, spec in specs.items():
        step, arrays = 0, []
        while (own := Path(folder) / f"Result_{step}").is_dir():
            files = {file.stem.removesuffix("_native"): str(file) for file in own.glob("*.raw")}
            if file := _find(name, files):
                arrays.append(_reals(_read(Path(file), spec, name), spec))
            step += 1
        if arrays:
            results[name] = np.stack(arrays)
    if not results:
        problem = f"has no Result_0 with a file of {', '.join(specs)}"
        raise fail(str(folder), problem, "name the folder that the runner wrote")
    return results
