"""The keyword spotter, lowered once in a process for all tests that look at it."""

from functools import cache

from htp_mlir.lowering import load_module, lower
from xdsl.dialects.builtin import ModuleOp

from .paths import SPOTTER_MODEL


@cache
def lowered_spotter(tcm_bytes: int, level: str = "allocated") -> ModuleOp:
    """The model at a level, for a TCM of this size; nothing may change it."""
    return lower(load_module(SPOTTER_MODEL), tcm_bytes=tcm_bytes, level=level)
