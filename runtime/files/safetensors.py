"""Tensors by name in one file, in the safetensors format, which is mapped and not read.

Eight bytes give the length of a header in JSON, lowest first; the header gives the dtype, the shape
and the place of each tensor in the bytes that follow, which have no gaps. Tensors of wide elements
come first, so that each lies at a multiple of its element's size.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from math import prod
from mmap import ACCESS_READ, mmap
from pathlib import Path

from ...dialects.diagnostics import HtpError, fail

SIZES = {
    **{"F64": 8, "I64": 8, "U64": 8, "F32": 4, "I32": 4, "U32": 4},
    **{"F16": 2, "BF16": 2, "I16": 2, "U16": 2, "I8": 1, "U8": 1, "BOOL": 1},
    **dict.fromkeys(("F8_E4M3", "F8_E5M2", "F8_E8M0"), 1),
}
"""The dtypes and the bytes of one element of each."""

_LENGTH = 8
_ALIGNMENT = 64
_AGAIN = "copy the file again, or write it again with its text"


@dataclass(frozen=True)
class StoredTensor:
    """A tensor as it is stored: one of `SIZES`, its dims, its bytes in the order of the dims."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes | memoryview


@dataclass(frozen=True)
class TensorFile:
    """The tensors of a file by name, and the digest of its bytes."""

    tensors: Mapping[str, StoredTensor]
    digest: str


def encode(tensors: Mapping[str, StoredTensor]) -> list[bytes | memoryview]:
    """Return the parts of a file that holds these tensors."""
    ordered = sorted(tensors.items(), key=lambda item: -SIZES[item[1].dtype])
    header: dict[str, object] = {}
    end = 0
    for name, tensor in ordered:
        begin, end = end, end + len(tensor.data)
        offsets = [begin, end]
        header[name] = {"dtype": tensor.dtype, "shape": tensor.shape, "data_offsets": offsets}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + _LENGTH) % _ALIGNMENT)
    return [len(text).to_bytes(_LENGTH, "little"), text, *(tensor.data for _, tensor in ordered)]


def digest_of(parts: list[bytes | memoryview]) -> str:
    """Return the sha256 of parts one after the other."""
    digest = sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def map_tensors(path: Path) -> TensorFile:
    """Map the tensors of a file into memory; HtpError where it is missing, cut off or damaged."""
    try:
        with open(path, "rb") as stream:
            size = stream.seek(0, 2)
            content = memoryview(mmap(stream.fileno(), 0, access=ACCESS_READ) if size else b"")
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), _AGAIN) from error
    try:
        tensors = dict(_tensors(content, path))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        problem = "is no safetensors file, or its header is damaged"
        raise fail(str(path), problem, _AGAIN) from error
    return TensorFile(tensors, sha256(content).hexdigest())


def _tensors(content: memoryview, path: Path) -> Iterator[tuple[str, StoredTensor]]:
    length = int.from_bytes(content[:_LENGTH], "little")
    if len(content) < _LENGTH + length:
        raise _cut_off(path, len(content), _LENGTH + length)
    header = json.loads(
        bytes(content[_LENGTH : _LENGTH + length]),
        object_pairs_hook=lambda pairs: _once(pairs, path),
    )
    data = content[_LENGTH + length :]
    header.pop("__metadata__", None)
    places: list[tuple[int, int]] = []
    for name, entry in header.items():
        (begin, end), size = entry["data_offsets"], SIZES[entry["dtype"]]
        shape = tuple(entry["shape"])
        if not all(type(n) is int and n >= 0 for n in (begin, end, *shape)):
            raise ValueError(name)
        if end - begin != prod(shape) * size or begin % size:
            raise ValueError(name)
        if end > len(data):
            raise _cut_off(path, len(content), _LENGTH + length + end)
        places.append((begin, end))
        yield name, StoredTensor(entry["dtype"], shape, data[begin:end])

    if any(one[1] > other[0] for one, other in pairwise(sorted(places))):
        raise ValueError("overlap")


def _once(pairs: list[tuple[str, object]], path: Path) -> dict[str, object]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise fail(str(path), f"names '{twice}' twice", "write it again, each name once")
    return entries


def _cut_off(path: Path, size: int, least: int) -> HtpError:
    return fail(str(path), f"is cut off: it has {size} bytes, its header asks for {least}", _AGAIN)
