"""Loading and lowering from Python; what they need is imported when they are called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from .passes.lower import Watcher


def load_module(path: str | Path, *, dims: Mapping[str, int] | None = None) -> ModuleOp:
    """The module in a file: `.mlir` text of any level, or what an installed frontend reads.

    `dims` fixes the symbolic dims of a model by name. Raises HtpError for a file that is missing,
    damaged or of an unknown kind, and for every op that the frontend cannot import.
    """
    from ..runtime.loading import load_module as load

    return load(path, dims=dims)


def lower(
    module: ModuleOp,
    *,
    soc: str = "SM8650",
    tcm_bytes: int | None = None,
    level: str = "allocated",
    options: str = "",
    watch: Watcher | None = None,
) -> ModuleOp:
    """A new module, lowered from the graph level for a SoC; the given one stays as it is.

    `tcm_bytes` overrides the SoC's TCM size, `level` is `native`, `placed` or `allocated`,
    `options` are graph options for the rules (`name=value` joined by `;`), `watch` is called after
    each pass. Raises HtpError for an unknown SoC or level, for ops without a native form and for
    an op that does not fit the TCM.
    """
    from xdsl.context import Context

    from .passes.lower import Lower, lower_module

    lowered = module.clone()
    lower_module(Context(), lowered, Lower(soc, tcm_bytes, level, options), watch)
    return lowered
