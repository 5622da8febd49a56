"""Slices that take all: exporters write them in front of a layer's states."""

from __future__ import annotations

from ...rules import (
    AND,
    EXTERNAL_CONSTRAINT,
    PRE_TRANSLATE,
    SAME_SHAPE,
    Op,
    external_constraint,
    rule,
    rules,
)
from ...rules.graph.graph import Node
from ...rules.graph.names import GRAPH


@external_constraint("goes_forward")
def goes_forward(ranges: Node) -> bool:
    """The slice goes forward along every dim."""
    array = ranges.constant
    return array is not None and bool((array.reshape(-1, 3)[:, 2] > 0).all())


SLICES = rules(
    rule(
        PRE_TRANSLATE,
        Op("StridedSlice", "X", "Ranges"),
        AND(SAME_SHAPE("*", "X"), EXTERNAL_CONSTRAINT(goes_forward, "Ranges")),
        "X",
        name="slice of all",
    ),
    package=GRAPH,
)
"""As many elements, forward along every dim, are all of them."""
