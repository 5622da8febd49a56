"""Differences of sizes that wrap round below 0: random testing on graphs drawn for the rule.

Cost: up to 150 graphs for each rule that subtracts sizes, each of which evaluates the differences.
Example: `SUB(DIM_HEIGHT("A"), DIM_HEIGHT("B"))` is reported once a graph has A of height 2 and B
of height 3, as unsigned numbers have no -1.
"""

from collections.abc import Iterator
from random import Random
from typing import cast

from ....dialects.diagnostics import HtpError
from ..definition.rule import Rule, RuleSet
from ..graph.env import Env
from ..graph.types import EvaluationError, Number, convert
from ..graph.types import ExprKind as Type
from ..soundness.drawing.choices import Choices
from ..soundness.drawing.constraint_system import Contradiction
from ..soundness.search import Searcher
from ..tree.expr import Expr, Literal, walk
from ..tree.function import Call, calls_in, conjuncts
from .finding import Finding, FindingKind

_GRAPHS = 150
"""Number of graphs that are drawn."""
_COMPARED = {"GE": False, "GT": False, "LE": True, "LT": True}
"""Comparisons that keep a difference above 0; True where the smaller operand comes first."""


def size_findings(rule: Rule, rule_set: RuleSet) -> Iterator[Finding]:
    """Yield SUBs of sizes whose second operand is larger on a drawn graph.

    Constraints are tested on graphs that match, as far as they are evaluated; replacements on
    graphs that satisfy the constraint too. Where no graph can be made, a SUB is reported unless
    the constraint compares its operands.
    """
    calls = (call for part in (rule.constraint, rule.replacement) for call in calls_in(part, "SUB"))
    suspects = [call for call in calls if _is_suspect(call)]
    if not suspects:
        return
    seen, graphs = _witnesses(rule, rule_set)
    for call in dict.fromkeys(suspects):
        if call in seen:
            yield Finding(FindingKind.WRAP, rule, f"{call} wraps: {seen[call]}")
        elif not graphs and not _is_guarded(rule, call):
            yield Finding(
                FindingKind.WRAP, rule, f"{call} may wrap: no comparison keeps it above 0"
            )


def _is_suspect(call: Call) -> bool:
    """Test for a difference of sizes that does not depend on a split."""
    plain = all(isinstance(arg, Literal) for arg in call.args)
    return call.kind is Type.SIZE and not plain and not _in_split(call)


def _in_split(expr: Expr) -> bool:
    return any(part.kind is Type.VAR for part in walk(expr))


def _witnesses(rule: Rule, rule_set: RuleSet) -> tuple[dict[Call, str], int]:
    """Return the values of each SUB that wraps on a graph, and the number of graphs."""
    seen: dict[Call, str] = {}
    graphs = 0
    searcher, random = Searcher(rule, rule_set), Random(0)
    for _ in range(_GRAPHS):
        try:
            env = searcher.matching(Choices(random))
        except Contradiction:
            continue
        graphs += 1
        for call, values in _wrapping(rule, env):
            seen.setdefault(call, values)
    return seen, graphs


def _wrapping(rule: Rule, env: Env) -> Iterator[tuple[Call, str]]:
    try:
        yield from _met(rule.constraint, env)
        if rule.constraint.evaluate(env):
            yield from _met(rule.replacement, env)
    except (EvaluationError, HtpError):
        return


def _met(expr: Expr, env: Env) -> Iterator[tuple[Call, str]]:
    """Yield SUBs that wrap among those that are evaluated: AND, OR and SELECT stop early."""
    name = expr.function.name if isinstance(expr, Call) else ""
    parts = expr.parts()
    if name in ("AND", "OR") and not _in_split(expr):
        for part in parts:
            yield from _met(part, env)
            if bool(part.evaluate(env)) is (name == "OR"):
                return
    elif name == "SELECT" and not _in_split(parts[0]):
        yield from _met(parts[0], env)
        yield from _met(parts[1 if parts[0].evaluate(env) else 2], env)
    else:
        for part in parts:
            yield from _met(part, env)
        if name == "SUB" and isinstance(expr, Call) and _is_suspect(expr):
            yield from _wraps(expr, env)


def _wraps(call: Call, env: Env) -> Iterator[tuple[Call, str]]:
    left, right = (convert(cast(Number, arg.evaluate(env)), Type.SIZE) for arg in call.args)
    if left < right:
        yield call, f"{call.args[0]} is {left} and {call.args[1]} is {right} in a graph it matches"


def _is_guarded(rule: Rule, call: Call) -> bool:
    for part in conjuncts(rule.constraint):
        if isinstance(part, Call) and part.function.name in _COMPARED:
            args = part.args[::-1] if _COMPARED[part.function.name] else part.args
            if args == call.args:
                return True
    return False
