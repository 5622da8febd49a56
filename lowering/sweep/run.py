"""The work of one case, in whatever process it runs."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
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
from .cases import Case, Lowering, Outcome, RuleCheck, Status, case_of
from .choose import config_of

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
