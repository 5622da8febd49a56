"""Printing for reading: constants of many elements as a handle."""

from __future__ import annotations

from typing import IO

from xdsl.dialects.builtin import ModuleOp

from ...dialects.eliding import ElidingPrinter


def print_elided(
    module: ModuleOp, stream: IO[str], limit: int, generic: bool = False, locations: bool = False
) -> None:
    """Print a module with its large constants elided, and with the locations of its ops."""
    ElidingPrinter(stream, limit, generic, locations).print_op(module)
    stream.write("\n")
