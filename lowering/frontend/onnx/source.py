"""The source of a module: the arguments of its import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from onnx import ModelProto
    from xdsl.dialects.builtin import ModuleOp

    from ...packages import Packages
    from .reading.weights import Weights


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
