"""Printing for reading: constants of many elements as a handle."""

from __future__ import annotations

from typing import IO

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp

from ...dialects.text.print_dense import is_splat
from ...dialects.text.printer import ELIDED, Handles, ModulePrinter


def elided(limit: int) -> Handles:
    """Return a choice of handles: `__elided__` for data of more than `limit` elements, no splats.

    The text is for people: it says which constant stands where, not what it holds.
    """

    def handle_of(dense: DenseIntOrFPElementsAttr) -> str | None:
        return ELIDED if len(dense) > limit and not is_splat(dense) else None

    return handle_of


def print_elided(module: ModuleOp, stream: IO[str], limit: int) -> None:
    """Print a module with its large constants elided."""
    ModulePrinter(stream, handle_of=elided(limit)).print_op(module)
    stream.write("\n")
