"""Ops about shapes, which are folded before the import where they can be."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..context import NodeContext, NodeFault


def must_be_static(ctx: NodeContext) -> list[SSAValue]:
    """What is left of an op that can only be folded: an error."""
    for index in range(len(ctx.node.input)):
        ctx.optional(index)
    raise NodeFault("its inputs must be constant, or static in shape", "make them initializers")
