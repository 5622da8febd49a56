"""The flag that names the file with a text's large constants, and mistakes with such files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from ....dialects.diagnostics import HtpError, fail

_FROM = "the file with the large constants of the text, where it is not the one that the text names"


def add_resources_from(parser: ArgumentParser) -> None:
    """Add the flag to a parser."""
    parser.add_argument("--resources-from", metavar="FILE", help=_FROM)


def own_constants(file: str | Path) -> HtpError:
    """Make the error for a file of constants that is given for a model which holds its own."""
    problem = f"'{file}' is given, and the model holds its constants itself"
    return fail("--resources-from", problem, "leave it out")


def refuse_one_file(text: str | Path, resources: str | Path) -> None:
    """HtpError where the text and its constants are to be one file."""
    if Path(text).resolve() == Path(resources).resolve():
        raise fail("--resources", f"'{text}' is to have the text", "name another file")
