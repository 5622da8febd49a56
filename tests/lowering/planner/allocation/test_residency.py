"""Actions in TCM: a simulation of them finds every read where it was written."""

from dataclasses import replace
from math import inf

import pytest
from htp_mlir.lowering.planner.allocation.actions import (
    Action,
    Alloc,
    Fill,
    Relocate,
    Residency,
    RunStep,
    Spill,
)
from htp_mlir.lowering.planner.allocation.residency import by_intervals, least_moved, returning
from htp_mlir.lowering.planner.allocation.steps import (
    AllocationStep,
    DoesNotFit,
    TcmBuffer,
    check_fit,
    uses,
)
from hypothesis import given
from hypothesis import strategies as st

ALIGNMENT = 64


class Machine:
    """A TCM of bytes that are labelled with the buffer written there last, and a DDR."""

    def __init__(self, capacity: int, steps: list[AllocationStep]) -> None:
        self.cells: list[str | None] = [None] * (capacity // ALIGNMENT)
        self.steps = steps
        self.buffers = {b.name: b for step in steps for b in step.buffers}
        self.residencies: dict[Residency, range] = {}
        self.main: set[str] = set()
        self.pending: list[Alloc] = []
        self.ran: list[int] = []

    def room(self, name: str, offset: int) -> range:
        assert offset % ALIGNMENT == 0
        cells = -(-self.buffers[name].bytes // ALIGNMENT)
        assert offset // ALIGNMENT + cells <= len(self.cells)
        return range(offset // ALIGNMENT, offset // ALIGNMENT + cells)

    def holds(self, residency: Residency) -> bool:
        return all(self.cells[cell] == residency.name for cell in self.residencies[residency])

    def write(self, residency: Residency, offset: int) -> None:
        self.residencies[residency] = self.room(residency.name, offset)
        for cell in self.residencies[residency]:
            self.cells[cell] = residency.name

    def do(self, action: Action) -> None:
        match action:
            case Alloc():
                self.pending.append(action)
            case Spill(residency=residency):
                assert self.holds(residency)
                assert residency.name not in self.main, "spilled twice"
                self.main.add(residency.name)
            case Fill(residency=residency, offset=offset):
                assert residency.name in self.main
                self.write(residency, offset)
            case Relocate(residency=residency, offset=offset):
                before = Residency(residency.name, residency.number - 1)
                assert self.holds(before)
                self.write(residency, offset)
            case RunStep(step=step, reads=reads, saved=saved):
                self.run(step, reads, set(saved))

    def run(self, step: int, reads: tuple[Residency, ...], saved: set[str]) -> None:
        pending, self.pending = self.pending, []
        for alloc in pending:
            if alloc.onto is None:
                self.write(alloc.residency, alloc.offset)
            if self.buffers[alloc.residency.name].fetched is not None:
                self.main.add(alloc.residency.name)
        written = {alloc.residency.name for alloc in pending}
        assert written == {buffer.name for buffer in self.steps[step].writes}
        wanted = {buffer.name for buffer in self.steps[step].reads}
        assert {residency.name for residency in reads} == wanted - saved
        assert saved <= self.main & set(self.steps[step].takes)
        assert all(self.holds(residency) for residency in reads)
        for alloc in pending:
            if alloc.onto is not None:
                assert alloc.onto in reads
                assert alloc.onto.name in self.steps[step].onto
                self.write(alloc.residency, alloc.offset)
                assert self.residencies[alloc.onto] == self.residencies[alloc.residency]
        self.ran.append(step)


def simulate(steps: list[AllocationStep], capacity: int) -> tuple[Action, ...]:
    """Plan the steps and run the plan."""
    actions = by_intervals(steps, capacity, ALIGNMENT)
    assert actions is not None
    machine = Machine(capacity, steps)
    for action in actions:
        machine.do(action)
    assert machine.ran == list(range(len(steps)))
    return actions


@st.composite
def programs(draw: st.DrawFn) -> list[AllocationStep]:
    steps: list[AllocationStep] = []
    written: list[TcmBuffer] = []
    for index in range(draw(st.integers(1, 15))):
        reads = draw(st.lists(st.sampled_from(written), max_size=3)) if written else []
        sizes = draw(st.lists(st.integers(0, 300), min_size=1, max_size=2))
        onto = [read for read in reads[:1] if draw(st.booleans())]
        sizes[:1] = [onto[0].bytes if onto else sizes[0]]
        writes = [
            TcmBuffer(f"t{index}.{n}", size, draw(st.booleans())) for n, size in enumerate(sizes)
        ]
        written += writes
        readable = [read for read in reads if draw(st.booleans())]
        takes = {read.name: read.bytes // draw(st.integers(1, 2)) for read in readable}
        names = tuple(read.name for read in onto)
        step = AllocationStep(f"op{index}", tuple(reads), tuple(writes), takes=takes, onto=names)
        steps.append(step)
    return steps


def moved_bytes(steps: list[AllocationStep], actions: tuple[Action, ...]) -> int:
    """Count the bytes between DDR and TCM: spills, fills, and reads of what was saved."""
    sizes = {buffer.name: buffer.bytes for step in steps for buffer in step.buffers}
    moved = 0
    for action in actions:
        match action:
            case Spill(residency) | Fill(residency):
                moved += sizes[residency.name]
            case RunStep(step, _, saved):
                moved += sum(steps[step].takes[name] for name in saved)
            case Alloc() | Relocate():
                pass
    return moved


def least(steps: list[AllocationStep]) -> int:
    last = {name: readers[-1] for name, readers in uses(steps).items()}
    apart = [step.apart(index, last) for index, step in enumerate(steps)]
    return max(sum(-(-b.bytes // ALIGNMENT) * ALIGNMENT for b in own) for own in apart)


@given(programs(), st.integers(0, 4))
@pytest.mark.slow
def test_every_op_finds_its_operands_down_to_the_least_memory(
    steps: list[AllocationStep], spare: int
) -> None:
    simulate(steps, least(steps) + spare * ALIGNMENT)


@pytest.mark.slow
@given(programs())
def test_below_the_least_memory_the_op_is_named(steps: list[AllocationStep]) -> None:
    needed = least(steps)
    if needed:
        with pytest.raises(DoesNotFit) as error:
            check_fit(steps, needed - ALIGNMENT, ALIGNMENT)
        assert sum(-(-b.bytes // 64) * 64 for b in error.value.buffers) == error.value.needed


A, B, C, D = (TcmBuffer(name, 64) for name in "ABCD")


def test_the_block_that_is_needed_last_leaves_and_comes_back() -> None:
    steps = [
        AllocationStep("one", (), (A,)),
        AllocationStep("two", (), (B,)),
        AllocationStep("three", (), (C,)),
        AllocationStep("four", (B, C), ()),
        AllocationStep("five", (A,), ()),
    ]
    actions = simulate(steps, 128)
    moves = [action for action in actions if isinstance(action, Spill | Fill)]
    assert moves == [
        Spill(
            Residency("A", 0), "A (64 bytes) leaves TCM because three needs room; read next by five"
        ),
        Fill(Residency("A", 1), 0, "A (64 bytes) comes back to TCM; read next by five"),
    ]


def test_a_block_that_also_lies_in_main_memory_leaves_for_nothing() -> None:
    backed = TcmBuffer("W", 64, fetched=64)
    steps = [
        AllocationStep("copy", (), (backed,)),
        AllocationStep("one", (), (A, B)),
        AllocationStep("two", (backed, A), ()),
    ]
    actions = simulate(steps, 128)
    assert not [action for action in actions if isinstance(action, Spill)]
    assert [action.residency for action in actions if isinstance(action, Fill)] == [
        Residency("W", 1)
    ]


def test_a_result_takes_the_bytes_of_what_is_read_last() -> None:
    steps = [
        AllocationStep("one", (), (A,)),
        AllocationStep("two", (), (B,)),
        AllocationStep("three", (A, B), (C,), onto=("A", "B")),
        AllocationStep("four", (B, C), (D,), onto=("B",)),
        AllocationStep("five", (D,), ()),
    ]
    allocs = [action for action in simulate(steps, 128) if isinstance(action, Alloc)]
    onto = [alloc.onto.name if alloc.onto else "" for alloc in allocs]
    assert onto == ["", "", "A", "B"]
    assert least_moved(steps, 128, ALIGNMENT) == 0
    without = [replace(step, onto=()) for step in steps]
    assert by_intervals(without, 128, ALIGNMENT) is None


def test_free_bytes_are_joined_within_tcm() -> None:
    """A hole on either side of B is too small: B moves, and nothing leaves TCM."""
    steps = [
        AllocationStep("one", (), (A,)),
        AllocationStep("two", (), (B,)),
        AllocationStep("three", (), (C,)),
        AllocationStep("four", (A,), ()),
        AllocationStep("five", (C,), ()),
        AllocationStep("six", (B,), (TcmBuffer("wide", 128),)),
    ]
    actions = simulate(steps, 192)
    assert moved_bytes(steps, actions) == 0


def test_what_may_not_move_is_moved_around() -> None:
    """B lies between two holes, and is tied to its place until the last step."""
    buffers = dict(zip("aBcde", (TcmBuffer(n, 64) for n in "aBcde"), strict=True))
    wide = TcmBuffer("wide", 128)
    steps = [
        AllocationStep("make", (), tuple(buffers.values())),
        AllocationStep("free", (buffers["a"], buffers["c"]), ()),
        AllocationStep("crowd", tuple(buffers[n] for n in "Bde"), (wide,)),
        AllocationStep("read", (buffers["B"], wide), ()),
    ]
    actions = by_intervals(steps, 320, ALIGNMENT, {"B": range(1, 4)})
    assert actions is not None
    moved = {each.residency.name for each in actions if isinstance(each, Relocate | Spill | Fill)}
    assert "B" not in moved
    assert moved_bytes(steps, actions) == 0


def test_what_is_dead_leaves_without_a_word() -> None:
    chain = [
        AllocationStep("in", (), (A,)),
        AllocationStep("f", (A,), (B,)),
        AllocationStep("g", (B,), (C,)),
        AllocationStep("h", (C,)),
    ]
    assert not [a for a in simulate(chain, 128) if isinstance(a, Spill | Fill)]


def test_a_part_of_what_left_is_read_where_it_was_saved() -> None:
    whole, other, last = TcmBuffer("whole", 128), TcmBuffer("other", 128), TcmBuffer("last", 64)
    steps = [
        AllocationStep("make", (), (whole,)),
        AllocationStep("crowd", (), (other,)),
        AllocationStep("slice", (whole, other), (last,), takes={"whole": 64}),
    ]
    actions = simulate([*steps[:2], AllocationStep("use", (other,)), steps[2]], 320)
    assert not any(isinstance(action, (Spill, Fill)) for action in actions)
    crowded = AllocationStep("crowd", (), (other, TcmBuffer("more", 192)))
    steps = [steps[0], crowded, steps[2]]
    actions = simulate(steps, 320)
    assert not any(isinstance(action, Fill) for action in actions)
    assert actions[-1] == RunStep(2, (Residency("other", 0),), ("whole",))
    assert moved_bytes(steps, actions) == 128 + 64


def test_a_join_reads_parts_that_left_where_they_were_saved() -> None:
    """No two parts and their whole fit: the second leaves as well, and none comes back."""
    first, second, whole = TcmBuffer("first", 128), TcmBuffer("second", 128), TcmBuffer("all", 256)
    steps = [
        AllocationStep("one", (), (first,)),
        AllocationStep("two", (), (second,)),
        AllocationStep("join", (first, second), (whole,), takes={"first": 128, "second": 128}),
    ]
    actions = simulate(steps, 320)
    assert not any(isinstance(action, Fill) for action in actions)
    assert actions[-1] == RunStep(2, (), ("first", "second"))
    assert moved_bytes(steps, actions) == 2 * 256


def test_what_is_read_again_comes_back_for_a_join() -> None:
    """Reading it twice in DDR would move its bytes twice."""
    part, other, whole = TcmBuffer("part", 128), TcmBuffer("other", 256), TcmBuffer("all", 128)
    steps = [
        AllocationStep("make", (), (part,)),
        AllocationStep("crowd", (), (other,)),
        AllocationStep("join", (part,), (whole,), takes={"part": 128}),
        AllocationStep("use", (part, whole)),
    ]
    actions = simulate(steps, 320)
    assert sum(isinstance(action, Fill) for action in actions) == 1
    assert moved_bytes(steps, actions) == 2 * 128


def chain(sizes: list[int], reads: list[tuple[int, ...]]) -> list[AllocationStep]:
    """Steps that each write a buffer and read some of those before."""
    buffers = [TcmBuffer(f"b{at}", size * ALIGNMENT) for at, size in enumerate(sizes)]
    return [
        AllocationStep(f"op{at}", tuple(buffers[n] for n in dict.fromkeys(reads[at])), (buffer,))
        for at, buffer in enumerate(buffers)
    ]


def test_the_actions_move_what_the_replay_counts() -> None:
    steps = chain([1, 1, 1, 1], [(), (), (0,), (1,)])
    actions = by_intervals(steps, 2 * ALIGNMENT, ALIGNMENT)
    assert actions is not None
    assert (
        moved_bytes(steps, actions) == least_moved(steps, 2 * ALIGNMENT, ALIGNMENT) == 2 * ALIGNMENT
    )
    (fill,) = (action for action in actions if isinstance(action, Fill))
    assert fill.residency == Residency("b1", 1)


def test_a_step_that_does_not_fit_has_no_plan() -> None:
    steps = chain([2, 1], [(), (0,)])
    assert by_intervals(steps, 2 * ALIGNMENT, ALIGNMENT) is None
    assert least_moved(steps, 2 * ALIGNMENT, ALIGNMENT) == inf


def test_a_part_of_what_was_saved_is_read_without_a_fill() -> None:
    *first, last = chain([1, 2, 1, 1], [(), (), (0,), (1,)])
    steps = [*first, replace(last, takes={"b1": ALIGNMENT})]
    actions = by_intervals(steps, 3 * ALIGNMENT, ALIGNMENT)
    assert actions is not None
    assert actions[-1] == RunStep(3, (), ("b1",))
    assert moved_bytes(steps, actions) == 2 * ALIGNMENT + ALIGNMENT


def test_what_comes_back_is_listed_with_the_step_that_reads_it() -> None:
    """What costs less to make again leaves in place of others."""
    steps = chain([1, 1, 1, 1], [(), (), (0,), (1,)])
    assert [*returning(steps, 2 * ALIGNMENT, ALIGNMENT)] == [("b1", 3)]
    assert [*returning(steps, 4 * ALIGNMENT, ALIGNMENT)] == []
    steps = chain([1, 1, 2, 1], [(), (), (), (0, 1)])
    sliced = replace(steps[0].writes[0], fetched=1)
    steps[0] = replace(steps[0], writes=(sliced,))
    steps[3] = replace(steps[3], reads=(sliced, *steps[3].reads[1:]))
    assert [*returning(steps, 3 * ALIGNMENT, ALIGNMENT)] == [("b0", 3)]


def test_nothing_is_listed_where_a_step_does_not_fit() -> None:
    steps = chain([1, 1, 1, 2], [(), (), (0,), (1,)])
    assert [*returning(steps, 2 * ALIGNMENT, ALIGNMENT)] == []


def test_where_ties_are_in_the_way_the_search_ends_in_any_memory() -> None:
    """What is tied lies in the middle of 5 bytes, of which a part of the TCM is less than one."""
    first, second, tied = TcmBuffer("first", 2), TcmBuffer("second", 2), TcmBuffer("tied", 1)
    steps = [
        *(AllocationStep(f"make {b.name}", (), (b,)) for b in (first, second, tied)),
        AllocationStep("free", (first, second), ()),
        AllocationStep("crowd", (tied,), (TcmBuffer("wide", 4),)),
        AllocationStep("read", (tied,), ()),
    ]
    assert by_intervals(steps, 5, 1, {"tied": range(1, 6)}) is None
