"""Spilling: simulate the actions and see that every op finds what it reads."""

import pytest
from htp_mlir.lowering.planner.allocation.actions import (
    Action,
    Alloc,
    Fill,
    Residency,
    RunStep,
    Spill,
    moved_bytes,
)
from htp_mlir.lowering.planner.allocation.spill import DoesNotFit, spill_plans
from htp_mlir.lowering.planner.allocation.steps import AllocationStep, TcmBuffer
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
            case RunStep(step=step, reads=reads, saved=saved):
                self.run(step, reads, set(saved))

    def run(self, step: int, reads: tuple[Residency, ...], saved: set[str]) -> None:
        for alloc in self.pending:
            self.write(alloc.residency, alloc.offset)
            if self.buffers[alloc.residency.name].backed:
                self.main.add(alloc.residency.name)
        written = {alloc.residency.name for alloc in self.pending}
        self.pending = []
        assert written == {buffer.name for buffer in self.steps[step].writes}
        wanted = {buffer.name for buffer in self.steps[step].reads}
        assert {residency.name for residency in reads} == wanted - saved
        assert saved <= self.main & set(self.steps[step].takes)
        assert all(self.holds(residency) for residency in reads)
        self.ran.append(step)


def simulate(steps: list[AllocationStep], capacity: int) -> tuple[Action, ...]:
    """Run each plan; return the first of those that move the fewest bytes."""
    plans = list(spill_plans(steps, capacity, ALIGNMENT))
    for actions in plans:
        machine = Machine(capacity, steps)
        for action in actions:
            machine.do(action)
        assert machine.ran == list(range(len(steps)))
    return min(plans, key=lambda actions: moved_bytes(steps, actions))


@st.composite
def programs(draw: st.DrawFn) -> list[AllocationStep]:
    steps: list[AllocationStep] = []
    written: list[TcmBuffer] = []
    for index in range(draw(st.integers(1, 15))):
        reads = draw(st.lists(st.sampled_from(written), max_size=3)) if written else []
        sizes = draw(st.lists(st.integers(0, 300), min_size=1, max_size=2))
        writes = [
            TcmBuffer(f"t{index}.{n}", size, draw(st.booleans())) for n, size in enumerate(sizes)
        ]
        written += writes
        readable = [read for read in reads if draw(st.booleans())]
        takes = {read.name: read.bytes // draw(st.integers(1, 2)) for read in readable}
        steps.append(AllocationStep(f"op{index}", tuple(reads), tuple(writes), takes=takes))
    return steps


def least(steps: list[AllocationStep]) -> int:
    return max(sum(-(-b.bytes // ALIGNMENT) * ALIGNMENT for b in step.held) for step in steps)


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
            next(spill_plans(steps, needed - ALIGNMENT, ALIGNMENT))
        assert sum(-(-b.bytes // 64) * 64 for b in error.value.step.held) == error.value.needed


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
    backed = TcmBuffer("W", 64, backed=True)
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


def test_holes_between_an_ops_own_operands_are_closed() -> None:
    steps = [
        AllocationStep("one", (), (A,)),
        AllocationStep("two", (), (B,)),
        AllocationStep("three", (), (C,)),
        AllocationStep("four", (A,), ()),
        AllocationStep("five", (B,), (TcmBuffer("wide", 128),)),
    ]
    simulate(steps, 192)


def test_a_small_block_makes_room_for_a_wide_one() -> None:
    big, gap, small, wide = (
        TcmBuffer(n, b) for n, b in zip("BGSW", (256, 64, 64, 192), strict=True)
    )
    steps = [
        *(AllocationStep(f"write {buffer.name}", (), (buffer,)) for buffer in (big, gap, small)),
        AllocationStep("read", (gap,), ()),
        AllocationStep("crowd", (big, small), (wide,)),
    ]
    assert moved_bytes(steps, simulate(steps, 512)) == 2 * small.bytes
    emptied, _ = spill_plans(steps, 512, ALIGNMENT)
    assert moved_bytes(steps, emptied) == 2 * (big.bytes + small.bytes)


def test_an_empty_memory_may_cost_less_in_the_end() -> None:
    a, b, c, d, e = (TcmBuffer(n, 64 * k) for n, k in zip("abcde", (2, 3, 4, 3, 3), strict=True))
    steps = [
        AllocationStep("1", (), (a,)),
        AllocationStep("2", (a,), (b,)),
        AllocationStep("3", (b,), (c,)),
        AllocationStep("4", (a, b), (d,)),
        AllocationStep("5", (b,), (e,)),
    ]
    emptied, moved = spill_plans(steps, 512, ALIGNMENT)
    assert moved_bytes(steps, emptied) < moved_bytes(steps, moved)


def test_what_is_dead_leaves_without_a_word() -> None:
    chain = [
        AllocationStep("in", (), (A,)),
        AllocationStep("f", (A,), (B,)),
        AllocationStep("g", (B,), (C,)),
        AllocationStep("h", (C,)),
    ]
    assert not [a for a in simulate(chain, 128) if isinstance(a, Spill | Fill)]


def test_a_block_that_nothing_wrote_is_no_program() -> None:
    with pytest.raises(ValueError, match="one reads A, which no earlier step writes"):
        next(spill_plans([AllocationStep("one", (A,), ())], 128, ALIGNMENT))


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
