"""The flags that name op packages, the same for every tool."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...environment import Environment

_PACKAGE = (
    "an op package to use: a Python file or module, which is imported, or C++ text, a file or a "
    "folder, which is only read; NAME is what a C++ package is to be called (several sources of "
    "one NAME are one package) or which package of a Python file is meant"
)
_INCLUDE = "a folder in which C++ packages find headers, beside their own"


def add_package_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add = parser.add_argument
    sources = "[NAME=]FILE|DIR|MODULE"
    add("--package", action="append", default=[], metavar=sources, help=_PACKAGE)
    add("-I", "--include", action="append", default=[], metavar="DIR", help=_INCLUDE)


def packages_in_use(arguments: Namespace) -> Environment:
    """Make the environment that the flags ask for; HtpError where a package cannot be loaded."""
    from ...environment import environment

    return environment(arguments.package, arguments.include)
