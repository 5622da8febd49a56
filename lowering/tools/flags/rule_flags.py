"""The flags of `htp-opt` that look into rules: statistics and explanations."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

_STATS = "--rule-stats"
SUPPORT = "--support"
EXPLAIN_TILES = "--explain-tiles"
FORMATS = ("text", "json")


def add_rule_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser; they count for every pass of the run that runs rules."""
    add = parser.add_argument
    add(_STATS, choices=FORMATS, help="print what each rule did to stderr; text unless =json")
    add(
        "--explain",
        action="append",
        default=[],
        metavar="RULE[@OP]",
        help="print to stderr, for each op that the rule's root names, why it fires there or not; "
        "a rule by its name or by the FILE:LINE that defines it, an op as --explain-op names it",
    )
    add(
        "--explain-op",
        action="append",
        default=[],
        metavar="OP",
        help="print to stderr every rule that begins with an op that comes from this one of the "
        "input, and why it fired there or not; OP is a node of the model, or in text the name of a "
        "result, LINE:COLUMN, FILE:LINE or FILE:LINE:COLUMN",
    )
    add("--explain-format", choices=FORMATS, default="text")


def with_formats(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the format of a bare `--rule-stats` and its like written out.

    Else the parser would take what follows for the format.
    """
    bare = (_STATS, SUPPORT, EXPLAIN_TILES)
    return [f"{each}=text" if each in bare else each for each in arguments]


def looking_into_rules(arguments: Namespace) -> AbstractContextManager[None]:
    """Heed the flags inside the block, and print at its end, an error's too."""
    asked = arguments.explain, arguments.explain_op
    if not (arguments.rule_stats or any(asked)):
        return nullcontext()
    from ..rules.rule_reports import reporting

    return reporting(arguments.rule_stats, *asked, arguments.explain_format)
