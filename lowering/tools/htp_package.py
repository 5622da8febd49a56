"""`htp-package`: show an op package, migrate one to tensor properties, begin a new one."""

from __future__ import annotations

from collections.abc import Sequence

from ...runtime.tools.tool import Tool, ToolParser, add_tool_flags

_DESCRIPTION = "Look at an op package, move it to tensor properties, or begin a new one."
_SOURCES = "[NAME=]FILE|DIR|MODULE"


def _run(argv: Sequence[str]) -> None:
    arguments = _parser().parse_args(argv)
    from .commands.package_commands import COMMANDS

    COMMANDS[arguments.command](arguments)


main = Tool("htp-package", _run)
"""The command `htp-package`."""
run = main.run


def _parser() -> ToolParser:
    parser = ToolParser("htp-package", description=_DESCRIPTION)
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    add_tool_flags(parser)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=ToolParser)
    show = commands.add_parser("show", help="print what a package declares, and what was not read")
    migrated = commands.add_parser(
        "migrate", help="propose tensor properties in place of copies that rules place by hand"
    )
    for parser_ in (show, migrated):
        add = parser_.add_argument
        add("source", nargs="+", metavar=_SOURCES, help="one package; of C++, all its files")
        add("-I", "--include", action="append", default=[], metavar="DIR", help="C++ headers")
    migrated.add_argument(
        "-o", "--output", metavar="FILE", help="write the package after it, as C++"
    )
    new = commands.add_parser("new", help="write a package to begin with; it runs as it is")
    new.add_argument("name", metavar="NAME")
    kinds = new.add_mutually_exclusive_group(required=True)
    kinds.add_argument("--op", action="append", metavar="OP", help="an op of it")
    kinds.add_argument(
        "--pass",
        action="append",
        dest="passes",
        metavar="PASS",
        help="a pass of it: write a distribution that makes the pass known to all tools",
    )
    kinds.add_argument(
        "--rule",
        action="append",
        dest="rules",
        metavar="RULE",
        help="a rule of it: write a distribution whose rules are in use in all lowerings",
    )
    new.add_argument("--cpp", action="store_true", help="declare it in C++, its bodies in Python")
    new.add_argument("-o", "--output", metavar="DIR", help="where to; a folder NAME unless given")
    return parser
