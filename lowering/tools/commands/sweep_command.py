"""A sweep as `htp-sweep` is asked for it."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ....dialects.diagnostics import Fault, HtpError, fail
from ...packages.loading import load_packages
from ...soc import installed_socs
from ...sweep import (
    Case,
    Row,
    Status,
    lowerings,
    rule_checks,
    sweep,
)
from ..flags.sweep_flags import CASES, OF_MODELS, OF_RULES
from ..rules.rule_choice import choose, counted

_ALL = "all"


def run_sweep(arguments: Namespace) -> None:
    """Run the cases, write the table, print a summary; HtpError where cases failed."""
    cases = _cases(arguments)
    try:
        rows = sweep(
            cases,
            arguments.output,
            jobs=arguments.jobs,
            cluster=arguments.cluster,
            picture=arguments.plot,
            retry=arguments.retry,
            time_limit=arguments.time_limit,
        )
    except KeyboardInterrupt:
        print(f"interrupted; {arguments.output} has what was done", file=sys.stderr)
        print("  the same command goes on from there", file=sys.stderr)
        raise
    counts = Counter(row.outcome.status for row in rows)
    parts = [f"{counts[status]} {status}" for status in Status if counts[status]]
    print(f"{arguments.output}: {counted(len(rows), 'case')}, {', '.join(parts)}")
    if fault := _fault(rows, arguments.output):
        raise HtpError(fault)


def _cases(arguments: Namespace) -> Sequence[Case]:
    """List the cases that the flags span; HtpError for flags of the other kind, or no case."""
    other, kind = (OF_MODELS, "--rules") if arguments.rules else (OF_RULES, "models")
    for name in other:
        if getattr(arguments, name) is not None:
            flag = f"--{name.replace('_', '-')}"
            raise fail(flag, f"says nothing about a sweep of {kind}", "leave it out")
    common = {"packages": arguments.package, "include": arguments.include}
    if arguments.rules:
        if arguments.model:
            problem = "is a model, and --rules lowers none"
            raise fail(arguments.model[0], problem, "leave one of them out")
        packages = load_packages(*arguments.package, include=arguments.include)
        choice = choose(
            packages, arguments.package_rules or (), arguments.group or (), arguments.rule or ()
        )
        seeds, cases = range(arguments.seeds or 1), arguments.cases or CASES
        return rule_checks(choice.rules, seeds=seeds, cases=cases, **common)
    if not arguments.model:
        raise fail("htp-sweep", "there is nothing to do", "name models, or give --rules")
    names = [name for text in arguments.soc or ["SM8650"] for name in text.split(",")]
    return lowerings(
        arguments.model,
        socs=sorted(installed_socs()) if _ALL in names else names,
        tcm_bytes=[size for sizes in arguments.tcm or () for size in sizes],
        options=arguments.options or [""],
        dims=arguments.dim or (),
        constants=arguments.const or (),
        **common,
    )


def _fault(rows: Sequence[Row], output: str) -> Fault | None:
    """Return the fault of a sweep with cases that failed, with the first of them."""
    failed = [row for row in rows if row.outcome.status is Status.FAULT]
    if not failed:
        return None
    problem = f"{len(failed)} of {len(rows)} cases failed; the first: {failed[0].outcome.problem}"
    return Fault("htp-sweep", problem, f"see the column 'problem' of {Path(output).name}")
