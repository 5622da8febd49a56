"""`htp-reduce`: shrink a module that fails a command, as long as it fails."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Sequence

from ...runtime.tools.completion import add_completion_flag
from ...runtime.tools.flags.model_flags import add_model_flags
from ...runtime.tools.flags.package_flags import add_package_flags
from ...runtime.tools.tool import Tool, ToolParser, add_tool_flags

_DESCRIPTION = (
    "Shrink a module as long as a command fails on it. Give the command behind --, where {} stands "
    "for the file of the module: htp-reduce bad.mlir -- htp-opt {} -p htp-lower"
)
_TRIALS, _SECONDS = 1000, 60.0
_COMMAND = "--"


def _run(argv: Sequence[str]) -> None:
    own, command = list(argv), []
    if _COMMAND in own:
        at = own.index(_COMMAND)
        own, command = own[:at], own[at + 1 :]
    arguments = _parser().parse_args(own)
    arguments.command = command
    from .commands.run_reduce import run_reduce

    run_reduce(arguments)


main = Tool("htp-reduce", _run)
"""The command `htp-reduce`."""
run = main.run


def _parser() -> ToolParser:
    parser = ToolParser("htp-reduce", description=_DESCRIPTION)
    add = parser.add_argument
    add_tool_flags(parser)
    add("model", help="a .mlir file or a model that a frontend reads")
    add("-o", "--output", metavar="FILE", help="the small module; MODEL.reduced.mlir unless given")
    add(
        "--test",
        metavar="FILE",
        help="a program to call with the file of the module, in place of --",
    )
    add(
        "--match",
        metavar="REGEX",
        type=_pattern,
        help="the output that counts as the failure; without it any exit status but 0 does",
    )
    add(
        "--trials",
        metavar="N",
        type=_count,
        default=_TRIALS,
        help=f"runs of the command, {_TRIALS} unless given",
    )
    add(
        "--timeout",
        metavar="SECONDS",
        type=_count,
        default=_SECONDS,
        help="a program that takes longer did not fail; htp-opt and htp-run have no limit",
    )
    add_package_flags(parser)
    add_model_flags(parser)
    add("--debug", action="store_true", help="show the traceback of an error")
    add_completion_flag(parser)
    return parser


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ArgumentTypeError(f"'{text}' is no regular expression: {error}") from error


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"'{text}' is no number from 1 on")
    return int(text)
