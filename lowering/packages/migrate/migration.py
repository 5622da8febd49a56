"""Migration of a package: tensor properties, which are proposed for each op, in place of copies.

Each replacement is stripped of its copies; where they were, a placement request for the op's tensor
remains. Requests of all rules for one op that agree become its tensor properties. Time is linear in
the size of the rules, times the ops placed.

Example: `Op("Relu", crouton_to_vtcm(x))` becomes `Op("Relu", x)` and `Crouton("x"), Tcm("x")`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ....dialects.diagnostics import Fault
from ....dialects.value import LayoutKind, Memory
from ....runtime.tensors.tensor_classes import CLASSES
from ...rules.definition.rule import Rule
from ...rules.graph.graph import ROOT, TensorProperties, resolve
from ...rules.tree.expr import Expr, Let, Literal, OpForm, Tag
from ..def_package.package import CppPackage, KernelSignature, Role
from ..report_lines import place_text, rule_line
from .copies import PlacementConstraint, PlacementRequest, Stripper, built_op, places_by_hand

Place = TypeVar("Place", LayoutKind, Memory)
_PLACES = {class_.__name__: (key.layout, key.memory) for key, class_ in CLASSES.items()}
DEFAULT = (LayoutKind.FLAT, Memory.DDR)
"""The default placement: of tensors without a declaration, and of a generic output."""
_UNMOVED: Mapping[bool, tuple[PlacementConstraint, str]] = {
    False: (DEFAULT, "no rule moves it, so it keeps the default placement"),
    True: ((LayoutKind.FLAT, None), "no rule moves it, and its memory is left to the compiler"),
}
"""The placement of a tensor that no rule moves, and why; True for an output."""


@dataclass(frozen=True)
class Proposal:
    """The tensor properties of one op, with a reason for each tensor by its tag.

    `fitting` are the registered functions that take the op's tensors so placed, `idle` those that
    do not; `unknown` those whose tensor classes the text does not tell.
    """

    properties: TensorProperties
    reasons: tuple[tuple[str, str], ...]
    fitting: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def served(self) -> bool:
        """A registration takes the tensors so placed, or may do so."""
        return bool(self.fitting or self.unknown or not self.idle)


@dataclass(frozen=True)
class StrippedRule:
    """A rule without its copies, and the places that the copies asked for."""

    rule: Rule
    after: Rule
    requests: tuple[PlacementRequest, ...]
    built: dict[str, list[OpForm]]
    blocker: str


def declared_of(op: str, package: CppPackage) -> TensorProperties | None:
    """Return the properties that a package declares for one of its ops, if it does."""
    return next((row for row in package.properties if resolve(row.op, package.name) == op), None)


def proposal_of(op: str, rules: Sequence[StrippedRule], package: CppPackage) -> Proposal:
    """Return the properties of one op: what rules say, and what holds where none says anything."""
    row = declared_of(op, package)
    bare = op.removeprefix(f"{package.name}.")
    inputs = row.inputs if row else _tags(op, bare, rules, package)
    outputs = row.outputs if row else (ROOT,)
    said = {
        tag: (request.constraint, f"{request.words}, {rule_line(candidate.rule)}")
        for candidate in rules
        for request in candidate.requests
        if request.op == op
        for tag in [outputs[0] if request.index is None else inputs[request.index]]
    }
    places: dict[str, PlacementConstraint] = {}
    reasons: dict[str, str] = {}
    for tag in (*outputs, *inputs):
        declared = ((row.layout(tag), row.memory(tag)), "declared before") if row else None
        before, rest = declared or _UNMOVED[tag in outputs]
        constraint, why = said.get(tag, ((None, None), ""))
        places[tag] = (constraint[0] or before[0], constraint[1] or before[1])
        reasons[tag] = why or rest
    layouts = _grouped([(tag, place[0]) for tag, place in places.items() if place[0]])
    memories = _grouped([(tag, place[1]) for tag, place in places.items() if place[1]])
    properties = TensorProperties(row.op if row else bare, inputs, outputs, layouts, memories)
    return Proposal(properties, tuple(reasons.items()), *_registrations(package, properties))


def _registrations(package: CppPackage, row: TensorProperties) -> Iterator[tuple[str, ...]]:
    """Yield the functions registered for an op that fit its properties, do not, or may."""
    kernels = [kernel for kernel in package.kernels if kernel.op == row.op]
    for wanted in (True, False, None):
        yield tuple(
            kernel.instance
            for kernel in kernels
            if (_takes(kernel, row) if kernel.parameters else None) is wanted
        )


def _takes(kernel: KernelSignature, row: TensorProperties) -> bool:
    """Tell whether the kernel takes the op's tensors where the properties put them.

    A generic tensor takes anything as an input, and as an output what is flat in main memory.
    """
    outputs = zip(row.outputs, kernel.classes(Role.OUTPUT), strict=False)
    inputs = zip(row.inputs, kernel.classes(Role.INPUT), strict=False)
    wanted = [
        *((tag, _PLACES.get(class_, DEFAULT)) for tag, class_ in outputs),
        *((tag, _PLACES[class_]) for tag, class_ in inputs if class_ in _PLACES),
    ]
    return all(
        row.layout(tag) in (None, layout) and row.memory(tag) in (None, memory)
        for tag, (layout, memory) in wanted
    )


def _grouped(pairs: Sequence[tuple[str, Place]]) -> tuple[tuple[str, Place], ...]:
    """Order tags by the place that they want, so that one clause names all tags of a place."""
    order = list(dict.fromkeys(value for _, value in pairs))
    return tuple(sorted(pairs, key=lambda pair: order.index(pair[1])))


def _tags(
    op: str, bare: str, rules: Sequence[StrippedRule], package: CppPackage
) -> tuple[str, ...]:
    """Names for the operands: those of a rule that matches just this op, else of a kernel."""
    for candidate in rules:
        tags = tuple(part.name for part in candidate.rule.match.inputs if isinstance(part, Tag))
        if candidate.rule.root == op and len(set(tags)) == len(candidate.rule.match.inputs):
            return tags
    form = next(candidate.built[op][0] for candidate in rules if op in candidate.built)
    names_of_kernels = [
        p.name
        for k in package.kernels
        if k.op == bare
        for p in k.parameters
        if p.role is Role.INPUT
    ]
    names = names_of_kernels[: len(form.inputs)]
    fitting = len(names) == len(form.inputs) == len(set(names)) and all(names)
    return tuple(names) if fitting else tuple(f"in{index}" for index in range(len(form.inputs)))


@dataclass(frozen=True)
class MigratedRule:
    """The outcome for a rule that places copies: `after` is None where the rule is dropped."""

    rule: Rule
    after: Rule | None
    why: str


@dataclass(frozen=True)
class Migration:
    """A package, the same after the migration, and what was decided.

    `conflicts` are what rules say against each other; where there are some, the op keeps its rules.
    """

    before: CppPackage
    after: CppPackage
    proposals: tuple[Proposal, ...]
    outcomes: tuple[MigratedRule, ...]
    conflicts: tuple[Fault, ...]


def migrate(package: CppPackage) -> Migration:
    """Propose tensor properties for a package in place of its copies by hand.

    A rule is migrated where what it does can be said without a condition: tensor properties hold
    for every op of a name. All else stays unchanged, with the reason.
    """
    stripped = [_stripped(rule, package) for rule in package.rules]
    placing = [candidate for candidate in stripped if candidate.requests or candidate.blocker]
    conflicts = {
        op: faults_of_op
        for op in dict.fromkeys(
            request.op for candidate in placing for request in candidate.requests
        )
        if (faults_of_op := tuple(_conflicts(op, stripped, package)))
    }
    outcomes = [_outcome(candidate, conflicts.keys()) for candidate in placing]
    moved = {id(outcome.rule) for outcome in outcomes if outcome.after is not outcome.rule}
    said = [candidate for candidate in placing if id(candidate.rule) in moved]
    proposals = [
        proposal_of(op, said, package)
        for op in dict.fromkeys(request.op for candidate in said for request in candidate.requests)
    ]
    faults = tuple(fault for faults_of_op in conflicts.values() for fault in faults_of_op)
    return Migration(
        package, _after(package, outcomes, proposals), tuple(proposals), tuple(outcomes), faults
    )


def _stripped(rule: Rule, package: CppPackage) -> StrippedRule:
    stripper = Stripper(rule.package)
    after = stripper.strip(rule.replacement)
    without = replace(rule, replacement=after)
    requests = tuple(stripper.requests)
    blocker = _blocker(rule, stripper, package)
    return StrippedRule(rule, without, requests, stripper.built, blocker)


def _blocker(rule: Rule, stripper: Stripper, package: CppPackage) -> str:
    """Return why a rule cannot be migrated whatever the others say; empty where it can."""
    if places_by_hand(rule.match, rule.package):
        return "it matches copies, which no rule places any more when it runs"
    if stripper.clashes:
        return stripper.clashes[0]
    if not stripper.requests:
        outside = places_by_hand(rule.replacement, rule.package)
        return "its copies stand around no op that it builds" if outside else ""
    own = [f"{package.name}.{op}" for op in package.ops]
    for request in stripper.requests:
        if request.op not in own:
            return f"{request.op} belongs to another package, which says where its tensors are"
        if request.op == rule.root and not _unconditional(rule):
            return f"it places {request.op} only under a condition, and tensor properties have none"
    return ""


def _unconditional(rule: Rule) -> bool:
    tags = [part.name for part in rule.match.inputs if isinstance(part, Tag)]
    plain = len(set(tags)) == len(rule.match.inputs) and not (rule.match.at_least or rule.flags)
    return plain and isinstance(rule.constraint, Literal) and rule.constraint.value is True


def _conflicts(op: str, rules: Sequence[StrippedRule], package: CppPackage) -> Iterator[Fault]:
    """Yield the contradictions among rules and the present declaration, tensor by tensor."""
    speaking = [
        candidate for candidate in rules if any(request.op == op for request in candidate.requests)
    ]
    placed_later = any(candidate.rule.root == op for candidate in speaking)
    for index in dict.fromkeys(
        w.index for candidate in speaking for w in candidate.requests if w.op == op
    ):
        said = [
            (candidate.rule.label, request.constraint)
            for candidate in speaking
            for request in candidate.requests
            if (request.op, request.index) == (op, index)
        ]
        _, constraint = said[0]
        where = f"{op}, {'its output' if index is None else f'operand {index}'}"
        if any(other != constraint for _, other in said):
            words = dict.fromkeys(f"{place_text(*place)} by {label}" for label, place in said)
            listed = "; ".join(words)
            yield Fault(where, f"is placed differently: {listed}", "say which, then migrate again")
        elif declared := _against(op, index, constraint, package):
            yield Fault(where, declared, "correct one of them")
        elif index is not None and not placed_later:
            labels = [label for label, _ in said]
            yield from _left_out(op, where, labels, rules)


def _left_out(
    op: str, where: str, labels: Sequence[str], rules: Sequence[StrippedRule]
) -> Iterator[Fault]:
    """Yield the rules that build an op and do not place a tensor of it each time; `labels` do."""
    for candidate in rules:
        label, times = candidate.rule.label, labels.count(candidate.rule.label)
        speaks = any(request.op == op for request in candidate.requests)
        if times < len(candidate.built.get(op, ())) and (times or not speaks):
            always = " each time" * bool(times)
            clash = f"is placed by {labels[0]}, and not by {label}{always}"
            yield Fault(where, clash, "say whether both are meant")


def _against(
    op: str, index: int | None, constraint: PlacementConstraint, package: CppPackage
) -> str:
    row = declared_of(op, package)
    if row is None:
        return ""
    tag = ROOT if index is None else row.input_tag(index)
    said = (row.layout(tag), row.memory(tag)) if tag else (None, None)
    if all(a is None or b in (None, a) for a, b in zip(said, constraint, strict=True)):
        return ""
    return f"is {place_text(*constraint)} by a rule, {place_text(*said)} by its tensor properties"


def _outcome(candidate: StrippedRule, unclear: Iterable[str]) -> MigratedRule:
    if candidate.blocker:
        return MigratedRule(candidate.rule, candidate.rule, candidate.blocker)
    contested = [request.op for request in candidate.requests if request.op in unclear]
    if contested:
        return MigratedRule(
            candidate.rule, candidate.rule, f"what is said of {contested[0]} is contradictory"
        )
    if _as_it_was(candidate.rule.match, candidate.after.replacement):
        return MigratedRule(candidate.rule, None, "without its copies it builds what it matches")
    return MigratedRule(
        candidate.rule, candidate.after, "it does more than to place copies; those are gone"
    )


def _as_it_was(match: Expr, built: Expr) -> bool:
    """Tell whether a replacement makes the op that was matched, of the same inputs."""
    op = built_op(built)
    if op is None or not isinstance(match, OpForm):
        return False
    return (match.name, _names(match.inputs)) == (op.name, _names(op.inputs))


def _names(inputs: Iterable[Expr]) -> list[Expr]:
    return [Tag(part.tag) if isinstance(part, Let) else part for part in inputs]


def _after(
    package: CppPackage, outcomes: Sequence[MigratedRule], proposals: Sequence[Proposal]
) -> CppPackage:
    changed = {id(outcome.rule): outcome.after for outcome in outcomes}
    rules = (changed.get(id(rule), rule) for rule in package.rules)
    proposed = {proposal.properties.op: proposal.properties for proposal in proposals}
    kept = tuple(proposed.pop(row.op, row) for row in package.properties)
    return replace(
        package,
        rules=replace(package.rules, rules=tuple(rule for rule in rules if rule is not None)),
        properties=(*kept, *proposed.values()),
    )
