"""External constraints: what the project's rules ask that the language has no function for."""

from __future__ import annotations

from ..rules.external import external_constraint
from ..rules.graph import Node
from ..rules.options import GraphOptions
from .tcm_need import tcm_need

ONLY_USE = "only_use"
EXCEEDS_TCM = "exceeds_tcm"
INSIDE = "inside"


@external_constraint(ONLY_USE)
def only_use(node: Node, options: GraphOptions) -> bool:
    """The node's outputs are read once altogether."""
    return sum(len(list(result.uses)) for result in node.op_results) == 1


@external_constraint(EXCEEDS_TCM)
def exceeds_tcm(node: Node, options: GraphOptions) -> bool:
    """What the op holds in TCM while it runs is more than a tile may take."""
    return tcm_need(node) > options.tcm_size_for_tiling
