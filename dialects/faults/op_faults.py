"""Errors about an op: its origin, results and name, how it prints; and one for a group of nodes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from ..diagnostics import Fault, HtpError
from ..locations import node_of, origins_of, origins_text, place_of, position_of, source_name
from ..suggestions import closest
from .excerpts import Excerpt, known_results, shown
from .tracebacks import op_at_hand

_SHOWN = 3
"""Nodes that a fault of several of them names."""


@dataclass(frozen=True)
class OpFault(Fault):
    """A fault of an op, by its name, and the names of the nodes that have it.

    `places` are where these are in the user's code, each ` in encoder at net.py:7` or empty.
    """

    op: str = ""
    nodes: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


def grouped(faults: Iterable[Fault]) -> list[Fault]:
    """Return one fault for all nodes of an op with the same problem, with their count."""
    groups: dict[object, list[OpFault]] = {}
    others: dict[object, Fault] = {}
    for fault in faults:
        if isinstance(fault, OpFault):
            alike = (fault.op, fault.problem, fault.remedy)
            groups.setdefault(alike, []).append(fault)
            others.setdefault(alike, fault)
        else:
            others[fault] = fault
    return [_together(groups[key]) if key in groups else others[key] for key in others]


def _together(group: Sequence[OpFault]) -> Fault:
    if len(group) == 1:
        return group[0]
    first, nodes = group[0], tuple(node for fault in group for node in fault.nodes)
    places = tuple(place for fault in group for place in fault.places or ("",))
    shown = islice(zip(nodes, places, strict=False), _SHOWN)
    names = ", ".join(f"'{node}'{place}" for node, place in shown)
    more = ", ..." if len(nodes) > _SHOWN else ""
    named = f"{len(nodes)} nodes ({first.op}): {names}{more}"
    return OpFault(named, first.problem, first.remedy, op=first.op, nodes=nodes, places=places)


_MISSING = re.compile(r"property '(\w+)' expected in operation")


def whereabouts(op: Operation) -> str:
    """Name an op in errors: `model.mlir:3:5: %1 = htp.Relu 'conv1'`."""
    return f"{_prefix(op)}{known_results(op)}{source_name(op)}"


def title(op: Operation) -> str:
    """Name an op in reports, without its number: `model.mlir:3:5: htp.Relu 'conv1'`."""
    return f"{_prefix(op)}{source_name(op)}"


def fault_at(op: Operation, problem: str, remedy: str, label: str = "") -> Fault:
    """Make a fault about an op, with the op's text; `label` in place of its results and name."""
    position = position_of(op)
    if position:
        # The prefix says it already.
        label = label.replace(f" at {position}", "")
    where = f"{_prefix(op)}{label}" if label else whereabouts(op)
    name = node_of(op) or f"{position} {known_results(op)[:-3]}".strip() or op.name
    excerpt = (*shown(op), *origins_note(op, position))
    place, width = place_of(op), len(known_results(op)) + len(op.name)
    return OpFault(where, problem, remedy, excerpt, place, width, op=op.name, nodes=(name,))


def origins_note(op: Operation, position: str) -> Excerpt:
    """Name where an op comes from, on a line; nothing where `position` alone tells it."""
    origins = origins_of(op)
    is_told = all(origin.position in ("", position) for origin in origins)
    return () if is_told and len(origins) < 2 else (f"    from {origins_text(op)}",)


def fail_at(op: Operation, problem: str, remedy: str) -> HtpError:
    """Make an error of a single fault about an op, to raise."""
    return HtpError(fault_at(op, problem, remedy))


def invalid(error: DiagnosticException, where: str, remedy: str, after: str = "") -> HtpError:
    """Make an error of a verifier's: about its op, or `where` if it is about no op.

    `after` is the pass that left the op so.
    """
    op = op_at_hand(error)
    problem = refusal(error, op) + (f"; pass '{after}' left it so" if after else "")
    if op is None:
        return HtpError(Fault(where, problem, remedy))
    fault = fault_at(op, problem, remedy)
    place = f"{where}: {fault.where}" if where and not position_of(op) else fault.where
    return HtpError(replace(fault, where=place))


def refusal(error: DiagnosticException, op: Operation | None) -> str:
    """Put a verifier's message on one line, without the op's name."""
    text = " ".join(str(error).split())
    text = text.removeprefix(f"{op.name}: ") if op else text
    missing = _MISSING.search(text)
    near = closest(missing[1], op.attributes) if op and missing else []
    if missing and near:
        text = f"param '{missing[1]}' is missing, '{near[0]}' is not one of its params"
    return text if len(text) <= 300 else f"{text[:297]}..."


def _prefix(op: Operation) -> str:
    position = position_of(op)
    return f"{position}: " if position else ""


def relocated(error: HtpError, op: Operation, label: str) -> HtpError:
    """Complete faults that only name an op, or a part of it, by its place, its label and text."""
    return HtpError(*(_relocated(fault, op, label) for fault in error.faults))


def _relocated(fault: Fault, op: Operation, label: str) -> Fault:
    if label.startswith(fault.where):
        return fault_at(op, fault.problem, fault.remedy, label)
    if fault.where.startswith(label):
        return fault_at(op, fault.problem, fault.remedy, fault.where)
    return fault
