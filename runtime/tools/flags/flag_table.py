"""Flags as data: a table of what argparse is told of each flag."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

FlagTable = Mapping[str, Mapping[str, Any]]
"""Keyword arguments of `add_argument`, by the spellings of a flag: `-o --output`."""


def add_flags_of(table: FlagTable, parser: ArgumentParser) -> None:
    """Add the flags of a table to a parser, in its order."""
    for spellings, settings in table.items():
        parser.add_argument(*spellings.split(), **settings)
