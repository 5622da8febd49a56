"""Room in TCM: what is in the way moves or leaves, and nothing else."""

from itertools import pairwise

from htp_mlir.lowering.planner.allocation.relocation import BufferRange, Room, TcmMap
from hypothesis import given
from hypothesis import strategies as st


def tcm(
    capacity: int,
    ranges: list[tuple[int, int]],
    fixed: frozenset[int] = frozenset(),
    prices: dict[int, int] | None = None,
) -> TcmMap:
    """Make a TCM with buffers in ranges; `fixed` ones do not move, those with a price may leave."""
    filled = TcmMap(
        capacity, lambda buffer: buffer not in fixed, (prices or {}).get, lambda buffer: buffer
    )
    for number, each in enumerate(ranges):
        filled.add(BufferRange(*each, number))
    return filled


HOLES = [(1, 2), (3, 4)]
"""Two buffers of 1 byte, between gaps of 1 byte."""


def test_the_smallest_gap_is_taken_beside_the_neighbour_that_stays_longer() -> None:
    assert tcm(9, [(0, 1), (4, 5), (7, 8)]).room(1) == Room(8)
    assert tcm(9, [(0, 1), (4, 5), (7, 9)]).room(1) == Room(6)


def test_one_buffer_moves_where_two_gaps_are_too_small() -> None:
    room = tcm(4, HOLES).room(2)
    assert room is not None
    assert len(room.moved) == 1
    assert not room.leaving


def test_a_fixed_buffer_does_not_move() -> None:
    for fixed, other in ((0, 1), (1, 0)):
        room = tcm(4, HOLES, frozenset({fixed})).room(2)
        assert room is not None
        assert [each.buffer for each in room.moved] == [other]


def test_where_all_have_to_stay_there_is_no_room() -> None:
    assert tcm(4, HOLES, frozenset({0, 1})).room(2) is None


def test_a_buffer_slides_onto_its_own_bytes() -> None:
    """A buffer of 3 between two gaps of 2 has no gap to go to."""
    assert tcm(7, [(2, 5)]).room(4) == Room(3, [BufferRange(0, 3, 0)])


def test_the_fewest_bytes_slide_and_none_past_one_that_is_fixed() -> None:
    ranges = [(1, 4), (5, 6), (7, 8)]
    assert tcm(9, ranges).room(2) == Room(5, [BufferRange(4, 5, 1)])
    assert tcm(9, ranges, frozenset({1})).room(2) == Room(7, [BufferRange(6, 7, 2)])
    apart = [(1, 4), (5, 8)]
    assert tcm(9, apart).room(3) == Room(6, [BufferRange(0, 3, 0), BufferRange(3, 6, 1)])


def test_what_finds_no_gap_leaves_the_cheapest_first() -> None:
    room = tcm(8, [(1, 4), (5, 8)], prices={0: 9, 1: 3}).room(4)
    assert room is not None
    assert [each.buffer for each in room.leaving] == [1]


BLOCKS = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4), st.booleans()), max_size=8)


@given(BLOCKS, st.integers(1, 12), st.integers(0, 6))
def test_room_is_free_and_so_is_what_moves(
    blocks: list[tuple[int, int, bool]], size: int, spare: int
) -> None:
    """Behind the moves no two buffers share bytes, fixed ones are where they were."""
    ranges, top = list[tuple[int, int]](), 0
    for gap, length, _ in blocks:
        ranges.append((top + gap, top + gap + length))
        top += gap + length
    fixed = frozenset(number for number, (_, _, stays) in enumerate(blocks) if stays)
    capacity = max(top + spare, 1)
    prices = dict.fromkeys(range(0, len(blocks), 2), 1)
    filled = tcm(capacity, ranges, fixed, prices)
    before = {each.buffer: each for each in filled.inside}
    room = filled.room(size)
    if room is None:
        return
    assert all(each.buffer in prices for each in room.leaving)
    for each in room.moved:
        assert each.buffer not in fixed
        old = before[each.buffer]
        assert each.end - each.start == old.end - old.start
    for each in (*room.leaving, *room.moved):
        filled.remove(each.buffer)
    for each in (*room.moved, BufferRange(room.offset, room.offset + size, -1)):
        filled.add(each)
    assert all(one.end <= other.start for one, other in pairwise(filled.inside))
    assert filled.inside[0].start >= 0
    assert filled.inside[-1].end <= capacity
