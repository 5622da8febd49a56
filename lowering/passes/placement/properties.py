"""Placement constraints of native ops, read from their tensor properties."""

from collections.abc import Mapping
from functools import lru_cache, partial

from xdsl.ir import Operation, SSAValue

from ....dialects.attributes import BY_HAND, DEFAULT_PLACEMENT, DRAINED, GATHERED
from ....dialects.htp.ops.movement import ConcatOp, ReshapeOp
from ....dialects.spec_of import spec_of
from ....dialects.value import LayoutKind, Place
from ...levels import is_boundary
from ...packages.packages import Packages
from ...planner.placement.places import (
    DEFAULT,
    OPEN,
    PlacementConstraint,
    TcmBudget,
    is_mostly_padding,
)
from ...rules.graph.graph import TensorProperties
from .absorb_copies import by_hand, goes_directly
from .placement import OpConstraints, Placer, forms_of

HALF = 2
"""The divisor of the TCM size that gives the bytes above which a tensor is there on demand only."""


def placer(tcm_bytes: int, packages: Packages) -> Placer:
    """Make the placer of the packages' properties and kernels, for a TCM of this size."""
    budget = TcmBudget(tcm_bytes // HALF, tcm_bytes)
    return Placer(partial(constraints_of, packages.properties), packages.kernels, budget)


def constraints_of(table: Mapping[str, TensorProperties], op: Operation) -> OpConstraints:
    """Read what an op demands of its tensors; without a declaration all are flat in DDR.

    The table is by IR name. Croutons of one row or column that would be mostly padding are not
    demanded: that layout is open. Where the table says nothing of a tensor, copies that rules
    placed count; what goes directly from one op placed by rules to another is open. An op with the
    mark `htp.home`, a Concat of tiles that are drained or gathered, and a Reshape at the function's
    boundary have the default placement.
    """
    declared = table.get(op.name)
    default = (
        DEFAULT_PLACEMENT in op.attributes
        or (isinstance(op, ConcatOp) and not {DRAINED, GATHERED}.isdisjoint(op.attributes))
        or (isinstance(op, ReshapeOp) and any(map(is_boundary, (*op.operands, *op.results))))
    )
    count = len(op.operands)
    if declared is None or default:
        wanted = OpConstraints((DEFAULT,) * count, (DEFAULT,) * len(op.results))
    else:
        stated = _declared(declared, count, len(op.results))
        operands = map(_eased, op.operands, stated.operands)
        wanted = OpConstraints((*operands,), (*map(_eased, op.results, stated.results),))
    if default or BY_HAND not in op.attributes:
        return wanted
    values = (*op.operands, *op.results)
    every = zip(values, (*wanted.operands, *wanted.results), by_hand(op), strict=True)
    completed = [
        OPEN
        if declared is None and goes_directly(value)
        else _completed(constraint, place, declared is not None)
        for value, constraint, place in every
    ]
    return OpConstraints(tuple(completed[:count]), tuple(completed[count:]))


def _eased(value: SSAValue, wanted: PlacementConstraint) -> PlacementConstraint:
    """Leave the layout of one row or column open whose croutons would be mostly padding."""
    if wanted.layout is not LayoutKind.CROUTON:
        return wanted
    spec = spec_of(value).with_place(None)
    is_open = 1 in spec.shape[1:3] and is_mostly_padding(forms_of(spec))
    return PlacementConstraint(None, wanted.memory) if is_open else wanted


def _completed(
    constraint: PlacementConstraint, place: Place | None, declared: bool
) -> PlacementConstraint:
    """Complete a constraint, or without a declaration replace it, by the place that rules gave."""
    if place is None:
        return constraint
    stated = constraint if declared else OPEN
    return PlacementConstraint(stated.layout or place.layout, stated.memory or place.memory)


@lru_cache(maxsize=4096)
def _declared(declared: TensorProperties, operands: int, results: int) -> OpConstraints:
    """The constraints of a declaration; a tensor that it does not name is open."""

    def constraint(tag: str | None) -> PlacementConstraint:
        return PlacementConstraint(declared.layout(tag), declared.memory(tag)) if tag else OPEN

    outputs = (*declared.outputs, *(None,) * results)[:results]
    return OpConstraints(
        tuple(constraint(declared.input_tag(index)) for index in range(operands)),
        tuple(map(constraint, outputs)),
    )
