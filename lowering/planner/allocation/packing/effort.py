"""How long the search for offsets goes on by default."""

from __future__ import annotations

from .compiled import compiled_search

_COMPILED = 50_000_000
_ON_LISTS = 400_000
"""Placements times tensors, as a placement looks at each; both are a few seconds."""


def default_effort(tensors: int) -> int:
    """Placements that the search may take: the same on every machine, more where compiled."""
    work = _ON_LISTS if compiled_search() is None else _COMPILED
    return work // max(1, tensors)
