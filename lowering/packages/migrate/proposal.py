"""Proposals of tensor properties: for one op, from what the rules say that place its tensors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ....dialects.value import LayoutKind, Memory
from ....runtime.tensors.tensor_classes import CLASSES
from ...rules.definition.rule import Rule
from ...rules.graph.names import resolve
from ...rules.graph.tables import ROOT, TensorProperties
from ...rules.tree.expr import OpForm, Tag
from ..def_package.package import CppPackage, KernelSignature, Role
from ..report_lines import rule_line
from .copies import PlacementConstraint, PlacementRequest

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
