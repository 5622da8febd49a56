"""Replays of steps by hand: who stays in TCM when, and what that moves."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest
from htp_mlir.lowering.planner.allocation.replay import Replay, moved_bytes
from htp_mlir.lowering.planner.allocation.step_list import ReplayStep, StepList


def step(
    reads: tuple[int, ...],
    writes: tuple[int, ...],
    moves: int = 0,
    takes: Mapping[int, int] = MappingProxyType({}),
) -> ReplayStep:
    return ReplayStep(reads, writes, frozenset((*reads, *writes)), moves, takes)


def listed(sizes: list[int], *steps: ReplayStep, fetched: dict[int, int] | None = None) -> StepList:
    """Steps on buffers of some bytes."""
    again = fetched or {}
    fetched = [again.get(at) for at in range(len(sizes))]
    return StepList(sizes, sizes, fetched, steps=list(steps))


def replayed(steps: StepList, capacity: int) -> Replay:
    replay = Replay(steps, capacity)
    assert replay.run()
    return replay


A, B, C, D = range(4)
MADE = step((), (A,)), step((), (B,)), step((A,), (C,))


def test_what_is_not_needed_is_saved_once_and_fetched() -> None:
    replay = replayed(listed([1, 1, 1], *MADE, step((B,), ())), 2)
    assert replay.bytes == 2
    assert [(stay.buffer, stay.comes_back, stay.saved) for stay in replay.stays] == [
        (A, False, False),
        (B, False, True),
        (C, False, False),
        (B, True, False),
    ]


def test_what_is_read_last_leaves() -> None:
    steps = [step((), (n,)) for n in (A, B, C)]
    replay = replayed(listed([1] * 3, *steps, *(step((n,), ()) for n in (A, C, B))), 2)
    assert [stay.buffer for stay in replay.stays if stay.saved] == [B]
    assert replay.bytes == 2


def test_a_small_copy_is_read_where_it_was_copied_from() -> None:
    """B is a copy that the last steps read: it makes room for C, and A does not leave.

    As nothing reads it in TCM, it is not copied at all.
    """
    steps = [
        MADE[0],
        step((), (B,), moves=1),
        step((B,), (C,), takes={B: 1}),
        step((A, C), ()),
        step((B,), (), takes={B: 1}),
    ]
    replay = replayed(listed([8, 1, 8], *steps, fetched={B: 1}), 16)
    assert replay.direct == {2: (B,), 4: (B,)}
    assert replay.bytes == 2
    assert not any(stay.saved for stay in replay.stays)


def test_what_was_saved_leaves_again_for_nothing() -> None:
    rest = step((B,), ()), step((A,), (D,)), step((B,), ())
    replay = replayed(listed([1] * 4, *MADE, *rest), 2)
    assert [stay.saved for stay in replay.stays if stay.buffer == B] == [True, False, False]
    assert replay.bytes == 3


def test_what_can_be_fetched_is_not_saved() -> None:
    steps = listed([4, 4, 4], *MADE, step((B,), ()), fetched={B: 3})
    replay = replayed(steps, 8)
    assert replay.bytes == 3
    assert not any(stay.saved for stay in replay.stays)


def test_a_part_of_what_was_saved_is_read_in_ddr() -> None:
    part = step((B,), (), takes={B: 1})
    replay = replayed(listed([4, 4, 4], *MADE, part), 8)
    assert replay.direct == {3: (B,)}
    assert replay.bytes == 4 + 1


def test_what_has_no_room_beside_the_rest_is_saved_and_read_in_ddr() -> None:
    both = step((A, B), (C,), takes={A: 4, B: 4})
    replay = replayed(listed([4, 4, 4], step((), (A,)), step((), (B,)), both), 8)
    assert replay.direct == {2: (A,)}
    assert replay.bytes == 4 + 4


def test_a_step_that_is_larger_than_the_tcm_does_not_fit() -> None:
    steps = listed([1, 1, 1], step((A, B), (C,)))
    assert moved_bytes(steps, 2) is None
    assert moved_bytes(steps, 3) == 0


def test_steps_that_exceed_a_tcm_alone_are_found() -> None:
    """What can be read in DDR takes nothing of it, nor does what a result overwrites."""
    steps = [
        *MADE[:2],
        step((A, B), (C,)),
        step((A, B), (C,), takes={B: 1}),
        step((A, B), (C,))._replace(onto=(A,)),
    ]
    every = listed([1, 1, 1], *steps)
    assert [every.exceeds(2, at, at + 1) for at in range(5)] == [False, False, True, False, False]
    assert every.exceeds(2, 0, 5)
    assert not every.exceeds(3, 0, 5)


def test_the_own_bytes_of_steps_are_counted() -> None:
    assert moved_bytes(listed([1], step((), (A,), 5), step((A,), (), 7)), 1) == 12


@pytest.mark.parametrize("at", range(7))
def test_a_replay_goes_on_from_any_step(at: int) -> None:
    """What is in TCM in front of a step is all that the rest depends on."""
    parts = step((B,), (), takes={B: 1}), step((A,), (D,)), step((B,), ()), step((C, D), ())
    steps = listed([1] * 4, *MADE, *parts)
    whole = replayed(steps, 2)
    state = whole.before(at)._replace(reads={}, wanted={})
    rest = Replay(steps, 2, at, state)
    assert rest.run()
    assert rest.bytes == whole.bytes - whole.moved[at]


def test_what_is_read_later_comes_back_at_a_price() -> None:
    """For step 3 C leaves, which is saved for it and comes back; behind it C has to come back."""
    steps = listed([1] * 4, *MADE, step((B,), (D,)), step((A,), ()), step((C,), ()))
    replay = replayed(steps, 3)
    before, behind = replay.before(3), replay.before(4)
    assert (before.inside, before.leaving, before.saved) == ({A, B, C}, {C}, set())
    assert before.returning(steps) == 2
    assert (behind.written, behind.inside, behind.saved) == ({A, C}, {A}, {C})
    assert behind.returning(steps) == 1


def test_what_ddr_has_is_copied_where_it_is_read_often() -> None:
    """Three reads of 4 bytes: copied once where there is room, else read in DDR each time."""
    reads = [step((A,), (), takes={A: 4}) for _ in range(3)]
    steps = listed([4], *reads, fetched={A: 4})
    steps.sources.add(A)
    assert moved_bytes(steps, 4) == 4
    assert moved_bytes(steps, 3) == 12


def test_what_comes_back_takes_room_for_its_other_layout() -> None:
    """C makes A leave; B of 1 byte stays where A comes back alone, and returns for the reader."""
    sequence = [step((), (A, B)), step((B,), (C,)), step((A, B), ())]
    steps = listed([2, 1, 2], *sequence, fetched={A: 2, B: 1})
    assert moved_bytes(steps, 4) == 2
    steps.beside[A] = 2
    assert moved_bytes(steps, 4) == 3


def test_what_was_saved_stays_out_where_it_would_leave_before_that_pays() -> None:
    """A fits beside what the steps between its readers write, but not for all of these."""
    reader = step((A,), (), takes={A: 3})
    writers = [step((), (n,)) for n in (4, 5, 6)]
    steps = listed([4] * 7, step((), (A,)), step((), (B, C)), reader, *writers, reader)
    replay = replayed(steps, 8)
    assert replay.direct == {2: (A,), 6: (A,)}
    assert replay.bytes == 4 + 3 + 3
    near = listed([4] * 4, step((), (A,)), step((), (B, C)), reader, reader)
    assert replayed(near, 8).direct == {}


def test_what_is_read_in_parts_leaves_before_what_is_read_whole() -> None:
    """A is saved already, and a byte of it is read next; B would have to be saved for C."""
    part = step((A,), (), takes={A: 1})
    first = [step((), (A,)), step((), (B, C)), step((A, B), ()), step((), (D,)), part]
    nothing = step((), ())
    steps = listed([4] * 4, *first, nothing, nothing, step((B,), ()))
    replay = replayed(steps, 8)
    assert replay.direct == {4: (A,)}
    assert replay.bytes == 4 + 4 + 1
