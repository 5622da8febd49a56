"""Minimum cuts of any networks, against flows along one path after the other."""

from itertools import pairwise

import pytest
from htp_mlir.lowering.planner.placement.min_cut import SINK, SOURCE, minimum_cut
from hypothesis import given, settings
from hypothesis import strategies as st

Arcs = dict[tuple[int, int], int]


@st.composite
def networks(draw: st.DrawFn, most: int = 30) -> tuple[int, Arcs]:
    """Networks with ties, arcs of no capacity, both ways between two nodes, and parts apart."""
    count = draw(st.integers(2, most))
    node = st.integers(0, count - 1)
    ends = st.tuples(node, node).filter(lambda ends: ends[0] != ends[1])
    capacity = st.sampled_from((0, 1, 1, 2, 3, 2048, 1 << 70))
    return count, draw(st.dictionaries(ends, capacity, max_size=4 * count))


def path(room: Arcs) -> tuple[list[tuple[int, int]], frozenset[int]]:
    """A path with room from the source to the sink, if any, and the nodes that paths reach."""
    before = {SOURCE: SOURCE}
    queue = [SOURCE]
    for node in queue:
        for (tail, head), left in room.items():
            if tail == node and left and head not in before:
                before[head] = node
                queue.append(head)
    arcs, node = [], SINK
    while node != SOURCE and SINK in before:
        arcs.append((before[node], node))
        node = before[node]
    return arcs, frozenset(before)


def path_by_path(arcs: Arcs) -> tuple[int, frozenset[int]]:
    """The greatest flow, by Ford and Fulkerson, and the nodes that the source still reaches."""
    room = {pair: arcs.get(pair, 0) for arc in arcs for pair in (arc, arc[::-1])}
    flow = 0
    while (way := path(room))[0]:
        amount = min(room[arc] for arc in way[0])
        flow += amount
        for tail, head in way[0]:
            room[tail, head] -= amount
            room[head, tail] += amount
    return flow, way[1]


@settings(max_examples=150)
@given(networks())
def test_a_cut_is_as_small_as_the_greatest_flow_and_nearest_to_the_source(
    network: tuple[int, Arcs],
) -> None:
    count, arcs = network
    assert minimum_cut(count, arcs) == path_by_path(arcs)


def grid(side: int) -> tuple[int, Arcs]:
    """Nodes in a square, joined with their neighbours; the source left of it, the sink right."""
    arcs: Arcs = {}
    for row in range(side):
        nodes = [SOURCE, *range(2 + row * side, 2 + (row + 1) * side), SINK]
        for column, (tail, head) in enumerate(pairwise(nodes)):
            arcs[tail, head] = 2 + (row * 7 + column * 5) % 11
            if row and head != SINK:
                arcs[head - side, head] = arcs[head, head - side] = 1 + (row + column) % 3
    return 2 + side * side, arcs


@pytest.mark.parametrize("side", [3, pytest.param(12, marks=pytest.mark.slow)])
def test_a_grid_whose_demands_change_their_way_often(side: int) -> None:
    count, arcs = grid(side)
    assert minimum_cut(count, arcs) == path_by_path(arcs)


def test_of_equal_cuts_the_one_nearest_to_the_source_is_taken() -> None:
    chain = {(SOURCE, 2): 5, (2, 3): 5, (3, SINK): 5}
    assert minimum_cut(4, chain) == (5, frozenset([SOURCE]))
    assert minimum_cut(4, chain | {(SOURCE, 2): 6}) == (5, frozenset([SOURCE, 2]))


def test_a_network_without_a_way_is_cut_for_nothing() -> None:
    assert minimum_cut(2, {}) == (0, frozenset([SOURCE]))
    assert minimum_cut(4, {(SOURCE, 2): 1, (3, SINK): 1}) == (0, frozenset([SOURCE, 2]))
