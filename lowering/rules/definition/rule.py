"""A rule and a set of rules, as value objects.

Op names that nobody knows are found by two least fixed points over the rules: names that rules make
out of known ops, and names that rules turn into known ops, are intermediate ops. A name that no
rule builds is reported once, then counts as made; the same holds backwards. Cost: rules times the
longest chain. Example: of `Relu -> Mid` and `Mid -> Abs` nothing is reported. Of `Scael -> Scael`,
a split, the name is: only rules that match it make it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

from xdsl.ir import Operation

from ....dialects.diagnostics import Fault, HtpError
from ....dialects.htp.ops.state import StateReadOp, StateWriteOp
from ....dialects.locations import shown_path
from ..graph.graph import (
    DEFAULT_PACKAGE,
    EVERYWHERE,
    GRAPH,
    INPUT,
    OUTPUT,
    OpTables,
    remedy,
    resolve,
)
from ..graph.priorities import priority_name
from ..language.shape_functions import LIBRARY
from ..tree.build import OpClasses
from ..tree.expr import (
    OUT,
    Arg,
    Expr,
    External,
    OpForm,
    as_expr,
    caller,
    nth_place,
    required_forms,
    walk,
)
from ..tree.function import calls_in, options_in
from ..tree.written_out import written_out
from .pattern import DecisionTable, OpPattern, op_pattern
from .scope import named_ops, ops_of, rule_faults

_CUTTING = ("AUTOSPLIT", "AUTOTHREAD_HVX", "AUTOTHREAD_HMX", "PLANNED_CHUNK")
"""The functions that cut an op, or that ask how its plan does."""


@dataclass(frozen=True)
class Rule:
    """A rewrite: where `match` and `constraint` hold, `replacement` replaces the root.

    `flags` name graph options that must be on. `source` is `file:line` of the definition, as the
    code object states its file; `nth` is its number among several of that line, else 0.
    """

    priority: int
    match: OpForm
    constraint: Expr
    replacement: Expr
    flags: tuple[str, ...] = ()
    name: str = ""
    source: str = field(default="", compare=False)
    package: str = DEFAULT_PACKAGE
    nth: int = field(default=0, compare=False)

    @property
    def root(self) -> str:
        """The IR name of the op at the root of the match."""
        return resolve(self.match.name, self.package)

    @cached_property
    def needs(self) -> frozenset[str]:
        """The IR names of the ops that the match has; inputs and constants are in any graph."""
        forms = required_forms(self.match)
        return frozenset(resolve(form.name, self.package) for form in forms) - EVERYWHERE

    @cached_property
    def written_out(self) -> tuple[Rule, ...]:
        """The rule with each choice of its alternatives; itself where it has none."""
        every = written_out(self.match, self.constraint, self.replacement)
        return tuple(
            replace(self, match=match, constraint=constraint, replacement=replacement)
            for match, constraint, replacement in every
            if isinstance(match, OpForm)
        )

    @cached_property
    def pattern(self) -> OpPattern:
        """The pattern of the match; the root may have other outputs read where all are replaced."""
        pattern, parts = op_pattern(self.match, self.package), walk(self.replacement)
        every = any(isinstance(part, External) and part.all_outputs for part in parts)
        return replace(pattern, any_output=every)

    @property
    def in_graph(self) -> bool:
        """The rule rewrites graph ops, not native ones."""
        return self.root.startswith(f"{GRAPH}.")

    @property
    def cuts(self) -> bool:
        """The rule cuts ops into tiles: it splits its root, or asks for a tile plan."""
        trees = (self.constraint, self.replacement)
        return any(next(calls_in(tree, *_CUTTING), None) is not None for tree in trees)

    @property
    def label(self) -> str:
        """The name and the place of the rule, for messages."""
        return f"{self.name} ({self.place})"

    @property
    def where(self) -> str:
        """`file:line` of the definition, relative below the current folder."""
        return shown_path(self.source)

    @property
    def place(self) -> str:
        """`file:line` of the definition, or `file:line, 2nd rule`."""
        return nth_place(self.where, self.nth)

    def is_called(self, text: str) -> bool:
        """Test that the text is the name, the place, or a line that the rule shares with others."""
        places = (f"/{self.source}", f"/{nth_place(self.source, self.nth)}")
        return text == self.name or any(place.endswith(f"/{text}") for place in places)

    def ops_in(self, expr: Expr) -> dict[str, str]:
        """Return the ops that a part of the rule names, by IR name, as the rule writes them."""
        return ops_of(self.package, expr)

    def __str__(self) -> str:
        parts = [priority_name(self.priority), self.match, self.constraint, self.replacement]
        return f"rule({', '.join(map(str, parts))})"


def rule(
    priority: int,
    match: Expr,
    constraint: Arg,
    replacement: Arg,
    *,
    flags: Sequence[str] = (),
    name: str | None = None,
    where: str | None = None,
) -> Rule:
    """A checked rule; HtpError with file and line where it cannot be right.

    Example: `rule(EARLY + 1, Op("Add", "X", "B"), IS_SHAPE_1x1x1xd("B"), Op("BiasAdd", "X", "B"))`
    """
    source = where or caller()
    form, condition, result = as_expr(match), as_expr(constraint), as_expr(replacement)
    faults = list(rule_faults(form, condition, result))
    if priority < 0:
        faults.append(f"the priority is {priority}; it must be >= 0")
    if faults or not isinstance(form, OpForm):
        where = shown_path(source)
        label = f"{where}: rule {name}" if name else where
        raise HtpError(*(Fault(label, text, "the rule was not made") for text in faults))
    return Rule(priority, form, condition, result, tuple(flags), name or form.name, source)


@dataclass(frozen=True)
class RuleSet:
    """Rules in the order of writing, with what they need: ops of their packages, functions, tables.

    `Packages.rules` is the set with the tables; of two sets that have some, the later's are taken.
    `undeclared` are those of the ops, by IR name, that rules name and nothing declares.
    """

    rules: tuple[Rule, ...] = ()
    ops: Mapping[str, type[Operation]] = field(default_factory=dict[str, type[Operation]])
    externals: Mapping[str, External] = field(default_factory=lambda: LIBRARY)
    tables: OpTables | None = None
    undeclared: frozenset[str] = frozenset()

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __add__(self, other: RuleSet) -> RuleSet:
        return RuleSet(
            (*self.rules, *other.rules),
            {**self.ops, **other.ops},
            {**self.externals, **other.externals},
            other.tables or self.tables,
            self.undeclared | other.undeclared,
        )

    def alone(self, rule: Rule) -> RuleSet:
        """Return the set with this rule only."""
        return replace(self, rules=(rule,))

    def without_cuts(self) -> RuleSet:
        """Return the set without the rules that cut ops into tiles."""
        return replace(self, rules=tuple(rule for rule in self.rules if not rule.cuts))

    @cached_property
    def options(self) -> frozenset[str]:
        """The graph options that the rules read: their flags and the names in OPTION_*."""
        trees = [tree for rule in self.rules for tree in (rule.constraint, rule.replacement)]
        flags = {flag for rule in self.rules for flag in rule.flags}
        return frozenset(flags.union(*map(options_in, trees)))

    @cached_property
    def groups(self) -> Mapping[int, Group]:
        """The pass groups of the rules, by priority."""
        numbers = sorted({rule.priority for rule in self.rules})
        return {
            number: Group(tuple(rule for rule in self.rules if rule.priority == number))
            for number in numbers
        }


@dataclass(frozen=True)
class Group:
    """The rules of one pass group in the order of writing, and indices over parts of them."""

    rules: tuple[Rule, ...]

    _indices: dict[frozenset[int], DecisionTable] = field(
        default_factory=dict[frozenset[int], DecisionTable], compare=False, repr=False
    )

    def index(self, numbers: frozenset[int]) -> DecisionTable:
        """Return the index over some of the rules, by number; the others' patterns are not made."""
        if numbers not in self._indices:
            patterns = {number: self.rules[number].pattern for number in sorted(numbers)}
            self._indices[numbers] = DecisionTable(patterns)
        return self._indices[numbers]


