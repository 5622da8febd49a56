"""Stays in TCM with offsets: an independent walk of the actions finds every read where it was."""

from __future__ import annotations

from dataclasses import replace

from htp_mlir.lowering.planner.allocation.actions import (
    Alloc,
    Fill,
    Residency,
    RunStep,
    Spill,
    moved_bytes,
)
from htp_mlir.lowering.planner.allocation.replay import ReplayStep, StepList
from htp_mlir.lowering.planner.allocation.residency import (
    by_intervals,
    least_moved,
    packed_stays,
    returning,
)
from htp_mlir.lowering.planner.allocation.steps import AllocationStep, TcmBuffer
from hypothesis import assume, given
from hypothesis import strategies as st

UNIT = 64


def chain(sizes: list[int], reads: list[tuple[int, ...]]) -> list[AllocationStep]:
    """Steps that each write a buffer and read some of those before."""
    buffers = [TcmBuffer(f"b{at}", size * UNIT) for at, size in enumerate(sizes)]
    return [
        AllocationStep(f"op{at}", tuple(buffers[n] for n in dict.fromkeys(reads[at])), (buffer,))
        for at, buffer in enumerate(buffers)
    ]


@st.composite
def chains(draw: st.DrawFn) -> list[AllocationStep]:
    count = draw(st.integers(2, 12))
    sizes = draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    reads = [
        tuple(draw(st.lists(st.integers(0, at - 1), max_size=2))) if at else ()
        for at in range(count)
    ]
    return chain(sizes, reads)


@given(chains())
def test_every_step_finds_what_it_reads(steps: list[AllocationStep]) -> None:
    capacity = 10 * UNIT
    actions = by_intervals(steps, capacity, UNIT)
    assume(actions is not None)
    assert actions is not None
    cells: list[str] = [""] * (capacity // UNIT)
    saved: set[str] = set()
    rooms: dict[Residency, slice] = {}
    sizes = {b.name: b.bytes // UNIT for step in steps for b in step.buffers}
    ran: list[int] = []
    for action in actions:
        match action:
            case Alloc(residency, offset) | Fill(residency, offset):
                name, at = residency.name, offset // UNIT
                assert at + sizes[name] <= len(cells)
                assert isinstance(action, Alloc) or name in saved
                rooms[residency] = slice(at, at + sizes[name])
                cells[rooms[residency]] = [name] * sizes[name]
            case Spill(residency):
                assert set(cells[rooms[residency]]) == {residency.name}
                assert residency.name not in saved
                saved.add(residency.name)
            case RunStep(step, reads):
                assert {each.name for each in reads} == {b.name for b in steps[step].reads}
                assert all(set(cells[rooms[each]]) == {each.name} for each in reads)
                ran.append(step)
    assert ran == list(range(len(steps)))


@given(chains())
def test_no_two_stays_that_meet_share_bytes(steps: list[AllocationStep]) -> None:
    numbers = {b.name: at for at, step in enumerate(steps) for b in step.writes}
    listed = StepList()
    for step in steps:
        (written,) = step.writes
        listed.buffer(written.bytes, alignment=UNIT)
        reads = tuple(numbers[buffer.name] for buffer in step.reads)
        listed.steps.append(ReplayStep(reads, (numbers[written.name],)))
    packed = packed_stays(listed, 10 * UNIT, UNIT)
    assume(packed is not None)
    assert packed is not None
    replay, offsets = packed
    busy: dict[int, set[int]] = {}
    for stay, offset in zip(replay.stays, offsets, strict=True):
        own = set(range(offset // UNIT, (offset + listed.sizes[stay.buffer]) // UNIT))
        for step in range(stay.first, max(stay.first, stay.last) + 1):
            assert not busy.setdefault(step, set()) & own
            busy[step] |= own


def test_the_actions_move_what_the_replay_counts() -> None:
    steps = chain([1, 1, 1, 1], [(), (), (0,), (1,)])
    actions = by_intervals(steps, 2 * UNIT, UNIT)
    assert actions is not None
    assert moved_bytes(steps, actions) == least_moved(steps, 2 * UNIT, UNIT) == 2 * UNIT
    (fill,) = (action for action in actions if isinstance(action, Fill))
    assert fill.residency == Residency("b1", 1)


def test_a_step_that_does_not_fit_has_no_plan() -> None:
    steps = chain([2, 1], [(), (0,)])
    assert by_intervals(steps, 2 * UNIT, UNIT) is None
    assert least_moved(steps, 2 * UNIT, UNIT) is None


def test_a_part_of_what_was_saved_is_read_without_a_fill() -> None:
    *first, last = chain([1, 2, 1, 1], [(), (), (0,), (1,)])
    steps = [*first, replace(last, takes={"b1": UNIT})]
    actions = by_intervals(steps, 3 * UNIT, UNIT)
    assert actions is not None
    assert actions[-1] == RunStep(3, (), ("b1",))
    assert moved_bytes(steps, actions) == 2 * UNIT + UNIT


def test_what_comes_back_is_listed_with_the_step_that_reads_it() -> None:
    """What main memory has a copy of comes back without having been saved."""
    steps = chain([1, 1, 1, 1], [(), (), (0,), (1,)])
    assert [*returning(steps, 2 * UNIT, UNIT)] == [("b1", 3)]
    assert [*returning(steps, 4 * UNIT, UNIT)] == []
    backed = replace(steps[1].writes[0], backed=True)
    steps[1] = replace(steps[1], writes=(backed,))
    steps[3] = replace(steps[3], reads=(backed,))
    assert [*returning(steps, 2 * UNIT, UNIT)] == []


def test_nothing_is_listed_where_a_step_does_not_fit() -> None:
    steps = chain([1, 1, 1, 2], [(), (), (0,), (1,)])
    assert [*returning(steps, 2 * UNIT, UNIT)] == []
