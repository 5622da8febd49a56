"""Explanations of a rule, op by op: `explain` for a module, `Explainer` for a whole run.

A constraint that does not hold is explained with the values that it saw.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import HtpError, did_you_mean, fail
from ....dialects.locations import Origin, listed, origins_of
from ....dialects.spec_of import text
from ....dialects.value import DType
from ....runtime.passes import FiredRule
from ..definition.pattern import Match, matches
from ..definition.rule import Rule, RuleSet, rules
from ..engine.engine import RuleObserver, Run
from ..engine.rewrite import on_one_line, rewriting
from ..graph.env import Env, GraphOptions, silent
from ..graph.graph import EvaluationError, ExprKind, Node, Value, common_kind
from ..language.operators import AND, EQ, GE, GT, LE, LT, NE, NOT, OR, SELECT, number
from ..language.queries import MESSAGE_IF, MESSAGE_IFNOT
from ..tree.build import Builder, NoChange
from ..tree.expr import Expr, External, Literal, Text
from ..tree.function import Call, Function
from ..tree.written_out import settled
from .near_miss import Naming, match_reason
from .places import Names, Places, bare


def constraint_reason(expr: Expr, env: Env, named: Naming) -> str | None:
    """Return the first part of a constraint that does not hold, with its values; else None."""
    try:
        if expr.evaluate(env):
            return None
        return _refusal(expr, env, named)
    except EvaluationError as error:
        return _without_value(expr, env, error)
    except HtpError as error:
        return error.faults[0].line()


def _refusal(expr: Expr, env: Env, named: Naming) -> str:
    """Say why an expression is false."""
    if not isinstance(expr, Call):
        return f"{expr}: it never holds"
    function, args = expr.function, expr.args
    if function is AND:
        reasons = (constraint_reason(arg, env, named) for arg in args)
        return next(reason for reason in reasons if reason is not None)
    if function is OR:
        return " and ".join(constraint_reason(arg, env, named) or str(arg) for arg in args)
    if function in (MESSAGE_IF, MESSAGE_IFNOT):
        return _refusal(args[0], env, named)
    if function is NOT and isinstance(args[0], Call):
        return f"{expr}: {_seen(args[0], env, named) or 'it holds'}"
    if isinstance(args[0], External):
        # The meaning of a user's function is the first line of its docstring.
        lines = (args[0].resolve(env).function.__doc__ or "false").strip().splitlines()
        return f"{expr}: {_seen(expr, env, named)}; {args[0].name}: {lines[0]}"
    return f"{expr}: {_seen(expr, env, named) or 'false'}"


_SIGNS: dict[Function, tuple[str, str]] = {
    EQ: ("==", "!="),
    NE: ("!=", "=="),
    LT: ("<", ">="),
    GT: (">", "<="),
    LE: ("<=", ">"),
    GE: (">=", "<"),
}
"""The sign between two values where the comparison holds, and where it does not."""


def _seen(call: Call, env: Env, named: Naming) -> str:
    """Say the values that a call computes with."""
    if call.function in _SIGNS:
        signs = _SIGNS[call.function]
        left, right = (_operand(call, index, env, named) for index in range(2))
        return f"{left} {signs[0 if call.evaluate(env) else 1]} {right}"
    read = [arg for arg in call.args if not isinstance(arg, Literal | Text | External)]
    shown = (f"{arg} is {_shown(arg.evaluate(env), named)}" for arg in read)
    return ", ".join(dict.fromkeys(shown))


def _operand(call: Call, index: int, env: Env, named: Naming) -> str:
    if call.args[index].kind is ExprKind.DTYPE:
        return _shown(call.args[index].evaluate(env), named)
    return _shown(number(env, call, index, common_kind(arg.kind for arg in call.args)), named)


def _shown(value: Value, named: Naming) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case DType():
            return value.name
        case Node():
            dtype = "shape" if value.is_shape else value.spec.dtype.name
            array = value.constant
            number = f" of {array.item():g}" if array is not None and array.size == 1 else ""
            return f"{named(value.value)} {value.name} {text(value.shape)} {dtype}{number}"
        case tuple():
            return text(value)
        case _:
            return str(value)


def _evaluated(expr: Expr, env: Env) -> Sequence[Expr]:
    """Return the parts that are evaluated: of a choice, the condition and the chosen operand."""
    parts = expr.parts()
    if not isinstance(expr, Call) or expr.function is not SELECT:
        return parts
    try:
        return (parts[0], parts[1 if parts[0].evaluate(env) else 2])
    except EvaluationError:
        return parts[:1]


def _without_value(expr: Expr, env: Env, error: EvaluationError) -> str:
    """Say the innermost part without a value."""
    for part in _evaluated(expr, env):
        try:
            part.evaluate(env)
        except EvaluationError as inner:
            return _without_value(part, env, inner)
        except TypeError:
            continue
    return f"{expr}: {error}"


class RuleOutcome(Enum):
    """The outcome of a rule at an op."""

    FIRES = "fires"
    NO_MATCH = "no match"
    REFUSED = "refused"
    OFF = "off"
    LEFT_ALONE = "left alone"
    UNCHANGED = "nothing to do"
    INVALID = "invalid"
    TAKEN = "taken"
    TAKES_IN = "takes it in"


@dataclass(frozen=True)
class Explanation:
    """The outcome of a rule at one op, and the reason.

    `value` is what a reader knows the op's result by: a node, `'conv1'`, a name or a place in the
    text; `ssa` is its name in the IR in front of the pass group. `origins` are the nodes and places
    that the op comes from.
    """

    rule: Rule
    function: str
    value: str
    op: str
    outcome: RuleOutcome
    reason: str = ""
    origins: tuple[Origin, ...] = ()
    ssa: str = ""

    def __str__(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        first, *others = self.origins or (Origin(),)
        position = f"{first.position}: " if first.position else ""
        node = f" '{first.node}'" if first.node not in ("", bare(self.value)) else ""
        more = f" with {listed(others)}" if others else ""
        result = "" if self.value == first.position else f"{self.value} = "
        return f"{position}{result}{self.op}{node}{more}: {self.outcome.value}{why}"

    def row(self) -> dict[str, str | int | list[str]]:
        """Return the explanation by name, for machines."""
        return {
            "rule": self.rule.name,
            "where": self.rule.where,
            "nth": self.rule.nth,
            "match": str(self.rule.match),
            "function": self.function,
            "value": self.value,
            "op": self.op,
            "outcome": self.outcome.value,
            "reason": self.reason,
            "from": [str(origin) for origin in self.origins],
        }


def explain(
    rule: Rule,
    module: ModuleOp,
    options: GraphOptions | None = None,
    *,
    rule_set: RuleSet | None = None,
) -> list[Explanation]:
    """Explain a rule at each op of the name of its root, in program order, without changes.

    The reason is the first part of the match or of the constraint that does not hold, with the
    values that it saw. `rule_set` has the ops and functions that the rule needs by name.

    Example: `explain(rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X"), module)`
    """
    run = Run(rule_set or rules(rule, package=rule.package), options or GraphOptions(), silent)
    entries: list[Explanation] = []
    for function in (op for op in module.ops if isinstance(op, FuncOp)):
        names = Names(function)
        for op in (op for op in function.walk() if op.name == rule.root):
            entry = before(rule, run, op, function.sym_name.data, names)
            unchanged = entry.outcome is RuleOutcome.UNCHANGED
            entries.append(_tried(entry, run, op) if unchanged else entry)
    return entries


class Explainer(RuleObserver):
    """A collector of the outcomes of chosen rules at each op.

    A rule is chosen by its name or by FILE:LINE of its definition; HtpError for an unknown one.
    Of several visits of an op the last counts.
    """

    def __init__(self, chosen: Sequence[str]) -> None:
        self.entries: dict[tuple[Rule, Operation], Explanation] = {}
        self.known: tuple[Rule, ...] = ()
        self.ran: list[Rule] = []
        self._chosen = chosen
        self._watched: Sequence[Rule] = ()

    def begins(self, run: Run) -> None:
        self.known += tuple(rule for rule in run.rules if rule not in self.known)
        for name in self._chosen:
            if not any(rule.is_called(name) for rule in run.rules):
                names = (rule.name for rule in run.rules)
                hint = did_you_mean(name, names, "give its name, or FILE:LINE of it")
                raise fail("explain", f"no rule is called '{name}'", hint)

    def starts(self, run: Run, members: Sequence[Rule], function: FuncOp) -> None:
        watched = [rule for rule in members if any(rule.is_called(c) for c in self._chosen)]
        self._choose(run, watched, function)

    def _choose(self, run: Run, watched: Sequence[Rule], function: FuncOp) -> None:
        self._watched = watched
        self.ran += [rule for rule in watched if rule not in self.ran]
        self._run, self._function = run, function.sym_name.data
        self._names = Names(function) if self._watched else Names()

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        for rule in self._watched:
            if rule.root == root.name:
                entry = before(rule, self._run, root, self._function, self._names)
                if rule in left_alone:
                    entry = replace(entry, outcome=RuleOutcome.LEFT_ALONE, reason=_ITS_OWN)
                ssa = self._names.ssa(root.results[0]) if root.results else ""
                self.entries[rule, root] = replace(entry, ssa=ssa)

    def fired(self, rule: FiredRule, root: Operation, new: Sequence[Operation]) -> None:
        if not self._watched:
            return
        self._names.follow(root, new)
        for watched in self._watched:
            entry = self.entries.get((watched, root))
            if entry is not None:
                self.entries[watched, root] = after(entry, rule)


class OpExplainer(Explainer):
    """A collector of the outcomes of every rule at the ops that are named."""

    def __init__(self, places: Places) -> None:
        super().__init__(())
        self.nodes: set[str] = set()
        """The names of all ops that rules were tried at."""
        self.met: set[str] = set()
        """The names that mean one of these ops."""
        self.floats: dict[tuple[str, str, str], None] = {}
        """The ops that stay in floats: the names that mean them, their own, and why."""
        self.places = places
        self.names = places.names

    def starts(self, run: Run, members: Sequence[Rule], function: FuncOp) -> None:
        self._choose(run, members, function)

    def visits(self, root: Operation, left_alone: Collection[Rule]) -> None:
        self.nodes.add(bare(self._values(root)[0]))
        if met := self._met(root):
            self.met |= met
            super().visits(root, left_alone)

    def takes(self, rule: Rule, match: Match) -> None:
        at = f"{self._values(match.root)[0]} {match.root.name}"
        for op in match.pattern.ops(match.root, match.orders):
            if op is not match.root and self._met(op):
                value, *ssa = self._values(op)
                known = (rule, self._function, value, op.name, RuleOutcome.TAKES_IN)
                entry = Explanation(*known, f"it fires at {at}", origins_of(op), "".join(ssa))
                self.entries[rule, op] = entry

    def _values(self, op: Operation) -> tuple[str, ...]:
        """Return the names of an op's result, to a reader and in the IR."""
        result = op.results[0] if op.results else None
        return (self._names(result), self._names.ssa(result)) if result else ("",)

    def _met(self, op: Operation) -> set[str]:
        """Return the names that mean an op."""
        values, origins = self._values(op), origins_of(op)
        return {name for name in self.places.names if self.places.is_at(name, values, origins)}

    def stays(self, op: Operation, reason: str) -> None:
        for name in self.places.names:
            if self.places.is_at(name, (), origins_of(op)):
                self.floats[name, op.name, reason] = None


