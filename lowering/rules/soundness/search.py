"""Search for cases: graphs that a rule's match and constraint accept.

Rejection sampling: a graph is drawn from the match, guided by the constraint, then built, matched
and evaluated; it is a case where all of that succeeds. Each attempt costs one graph.

Example: for `Op("Neg", Op("Neg", "X"))` with `EQ(DIM_DEPTH("X"), 32)` a template of two Neg is
drawn; the hint fixes the depth, the other dims and the dtype are drawn, and the graph is a case.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import HtpError
from ....dialects.htp.ops.state import StateReadOp
from ..definition.pattern import matches
from ..definition.rule import Rule, RuleSet
from ..engine.engine import op_classes
from ..engine.rewrite import FormVerifier
from ..graph.env import Env, silent
from ..graph.graph import EvaluationError
from .case import DrawnCase, Graph, draw_case, place
from .drawing.constraint_system import Choices, Contradiction
from .drawing.match_template import Classes, facts_of, profiles


@dataclass
class SearchResult:
    """The cases of a search, the number of graphs drawn, and why the others were refused."""

    cases: list[DrawnCase] = field(default_factory=list[DrawnCase])
    attempts: int = 0
    refused: Counter[str] = field(default_factory=Counter[str])


class Searcher:
    """A maker of cases for one rule of a set."""

    def __init__(self, rule: Rule, rule_set: RuleSet) -> None:
        self.rule = rule
        self._classes: Classes = {**op_classes(rule_set), StateReadOp.name: StateReadOp}
        self._pattern = rule.pattern
        self._facts = [*map(facts_of, rule.written_out)]
        self._profiles = profiles(facts_of(rule))
        self._verifier = FormVerifier()
        self._rule_set = rule_set
        self._kernels = rule_set.tables.kernels if rule_set.tables else None

    def search(self, random: Random, wanted: int, limit: int, result: SearchResult) -> None:
        """Draw graphs until `wanted` are cases, or `limit` were drawn."""
        while len(result.cases) < wanted and result.attempts < limit:
            result.attempts += 1
            try:
                result.cases.append(self.case(Choices(random)))
            except Contradiction as reason:
                result.refused[str(reason)] += 1

    def case(self, choices: Choices) -> DrawnCase:
        """Return the case that these choices make; Contradiction where they make none."""
        case = self._draw(choices)
        self.check(case)
        return case

    def check(self, case: DrawnCase) -> None:
        """Raise Contradiction where the graph is not valid, or match or constraint fail."""
        if not any(map(self._holds, self._envs(case))):
            raise Contradiction("the constraint does not hold")

    def matching(self, choices: Choices) -> Env:
        """Return the environment of a graph that the match accepts."""
        case = self._draw(choices, guided=False)
        return self._envs(case)[0]

    def _draw(self, choices: Choices, guided: bool = True) -> DrawnCase:
        several = len(self._facts) > 1
        facts = choices.pick(self._facts) if several else self._facts[0]
        return draw_case(facts, self._classes, self._profiles, choices, guided, self._kernels)

    def _envs(self, case: DrawnCase) -> list[Env]:
        graph = Graph(native=not case.in_graph)
        try:
            placed = place(case, graph, "")
            self._verifier.check(placed.ops)
        except VerifyException as error:
            raise Contradiction(str(error)) from error
        rules = self._rule_set
        known = case.options, self.rule.package, rules.externals, rules.tables, silent
        envs = [Env(match.bound, *known) for match in matches(self._pattern, placed.root)]
        if not envs:
            raise Contradiction("the match does not hold")
        return envs

    def _holds(self, env: Env) -> bool:
        try:
            return bool(self.rule.constraint.evaluate(env))
        except EvaluationError:
            return False
        except HtpError:
            return True  # The rule itself will fail on this graph, and that is to be shown.
