"""Faults of ops in groups: one for all ops of a name with the same problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from ..diagnostics import Fault

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
