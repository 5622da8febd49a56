"""The state that all pass groups of one run of rules share."""

from __future__ import annotations

from collections.abc import Callable

from ....dialects.htp import NATIVE_OPS, ConstOp, ShapeOp
from ....dialects.qti_aisw import GRAPH_OPS
from ..definition.pattern import Bindings
from ..definition.rule import Rule, RuleSet
from ..graph.env import Env
from ..graph.names import DEFAULT_PACKAGE
from ..graph.options import GraphOptions
from ..tree.build import OpClasses
from .rewrite import FormVerifier

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
