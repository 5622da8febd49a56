"""What all pass groups of one run of rules share."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....dialects.htp import NATIVE_OPS
from ....dialects.htp.ops.const import ConstOp, ShapeOp
from ..definition.match import Bindings
from ..definition.rule import Rule, RuleSet
from ..graph.env import Env
from ..graph.names import DEFAULT_PACKAGE
from ..graph.options import GraphOptions
from ..tree.build import OpClasses
from ..tree.expr import ExternalFunction
from .verify import Verifier

Report = Callable[[str], None]


def op_classes(rule_set: RuleSet) -> OpClasses:
    """The classes that replacements may build, by IR name."""
    native = {f"{DEFAULT_PACKAGE}.{name}": op for name, op in NATIVE_OPS.items()}
    return {**native, ConstOp.name: ConstOp, ShapeOp.name: ShapeOp, **rule_set.ops}


def functions_of(rule_set: RuleSet) -> Mapping[str, ExternalFunction]:
    """The Python functions that rules call by name."""
    return {name: held.function for name, held in rule_set.externals.items() if held.function}


class Run:
    """A rule set with its op classes and functions, the options, and what was verified already."""

    def __init__(self, rule_set: RuleSet, options: GraphOptions, report: Report) -> None:
        self.rules = rule_set.rules
        self.options = options
        self.report = report
        self.classes = op_classes(rule_set)
        self.externals = functions_of(rule_set)
        self.verifier = Verifier()

    def is_on(self, rule: Rule) -> bool:
        """The rule's flags are all on."""
        return all(self.options.is_on(flag) for flag in rule.flags)

    def env(self, rule: Rule, bound: Bindings, report: Report | None = None) -> Env:
        """What one match of a rule is evaluated against."""
        return Env(bound, self.options, rule.package, self.externals, report or self.report)
