"""Finding numbers that agree."""

from random import Random

import pytest
from htp_mlir.lowering.rules.soundness.drawing.constraint_system import (
    Choices,
    ConstraintSystem,
    Contradiction,
    Derivation,
    Derivations,
    IntVar,
    Sum,
)


def solved(system: ConstraintSystem, *variables: IntVar, seed: int = 0) -> list[int]:
    system.solve(variables, Choices(Random(seed)))
    return [var.known for var in variables]


@pytest.mark.one_per
@pytest.mark.parametrize("seed", range(20))
def test_parts_add_up(seed: int) -> None:
    whole, a, b = IntVar(7, 9, 5), IntVar(1, None, 5), IntVar(1, None, 5)
    system = ConstraintSystem()
    system.add(Sum([(whole, -1), (a, 1), (b, 1)]))
    numbers = solved(system, whole, a, b, seed=seed)
    assert numbers[0] == numbers[1] + numbers[2]
    assert 7 <= numbers[0] <= 9


def test_bounds_leave_one_value_before_anything_is_drawn() -> None:
    same, start, rest = IntVar(1, None, 5), IntVar(0, None, 5), IntVar(0, None, 5)
    system = ConstraintSystem()
    system.add(Sum([(same, -1), (same, 1), (start, 1), (rest, 1)]))
    system.propagate()
    assert (start.known, rest.known) == (0, 0)


def test_a_way_back_is_taken_where_the_target_is_given() -> None:
    out, length = IntVar(1, None, 5), IntVar(8, 8, 5)
    system = ConstraintSystem()
    system.add(
        Derivations(
            Derivation(out, (length,), lambda n: n // 2),
            Derivation(length, (out,), lambda n: 2 * n),
        )
    )
    length.narrow(hinted=True)
    assert solved(system, out, length) == [4, 8]


def test_what_follows_is_passed_on_at_once() -> None:
    out, length, rest = IntVar(1, None, 5), IntVar(8, 8, 5), IntVar(0, None, 5)
    length.fix(8)
    system = ConstraintSystem()
    system.add(Sum([(rest, -1), (out, 1)]))
    system.add(Derivations(Derivation(out, (length,), lambda n: n // 2)))
    system.propagate()
    assert rest.known == 4


@pytest.mark.parametrize(
    ("style", "greatest"), [(0, 3 + 4), (16, 3 + 4), (17, 3 + 15), (18, 40), (19, 40)]
)
def test_a_draw_is_near_the_base_at_times_far_or_a_boundary(style: int, greatest: int) -> None:
    var = IntVar(1, None, 5, base=3)
    ConstraintSystem([0, 2, 40]).solve([var], Choices([style, 99]))
    assert var.known == greatest


def test_joined_unknowns_are_one() -> None:
    a, b, c = IntVar(2, 9, 5), IntVar(1, 4, 5), IntVar(4, None, 5)
    a.join(b)
    c.join(b)
    assert solved(ConstraintSystem(), a, b, c) == [4, 4, 4]


def test_a_value_that_is_set_stays_allowed() -> None:
    a = IntVar(0, 9, 5)
    a.fix(4)
    a.narrow(low=4, high=5)
    a.restrict([3, 4])
    for narrower in (lambda: a.restrict([3]), lambda: a.narrow(low=5)):
        with pytest.raises(Contradiction):
            narrower()


def test_what_cannot_be_is_a_contradiction() -> None:
    a = IntVar(3, None, 5)
    with pytest.raises(Contradiction):
        a.narrow(high=2)
    odd = ConstraintSystem()
    odd.add(Sum([(IntVar(0, 9, 5), 2)], -5))
    with pytest.raises(Contradiction):
        odd.propagate()


def test_choices_replay() -> None:
    first = Choices(Random(1))
    drawn = [first.below(10) for _ in range(5)]
    again = Choices(first.draws)
    assert [again.below(10) for _ in range(6)] == [*drawn, 0]
    assert [Choices([9]).below(3), Choices([]).pick("ab")] == [2, "a"]
