"""Models from files: IR text with the file of its large constants, and the formats of frontends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from io import StringIO
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.utils.exceptions import ParseError, VerifyException

from ...dialects.attributes import ATTRIBUTES, RESOURCES
from ...dialects.diagnostics import CHECK_PATH, HtpError, fail
from ...dialects.faults.arguments import CONSTANTS, CONTEXT, DIMS, MODULE, PATH, WHOLE, arguments
from ...dialects.faults.arguments import TEXT as TEXT_KIND
from ...dialects.text.parser import Handle
from ...dialects.text.printer import ELIDED, LONGEST_LIST, ModulePrinter, is_splat
from ..files.atomic import write_bytes, write_files
from ..files.budget import read_text
from ..files.safetensors import StoredTensor, TensorFile, digest_of, encode, map_tensors
from ..installed.environment import installed
from ..installed.plugins import Plugin, plugins
from .errors import explain
from .flags import own_constants, refuse_one_file
from .source import check_text, verify_outside_in

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

TEXT = "mlir"
GROUP = "htp_mlir.frontends"
"""Entry points of this group read a format: the name is the suffix, the value a function."""

Frontend = Callable[..., ModuleOp]
"""Called with the path, and options by keyword; raises HtpError."""


@arguments(path=PATH, dims=DIMS, constants=CONSTANTS, ctx=CONTEXT, resources=PATH)
def load_module(
    path: str | Path,
    *,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    ctx: Context | None = None,
    resources: str | Path | None = None,
    fallback: bool = False,
) -> ModuleOp:
    """Load the verified module in a file: `.mlir` text, or a format that a frontend reads.

    `dims` gives symbolic dims of a model their sizes, `constants` fixes inputs by name, `ctx` has
    the dialects and packages in use beyond the installed ones, `resources` is the file with the
    large constants of a text that is elsewhere than the text says; `fallback` keeps ops that
    nothing converts, where a format has such. HtpError where a file is missing, its suffix is
    unknown, or what it holds is not valid.
    """
    path = Path(path)
    suffix = path.suffix.lstrip(".").lower()
    if suffix == TEXT:
        refuse_fixed(dims, constants)
        if not path.exists():
            raise fail(str(path), "no such file", CHECK_PATH)
        return parse_module(read_text(path), str(path), ctx, resources)
    if resources is not None:
        raise own_constants(resources)
    return load_with_frontend(
        suffix, path, dims=dims, constants=constants, ctx=ctx, fallback=fallback
    )


def refuse_fixed(dims: Mapping[str, int] | None, constants: Mapping[str, ArrayLike] | None) -> None:
    """HtpError where dims or inputs of a text are to be fixed, which has none that are open."""
    flags = (("--dim", dims, "symbolic dims"), ("--const", constants, "inputs to fix"))
    for flag, named, absent in flags:
        if named:
            problem = f"'{next(iter(named))}' is given, and text has no {absent}"
            raise fail(flag, problem, "leave it out")


def load_with_frontend(
    suffix: str,
    path: str | Path,
    *,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    ctx: Context | None = None,
    fallback: bool = False,
) -> ModuleOp:
    """Load a file with the frontend of this suffix.

    It gets `dims`, `constants`, `fallback` and `ctx`, the context with the packages in use, where
    they are given. HtpError for a fallback that it does not have.
    """
    known = frontends()
    if suffix not in known:
        raise unknown_suffix(path, [TEXT, *known])
    if not Path(path).is_file():
        raise fail(str(path), "no such file", CHECK_PATH)
    frontend = known[suffix].load(_frontend)
    if fallback and "fallback" not in signature(frontend).parameters:
        raise fail("--fallback", f"a .{suffix} file has no ops that can be kept", "leave it out")
    options: dict[str, object] = {"dims": dims or None, "constants": constants or None, "ctx": ctx}
    options |= {"fallback": True} if fallback else {}
    return frontend(Path(path), **{k: v for k, v in options.items() if v is not None})


def unknown_suffix(path: str | Path, known: Iterable[str], otherwise: str = "") -> HtpError:
    """Make the error for a file of a format that nothing reads, or of none by its name."""
    names = ", ".join(f".{name}" for name in sorted(known))
    path, also = Path(path), f", or say {otherwise}" if otherwise else ""
    if path.is_dir():
        return fail(str(path), "is a folder", f"name a file in it; known are {names}")
    if not path.suffix:
        problem = "has no suffix, which tells the format"
        return fail(str(path), problem, f"rename it, known are {names}{also}")
    return fail(str(path), f"has the unknown suffix '{path.suffix}'", f"known are {names}")


def frontends() -> dict[str, Plugin]:
    """List the installed frontends by suffix, our own first; none is imported."""
    return {plugin.entry.name: plugin for plugin in reversed(plugins(GROUP))}


def _frontend(name: str, value: Any) -> Frontend:
    if not callable(value):
        raise fail(f"frontend '{name}'", f"{value!r} is no function", "name a function of a path")
    return cast(Frontend, value)


@arguments(text=TEXT_KIND, name=TEXT_KIND, ctx=CONTEXT, resources=PATH)
def parse_module(
    text: str,
    name: str = "<text>",
    ctx: Context | None = None,
    resources: str | Path | None = None,
) -> ModuleOp:
    """Parse a module and verify it; `name` names the file in errors.

    `ctx` gives the dialects, without it the installed ones, `resources` the file with the large
    constants. Without it that is the file that the text names, from the folder of `name`. HtpError
    names file and line where the text is not a module or an op is not valid.
    """
    from .source import LocatingParser

    check_text(text, name)
    try:
        source = LocatingParser(ctx or installed().context(), text, name)
        module = source.module()
        attach(module, source.handles, name, resources)
        source.verify(module)
    except (ParseError, RecursionError, MemoryError, OverflowError) as error:
        raise explain(error, name) from error
    return module


def verify(module: ModuleOp, name: str = "module") -> None:
    """Check all of a module; HtpError names the first bad op."""
    try:
        verify_outside_in(module)
    except (VerifyException, RecursionError) as error:
        raise explain(error, name) from error


_AGAIN = "give the file that was written with the text"


def attach(
    module: ModuleOp, handles: Sequence[Handle], name: str, file: str | Path | None = None
) -> Path | None:
    """Put the data of a file in place of the handles of a module that was parsed.

    `name` is that of the text, where paths begin; `file` replaces the file that the text names.
    Return the file that was read. HtpError where a constant cannot be had just as it was written.
    """
    note = _take_note(module, name)
    if not handles:
        if file is not None and note is None:
            raise own_constants(file)
        return None
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
    return path


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


ABOVE = LONGEST_LIST
"""Constants of more elements than these go into the file; as many still print as a list."""

_DTYPES = {
    **{"f64": "F64", "f32": "F32", "f16": "F16", "bf16": "BF16", "i1": "BOOL"},
    **{f"{sign}i{width}": f"I{width}" for sign in ("", "s") for width in (8, 16, 32, 64)},
    **{f"ui{width}": f"U{width}" for width in (8, 16, 32, 64)},
    **{"f8E4M3FN": "F8_E4M3", "f8E5M2": "F8_E5M2", "f8E8M0FNU": "F8_E8M0"},
    **dict.fromkeys(("i4", "i2"), "I8"),
    **dict.fromkeys(("ui4", "ui2", "f8E4M3FNUZ", "f8E5M2FNUZ"), "U8"),
    **dict.fromkeys(("f6E2M3FN", "f6E3M2FN", "f4E2M1FN"), "U8"),
}
"""Names of element types, and of the dtypes that they are stored as; others stay in the text."""


@arguments(module=MODULE, path=PATH, resources=PATH, above=WHOLE)
def save_module(
    module: ModuleOp,
    path: str | Path,
    *,
    resources: str | Path | None = None,
    above: int = ABOVE,
) -> None:
    """Write a module as text, with its constants of more than `above` elements in `resources`.

    Without `resources` all is in the text. Neither file takes its place before both are written.
    """
    text = StringIO()
    if resources is None:
        ModulePrinter(text).print_op(module)
        write_bytes(path, f"{text.getvalue()}\n".encode())
        return
    refuse_one_file(path, resources)
    constants = Resources.of(module, above)
    with constants.noted(module, path_from(resources, path)):
        ModulePrinter(text, handle_of=constants.names.get).print_op(module)
    write_files({resources: constants.parts, path: [f"{text.getvalue()}\n".encode()]})


def path_from(file: str | Path, text: str | Path) -> str:
    """Return the path of a file from the folder of a text."""
    return Path(relpath(file, Path(text).parent)).as_posix()


@dataclass(frozen=True)
class Resources:
    """The constants of a module that go into a file, with their names there."""

    names: Mapping[DenseIntOrFPElementsAttr, str]

    @classmethod
    def of(cls, module: ModuleOp, above: int = ABOVE) -> Resources:
        """Name the constants of more than `above` elements, equal ones once; splats stay."""
        names: dict[DenseIntOrFPElementsAttr, str] = {}
        for op in module.walk():
            for value in (*op.properties.values(), *op.attributes.values()):
                if not isinstance(value, DenseIntOrFPElementsAttr) or stored_as(value) is None:
                    continue
                if len(value) > above and not is_splat(value):
                    names.setdefault(value, f"constant_{len(names)}")
        return cls(names)

    @cached_property
    def parts(self) -> list[bytes | memoryview]:
        """The content of the file, in parts."""
        return encode({name: _stored(dense) for dense, name in self.names.items()})

    @contextmanager
    def noted(self, module: ModuleOp, file: str) -> Iterator[None]:
        """Note the file, by its path from the text, on a module while it is printed."""
        noted = {"file": StringAttr(file), "sha256": StringAttr(digest_of(self.parts))}
        module.attributes[RESOURCES] = DictionaryAttr(noted)
        try:
            yield
        finally:
            del module.attributes[RESOURCES]


def stored_as(dense: DenseIntOrFPElementsAttr) -> str | None:
    """Return the dtype that data is stored as; None for data that stays in the text."""
    return _DTYPES.get(str(dense.get_element_type()))


def _stored(dense: DenseIntOrFPElementsAttr) -> StoredTensor:
    dtype = _DTYPES[str(dense.get_element_type())]
    data: bytes | memoryview = dense.data.data
    if dtype == "BOOL":
        data = np.frombuffer(data, np.bool_).astype(np.uint8).tobytes()
    return StoredTensor(dtype, dense.get_shape(), data)
