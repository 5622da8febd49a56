"""Finding numbers that agree."""

from __future__ import annotations

from random import Random

import pytest
from htp_mlir.lowering.rules.soundness.choices import Choices
from htp_mlir.lowering.rules.soundness.unknowns import (
    Contradiction,
    Sum,
    System,
    Unknown,
    Way,
    Ways,
)


def solved(system: System, *unknowns: Unknown, seed: int = 0) -> list[int]:
    system.solve(unknowns, Choices(Random(seed)))
    return [unknown.known for unknown in unknowns]


@pytest.mark.parametrize("seed", range(20))
def test_parts_add_up(seed: int) -> None:
    whole, a, b = Unknown(7, 9, 5), Unknown(1, None, 5), Unknown(1, None, 5)
    system = System()
    system.add(Sum([(whole, -1), (a, 1), (b, 1)]))
    found = solved(system, whole, a, b, seed=seed)
    assert found[0] == found[1] + found[2]
    assert 7 <= found[0] <= 9


def test_bounds_leave_one_value_before_anything_is_drawn() -> None:
    same, start, rest = Unknown(1, None, 5), Unknown(0, None, 5), Unknown(0, None, 5)
    system = System()
    system.add(Sum([(same, -1), (same, 1), (start, 1), (rest, 1)]))
    system.settle()
    assert (start.known, rest.known) == (0, 0)


def test_a_way_back_is_taken_where_the_target_is_given() -> None:
    out, length = Unknown(1, None, 5), Unknown(8, 8, 5)
    system = System()
    system.add(Ways(Way(out, (length,), lambda n: n // 2), Way(length, (out,), lambda n: 2 * n)))
    length.narrow(hinted=True)
    assert solved(system, out, length) == [4, 8]


def test_joined_unknowns_are_one() -> None:
    a, b, c = Unknown(2, 9, 5), Unknown(1, 4, 5), Unknown(4, None, 5)
    a.join(b)
    c.join(b)
    assert solved(System(), a, b, c) == [4, 4, 4]


def test_what_cannot_be_is_a_contradiction() -> None:
    a = Unknown(3, None, 5)
    with pytest.raises(Contradiction):
        a.narrow(high=2)
    odd = System()
    odd.add(Sum([(Unknown(0, 9, 5), 2)], -5))
    with pytest.raises(Contradiction):
        odd.settle()


def test_choices_replay() -> None:
    first = Choices(Random(1))
    drawn = [first.below(10) for _ in range(5)]
    again = Choices(first.made)
    assert [again.below(10) for _ in range(6)] == [*drawn, 0]
    assert [Choices([9]).below(3), Choices([]).pick("ab")] == [2, "a"]
