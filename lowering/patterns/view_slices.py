"""The rule for slices of views: some first rows of a Reshape are some of what it reshapes.

Then a tile that reads through a Reshape takes the tile in front of it, not all of the tensor.
"""

from math import prod
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects.htp.base import replaced
from ...dialects.value import Shape
from ..planner.tiling.program import first_dim
from ..rules import (
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    MIDDLE,
    TCM_MAXTENSOR_SIZE,
    Op,
    external_constraint,
    external_replacement,
    rule,
    rules,
)
from ..rules.graph.graph import Node
from ..rules.language.split import take_slice
from ..rules.tree.build import Builder, Reference


class _ViewPart(NamedTuple):
    """Whole elements of the first dims of data and of its view that hold a slice of the view."""

    of_data: range
    of_view: range


@external_constraint("takes_first_rows")
def takes_first_rows(root: Node, data: Node, start: Node, size: Node, share: int) -> bool:
    """A slice of a Reshape of the data needs some elements of its first dim, not all of them.

    An element of either first dim takes at most its share of the TCM.
    """
    view = root.inputs[0].shape
    fewest = min(data.shape[first_dim(data.shape)], view[first_dim(view)])
    part = _part(view, data.shape, start.shape, size.shape)
    return part is not None and data.spec.nbytes <= share * fewest


@external_replacement("view_of_slice")
def view_of_slice(builder: Builder, root: Node) -> Node | SSAValue:
    """Slice the data, reshape that, and slice what is more of it, and the other dims."""
    view, start, size = root.inputs
    (data,) = view.inputs
    part = _part(view.shape, data.shape, start.shape, size.shape)
    if part is None:
        return root
    first, dim = first_dim(data.shape), first_dim(view.shape)
    zeros = (0,) * len(data.shape)
    begin = replaced(zeros, first, part.of_data.start)
    extent = replaced(data.shape, first, len(part.of_data))
    taken = take_slice(builder, data.value, begin, extent, Reference(data.spec))
    front = replaced(view.shape, dim, len(part.of_view))
    ahead = replaced(zeros, dim, part.of_view.start)
    shaped = builder.native("Reshape", [taken], Reference(view.spec.sliced(ahead, front)))
    if front == size.shape:
        return shaped
    rest = replaced(start.shape, dim, start.shape[dim] - part.of_view.start)
    return take_slice(builder, shaped, rest, size.shape, Reference(root.spec))


def _part(view: Shape, data: Shape, start: Shape, size: Shape) -> _ViewPart | None:
    """Find what holds a slice; None where that is all, or where elements of both do not match."""
    dim, first = first_dim(view), first_dim(data)
    each, own = prod(data[first + 1 :]), prod(view[dim + 1 :])
    if each % own and own % each:
        return None
    many, step = max(1, own // each), max(1, each // own)
    low, high = start[dim] // step, -(-(start[dim] + size[dim]) // step)
    if (high - low) * many == data[first]:
        return None
    of_view = range(low * step, min(high * step, view[dim]))
    return _ViewPart(range(low * many, high * many), of_view)


VIEW_SLICES = rules(
    rule(
        MIDDLE,
        Op("Slice_shape", Op("Reshape", "X"), "S", "N"),
        EXTERNAL_CONSTRAINT(takes_first_rows, "*", "X", "S", "N", TCM_MAXTENSOR_SIZE),
        EXTERNAL_REPLACE(view_of_slice),
        name="slice of a view",
    ),
)
