"""`htp-gui`: pick passes for a module and see what they make of it, on the terminal."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from ...dialects.diagnostics import fail
from ...runtime.tools.completion import add_completion_flag
from ...runtime.tools.flags.model_flags import add_model_flags
from ...runtime.tools.flags.package_flags import add_package_flags
from ...runtime.tools.tool import Tool, ToolParser, add_tool_flags

_DESCRIPTION = "Pick passes for a module and see what they make of it."
LIBRARIES = ("textual", "pyclip")
"""The libraries of xDSL's app."""


def _run(argv: Sequence[str]) -> None:
    arguments = _parser().parse_args(argv)
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is None:
            raise fail("htp-gui", f"{name} is not installed", "pip install 'htp-mlir[gui]'")
    from .commands.gui_command import run_app

    run_app(arguments)


main = Tool("htp-gui", _run)
"""The command `htp-gui`."""
run = main.run


def _parser() -> ToolParser:
    parser = ToolParser("htp-gui", description=_DESCRIPTION)
    add = parser.add_argument
    add("input_file", nargs="?", metavar="FILE", help="text, or a model that a frontend reads")
    add("-p", "--passes", default="", metavar="PIPELINE", help="the passes to begin with")
    add_model_flags(parser)
    add_package_flags(parser)
    add("--debug", action="store_true", help="show the traceback of an error")
    add_tool_flags(parser)
    add_completion_flag(parser)
    return parser
