"""The data of static tensors: from the archive beside the graph, else random numbers.

The archive is a tar with one raw little-endian file for each tensor, `NAME.raw`, as the converter's
documentation says; none was at hand to try.
"""

from __future__ import annotations

import mmap
import tarfile
from collections.abc import Mapping
from pathlib import Path
from zlib import crc32

import numpy as np

from ....dialects.dense import Array
from ....dialects.diagnostics import CHECK_PATH, Fault, HtpError, fail
from ....dialects.value.dtypes import integer_bounds
from ....dialects.value.spec import TensorSpec
from ....runtime.files.budget import afford

_REMEDY = "give the archive that the converter wrote with the graph, or take it away"


def archive_beside(path: Path, stated: str) -> Path | None:
    """Return the archive of a graph: of the name that it states, or of its own; None without one.

    Only the folder of the graph is looked at.
    """
    names = [stated.replace("\\", "/").rpartition("/")[2], f"{path.stem.removesuffix('_net')}.bin"]
    beside = [path.with_name(name) for name in names if name not in ("", ".", "..")]
    return next((each for each in beside if each.is_file()), None)


def read_archive(path: Path, specs: Mapping[str, TensorSpec]) -> dict[str, Array]:
    """Return views of the data of tensors; HtpError lists those that are absent or do not fit."""
    try:
        with path.open("rb") as file, tarfile.open(fileobj=file, mode="r:") as archive:
            places = {
                Path(member.name).name.removesuffix(".raw"): (member.offset_data, member.size)
                for member in archive
                if member.isreg()
            }
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), CHECK_PATH) from error
    except (tarfile.TarError, ValueError) as error:
        raise fail(str(path), "is not a tar archive of raw files", _REMEDY) from error
    arrays, faults = dict[str, Array](), list[Fault]()
    for name, spec in specs.items():
        start, size = places.get(name, (0, -1))
        if size != spec.nbytes or start + size > len(data):
            problem = "is absent" if size < 0 else f"has {size} bytes, not {spec.nbytes}"
            faults.append(Fault(f"{path}: tensor '{name}'", problem, _REMEDY))
            continue
        flat = np.frombuffer(data[start : start + size], spec.dtype.storage.newbyteorder("<"))
        arrays[name] = flat.reshape(spec.shape)
    if faults:
        raise HtpError(*faults)
    return arrays


def random_data(specs: Mapping[str, TensorSpec], where: str) -> dict[str, Array]:
    """Return random data for tensors, the same each time; integers that are not quantised are 0.

    Floats are small, so that sums over thousands of them stay in range.
    """
    afford(where, sum(spec.nbytes for spec in specs.values()))
    return {name: _random(name, spec) for name, spec in specs.items()}


def _random(name: str, spec: TensorSpec) -> Array:
    generator, storage = np.random.default_rng(crc32(name.encode())), spec.dtype.storage
    if spec.dtype.is_float:
        numbers = generator.standard_normal(spec.shape, np.float32)
        return (numbers * np.float32(0.05)).astype(storage)
    if spec.quant is None:
        return np.zeros(spec.shape, storage)
    low, high = integer_bounds(storage)
    if spec.quant.low is not None and spec.quant.high is not None:
        low, high = spec.quant.low, spec.quant.high
    return generator.integers(low, high, spec.shape, storage, endpoint=True)
