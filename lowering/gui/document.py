"""A file that is opened in the app, as the text of a module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from numpy.typing import ArrayLike
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.attributes import RESOURCES
from ...dialects.diagnostics import CHECK_PATH, fail
from ...runtime.installed.environment import Environment
from ...runtime.tools.errors import explain
from ...runtime.tools.loading import TEXT, load_module, parse_module
from ...runtime.tools.resources import save_module

UNNAMED = "input"
"""The name of a text that is of no file, in errors."""


@dataclass(frozen=True)
class Document:
    """The text of a file and its name; `constants` is the file that its handles represent."""

    text: str
    name: str = UNNAMED
    constants: Path | None = None


@dataclass(frozen=True)
class Opener:
    """Opens files with the op packages, dims and constants of the command line.

    A model becomes text, with its large constants in a file of `folder`.
    """

    environment: Environment
    folder: Path
    dims: Mapping[str, int] = field(default_factory=dict[str, int])
    constants: Mapping[str, ArrayLike] = field(default_factory=dict[str, ArrayLike])
    fallback: bool = False

    def context(self) -> Context:
        """Make a context with the dialects of all packages."""
        return self.environment.context()

    def open(self, path: str) -> Document:
        """Open a text, also one that is not valid, or a model; HtpError where it cannot be read."""
        if Path(path).suffix == f".{TEXT}":
            try:
                return Document(Path(path).read_text(encoding="utf-8"), path)
            except (OSError, UnicodeDecodeError) as error:
                raise explain(error, path) from error
        if not Path(path).exists():
            raise fail(path, "no such file", CHECK_PATH)
        module = load_module(
            path,
            dims=self.dims,
            constants=self.constants,
            ctx=self.context(),
            fallback=self.fallback,
        )
        text = Path(self.folder, f"{Path(path).name}.mlir")
        constants = text.with_suffix(".safetensors")
        save_module(module, text, resources=constants)
        return Document(text.read_text(encoding="utf-8"), path, constants)

    def parse(self, text: str, document: Document) -> ModuleOp:
        """Parse a text that was opened as a document and edited since; HtpError for a bad one."""
        constants = document.constants if RESOURCES in text else None
        return parse_module(text, document.name, self.context(), constants)
