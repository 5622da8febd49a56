"""The data of a file in the place of the handles in a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import numpy as np
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
)

from ....dialects.attributes import ATTRIBUTES, RESOURCES
from ....dialects.diagnostics import fail
from ....dialects.text.parser import Handle
from ....dialects.text.printer import ELIDED
from ...files.safetensors import TensorFile, map_tensors
from ..flags import own_constants
from .resources import stored_as

_AGAIN = "give the file that was written with the text"


def attach(
    module: ModuleOp, handles: Sequence[Handle], name: str, file: str | Path | None = None
) -> None:
    """Put the data of a file in the place of the handles of a module that was parsed.

    `name` is that of the text, where paths begin; `file` replaces the file that the text names.
    HtpError where a constant cannot be had just as it was written.
    """
    note = _take_note(module, name)
    if not handles:
        if file is not None and note is None:
            raise own_constants(file)
        return
    if elided := [handle for handle in handles if handle.name == ELIDED]:
        problem = f"the data of {len(elided)} constants was left out by --elide-constants"
        raise fail(name, problem, "print the module with --resources FILE, or without either")
    if file is None and note is None:
        problem = "it has constants by handle, and names no file with their data"
        raise fail(name, problem, "name the file by --resources-from FILE")
    path = _path_of(note or {}, name) if file is None else Path(file)
    tensors = map_tensors(path)
    if note and note["sha256"] != tensors.digest:
        problem = f"is not the file that {name} was written with; its sha256 differs"
        raise fail(str(path), problem, _AGAIN)
    _replace(module, {id(each.stand_in): _data(each, tensors, path) for each in handles}, name)


def _take_note(module: ModuleOp, name: str) -> Mapping[str, str] | None:
    """Take the note of a file off a module: its path from the text, and its digest."""
    note, form = module.attributes.pop(RESOURCES, None), ATTRIBUTES[RESOURCES]
    if note is None:
        return None
    if not isinstance(note, DictionaryAttr) or not form.fits(note):
        raise fail(name, f"attribute '{RESOURCES}' is {note}", f"it must be {form.words}")
    return {key: text.data for key, text in note.data.items() if isinstance(text, StringAttr)}


def _path_of(note: Mapping[str, str], name: str) -> Path:
    folder = Path(name).parent
    path = folder / note["file"]
    if not path.resolve().is_relative_to(folder.resolve()):
        problem = f"names '{note['file']}' for its constants, which is not inside its folder"
        raise fail(name, problem, f"give --resources-from {path} if that is the file")
    if not path.is_file():
        remedy = f"put it where {name} names it, or name it by --resources-from FILE"
        raise fail(str(path), "no such file; it has the constants", remedy)
    return path


def _data(handle: Handle, file: TensorFile, path: Path) -> DenseIntOrFPElementsAttr:
    """Return the tensor of a handle; HtpError where it is another than the text says."""
    type_ = handle.stand_in.type
    tensor = file.tensors.get(handle.name)
    if tensor is None:
        raise fail(str(path), f"has no tensor '{handle.name}'", _AGAIN)
    if (tensor.dtype, tensor.shape) != (stored_as(handle.stand_in), type_.get_shape()):
        stored = f"{'x'.join(map(str, tensor.shape))} of {tensor.dtype}"
        raise fail(str(path), f"'{handle.name}' is {stored}, the text has {type_}", _AGAIN)
    data = tensor.data
    if tensor.dtype == "BOOL":
        data = np.where(np.frombuffer(data, np.bool_), np.uint8(255), np.uint8(0)).tobytes()
    # A view of the mapped file does all that is asked of bytes, and copies nothing.
    return DenseIntOrFPElementsAttr(type_, BytesAttr(cast(bytes, data)))


def _replace(module: ModuleOp, data: Mapping[int, DenseIntOrFPElementsAttr], name: str) -> None:
    """Replace the stand-ins, by their identity; HtpError where one is inside another attribute."""
    placed: set[int] = set()
    for op in module.walk():
        for table in (op.properties, op.attributes):
            here = {key: id(value) for key, value in table.items() if id(value) in data}
            table.update({key: data[stand_in] for key, stand_in in here.items()})
            placed.update(here.values())
    if placed != data.keys():
        raise fail(name, "a handle stands where no constant may", "write the data there instead")
