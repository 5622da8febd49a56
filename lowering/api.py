"""Lowering from Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

if TYPE_CHECKING:
    from .passes.lower import Watcher


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

    from .passes.lower import HtpLower, lower_module

    lowered = module.clone()
    lower_module(Context(), lowered, HtpLower(soc, tcm_bytes, level, options), watch)
    return lowered
