"""`htp-package`: show an op package, migrate one to tensor properties, begin a new one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ...dialects.diagnostics import fail
from ...runtime.tools.tool import Tool, ToolParser, write_text
from ..packages.def_package.loading import load_cpp
from ..packages.def_package.package import CppPackage, Summary
from ..packages.def_package.writer import write_cpp
from ..packages.from_cpp import from_cpp
from ..packages.loading import Source, check_output, load_package, source_of
from ..packages.lookup import registered
from ..packages.migrate import migrate
from ..packages.migrate.report import report
from ..packages.package import OpPackage
from ..packages.packages import Packages
from ..packages.skeleton import skeleton, write_skeleton
from ..packages.to_cpp import to_cpp

_DESCRIPTION = "Look at an op package, move it to tensor properties, or begin a new one."
_SOURCES = "[NAME=]FILE|DIR|MODULE"


def _run(argv: Sequence[str]) -> None:
    arguments = _parser().parse_args(argv)
    _COMMANDS[arguments.command](arguments)


main = Tool(_run)
"""The command `htp-package`."""
run = main.run


def _parser() -> argparse.ArgumentParser:
    parser = ToolParser("htp-package", description=_DESCRIPTION)
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
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
    new.add_argument("--op", action="append", required=True, metavar="OP", help="an op of it")
    new.add_argument("--cpp", action="store_true", help="declare it in C++, its bodies in Python")
    new.add_argument("-o", "--output", metavar="DIR", help="where to; a folder NAME unless given")
    return parser


def _show(arguments: argparse.Namespace) -> None:
    package, summary = _package(arguments)
    packages = Packages().extended(package)
    lines = [f"package {package.name}", *summary.lines()]
    lines += [f"note: {name}" for name in packages.unknown_ops(package)]
    for op in package.ops:
        lines += ["", *registered(packages, op.name).lines()]
    write_text("-", "\n".join(lines) + "\n")


def _migrate(arguments: argparse.Namespace) -> None:
    if arguments.output:
        check_output(arguments.output, arguments.source)
    package, summary = _package(arguments)
    migration = migrate(to_cpp(package))
    lines = report(migration, in_python=package.cpp is None)
    if arguments.output:
        write_text(arguments.output, write_cpp(migration.after))
    for line in summary.complaints():
        print(f"note: {line}", file=sys.stderr)
    write_text("-", "\n".join(lines) + "\n")


def _new(arguments: argparse.Namespace) -> None:
    files = skeleton(arguments.name, arguments.op, arguments.cpp)
    written = write_skeleton(Path(arguments.output or arguments.name), files)
    write_text("-", "".join(f"{path}\n" for path in written))


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], None]] = {
    "show": _show,
    "migrate": _migrate,
    "new": _new,
}


def _package(arguments: argparse.Namespace) -> tuple[OpPackage, Summary]:
    """Return the one package that the sources are, and how reading it went."""
    sources = [source_of(text) for text in arguments.source]
    if all(source.is_cpp for source in sources):
        read, summary = _read(sources, arguments.include)
        return from_cpp(read), summary
    if len(sources) > 1:
        raise fail("htp-package", f"{len(sources)} sources are no single package", "name one")
    package = load_package(str(sources[0]))
    return package, Summary(tuple(_counts(package)))


def _read(sources: Sequence[Source], include: Sequence[str]) -> tuple[CppPackage, Summary]:
    names = dict.fromkeys(source.name for source in sources if source.name is not None)
    if len(names) > 1:
        raise fail("htp-package", f"two names are given: {', '.join(names)}", "give one of them")
    return load_cpp(
        [source.where for source in sources], name=next(iter(names), None), include=include
    )


def _counts(package: OpPackage) -> Iterator[tuple[str, int]]:
    yield "ops", len(package.ops)
    yield "rules", len(package.rules)
    yield "kernels", len(package.kernels)
    yield "tensor properties", len(package.properties)
    yield "param orders", len(package.param_orders)
    yield "axis params", len(package.axis_params)
    yield "conversions", len(package.conversions)
    yield "ONNX importers", len(package.importers)
