"""External constraints: what the project's rules ask that the language has no function for."""

from __future__ import annotations

from ..rules import external_constraint
from ..rules.graph import Node
from ..rules.tile_plan import plan_of
from .tcm_need import tcm_need


@external_constraint("only_use")
def only_use(node: Node) -> bool:
    """The outputs of the node's op are read once altogether."""
    return sum(len(list(output.value.uses)) for output in node.outputs) == 1


@external_constraint("exceeds")
def exceeds(node: Node, share: int, whole: int) -> bool:
    """What the node's op holds in TCM while it runs takes more bytes than its share.

    An op that a tile plan speaks of may fill the whole TCM once the plan is carried out.
    """
    plan = plan_of(node.op)
    return not plan and tcm_need(node) > (share if plan is None else whole)


@external_constraint("is_inner")
def is_inner(node: Node) -> bool:
    """Neither side of the node's op is at the function's boundary."""
    source = node.inputs[0]
    return source.op is not None and "*Output" not in node.consumers and node.spec.rank == 4
