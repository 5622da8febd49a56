"""An order of nodes in which each comes after those that it needs.

Kahn's algorithm, in O(nodes log nodes): of the nodes that may come next the earliest does, so what
is sorted stays unchanged, and `b = f(a); a = g(x)` becomes `a = g(x); b = f(a)`.
"""

from collections.abc import Collection, Sequence
from graphlib import TopologicalSorter
from heapq import heapify, heappop, heappush


def in_order(needs: Sequence[Collection[int]]) -> list[int]:
    """Return the indices of nodes in order; `needs[i]` are those that node i needs.

    CycleError, whose second argument is the cycle, where there is no such order.
    """
    sorter = TopologicalSorter(dict(enumerate(needs)))
    sorter.prepare()
    order, ready = [], [*sorter.get_ready()]
    heapify(ready)
    while ready:
        index = heappop(ready)
        order.append(index)
        sorter.done(index)
        for following in sorter.get_ready():
            heappush(ready, following)
    return order
