"""Execution order: legal, tile by tile, and the given one where it is no worse."""

from collections.abc import Sequence

from htp_mlir.lowering.planner.allocation.live_intervals import peak_live
from htp_mlir.lowering.planner.allocation.schedule import Task, TaskOrder
from htp_mlir.lowering.planner.allocation.schedule import schedule as schedule_for
from htp_mlir.lowering.planner.allocation.steps import TcmBuffer
from hypothesis import given
from hypothesis import strategies as st

LARGE = 1 << 30


def schedule(tasks: list[Task], capacity: int = LARGE) -> tuple[int, ...]:
    return schedule_for(tasks, capacity, alignment=1)


def task(reads: dict[str, int], writes: dict[str, int], after: tuple[int, ...] = ()) -> Task:
    buffers = [
        tuple(TcmBuffer(name, size) for name, size in sizes.items()) for sizes in (reads, writes)
    ]
    return Task(buffers[0], buffers[1], after)


@st.composite
def programs(draw: st.DrawFn) -> list[Task]:
    sizes: list[int] = []
    tasks: list[Task] = []
    for index in range(draw(st.integers(1, 20))):
        earlier = st.integers(0, index - 1)
        reads = draw(st.lists(earlier, max_size=3)) if index else []
        after = draw(st.lists(earlier, max_size=1)) if index else []
        sizes.append(draw(st.integers(0, 50)))
        read_sizes = {f"v{n}": sizes[n] for n in reads}
        tasks.append(task(read_sizes, {f"v{index}": sizes[-1]}, tuple(after)))
    return tasks


@given(programs())
def test_every_task_comes_after_what_it_waits_for(tasks: list[Task]) -> None:
    order = schedule(tasks)
    assert sorted(order) == list(range(len(tasks)))
    position = {index: place for place, index in enumerate(order)}
    for index, before in enumerate(TaskOrder(tasks).before):
        assert all(position[other] < position[index] for other in before)


@given(programs(), st.integers(50, 400))
def test_the_order_is_never_worse_than_the_given_one(tasks: list[Task], capacity: int) -> None:
    program, order = TaskOrder(tasks), schedule(tasks, capacity)
    given_order = tuple(range(len(tasks)))

    def price(order: Sequence[int]) -> tuple[int, int, int]:
        live = program.live(order)
        alive = sum(each.bytes * (each.end - each.start) for each in live)
        return program.moved(order, capacity, 1), peak_live(live), alive

    assert order == given_order or price(order) < price(given_order)


TILES = range(3)
TILED = [
    *(task({}, {f"in{t}": 100}) for t in TILES),
    *(task({f"in{t}": 100}, {f"mid{t}": 100}) for t in TILES),
    *(task({f"mid{t}": 100}, {f"out{t}": 10}) for t in TILES),
    task({f"out{t}": 10 for t in TILES}, {"all": 0}),
]


def test_tiles_are_finished_one_after_the_other() -> None:
    assert schedule(TILED) == (0, 3, 6, 1, 4, 7, 2, 5, 8, 9)
    assert peak_live(TaskOrder(TILED).live(schedule(TILED))) == 10 + 10 + 100 + 100


def test_tiling_saves_every_spill_where_the_given_order_spills() -> None:
    program = TaskOrder(TILED)
    assert program.moved(range(10), 220, 1) > 0
    assert program.moved(schedule(TILED, 220), 220, 1) == 0


def test_the_given_order_stays_where_it_is_no_worse() -> None:
    assert schedule([task({}, {"a": 1}), task({}, {"b": 1}), task({"b": 1, "a": 1}, {})]) == (
        0,
        1,
        2,
    )


def test_the_subtree_that_leaves_little_behind_runs_first() -> None:
    small, large = task({}, {"small": 10}), task({}, {"large": 100})
    shrink = task({"large": 100}, {"little": 1})
    join = task({"small": 10, "little": 1}, {"out": 1})
    assert schedule([small, large, shrink, join]) == (1, 2, 0, 3)


def test_a_result_that_leaves_does_not_wait_for_its_constants() -> None:
    """Each tile t is written to DDR as the constant says, before the next one is made."""
    tasks = [
        task({}, {"t0": 100, "sum0": 1}),
        task({"sum0": 1}, {"t1": 100, "sum1": 1}),
        task({"sum1": 1}, {}),
        Task(writes=(TcmBuffer("perm", 0),), lazy=True),
        *(task({tile: 100, "perm": 0}, {f"{tile} in DDR": 0}) for tile in ("t0", "t1")),
        task({"t0 in DDR": 0, "t1 in DDR": 0}, {}),
    ]
    assert schedule(tasks) == (0, 3, 4, 1, 2, 5, 6)
    assert peak_live(TaskOrder(tasks).live(schedule(tasks))) == 1 + 100 + 1


def test_a_state_is_read_before_it_is_written() -> None:
    read, new = task({}, {"old": 1}), task({}, {"new": 100})
    order = schedule([read, new, task({"new": 100}, {}, after=(0,))])
    assert order.index(0) < order.index(2)


def test_what_a_last_task_waits_for_is_not_made_early() -> None:
    """The window w of the skip a is lazy, and so is what computes the last value of a and b."""
    tasks = [
        task({}, {"a": 4}),
        Task((TcmBuffer("a", 4),), (TcmBuffer("w", 4),), lazy=True, takes={"a": 4}),
        task({"a": 4}, {"b": 4}),
        *(task({name: 4}, {after: 4}) for name, after in (("b", "c"), ("c", "d"))),
        Task((TcmBuffer("w", 4), TcmBuffer("d", 4)), (TcmBuffer("e", 4),), lazy=True),
        task({"e": 4}, {"out": 0}),
    ]
    assert TaskOrder(tasks).releases == [[], [], [], [], [], [6], []]


def test_what_is_made_of_one_tile_leaves_before_the_next_is_made() -> None:
    """The parts of a product are lazy, and each goes to DDR: a part of it waits for no other."""
    whole = Task(writes=(TcmBuffer("x", 8),), lazy=True)
    parts = [Task((TcmBuffer("x", 8),), (TcmBuffer(n, 4),), lazy=True) for n in ("a", "b")]
    copies = [Task((TcmBuffer(n, 4),), (TcmBuffer(f"{n} in DDR", 0),), lazy=True) for n in "ab"]
    join = task({"a in DDR": 0, "b in DDR": 0}, {})
    assert schedule([whole, *parts, *copies, join]) == (0, 1, 3, 2, 4, 5)
