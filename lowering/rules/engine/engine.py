"""Running rules over the native IR: pass groups by number, each until nothing changes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..definition.rule import Group, RuleSet
from ..graph.env import to_stderr
from ..graph.options import GraphOptions
from .observer import observers
from .pass_group import PassGroup
from .run import Report, Run
from .stats import RuleCount, RuleStats


def run_rules(
    module: ModuleOp,
    rule_set: RuleSet,
    options: GraphOptions | None = None,
    *,
    first: int | None = None,
    last: int | None = None,
    report: Report = to_stderr,
) -> RuleStats:
    """Run the pass groups from `first` to `last`, both included, in place; give the counts.

    HtpError where a replacement is not valid (the graph is then as before that firing) or where a
    pass group does not end.

    Example: `run_rules(module, rules(rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X")))`
    """
    stats, run = RuleStats(), Run(rule_set, options or GraphOptions(), report)
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    for observer in observers():
        observer.begins(run)
    try:
        for priority, group in rule_set.groups.items():
            if (first is None or first <= priority) and (last is None or priority <= last):
                stats.counts += (counts := [RuleCount(member) for member in group.rules])
                for function in functions:
                    _run_group(run, group, counts, function)
    finally:
        for observer in observers():
            observer.ends(stats)
    return stats


def _run_group(run: Run, group: Group, counts: Sequence[RuleCount], function: FuncOp) -> None:
    told = observers()
    for observer in told:
        observer.starts(run, group.rules, function)
    PassGroup(run, group, counts, function, told).run()
