"""Schedules against the sets that they stand for."""

from itertools import product

import pytest
from htp_mlir.lowering.report.stream.stream import StreamSchedule, meet

END = 60
SMALL = [StreamSchedule(first, every) for first, every in product((1, 2, 5, 9), (1, 2, 3, 4, 6))]


def inferences(schedule: StreamSchedule | None) -> list[int]:
    return list(range(schedule.first, END, schedule.every)) if schedule else []


@pytest.mark.parametrize("one", SMALL, ids=str)
def test_two_schedules_meet_where_their_sets_do(one: StreamSchedule) -> None:
    for other in SMALL:
        both = set(inferences(one)) & set(inferences(other))
        assert inferences(one.meet(other)) == sorted(both), other


def test_schedules_apart_never_meet() -> None:
    assert StreamSchedule(1, 2).meet(StreamSchedule(2, 4)) is None
    assert meet(StreamSchedule(), None) is None


def test_several_schedules_meet_pair_by_pair() -> None:
    assert meet() == StreamSchedule()
    assert meet(StreamSchedule(2, 2), StreamSchedule(3, 3), StreamSchedule(1, 4)) is None
    assert meet(StreamSchedule(2, 2), StreamSchedule(3, 3), StreamSchedule(2, 4)) == StreamSchedule(
        6, 12
    )


def test_a_schedule_inside_another_counts_its_inferences() -> None:
    assert (
        inferences(StreamSchedule(3, 2).then(StreamSchedule(2, 4)))
        == inferences(StreamSchedule(3, 2))[1::4]
    )


@pytest.mark.parametrize(("first", "every", "wait"), [(1, 1, 0), (4, 1, 3), (2, 6, 5)])
def test_the_longest_wait_is_at_the_start_or_between_two(first, every, wait) -> None:
    at = inferences(StreamSchedule(first, every))
    assert StreamSchedule(first, every).wait == wait
    assert max(min(u for u in at if u >= t) - t for t in range(1, END // 2)) == wait
