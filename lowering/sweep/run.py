"""The work of one case, and a process that runs cases and is ended where one takes too long."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter

from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import fail
from ...dialects.version import VERSION
from ...runtime.tools.errors import explain
from ...runtime.tools.flags import parse_constants, parse_dims
from ...runtime.tools.loading import load_module
from ..packages import Packages, load_packages
from ..passes.lower import lower_module
from ..report.plan import ModulePlan, plan_of
from ..report.residencies import TensorRole
from ..rules.soundness import check_rule
from .cases import Case, Lowering, Outcome, RuleCheck, Status, case_of, config_of

_KEPT = 4
"""Number of models and of sets of packages that a process keeps for its next cases."""


def version() -> str:
    """Return the version of the project in this process."""
    return VERSION


def run_text(text: str) -> str:
    """Run the case in a text and return the text of its outcome."""
    return outcome_of(case_of(text)).text()


def outcome_of(case: Case) -> Outcome:
    """Run a case; whatever it raises becomes the two lines of a fault."""
    begin = perf_counter()
    try:
        if case.digest != case.digest_of_files():
            where, problem = ", ".join(case.files), "is not as it was when the sweep began"
            raise fail(where, problem, "start the sweep again, with the same files everywhere")
        outcome = _RUNS[type(case)](case)
    except Exception as error:
        outcome = Outcome.fault(explain(error, case.files[0] if case.files else "case"))
    return replace(outcome, seconds=perf_counter() - begin)


def _lower(case: Case) -> Outcome:
    if not isinstance(case, Lowering):
        raise TypeError(case)
    packages = _packages(case.packages, case.include)
    module = _model(replace(case, soc="", tcm_bytes=0, options="")).clone()
    config = replace(config_of(case.options), soc=case.soc, tcm_bytes=case.tcm_bytes)
    ctx = packages.context()
    lower_module(ctx, module, config)
    return Outcome(Status.OK, figures_of(plan_of(module, packages)))


def figures_of(plan: ModulePlan) -> dict[str, int]:
    """Return the figures of a plan by the names of their columns."""
    totals = plan.totals
    roles = [move.role for move in plan.moves]
    return {
        "ops": plan.steps,
        "macs": totals.macs,
        "moved_bytes": totals.moved,
        "least_moved_bytes": totals.least,
        "peak_bytes": totals.peak,
        "least_peak_bytes": totals.live,
        "spills": roles.count(TensorRole.SPILL),
        "fills": roles.count(TensorRole.FILL),
        "conversions": totals.conversions,
        "converted_bytes": totals.converted,
        "ops_too_large": totals.too_large,
    }


def _check(case: Case) -> Outcome:
    if not isinstance(case, RuleCheck):
        raise TypeError(case)
    packages = _packages(case.packages, case.include)
    same = (r for r in packages.rules if (r.name, str(r)) == (case.name, case.definition))
    rule = next(same, None)
    if rule is None:
        raise fail(case.rule, "is no rule of the packages here", "install the same ones everywhere")
    report = check_rule(
        rule,
        seed=case.seed,
        cases=case.cases,
        rule_set=packages.rules,
        library=packages.library,
    )
    figures = {"sound_cases": report.cases, "graphs": report.attempts}
    if report.counterexample is not None:
        problem = f"{case.rule}: not sound: {report.counterexample.reason}"
        remedy = "fix the rule or its constraint; the command prints the graph"
        return Outcome(Status.FAULT, figures, problem, remedy)
    if why := report.passed_over:
        return Outcome(Status.PASSED_OVER, figures, f"{case.rule}: not checked: {why}")
    return Outcome(Status.OK, figures)


_RUNS: dict[type[Case], Callable[[Case], Outcome]] = {Lowering: _lower, RuleCheck: _check}


@lru_cache(_KEPT)
def _packages(sources: tuple[str, ...], include: tuple[str, ...]) -> Packages:
    return load_packages(*sources, include=include)


@lru_cache(_KEPT)
def _model(case: Lowering) -> ModuleOp:
    """Load the model of a case, once for all of its SoCs, sizes and options."""
    ctx = _packages(case.packages, case.include).context()
    dims, constants = parse_dims(case.dims), parse_constants(case.constants)
    return load_module(case.path(case.model), dims=dims, constants=constants, ctx=ctx)


_MODULE = f"{__package__}.worker"
_INNERMOST = re.compile(r"most recent call first\):\n  (File .*)")
"""The innermost call of a stack, as faulthandler writes it."""


class Worker:
    """A process that runs one case at a time; after it died, the next case gets a new one.

    `errors` is the file for what it writes to standard error, `time_limit` the seconds of wall time
    that a case may take.
    """

    def __init__(self, errors: Path, time_limit: float) -> None:
        self._errors, self._limit = errors, time_limit
        self._process = _Process(errors, time_limit)
        self._closed = False

    def run(self, case: Case) -> Outcome:
        """Run a case; a process that dies of it, or takes too long, is a fault of the case."""
        begin = perf_counter()
        answer = self._process.answer(case.text())
        if answer is not None:
            return Outcome.read(answer)
        problem, remedy = self._process.death(self._limit)
        if not self._closed:
            self._process = _Process(self._errors, self._limit)
        outcome = Outcome.fault(fail(case.command, problem, remedy))
        return replace(outcome, seconds=perf_counter() - begin)

    def close(self) -> None:
        """End the process, also in the middle of a case."""
        self._closed = True
        self._process.end()


class _Process:
    """A running worker program."""

    def __init__(self, errors: Path, time_limit: float) -> None:
        self._errors = errors
        with errors.open("wb") as stream:
            self._program = subprocess.Popen(
                [sys.executable, "-m", _MODULE, str(time_limit)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                text=True,
                start_new_session=True,
            )

    def answer(self, text: str) -> str | None:
        """Send a line and return the line that comes back; None where the program ended."""
        source, sink = self._program.stdin, self._program.stdout
        if source is None or sink is None:
            return None
        try:
            source.write(f"{text}\n")
            source.flush()
        except OSError:
            return None
        answer = sink.readline()
        return answer if answer.endswith("\n") else None

    def death(self, time_limit: float) -> tuple[str, str]:
        """Describe the end of the program, and what to do."""
        status = self._program.wait()
        wrote = self._errors.read_text(errors="replace").strip()
        self.end()
        if "Timeout (" in wrote:
            # The stack of the thread that ran the case is the last one.
            places = _INNERMOST.findall(wrote)
            where = f"; it was in {places[-1]}" if places else ""
            remedy = "give --time-limit more seconds, or run its command alone"
            return f"the case took more than {time_limit} seconds{where}", remedy
        signals = {number.value: number.name for number in signal.Signals}
        how = signals.get(-status, f"exit status {status}")
        last = wrote.rpartition("\n")[2]
        remedy = "run its command alone; give the sweep fewer processes if memory ran out"
        return f"the process ended by {how}{': ' * bool(last)}{last}", remedy

    def end(self) -> None:
        """Kill the program and close its pipes."""
        self._program.kill()
        self._program.wait()
        for stream in (self._program.stdin, self._program.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
