"""The flags of `htp-opt` that check rules instead of running them on a module."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace

from xdsl.context import Context

_CASES = 50


def add_check_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add = parser.add_argument
    add(
        "--check-rules",
        action="store_true",
        help="run every rule of the packages in use, alone, on graphs made for it, compare the "
        "numbers before and after, and print what was found; nothing else is run",
    )
    add(
        "--lint-rules",
        action="store_true",
        help="print what looks wrong in the rules of the packages in use; nothing else is run",
    )
    add("--seed", type=count, default=0, metavar="N", help="of --check-rules: other graphs")
    add(
        "--cases",
        type=_number,
        default=_CASES,
        metavar="N",
        help=f"of --check-rules: graphs for each rule, {_CASES} unless given",
    )
    add(
        "--rule",
        action="append",
        default=[],
        metavar="RULE",
        help="of both: only the rules of this name, or of this FILE:LINE",
    )


def checks_rules(arguments: Namespace) -> bool:
    """Tell whether the flags ask for a check of rules, and no run."""
    return bool(arguments.check_rules or arguments.lint_rules)


def check_rules(arguments: Namespace, ctx: Context) -> None:
    """Do what the flags ask for; HtpError where something is wrong with a rule."""
    from ..packages.loading import packages_of
    from .rule_checks import print_checks, print_findings

    packages = packages_of(ctx)
    if arguments.lint_rules:
        print_findings(packages, arguments.rule)
    if arguments.check_rules:
        print_checks(packages, arguments.rule, arguments.seed, arguments.cases)


def count(text: str) -> int:
    """Return the value of a flag that counts, from 0 on."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 on")
    return int(text)


def _number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number above 0")
    return int(text)
