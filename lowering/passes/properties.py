"""The tensor properties of native ops, read for the tensors that an op has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial

from xdsl.ir import Operation

from ..packages.packages import Packages
from ..planner.places import HOME, OPEN, Demand, Room
from ..rules.properties import TensorProperties
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

    The table is by IR name.
    """
    declared = table.get(op.name)
    if declared is None or AT_HOME in op.attributes:
        return OpDemands((HOME,) * len(op.operands), (HOME,) * len(op.results))
    return _demands(declared, len(op.operands), len(op.results))


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
