"""`htp-sweep`: many lowerings or checks of rules at once, as one table."""

from __future__ import annotations

from collections.abc import Sequence

from ...runtime.tools.tool import Tool
from .flags.sweep_flags import sweep_parser


def _run(argv: Sequence[str]) -> None:
    arguments = sweep_parser().parse_args(argv)
    from .commands.sweep_command import run_sweep

    run_sweep(arguments)


main = Tool("htp-sweep", _run)
"""The command `htp-sweep`."""
run = main.run
