"""A migration as text: what to write, and why."""

from collections.abc import Callable, Iterator

from ....dialects.diagnostics import Fault
from ..def_package.writer import properties_text, rule_text
from ..report_lines import rule_line, tag_line
from .migration import MigratedRule, Migration, Proposal

_STEP = "  "


def report(migration: Migration, in_python: bool = False) -> list[str]:
    """Return the proposal line by line, as C++ or as Python would say it."""
    package = migration.before
    say = _Words(package.name, in_python)
    nothing = "" if migration.outcomes else ": no rule places copies by hand"
    return [
        f"package {package.name}{nothing}",
        *(f"{kind:<17}  {count:>5}" for kind, count in _counts(migration)),
        *_section("tensor properties", migration.proposals, say.proposal),
        *_section("rules", migration.outcomes, say.outcome),
        *_section("contradictions", migration.conflicts, _line),
        *_section("not read, and not migrated", package.passed_over, _line),
    ]


def _counts(migration: Migration) -> Iterator[tuple[str, int]]:
    package = migration.before
    yield "rules", len(package.rules)
    yield "that place copies", len(migration.outcomes)
    yield "registrations", len(package.kernels)
    yield "not read", len(package.passed_over)


def _line(fault: Fault) -> Iterator[str]:
    yield fault.line()


def _section(
    title: str, entries: tuple[object, ...], say: Callable[..., Iterator[str]]
) -> list[str]:
    lines = [line for entry in entries for line in say(entry)]
    return ["", f"{title}:", *(f"{_STEP}{line}" for line in lines)] if lines else []


def _registrations(proposal: Proposal) -> Iterator[str]:
    """Yield how many registrations of an op take its tensors so placed, and which do not."""
    op, fitting, idle = proposal.properties.op, proposal.fitting, proposal.idle
    total = len(fitting) + len(idle) + len(proposal.unknown)
    if total:
        yield f"{len(fitting)} of {total} registrations of {op} take its tensors so placed"
    if idle:
        yield f"not: {', '.join(idle)}"
    if proposal.unknown:
        yield f"not known, the source does not hold the function: {', '.join(proposal.unknown)}"
    if not proposal.served:
        yield f"no kernel of {op} takes its tensors so placed: register one"


class _Words:
    """Declarations as one language writes them."""

    def __init__(self, package: str, in_python: bool) -> None:
        self._package = package
        self._in_python = in_python

    def proposal(self, proposal: Proposal) -> Iterator[str]:
        row = proposal.properties
        text = properties_text(row)
        if self._in_python:
            # The C++ words are Python functions of the same names.
            text = text.replace("DEF_TENSOR_PROPERTIES", "tensor_properties", 1)
        yield from text.splitlines()
        for tag, why in proposal.reasons:
            yield f"{_STEP}{tag_line(row, tag)} ({why})"
        yield from (f"{_STEP}{line}" for line in _registrations(proposal))

    def outcome(self, outcome: MigratedRule) -> Iterator[str]:
        before, after = outcome.rule, outcome.after
        what = "dropped" if after is None else "kept" if after is before else "now"
        yield rule_line(before)
        yield f"{_STEP}{what}: {outcome.why}"
        if after is not None and after is not before:
            text = str(after) if self._in_python else rule_text(after, self._package)
            yield from (f"{_STEP}{line}" for line in text.splitlines())
