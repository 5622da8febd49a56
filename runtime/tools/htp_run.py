"""`htp-run`: run a module of any level from the command line."""

from __future__ import annotations

from collections.abc import Sequence

from .flags.run_flags import run_parser
from .tool import Tool


def _run(argv: Sequence[str]) -> None:
    arguments = run_parser().parse_args(argv)
    from .run_model import run_model

    run_model(arguments)


main = Tool("htp-run", _run)
"""The command `htp-run`."""
run = main.run
