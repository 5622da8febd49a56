"""The library that finds minimum cuts, behind one function of plain numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ortools.graph.python.max_flow import SimpleMaxFlow

SOURCE, SINK = 0, 1

Arc = tuple[int, int, int]
"""Tail, head and capacity."""


def minimum_cut(arcs: Sequence[Arc]) -> tuple[int, frozenset[int]]:
    """The capacity of a minimum cut between nodes 0 and 1, and the nodes on its source side.

    Of several minimum cuts it is the one with the fewest nodes there, which is unique. Capacities
    are integers of 64 bits; OverflowError where their sum is more.
    """
    tails, heads, capacities = np.array([(SOURCE, SINK, 0), *arcs], np.int64).T
    flow = SimpleMaxFlow()
    flow.add_arcs_with_capacity(tails.astype(np.int32), heads.astype(np.int32), capacities)
    if flow.solve(SOURCE, SINK) != SimpleMaxFlow.OPTIMAL:
        raise OverflowError("the capacities of a cut do not fit 64 bits together")
    return int(flow.optimal_flow()), frozenset(map(int, flow.get_source_side_min_cut()))
