"""The tensor properties of native ops, read for the tensors that an op has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

from xdsl.ir import Operation

from ....dialects.htp.ops.movement import ReshapeOp
from ....dialects.value.place import Place
from ...levels import is_boundary
from ...packages.packages import Packages
from ...planner.placement.places import HOME, OPEN, Demand, Room
from ...rules.graph.tables import TensorProperties
from .absorb_copies import BY_HAND, by_hand
from .placement import OpDemands, Placer

AT_HOME = "htp.home"
"""The mark of an op that runs from flat main memory, whatever its tensor properties say."""
HALF = 2
"""The share of TCM above which a tensor goes there only on demand."""


def placer(tcm_bytes: int, packages: Packages) -> Placer:
    """Arranges ops by the packages' properties and kernels, for a TCM of this size."""
    room = Room(tcm_bytes // HALF, tcm_bytes)
    return Placer(partial(demands_of, packages.properties), packages.kernels, room)


def demands_of(table: Mapping[str, TensorProperties], op: Operation) -> OpDemands:
    """What an op wants of its tensors; without a declaration or at home, all flat in main memory.

    The table is by IR name. Where it says nothing of a tensor, copies that rules placed count. The
    Reshapes at the function's boundary are at home.
    """
    declared, at_home = table.get(op.name), AT_HOME in op.attributes or _at_boundary(op)
    if declared is None or at_home:
        found = OpDemands((HOME,) * len(op.operands), (HOME,) * len(op.results))
    else:
        found = _demands(declared, len(op.operands), len(op.results))
    if at_home or BY_HAND not in op.attributes:
        return found
    return _with_places(found, by_hand(op), declared is not None)


def _at_boundary(op: Operation) -> bool:
    return isinstance(op, ReshapeOp) and any(map(is_boundary, (*op.operands, *op.results)))


def _with_places(found: OpDemands, places: Sequence[Place | None], declared: bool) -> OpDemands:
    """Demands completed, or without a declaration replaced, by the places that rules gave."""
    every = (*found.operands, *found.results)
    made = [
        demand
        if place is None
        else Demand(
            demand.layout if declared and demand.layout else place.layout,
            demand.memory if declared and demand.memory else place.memory,
        )
        for demand, place in zip(every, places, strict=True)
    ]
    count = len(found.operands)
    return OpDemands(tuple(made[:count]), tuple(made[count:]))


@lru_cache(maxsize=4096)
def _demands(declared: TensorProperties, operands: int, results: int) -> OpDemands:
    inputs = (declared.input_tag(index) for index in range(operands))
    outputs = (declared.outputs[i] if i < len(declared.outputs) else None for i in range(results))
    return OpDemands(
        tuple(_demand(declared, tag) for tag in inputs),
        tuple(_demand(declared, tag) for tag in outputs),
    )


def _demand(declared: TensorProperties, tag: str | None) -> Demand:
    """A tensor that the declaration does not name is free."""
    return Demand(declared.layout(tag), declared.memory(tag)) if tag else OPEN
