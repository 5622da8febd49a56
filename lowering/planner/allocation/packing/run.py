"""Runs of the offset search: on lists, or compiled on arrays where numba is installed."""

from .compiled import compiled_search, packed, zeros
from .search import BITS, FOUND, search
from .search_state import Numbers, SearchState, SearchTables, Table, Tensors

Ended = tuple[int, int, tuple[int, ...]]

_COMPILED = 50_000_000
"""Placements times tensors of a compiled search, which looks at each: a few seconds."""
_ON_LISTS = 400_000
"""The same for a search on lists."""


def default_effort(tensors: int) -> int:
    """Return the placements that a search may take: the same on every machine."""
    work = _ON_LISTS if compiled_search() is None else _COMPILED
    return work // max(1, tensors)


def run_search(tensors: Tensors, capacity: int, effort: int, by_rest: bool) -> Ended:
    """Run a search; its end (see `search`), its placements, and the offsets if it found them.

    On lists and compiled it takes the same decisions.
    """
    compiled = compiled_search()
    if compiled is None:
        return run_on_lists(tensors, capacity, effort, by_rest)
    count, words = len(tensors.size), _words(tensors)
    tables = [zeros(count + 1, count) for _ in range(4)]
    reasons = [zeros(count + 1, count, words) for _ in range(2)]
    state = SearchState(*(*tables, *reasons, zeros(count + 1)))
    fields = [tuple(map(packed, tensors)), tuple(state), tuple(map(packed, _scratch(tensors)))]
    ended = compiled(*fields, capacity, effort, int(by_rest))
    return _result(state, *ended)


def run_on_lists(tensors: Tensors, capacity: int, effort: int, by_rest: bool) -> Ended:
    """Run a search without numba."""
    count, words = len(tensors.size), _words(tensors)

    def table() -> Table:
        return [[0] * count for _ in range(count + 1)]

    def reasons() -> list[Table]:
        return [[[0] * words for _ in range(count)] for _ in range(count + 1)]

    chosen: Numbers = [0] * (count + 1)
    state = SearchState(table(), table(), table(), table(), reasons(), reasons(), chosen)
    ended = search(tensors, state, _scratch(tensors), capacity, effort, int(by_rest))
    return _result(state, *ended)


def _words(tensors: Tensors) -> int:
    return len(tensors.size) // BITS + 1


def _scratch(tensors: Tensors) -> SearchTables:
    """Scratch in which all sections are still to be checked."""
    sections = max(tensors.last) + 1
    order = list(range(len(tensors.size)))
    return SearchTables(order, [0] * sections, [0, sections - 1], [0] * _words(tensors))


def _result(state: SearchState, ended: int, placements: int, level: int) -> Ended:
    offsets = tuple(map(int, state.rest[level])) if ended == FOUND else ()
    return ended, placements, offsets
