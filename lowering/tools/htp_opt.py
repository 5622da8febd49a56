"""`htp-opt`: import, rewrite, lower and check modules from the command line."""

from __future__ import annotations

from collections.abc import Sequence

from ...runtime.tools.tool import Tool


def _run(argv: Sequence[str]) -> None:
    from .driver import drive

    drive(argv)


main = Tool("htp-opt", _run)
"""The command `htp-opt`."""
run = main.run
