"""Running rules over the native IR: pass groups by priority, each until nothing changes.

A fixpoint per pass group, the least priority first; a later group never goes back to an earlier
one. Cost: that of the groups, each once for every function (see `pass_group`).

Example: a rule of EARLY makes Add a BiasAdd, and one of LATE makes that an Add again. Of
`Add(x, b)` an Add is left, since EARLY does not run again.

At each op the index names the rules that may match; they are tried in the order of writing, and the
first that fires replaces the op. Its new ops are visited next, before the ops behind them. A walk
costs one look-up in the index per op and one match per candidate; the last walk fires nothing.

Example: with `Neg(Neg(X)) -> X` and the ops n1 = Neg(x), n2 = Neg(n1), n3 = Abs(n2), the walk
visits n1 (no match), n2 (fires; n3 reads x now, n1 and n2 are erased) and n3. A second walk visits
n3, and the group ends.

The firings that led to an op, its provenance, decide on termination. Each firing is recorded as an
origin that points to the origin of its root, so that the origins of an op form a chain back to an
op of the input. Two things follow. A rule that made an op from an equal one is not tried on it
again. And a pass group does not terminate where a chain is longer than the block plus 1,000, where
one form of a root occurs 8 times in a chain, or where all firings exceed 100,000 plus 16 per op. A
firing costs constant time; every 32nd of a chain walks it.

Example: `Neg(X) -> Abs(X)` and `Abs(X) -> Neg(X)`. Each firing adds one link, and the two roots
come back in turn: at link 32 the form of the root has occurred 16 times, so NonTermination is
raised. It counts the newer half of the chain, 8 firings of each rule.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from time import perf_counter
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.faults.op_faults import whereabouts
from ....dialects.htp import NATIVE_OPS, ConstOp, ShapeOp
from ....dialects.qti_aisw import GRAPH_OPS
from ....dialects.spec_of import spec_of
from ....dialects.value import TensorSpec
from ....runtime.passes.run import Instrument, instrumented, instruments
from ..definition.pattern import Bindings, DecisionTable, Match, matches
from ..definition.rule import Group, Rule, RuleSet
from ..graph.env import Env, GraphOptions, to_stderr
from ..graph.graph import DEFAULT_PACKAGE, EvaluationError
from ..graph.priorities import priority_name
from ..tree.build import Builder, NoChange, OpClasses
from .rewrite import FormVerifier, on_one_line, rewriting
from .stats import RuleCount, RuleStats

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


observing = instrumented
"""Lets observers, which are instruments, follow the runs inside a block."""


def observers() -> tuple[RuleObserver, ...]:
    """Return the current instruments that are observers of rules."""
    return tuple(each for each in instruments() if isinstance(each, RuleObserver))


_DEPTH = 1_000
"""Maximum length of a chain beyond the number of ops in the block."""
_FIRINGS = 100_000
"""Maximum number of firings of a pass group beyond 16 per op."""
_CHECKED_EVERY = 32
"""Links of a chain between two searches for a form that comes back."""
_RETURNS = 8
"""Occurrences of one form in a chain that count as a cycle."""
_SHOWN = 1_000
"""Maximum number of firings that the error counts."""

Form = tuple[object, ...]
"""The name, the operands and the result types of an op."""


class NonTermination(EvaluationError):
    """Rules that keep rewriting; `firings` counts the last ones by the rule's number."""

    def __init__(self, firings: Counter[int]) -> None:
        super().__init__("does not end")
        self.firings = firings


class FiringOrigin(NamedTuple):
    """The firing that made an op: the rule's number, its root's form, and the root's own origin."""

    rule: int
    form: Form
    parent: FiringOrigin | None
    depth: int

    def chain(self) -> Iterator[FiringOrigin]:
        """Yield this firing and those before it."""
        origin: FiringOrigin | None = self
        while origin is not None:
            yield origin
            origin = origin.parent


