"""The benchmark's reference planner: cases by hand, its replay, bounds that hold for any plan."""

from dataclasses import replace

import pytest

from ..benchmarks.reference.actions import Fetch, Hold, actions
from ..benchmarks.reference.graph import Graph, Reach
from ..benchmarks.reference.replay import Broken, replay
from ..benchmarks.reference.search import NoPlan, Plan, best_plan
from ..benchmarks.reference.sizes import Rules
from ..benchmarks.reference.tiny import optimum
from .networks import NETWORKS, chain, gated, product, recurrent

KIB = 1 << 10
SIZES = (96 * KIB, 160 * KIB, 256 * KIB, 512 * KIB, 2048 * KIB)
PLAIN = Rules(call=0)
"""The op set with croutons, calls for nothing."""


def _plan(graph: Graph, capacity: int, rules: Rules) -> Plan | None:
    try:
        return best_plan(graph, capacity, rules)
    except NoPlan:
        return None


def test_a_reach_follows_stride_padding_and_scale() -> None:
    assert Reach(2, 1, -1, 1).of(0, 4, 100) == (0, 8)
    assert Reach(1, 2, 0, 0).of(3, 5, 100) == (1, 3)
    assert Reach(whole=True).of(3, 5, 100) == (0, 100)
    assert Reach(2, 1, -1, 1).span(4) == 9


def test_all_that_fits_moves_once() -> None:
    for graph in NETWORKS.values():
        assert best_plan(graph, 8192 * KIB, PLAIN).bytes == graph.compulsory


def test_a_chain_streams_where_its_tensors_do_not_fit() -> None:
    """Of 64 rows of 2 KiB a tensor needs 128 KiB, two 36 KiB of weights."""
    graph = chain(2)
    whole = 128 * KIB
    assert graph.compulsory == 2 * whole + 2 * 36 * KIB
    assert best_plan(graph, 256 * KIB, PLAIN).bytes == graph.compulsory


def test_a_mean_over_an_image_reads_it_twice_where_it_cannot_stay() -> None:
    """The image behind the convolution is written once and read once: 2 x 128 KiB."""
    graph = gated()
    assert best_plan(graph, 320 * KIB, PLAIN).bytes == graph.compulsory
    # The input is read again, and the convolution made again, or its result goes and comes.
    again = best_plan(graph, 96 * KIB, PLAIN).bytes - graph.compulsory
    assert again >= 128 * KIB


def test_a_recurrence_pins_what_it_can() -> None:
    """Of 1 MiB of recurrent weights in 32 blocks, the rest comes again for each of 8 steps."""
    graph = recurrent()
    plan = best_plan(graph, 512 * KIB, PLAIN)
    block = 32 * KIB
    pinned = 32 - (plan.bytes - graph.compulsory) / (7 * block)
    assert 12 <= pinned <= 16
    assert pinned == int(pinned)


def test_a_product_is_no_better_than_its_bound() -> None:
    """2 m k n / sqrt(S) elements, for S elements of memory."""
    rows, depth, columns = 512, 512, 512
    capacity = 128 * KIB
    moved = best_plan(product(rows, depth, columns), capacity, Rules(croutons=False, call=0)).bytes
    bound = 4 * 2 * rows * depth * columns / (capacity / 4) ** 0.5
    assert bound * 0.9 <= moved <= bound * 1.6


@pytest.mark.one_per("name")
@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("croutons", [True, False])
def test_the_replay_agrees_to_the_byte_and_fits(name: str, croutons: bool) -> None:
    graph, rules = NETWORKS[name], Rules(croutons)
    plans = [(size, _plan(graph, size, rules)) for size in SIZES]
    assert any(plan for _, plan in plans)
    for size, plan in plans:
        if plan is not None:
            totals = replay(graph, actions(graph, plan, rules), size, croutons)
            assert totals.bytes == plan.bytes
            assert totals.peak <= size


@pytest.mark.one_per
@pytest.mark.parametrize("name", NETWORKS)
def test_more_memory_moves_no_more_and_nothing_beats_the_bound(name: str) -> None:
    graph = NETWORKS[name]
    moved = [plan.bytes for size in SIZES if (plan := _plan(graph, size, PLAIN)) is not None]
    assert moved == sorted(moved, reverse=True)
    assert moved[-1] == graph.compulsory


def test_the_replay_refuses_a_plan_that_cannot_be() -> None:
    graph, rules = chain(2), Rules()
    capacity = 256 * KIB
    steps = list(actions(graph, best_plan(graph, capacity, rules), rules))
    first = next(step for step in steps if isinstance(step, Fetch))
    with pytest.raises(Broken, match="is not in TCM"):
        replay(graph, [step for step in steps if step is not first], capacity, True)
    with pytest.raises(Broken, match="bytes of buffers"):
        replay(graph, steps, capacity // 2, True)
    smaller = [replace(s, bytes=s.bytes // 4) if isinstance(s, Hold) else s for s in steps]
    with pytest.raises(Broken, match="bytes in buffer"):
        replay(graph, smaller, capacity, True)


def test_what_does_not_fit_is_said() -> None:
    with pytest.raises(NoPlan, match="node 0 does not fit 4096 bytes"):
        best_plan(chain(1), 4 * KIB, Rules())


def test_the_optimum_is_never_above_the_plan_of_whole_tiles() -> None:
    graph = chain(2, rows=16, columns=8)
    for size in (120 * KIB, 160 * KIB, 512 * KIB):
        least, plan = optimum(graph, size, PLAIN), _plan(graph, size, PLAIN)
        if plan is not None and least is not None:
            assert graph.compulsory <= least
            assert plan.bytes >= graph.compulsory
    assert optimum(graph, 512 * KIB, PLAIN) == graph.compulsory


def test_an_optimum_spills_what_it_must() -> None:
    """Two pointwise ops on an image, summed, with room for three of its four tiles of 16 KiB."""
    wide = chain(2, rows=16, columns=16)
    least = optimum(wide, 200 * KIB, PLAIN)
    assert least is not None
    assert least >= wide.compulsory
