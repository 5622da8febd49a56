"""Large constants beside the text of a module: handles in the text, their data in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from os.path import relpath
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
)

from ....dialects.attributes import RESOURCES
from ....dialects.faults.arguments import MODULE, PATH, WHOLE, arguments
from ....dialects.text.print_dense import LONGEST_LIST, is_splat
from ....dialects.text.printer import ModulePrinter
from ...files.atomic import write_bytes, write_files
from ...files.safetensors import StoredTensor, digest_of, encode
from ..flags import refuse_one_file

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
