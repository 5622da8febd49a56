"""Execution order: legal, tile by tile, and the given one where it is no worse."""

from htp_mlir.lowering.planner.schedule import Program, Task, schedule
from hypothesis import given
from hypothesis import strategies as st


@st.composite
def programs(draw: st.DrawFn) -> list[Task]:
    tasks: list[Task] = []
    for index in range(draw(st.integers(1, 20))):
        earlier = st.integers(0, index - 1)
        reads = draw(st.lists(earlier, max_size=3)) if index else []
        after = draw(st.lists(earlier, max_size=1)) if index else []
        size = draw(st.integers(0, 50))
        tasks.append(Task(tuple(f"v{n}" for n in reads), ((f"v{index}", size),), tuple(after)))
    return tasks


@given(programs())
def test_every_task_comes_after_what_it_waits_for(tasks: list[Task]) -> None:
    order = schedule(tasks)
    assert sorted(order) == list(range(len(tasks)))
    position = {index: place for place, index in enumerate(order)}
    for index, before in enumerate(Program(tasks).before):
        assert all(position[other] < position[index] for other in before)


@given(programs())
def test_the_peak_is_never_above_that_of_the_given_order(tasks: list[Task]) -> None:
    program, order = Program(tasks), schedule(tasks)
    given_order = tuple(range(len(tasks)))
    assert program.peak(order) <= program.peak(given_order)
    if program.peak(order) == program.peak(given_order):
        assert order == given_order


def test_tiles_are_finished_one_after_the_other() -> None:
    tiles = range(3)
    load = [Task((), ((f"in{t}", 100),)) for t in tiles]
    conv = [Task((f"in{t}",), ((f"mid{t}", 100),)) for t in tiles]
    relu = [Task((f"mid{t}",), ((f"out{t}", 10),)) for t in tiles]
    concat = [Task(tuple(f"out{t}" for t in tiles), (("all", 0),))]
    tasks = [*load, *conv, *relu, *concat]
    assert schedule(tasks) == (0, 3, 6, 1, 4, 7, 2, 5, 8, 9)
    assert Program(tasks).peak(schedule(tasks)) == 10 + 10 + 100 + 100


def test_the_subtree_that_leaves_little_behind_runs_first() -> None:
    small = Task((), (("small", 10),))
    large = Task((), (("large", 100),))
    shrink = Task(("large",), (("little", 1),))
    join = Task(("small", "little"), (("out", 1),))
    assert schedule([small, large, shrink, join]) == (1, 2, 0, 3)


def test_a_state_is_read_before_it_is_written() -> None:
    write_needs_nothing = [
        Task((), (("old", 1),)),
        Task((), (("new", 100),)),
        Task(("new",), (), (0,)),
    ]
    order = schedule(write_needs_nothing)
    assert order.index(0) < order.index(2)
