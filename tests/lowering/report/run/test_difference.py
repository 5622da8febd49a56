"""Differences of lists of distinct numbers."""

import random

import pytest
from htp_mlir.lowering.report.run.recorder import difference


def applied(old: list[int], parts: tuple[tuple[str, int], ...]) -> list[int]:
    """What a difference makes of the old list; what it leaves out is taken from there."""
    new, place = [], 0
    for sign, number in parts:
        if sign == "@":
            new += old[place : place + number]
            place += number
        elif sign == "+":
            new.append(number)
        else:
            assert old[place] == number
            place += 1
            new += [number] * (sign == " ")
    return new


def test_the_example() -> None:
    changes = difference([1, 2, 3, 4], [1, 3, 2, 5], 100)
    assert (changes.added, changes.removed) == (2, 2)
    assert applied([1, 2, 3, 4], changes.parts) == [1, 3, 2, 5]


@pytest.mark.one_per
@pytest.mark.parametrize("seed", range(60))
def test_applied_to_the_old_list_it_gives_the_new_one(seed: int) -> None:
    generator = random.Random(seed)
    old = generator.sample(range(40), generator.randrange(30))
    new = generator.sample(range(40), generator.randrange(30))
    if seed % 2:
        # Mostly equal lists.
        new = [number for number in old if generator.random() < 0.8]
        new.insert(generator.randrange(len(new) + 1), 99)
    changes = difference(old, new, 1000)
    assert applied(old, changes.parts) == new
    assert changes.added - changes.removed == len(new) - len(old)
    assert not changes.is_cut


def test_equal_lists_have_none() -> None:
    assert not difference([3, 1], [3, 1], 10)


def test_only_what_is_near_a_change_is_shown() -> None:
    changes = difference(list(range(100)), [*range(50), *range(51, 100)], 100)
    around = ((" ", 48), (" ", 49), ("-", 50), (" ", 51), (" ", 52))
    assert changes.parts == (("@", 48), *around, ("@", 47))


def test_a_long_one_is_cut_and_counted() -> None:
    changes = difference(list(range(1000)), list(range(1000, 3000)), 10)
    assert (changes.added, changes.removed, len(changes.parts)) == (2000, 1000, 10)
    assert changes.is_cut
