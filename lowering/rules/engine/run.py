"""The state that all pass groups of one run of rules share, and observers of a run."""

from collections.abc import Callable, Collection, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ....dialects.htp import NATIVE_OPS, ConstOp, ShapeOp
from ....dialects.qti_aisw import GRAPH_OPS
from ....runtime.passes.instrument import Instrument, instruments
from ....runtime.passes.instrument import instrumented as observing
from ..definition.match import Match
from ..definition.pattern import Bindings
from ..definition.rule import Rule, RuleSet
from ..graph.env import Env, GraphOptions
from ..graph.names import DEFAULT_PACKAGE
from ..tree.build import OpClasses
from .rewrite import FormVerifier
from .stats import RuleStats

Report = Callable[[str], None]


def op_classes(rule_set: RuleSet) -> OpClasses:
    """Return the classes of the ops that replacements may build, by IR name."""
    native = {f"{DEFAULT_PACKAGE}.{name}": op for name, op in NATIVE_OPS.items()}
    graph = {op.name: op for op in GRAPH_OPS.values()}
    return {**native, **graph, ConstOp.name: ConstOp, ShapeOp.name: ShapeOp, **rule_set.ops}


class Run:
    """A rule set with its op classes, functions and tables, the options, and a verifier."""

    def __init__(self, rule_set: RuleSet, options: GraphOptions, report: Report) -> None:
        self.rules = rule_set.rules
        self.options = options
        self.report = report
        self.externals = rule_set.externals
        self.tables = rule_set.tables
        self.classes = op_classes(rule_set)
        self.verifier = FormVerifier()

    def is_on(self, rule: Rule) -> bool:
        """The rule's flags are all on."""
        return all(self.options.is_on(flag) for flag in rule.flags)

    def env(self, rule: Rule, bound: Bindings, report: Report | None = None) -> Env:
        """Return the environment of one match of a rule."""
        return Env(
            bound, self.options, rule.package, self.externals, self.tables, report or self.report
        )


__all__ = ["RuleObserver", "observers", "observing"]


class RuleObserver(Instrument):
    """A listener to `run_rules` that must not change the graph; this one does nothing."""

    def begins(self, run: Run) -> None:
        """Hear that a run begins; an error raised here ends it."""

    def starts(self, run: Run, members: Sequence[Rule], function: FuncOp) -> None:
        """Hear that a pass group begins with a function; `members` are its rules."""

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        """Hear that the group's rules are tried at an op, except those that made it."""

    def takes(self, rule: Rule, match: Match) -> None:
        """Hear that a rule is about to replace the root of a match, which covers other ops too."""

    def ends(self, stats: RuleStats) -> None:
        """Hear that the run is over."""


def observers() -> tuple[RuleObserver, ...]:
    """Return the current instruments that are observers of rules."""
    return tuple(each for each in instruments() if isinstance(each, RuleObserver))
