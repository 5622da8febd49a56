"""How long the search for offsets goes on by default."""

from __future__ import annotations

from .compiled import compiled_search

_COMPILED = 200_000
_ON_LISTS = 1_000
"""Placements; both are a few seconds for some hundreds of tensors."""


def default_effort() -> int:
    """Placements that the search may take: the same on every machine, more where compiled."""
    return _ON_LISTS if compiled_search() is None else _COMPILED
