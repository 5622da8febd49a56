"""A sweep over models and SoCs, or over rules and seeds."""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ....dialects.diagnostics import Fault, HtpError, counted
from ...soc import installed_socs
from ...sweep import Case, Row, Status, lowerings, rule_checks, sweep
from ..rule_reports import chosen_rules

_ALL = "all"


def sweep_models(arguments: Namespace) -> None:
    """Lower each model for each SoC, TCM size and options."""
    names = [name for text in arguments.soc or ["SM8650"] for name in text.split(",")]
    cases = lowerings(
        arguments.model,
        socs=sorted(installed_socs()) if _ALL in names else names,
        tcm_bytes=[size for sizes in arguments.tcm or () for size in sizes],
        options=arguments.options or [""],
        dims=arguments.dim,
        constants=arguments.const,
        packages=arguments.package,
        include=arguments.include,
    )
    _run(arguments, cases)


def sweep_rules(arguments: Namespace) -> None:
    """Check each rule with each seed."""
    cases = rule_checks(
        chosen_rules(arguments).rules,
        seeds=range(arguments.seeds),
        cases=arguments.cases,
        packages=arguments.package,
        include=arguments.include,
    )
    _run(arguments, cases)


def _run(arguments: Namespace, cases: Sequence[Case]) -> None:
    """Run the cases, write the table, print a summary; HtpError where cases failed."""
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


def _fault(rows: Sequence[Row], output: str) -> Fault | None:
    """Return the fault of a sweep with cases that failed, with the first of them."""
    failed = [row for row in rows if row.outcome.status is Status.FAULT]
    if not failed:
        return None
    problem = f"{len(failed)} of {len(rows)} cases failed; the first: {failed[0].outcome.problem}"
    return Fault("htp sweep", problem, f"see the column 'problem' of {Path(output).name}")
