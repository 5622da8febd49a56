"""Running rules over the native IR: pass groups by priority, each until nothing changes.

A fixpoint per pass group, the least priority first; a later group never goes back to an earlier
one. Cost: that of the groups, each once for every function (see `pass_group`).

Example: a rule of EARLY makes Add a BiasAdd, and one of LATE makes that an Add again. Of
`Add(x, b)` an Add is left, since EARLY does not run again.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ....runtime.passes.instrument import instruments
from ..definition.rule import RuleSet
from ..graph.env import to_stderr
from ..graph.options import GraphOptions
from ..graph.priorities import priority_name
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
    """Run the pass groups from `first` to `last`, both included, in place; return the counts.

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
                name = priority_name(priority)
                for function in functions:
                    for instrument in instruments():
                        instrument.group_begins(name, function)
                    for observer in observers():
                        observer.starts(run, group.rules, function)
                    PassGroup(run, group, counts, function).run()
                    for instrument in instruments():
                        instrument.group_ends(name, function)
    finally:
        for observer in observers():
            observer.ends(stats)
    return stats