class Provenance:
    """The origins of the ops that one pass group made in a block of `size` ops."""

    def __init__(self, size: int) -> None:
        self._origins: dict[Operation, FiringOrigin] = {}
        self._closed: dict[Operation, frozenset[int]] = {}
        self._max_depth = _DEPTH + size
        self._max_firings = _FIRINGS + 16 * size
        self._firings = 0

    def closed(self, op: Operation) -> frozenset[int]:
        """Return the numbers of the rules that made this op from an equal one."""
        return self._closed.get(op, frozenset())

    def fires(self, rule: int, root: Operation) -> FiringOrigin:
        """Record that a rule replaces a root; NonTermination where that went on for too long."""
        # A link for the chain of what the rule makes.
        parent = self._origins.pop(root, None)
        depth = 1 if parent is None else parent.depth + 1
        form = (root.name, *root.operands, *(result.type for result in root.results))
        origin = FiringOrigin(rule, form, parent, depth)
        self._firings += 1
        # Too long a chain, a cycle in it, or too many firings.
        endless = depth > self._max_depth or self._firings > self._max_firings
        if not endless and depth % _CHECKED_EVERY == 0:
            endless = sum(firing.form == form for firing in origin.chain()) >= _RETURNS
        if endless:
            counted = islice(origin.chain(), min(_SHOWN, max(depth // 2, 1)))
            raise NonTermination(Counter(firing.rule for firing in counted))
        return origin

    def made(self, origin: FiringOrigin, root: Operation, op: Operation, equal: bool) -> None:
        """Record an op of a firing; `equal` to the root in name, shape, dtype and encoding."""
        self._origins[op] = origin
        if equal:
            self._closed[op] = self.closed(root) | {origin.rule}


class PassGroup:
    """The rules of one priority with their counts, on the body of one function."""

    def __init__(
        self,
        run: Run,
        group: Group,
        counts: Sequence[RuleCount],
        function: FuncOp,
    ) -> None:
        self._run = run
        self._counts = counts
        self._group = group
        self._on = [number for number, rule in enumerate(group.rules) if run.is_on(rule)]
        self._function = function
        ops = [op for block in function.body.blocks for op in block.ops]
        self._names = {op.name for op in ops}
        self._index = self._usable()
        self._instruments = instruments()
        self._observers = observers()
        self._provenance = Provenance(len(ops))
        self._fired = 0

    def run(self) -> None:
        """Walk the function in program order until a walk fires nothing.

        The second walk mostly confirms; it fires where a match depends on a later consumer.
        """
        before = -1
        while before != self._fired:
            before = self._fired
            for block in self._function.body.blocks:
                self._walk(deque(block.ops))

    def _walk(self, work: deque[Operation]) -> None:
        while work:
            op = work.popleft()
            if op.parent is not None:
                work.extendleft(reversed(self._visit(op)))

    def _visit(self, op: Operation) -> Sequence[Operation]:
        """Try the rules at a root; return the new ops of the first that fires."""
        numbers = self._index.candidates(op)
        if not numbers and not self._observers:
            return ()
        closed = self._provenance.closed(op)
        for observer in self._observers:
            observer.visits(op, [self._counts[number].rule for number in closed])
        for number in numbers:
            if number not in closed:
                new = self._timed(number, op)
                if new is not None:
                    return new
        return ()

    def _timed(self, number: int, op: Operation) -> Sequence[Operation] | None:
        count, start = self._counts[number], perf_counter()
        try:
            return self._try(number, op)
        finally:
            count.seconds += perf_counter() - start

    def _try(self, number: int, op: Operation) -> Sequence[Operation] | None:
        count = self._counts[number]
        count.attempts += 1
        has_matched = False
        for match in matches(count.rule.pattern, op):
            count.matches += not has_matched
            has_matched = True
            env = self._run.env(count.rule, match.bound)
            if self._holds(count.rule, env, op):
                return self._fire(number, match, env)
        count.refusals += has_matched
        return None

    def _holds(self, rule: Rule, env: Env, root: Operation) -> bool:
        try:
            return bool(rule.constraint.evaluate(env))
        except EvaluationError:
            return False
        except HtpError as error:
            raise _in_rule(rule, root, error) from error

    def _fire(self, number: int, match: Match, env: Env) -> Sequence[Operation] | None:
        rule, root = self._counts[number].rule, match.root
        builder = Builder(env, root, self._run.classes, match.location)
        spec = spec_of(root.results[0])
        try:
            built = rewriting(rule, builder, self._run.verifier)
            self._note(number, root, builder, spec)
        except NoChange:
            builder.discard()
            return None
        except NonTermination as error:
            builder.discard()
            raise self._endless(root, error) from error
        except (VerifyException, EvaluationError) as error:
            builder.discard()
            fault = f"the replacement is not valid: {on_one_line(error)}"
            raise fail(rule.label, fault, f"{whereabouts(root)} was left as it was") from error
        except HtpError as error:
            builder.discard()
            raise _in_rule(rule, root, error) from error
        for observer in self._observers:
            observer.takes(rule, match)
        built.put_in_place()
        for instrument in self._instruments:
            instrument.fired(rule, root, builder.new_ops)
        if not self._names.issuperset(names := {op.name for op in builder.new_ops}):
            self._names |= names
            self._index = self._usable()
        return builder.new_ops

    def _usable(self) -> DecisionTable:
        """Return the index over the rules that are on and whose ops the function has at all."""
        rules = self._group.rules
        return self._group.index(frozenset(n for n in self._on if rules[n].needs <= self._names))

    def _note(self, number: int, root: Operation, builder: Builder, spec: TensorSpec) -> None:
        """Count the firing and record the origin of the new ops."""
        origin = self._provenance.fires(number, root)
        for op in builder.new_ops:
            equal = op.name == root.name and spec_of(op.results[0]) == spec
            self._provenance.made(origin, root, op, equal)
        self._counts[number].firings += 1
        self._counts[number].replaced[builder.location] = None
        self._fired += 1

    def _endless(self, root: Operation, error: NonTermination) -> HtpError:
        counts = [
            f"{self._counts[number].rule.label} {times} times"
            for number, times in error.firings.most_common()
        ]
        group = priority_name(self._counts[0].rule.priority)
        place = f"one place, {whereabouts(root)}"
        fault = f"does not end; its last firings at {place}: {', '.join(counts)}"
        return fail(f"pass group {group}", fault, "give one of these rules a guard")


def _in_rule(rule: Rule, root: Operation, error: HtpError) -> HtpError:
    """Complete an error of a user's function by the rule and the op that it is tried at."""
    at = f"at {whereabouts(root)}"
    problems = ((f"{at}: {f.where}: {f.problem}", f.remedy) for f in error.faults)
    return HtpError(*(Fault(rule.label, problem, remedy) for problem, remedy in problems))


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
