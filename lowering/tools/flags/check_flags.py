"""The flags of `htp-opt` that check rules instead of running them on a module."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace

from xdsl.context import Context

from ....dialects.diagnostics import HtpError, fail
from ....runtime.tools.flags.flag_table import FlagTable, add_flags_of

_CASES = 50
_OF_BOTH = ("package_rules", "group", "rule", "strict")
_OF_CHECKS = ("seed", "cases")
"""The flags that change --check-rules alone."""


def count(text: str) -> int:
    """Return the value of a flag that counts, from 0 on."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 on")
    return int(text)


def _number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number above 0")
    return int(text)


_FLAGS: FlagTable = {
    "--check-rules": {
        "action": "store_true",
        "help": (
            "run every rule of the packages named by --package, or without one of htp, alone, on "
            "graphs made for it, and compare the numbers before and after; nothing else is run"
        ),
    },
    "--lint-rules": {
        "action": "store_true",
        "help": "print what looks wrong in the rules of these packages; nothing else is run",
    },
    "--package-rules": {
        "action": "append",
        "metavar": "NAME,...",
        "help": "of both: the rules of these packages instead, or of all in use",
    },
    "--group": {
        "action": "append",
        "metavar": "FIRST[:LAST]",
        "help": (
            "of both: of these packages' rules only those of this pass group, such as EARLY+2, or "
            "of all groups from FIRST to LAST"
        ),
    },
    "--rule": {
        "action": "append",
        "metavar": "RULE",
        "help": "of both: of these packages' rules only those of this name, or of this FILE:LINE",
    },
    "--strict": {
        "action": "store_true",
        "default": None,
        "help": "of both: fail where anything was passed over: a rule not read, linted or checked",
    },
    "--seed": {
        "type": count,
        "metavar": "N",
        "help": "of --check-rules: other graphs; of --check-numerics: other inputs",
    },
    "--cases": {
        "type": _number,
        "metavar": "N",
        "help": f"of --check-rules: graphs for each rule, {_CASES} unless given",
    },
}
"""The flags; those that say how rules are checked are None unless given."""


def add_check_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add_flags_of(_FLAGS, parser)


def refuse_idle(arguments: Namespace) -> None:
    """HtpError for a flag that says how rules are checked where none are."""
    for name in (*_OF_BOTH, *_OF_CHECKS):
        both = name in _OF_BOTH
        asked = arguments.check_rules or (both and arguments.lint_rules)
        asked = asked or (name == "seed" and arguments.check_numerics)
        if getattr(arguments, name) is not None and not asked:
            remedy = f"add --check-rules{' or --lint-rules' * both}, or leave it out"
            flag = f"--{name.replace('_', '-')}"
            raise fail(flag, "says how rules are checked, and this run checks none", remedy)


def checks_rules(arguments: Namespace) -> bool:
    """Tell whether the flags ask for a check of rules, and no run."""
    return bool(arguments.check_rules or arguments.lint_rules)


def check_rules(arguments: Namespace, ctx: Context) -> None:
    """Do what the flags ask for; HtpError where something is wrong with a rule."""
    from ...packages.loading import packages_of
    from ..rules.rule_checks import check, lint
    from ..rules.rule_choice import choose

    choice = choose(
        packages_of(ctx), arguments.package_rules or (), arguments.group or (), arguments.rule or ()
    )
    results = [lint(choice)] if arguments.lint_rules else []
    if arguments.check_rules:
        results.append(check(choice, arguments.seed or 0, arguments.cases or _CASES))
    faults = [result.fault for result in results if result.fault is not None]
    if arguments.strict:
        faults += [fault for result in results if (fault := result.strict_fault(choice))]
    if faults:
        raise HtpError(*faults)
