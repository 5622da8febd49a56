"""`python -m tests.conformance`: onnx's backend tests, and a count of what passes at each level."""

import argparse
import json
import logging
import subprocess
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from .case import Case
from .page import counts, page
from .reasons import Kind
from .run_case import Result, Verdict, run_case
from .suites import SUITES, cases
from .workers import work_through

SECONDS = 240.0
"""Seconds that a case may take: most take a tenth of one, the largest model some 40."""


def run_all(chosen: list[Case], *, jobs: int = 1, allocated: bool = True) -> list[Result]:
    """Return the results of some cases, in their order."""

    def work(index: int) -> Result:
        return run_case(chosen[index], allocated=allocated)

    def lost(index: int, problem: str) -> Result:
        case = chosen[index]
        return Result(case.suite, case.name, Verdict(Kind.BUG, problem))

    results = work_through(work, len(chosen), jobs=jobs, seconds=SECONDS, lost=lost)
    by_name = {(result.suite, result.name): result for result in results}
    return [by_name[case.suite, case.name] for case in chosen]


def _commit() -> str:
    """Return the commit of the working tree in words."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"commit {done.stdout.strip()}" if done.returncode == 0 else "no commit"


def _main() -> int:
    parser = argparse.ArgumentParser("tests.conformance", description=__doc__)
    add = parser.add_argument
    add("--suite", action="append", choices=SUITES, help="a suite; without it all")
    add("--filter", default="", metavar="NAME", help="only the cases whose names hold this")
    add("-j", "--jobs", type=int, default=1, help="processes")
    add("--graph", action="store_true", help="the graph level alone")
    add("--json", type=Path, metavar="FILE", help="write the result of every case")
    add("--save", type=Path, metavar="PAGE", help="write the page of counts and failures")
    arguments = parser.parse_args()
    logging.disable()
    # Work on the tree may go on while the cases run.
    commit = _commit()
    chosen = cases(arguments.suite or SUITES, arguments.filter)
    results = run_all(chosen, jobs=arguments.jobs, allocated=not arguments.graph)
    print(counts(results))
    if arguments.filter:
        for result in results:
            ends = [v for v in (result.graph, result.allocated) if v]
            print(f"{result.name}:", "; ".join(f"{v.kind} {v.reason}".strip() for v in ends))
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(r) for r in results], indent=1) + "\n")
    if arguments.save:
        date = f"{datetime.now(UTC):%Y-%m-%d}"
        arguments.save.write_text(page(results, date, commit), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(_main())
