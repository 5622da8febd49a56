"""PagedAttention, by the pages that an Attention gathers."""

from __future__ import annotations

from ....rules import (
    AND,
    EXTERNAL_CONSTRAINT,
    LET,
    PRE_TRANSLATE,
    Op,
    Rule,
    external_constraint,
    rule,
    rules,
)
from ....rules.graph.graph import Node
from ....rules.graph.names import GRAPH
from ....rules.tree.expr import Expr
from ..parts import alone
from ..views import numbers

_TABLE = "batches", "pages"
"""The dims of a table."""


@external_constraint("joins_pages")
def joins_pages(sequences: Node, rows: Node, gathered: Node, pages: Node, table: Node) -> bool:
    """Pages [p, s, g, e] are gathered by their numbers, joined, and their heads put in front."""
    if (len(pages.shape), len(table.shape)) != (4, len(_TABLE)):
        return False
    (_, size, *rest), (batch, count) = pages.shape, table.shape
    return (
        numbers(gathered.inputs[2]) == (0,)
        and rows.shape == (batch, count * size, *rest)
        and numbers(sequences.inputs[1]) == (0, 2, 1, 3)
    )


def _sequences(name: str) -> Expr:
    """Match the keys or the values of all sequences, with tags that end in their name."""
    gathered = LET(f"Gathered{name}", Op("Gather", name, "Table", f"_at{name}"))
    rows = LET(f"Rows{name}", Op("Reshape", gathered, f"_dims{name}"))
    return LET(f"All{name}", Op("Transpose", rows, f"_perm{name}"))


_PAGES = "Keys", "Values"
_PARAMS = "Scale", "Softcap", "First", "Last"


def _paged(mask: tuple[str, ...]) -> Rule:
    """The rule with a mask or without."""
    parts = "All", "Rows", "Gathered", ""
    asks = (
        EXTERNAL_CONSTRAINT(joins_pages, *(f"{part}{name}" for part in parts), "Table")
        for name in _PAGES
    )
    return rule(
        PRE_TRANSLATE + 5,
        Op("Attention", "Q", *map(_sequences, _PAGES), *mask, *_PARAMS),
        AND(*asks, alone("Q", *_PAGES, "Table", *mask)),
        Op("PagedAttention", "Q", *_PAGES, "Table", *mask, *_PARAMS),
        name="paged attention, masked" if mask else "paged attention",
    )


PAGED = rules(_paged(("Mask",)), _paged(()), package=GRAPH)
"""Attention with a mask, and without."""
