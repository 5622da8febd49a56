"""The schema of Attention, whose mask broadcasts to scores that are no tensor of the op."""

from __future__ import annotations

from .....dialects.value.kinds import Kind
from ..drawing.template import GraphTemplate, OpTemplate
from .common import broadcast, ints, members, real

_FARTHEST = 6
"""Keys between a query and the first or last that it attends to."""


def attention(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw queries, keys and values, and a window that lies among the keys or not."""
    (out,) = op.results
    q, k, v, *masks = (op.slot(name) for name in ("q", "k", "v", "mask") if name in op.names)
    depth, keys = template.number(1), template.number(1)
    template.dtype_in(q, *members(Kind.FLOAT))
    for slot in (k, v, *masks, out):
        template.same_dtype(q, slot)
    for slot, tail in ((q, (out.dims[2], depth)), (k, (keys, depth)), (v, (keys, out.dims[3]))):
        front = out.dims[:2] if slot is q else slot.dims[:2]
        template.dims_are(slot, (*front, *tail))
    broadcast(template, out, (0, 1), k, v)
    extents = [(mask.dims, (*out.dims[:3], keys)) for mask in masks]
    for dim, extent in (pair for sides in extents for pair in zip(*sides, strict=True)):
        if template.choices.chance(50):
            dim.narrow(1, 1)
        else:
            dim.join(extent)
    for name in ("scale", "softcap"):
        real(template, op.slot(name), template.number(0, 8))
    for name in ("first", "last"):
        ints(template, op.slot(name), template.number(-_FARTHEST, _FARTHEST, 2 * _FARTHEST))
