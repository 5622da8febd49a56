"""When tensors are alive, and the least memory that takes."""

from htp_mlir.lowering.planner.allocation.live_intervals import LiveInterval, neighbours, peak_live


def test_the_peak_is_the_largest_sum_alive_at_one_step() -> None:
    lives = [LiveInterval("a", 10, 0, 1), LiveInterval("b", 20, 1, 2), LiveInterval("c", 5, 2, 3)]
    assert peak_live(lives) == 30


def test_a_tensor_that_ends_where_the_next_begins_is_alive_with_it() -> None:
    assert peak_live([LiveInterval("a", 10, 0, 1), LiveInterval("b", 20, 1, 2)]) == 30
    assert peak_live([LiveInterval("a", 10, 0, 0), LiveInterval("b", 20, 1, 2)]) == 20


def test_alignment_counts_whole_blocks() -> None:
    assert peak_live([LiveInterval("a", 1, 0, 0), LiveInterval("b", 2049, 0, 0)], 2048) == 3 * 2048


def test_neighbours_are_those_alive_together() -> None:
    lives = [LiveInterval("a", 1, 0, 1), LiveInterval("b", 1, 1, 2), LiveInterval("c", 1, 2, 3)]
    assert [sorted(met) for met in neighbours(lives)] == [[1], [0, 2], [1]]
