"""ONNX models to graph IR. Source: ONNX operator spec, QAIRT block ops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec, resolve_name
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ....dialects.diagnostics import fail
from ....dialects.faults.arguments import (
    CONSTANTS,
    CONTEXT,
    DIMS,
    PATH,
    ArgumentKind,
    arguments,
    of_class,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from onnx import ModelProto
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from ...packages import Packages
    from .reading.weights import Weights

__all__ = ["import_model", "load_onnx"]


@dataclass(frozen=True)
class ModelSource:
    """A model, as a path or as it is in memory, and the other arguments of its import."""

    model: Path | ModelProto
    dims: Mapping[str, int]
    constants: Mapping[str, ArrayLike]
    packages: Packages

    def read(self) -> tuple[ModelProto, Weights]:
        """Return the model and the weights that stand aside; HtpError for a file that is gone."""
        from .reading.files import read_model

        return read_model(self.model) if isinstance(self.model, Path) else (self.model, {})


def remember(module: ModuleOp, source: ModelSource) -> ModuleOp:
    """Note the source of a module, and return the module."""
    from ....dialects.locations import SOURCES

    SOURCES[module] = source
    return module


def source_of(module: ModuleOp) -> ModelSource | None:
    """Return what a module was imported from; None for one that was made otherwise."""
    from ....dialects.locations import SOURCES

    source = SOURCES.get(module)
    return source if isinstance(source, ModelSource) else None


_PROTO = of_class("an ONNX model", "onnx", "ModelProto")
_MODEL = ArgumentKind(
    "a path, bytes or a ModelProto",
    lambda value: isinstance(value, bytes) or PATH.accepts(value) or _PROTO.accepts(value),
    "give the path of a .onnx file, its bytes, or the model that onnx.load returns",
)
_PACKAGES = of_class(
    "packages",
    resolve_name("...packages.packages", __name__),
    "Packages",
    "give those of load_packages()",
)


@arguments(path=PATH, dims=DIMS, constants=CONSTANTS, ctx=CONTEXT)
def load_onnx(
    path: str | Path,
    *,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    ctx: Context | None = None,
) -> ModuleOp:
    """Return the graph-level module of an ONNX file.

    `dims` gives symbolic dims their sizes, `constants` fixes inputs by name.
    The packages of `ctx` bring importers, and ops for nodes whose domain is one of them; without
    it the installed packages do.

    External data is read only from the folder of the file. Raises HtpError with every fault of
    the model.
    """
    require_onnx()
    from ...packages.loading import installed, packages_of
    from .reading.files import read_model

    packages = packages_of(ctx) if ctx else installed()
    model, weights = read_model(Path(path))
    module = imported(model, weights, dims, constants, packages)
    return remember(module, ModelSource(Path(path), dims or {}, constants or {}, packages))


@arguments(model=_MODEL, dims=DIMS, constants=CONSTANTS, packages=_PACKAGES)
def import_model(
    model: str | PathLike[str] | bytes | ModelProto,
    *,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    packages: Packages | None = None,
) -> ModuleOp:
    """Return the graph-level module of an ONNX model, which is left as it was.

    The model is a ModelProto, the bytes of one, or the path of a file as in `load_onnx`.
    `@main` has the model's inputs and outputs in their order, ranks and dtypes, named by the
    attribute `htp.name`. Initializers that are also inputs are constants, and so are inputs
    that `constants` gives a number, a list or an array. `packages` as in
    `load_onnx`.
    """
    require_onnx()
    from onnx import ModelProto

    from ...packages.loading import installed
    from .reading.files import parse_model

    if isinstance(model, bytes):
        model = parse_model(model, "model")
    source = ModelSource(
        model if isinstance(model, ModelProto) else Path(model),
        *(dims or {}, constants or {}, packages or installed()),
    )
    model, weights = source.read()
    return remember(imported(model, weights, dims, constants, source.packages), source)


def imported(
    model: ModelProto,
    weights: Weights,
    dims: Mapping[str, int] | None,
    constants: Mapping[str, ArrayLike] | None,
    packages: Packages,
) -> ModuleOp:
    """Return the module of a model, whose weights may stand aside, and are taken up."""
    from .importer import import_graph
    from .preparation.prepare import prepare
    from .preparation.supported import Supported

    supported = Supported(packages)
    return import_graph(prepare(model, weights, dims or {}, constants or {}, supported), supported)


def require_onnx() -> None:
    """HtpError where the package onnx is not installed."""
    if find_spec("onnx") is None:
        remedy = "pip install 'htp-mlir[onnx]'"
        raise fail("onnx", "the Python package onnx is not installed", remedy)