def rules(
    *members: Rule | RuleSet,
    package: str = DEFAULT_PACKAGE,
    ops: Mapping[str, type[Operation]] | None = None,
    externals: Sequence[External] = (),
) -> RuleSet:
    """A table of rules whose bare op names belong to `package`.

    `ops` are the classes of ops by IR name beyond the native ones; those of native ops that rules
    name and that are known by name only are added. `externals` the Python functions
    that the rules call by name only; HtpError where one of those is missing.

    Example: `rules(rule(EARLY, Op("q::Relu", "X"), OK, Op("MyRelu", "X")), package="Mine")`
    """
    sets = [member for member in members if isinstance(member, RuleSet)]
    own = RuleSet((), dict(ops or {}), {external.name: external for external in externals})
    joined = replace(
        sum((*sets, own), RuleSet()),
        rules=numbered(
            rule if isinstance(member, RuleSet) else replace(rule, package=package)
            for member in members
            for rule in (member if isinstance(member, RuleSet) else (member,))
        ),
    )
    faults = [fault for member in joined.rules for fault in _missing(member, joined.externals)]
    if faults:
        raise HtpError(*faults)
    named = [
        named_ops(member.package, (member.match, member.constraint, member.replacement))
        for member in joined.rules
        if member.package != DEFAULT_PACKAGE
    ]
    return replace(joined, ops={**joined.ops, **{k: op for ops in named for k, op in ops.items()}})