_ITS_OWN = "the rule made this op itself, in this pass group"
_NOTHING = "match and constraint hold, and the replacement changes nothing"


def before(rule: Rule, run: Run, root: Operation, function: str, names: Naming) -> Explanation:
    """Explain a rule before it is tried; UNCHANGED where match and constraint hold."""
    value = names(root.results[0]) if root.results else "()"
    known = (rule, function, value, root.name)
    entry = Explanation(*known, RuleOutcome.UNCHANGED, _NOTHING, origins_of(root))
    off = [flag for flag in rule.flags if not run.options.is_on(flag)]
    if off:
        return replace(entry, outcome=RuleOutcome.OFF, reason=f"flag {off[0]} is off")
    reason = match_reason(rule.pattern, root, names)
    if reason is not None:
        return replace(entry, outcome=RuleOutcome.NO_MATCH, reason=reason)
    env = _env(rule, run, root)
    reason = constraint_reason(settled(rule.constraint, env.bindings), env, names)
    if reason is not None:
        return replace(entry, outcome=RuleOutcome.REFUSED, reason=reason)
    return entry


def _env(rule: Rule, run: Run, root: Operation) -> Env:
    """Return the environment of the first match whose constraint holds, else of the first one."""
    every = matches(rule.pattern, root)
    envs = [run.env(rule, match.bound, silent) for match in every]
    good = (env for env in envs if constraint_reason(rule.constraint, env, Names()) is None)
    return next(good, envs[0])


def _tried(entry: Explanation, run: Run, root: Operation) -> Explanation:
    """Build the replacement to test that it is valid, and discard it."""
    builder = Builder(_env(entry.rule, run, root), root, run.classes)
    try:
        rewriting(entry.rule, builder, run.verifier)
    except NoChange:
        return entry
    except (VerifyException, EvaluationError) as error:
        return replace(entry, outcome=RuleOutcome.INVALID, reason=on_one_line(error))
    except HtpError as error:
        return replace(entry, outcome=RuleOutcome.INVALID, reason=error.faults[0].line())
    finally:
        builder.discard()
    return replace(entry, outcome=RuleOutcome.FIRES, reason="")


def after(entry: Explanation, fired: FiredRule) -> Explanation:
    """Return the entry of an op that a rule has just replaced."""
    if fired == entry.rule:
        return replace(entry, outcome=RuleOutcome.FIRES, reason="")
    by = f"{fired.label} came first"
    reason = by if entry.outcome is RuleOutcome.UNCHANGED else f"{entry.reason}; then {fired.label}"
    outcome = RuleOutcome.TAKEN if entry.outcome is RuleOutcome.UNCHANGED else entry.outcome
    return replace(entry, outcome=outcome, reason=reason)
