"""The least converted bytes, against trying every labelling; deterministic ties; the limits."""

from __future__ import annotations

from itertools import product

import pytest
from htp_mlir.lowering.planner.placement.min_cut import (
    Choice,
    ConversionCost,
    Problem,
    choose,
    contradiction,
)
from htp_mlir.lowering.planner.placement.min_cut import converted as cost
from hypothesis import given, settings
from hypothesis import strategies as st

MOST = 12


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Graphs of up to 12 free tensors with pins, couplings, shared readers and many ties."""
    count = draw(st.integers(1, MOST + 4))
    some = st.integers(0, count - 1)
    bytes_ = st.sampled_from((0, 1, 1, 2, 3, 2048))
    held = st.builds(ConversionCost, some, st.lists(some, max_size=5).map(tuple), bytes_, bytes_)
    least = max(0, count - MOST)
    pinned = draw(st.lists(some, unique=True, min_size=least))
    return Problem(
        count,
        {variable: draw(st.booleans()) for variable in pinned},
        tuple(draw(st.lists(st.tuples(some, some), max_size=6))),
        tuple(draw(st.lists(held, max_size=10))),
    )


def all_choices(problem: Problem) -> list[Choice]:
    """Every labelling that the pins and implications allow, counted without the planner."""
    options = [
        [problem.pins[v]] if v in problem.pins else [False, True] for v in range(problem.variables)
    ]
    allowed = [
        labels
        for labels in product(*options)
        if all(labels[b] or not labels[a] for a, b in problem.implications)
    ]
    return [Choice(labels, brute_cost(problem, labels)) for labels in allowed]


def brute_cost(problem: Problem, labels: tuple[bool, ...]) -> int:
    total = 0
    for held in problem.costs:
        read = [labels[reader] for reader in held.readers]
        if labels[held.label]:
            total += held.down if False in read else 0
        else:
            total += held.up if True in read else 0
    return total


@settings(max_examples=500)
@given(problems())
def test_no_labelling_converts_less_and_ties_take_the_fewest_high_labels(problem: Problem) -> None:
    every = all_choices(problem)
    if not every:
        with pytest.raises(ValueError, match="variable"):
            choose(problem)
        return
    found = choose(problem)
    best = min(choice.converted for choice in every)
    ties = [choice.labels for choice in every if choice.converted == best]
    assert found.converted == best
    assert found.labels == tuple(map(all, zip(*ties, strict=True)))
    assert found.labels in ties


def test_a_conversion_that_two_readers_share_is_paid_once() -> None:
    shared = Problem(3, {0: False, 1: True, 2: True}, (), (ConversionCost(0, (1, 2), 7, 5),))
    assert choose(shared).converted == 5
    apart = Problem(3, {0: True, 1: False, 2: True}, (), (ConversionCost(0, (1, 2), 7, 5),))
    assert choose(apart).converted == 7


def test_bytes_beyond_32_bits_are_counted() -> None:
    huge = ConversionCost(0, (1,), 1 << 40, 1 << 40)
    assert choose(Problem(2, {0: True, 1: False}, (), (huge,) * 3)).converted == 3 << 40


def test_nothing_to_choose() -> None:
    assert choose(Problem(0, {}, (), ())) == Choice((), 0)


def test_a_contradiction_is_named() -> None:
    pinned = Problem(2, {0: True, 1: False}, ((0, 1),), ())
    with pytest.raises(ValueError, match="variable 0 is high, variable 1 is low"):
        choose(pinned)
    assert contradiction(pinned, (False, False)) == "variable 0 is pinned to both labels"
    assert cost(pinned, (True, False)) == 0
