"""The tensor properties of native ops, read for the tensors that an op has."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import Operation

from ...runtime.kernels import NATIVE
from ..planner.places import HOME
from .levels import mnemonic
from .placement import OpDemands, Placer

Declared = Mapping[str, Callable[[Operation], OpDemands]]

QUARTER = 4
PROPERTIES: Declared = {}


def placer(tcm_bytes: int, declared: Declared = PROPERTIES) -> Placer:
    """Arranges ops by declared properties and the project's kernels, for a TCM of this size."""

    def demands(op: Operation) -> OpDemands:
        found = declared.get(mnemonic(op))
        return found(op) if found else everything_home(op)

    return Placer(demands, NATIVE, tcm_bytes // QUARTER)


def everything_home(op: Operation) -> OpDemands:
    """What an op without a declaration wants: all tensors flat in main memory."""
    return OpDemands((HOME,) * len(op.operands), (HOME,) * len(op.results))