def numbered(members: Iterable[Rule]) -> tuple[Rule, ...]:
    """Number the rules of each line that has several; numbers that tell them apart are kept."""
    members = tuple(members)
    lines: dict[str, list[int]] = {}
    for rule in members:
        lines.setdefault(rule.source, []).append(rule.nth)
    alike = {
        where
        for where, numbers in lines.items()
        if len(numbers) > 1 and (0 in numbers or len(set(numbers)) < len(numbers))
    }
    counts = {where: count(1) for where in alike}
    return tuple(
        replace(rule, nth=next(counts[rule.source])) if rule.source in alike else rule
        for rule in members
    )


def _missing(member: Rule, known: Mapping[str, External]) -> Iterator[Fault]:
    for expr in (*walk(member.constraint), *walk(member.replacement)):
        if isinstance(expr, External) and expr.function is None and expr.name not in known:
            remedy = "give it to rules(..., externals=...)"
            yield Fault(member.label, f"no function '{expr.name}' is registered", remedy)


_READABLE = (StateReadOp.name, StateWriteOp.name, INPUT, OUTPUT)
Names = AbstractSet[str]


@dataclass(frozen=True)
class UnknownOp:
    """A name in a rule that no op has, and the message about it."""

    rule: Rule
    message: str

    def __str__(self) -> str:
        return f"{self.rule.label}: {self.message}"


def unknown_ops(rules: RuleSet, classes: OpClasses, only: Sequence[Rule]) -> list[UnknownOp]:
    """Return the names in some rules that no package declares and that all rules do not explain.

    `classes` has every op that can be built, those that rules alone name included.
    """
    known = {*classes, *_READABLE} - rules.undeclared
    asked = [_Uses.of(rule) for rule in only]
    if all(use.names().keys() <= known for use in asked):
        return []
    uses = [_Uses.of(rule) for rule in rules]
    makeable = _reach(known, [(use.match.keys(), use.makes(rules.undeclared)) for use in uses])
    takeable = _reach(known, [(use.built.keys(), use.match.keys()) for use in uses])
    unknown: list[UnknownOp] = []
    for use in asked:
        for full, name in use.names().items():
            why = "" if full in known else use.fault(full, makeable, takeable, full in classes)
            if why:
                fix = remedy(name, use.rule.package, known, cpp=full in rules.undeclared)
                unknown.append(UnknownOp(use.rule, f"no package has {full}, and {why}; {fix}"))
    return unknown


@dataclass(frozen=True)
class _Reached:
    """The names that arrows lead to at all, and the names that follow from known ones."""

    targets: Names
    reached: Names

    def fault(self, name: str, outside: str, in_circle: str) -> str:
        """Return the first text for a name of no arrow, the second for one in a circle."""
        if name not in self.targets:
            return outside
        return "" if name in self.reached else in_circle


def _reach(known: Names, arrows: Sequence[tuple[Names, Names]]) -> _Reached:
    """Follow the arrows from known names, and from names that no arrow leads to."""
    targets = {name for _, ends in arrows for name in ends}
    reached = {*known, *(name for starts, _ in arrows for name in starts if name not in targets)}
    while True:
        further = {name for starts, ends in arrows if starts <= reached for name in ends} - reached
        if not further:
            return _Reached(targets, reached)
        reached |= further


@dataclass(frozen=True)
class _Uses:
    """The ops that the match, the constraint and the replacement of a rule name."""

    rule: Rule
    match: Mapping[str, str]
    asked: Mapping[str, str]
    built: Mapping[str, str]

    @classmethod
    def of(cls, rule: Rule) -> _Uses:
        """Return the uses of a rule."""
        match, asked = rule.ops_in(rule.match), rule.ops_in(rule.constraint)
        # $Out builds no op, but takes one output of an op that is built.
        built = {op: name for op, name in rule.ops_in(rule.replacement).items() if name != OUT}
        return cls(rule, match, asked, built)

    def names(self) -> Mapping[str, str]:
        """Return all of them."""
        return {**self.match, **self.asked, **self.built}

    def makes(self, undeclared: Names) -> Names:
        """Return the ops that the rule builds; a Python function may build any of its package."""
        own = {name for name in undeclared if name.startswith(f"{self.rule.package}.")}
        if own and any(calls_in(self.rule.replacement, "EXTERNAL_REPLACE")):
            return own | self.built.keys()
        return self.built.keys()

    def fault(self, full: str, makeable: _Reached, takeable: _Reached, is_op: bool) -> str:
        """Return why the rule is dead by a name that nobody declares; empty where it is not."""
        if full in self.match or full in self.asked:
            why = makeable.fault(full, "no rule makes it", "only rules that match it make it")
            if why or full not in self.built:
                return why
        if not is_op:
            return "it cannot be built"
        return takeable.fault(full, "no rule matches it", "only rules that make it match it")
