"""The least converted bytes, against trying every labelling; deterministic ties; the limits."""

import numpy as np
import pytest
from htp_mlir.lowering.planner.placement.min_cut import (
    ConversionCost,
    Labelling,
    Problem,
    choose,
    contradiction,
)
from htp_mlir.lowering.planner.placement.min_cut import converted as cost
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

Labels = NDArray[np.bool_]
"""A row per labelling, a column per variable."""

MOST = 12


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Graphs of up to 12 free tensors with pins, couplings, shared readers and many ties."""
    count = draw(st.integers(1, MOST + 4))
    some = st.integers(0, count - 1)
    bytes_ = st.sampled_from((0, 1, 1, 2, 3, 2048))
    conversions = st.builds(
        ConversionCost, some, st.lists(some, max_size=5).map(tuple), bytes_, bytes_
    )
    least = max(0, count - MOST)
    pinned = draw(st.lists(some, unique=True, min_size=least))
    return Problem(
        count,
        {variable: draw(st.booleans()) for variable in pinned},
        tuple(draw(st.lists(st.tuples(some, some), max_size=6))),
        tuple(draw(st.lists(conversions, max_size=10))),
    )


def all_labellings(problem: Problem) -> Labels:
    """A row per labelling that the pins and implications allow, found without the planner."""
    free = [variable for variable in range(problem.variables) if variable not in problem.pins]
    labels = np.empty((1 << len(free), problem.variables), bool)
    labels[:, free] = np.arange(1 << len(free))[:, None] >> np.arange(len(free)) & 1
    for variable, label in problem.pins.items():
        labels[:, variable] = label
    for low, high in problem.implications:
        labels = labels[labels[:, high] | ~labels[:, low]]
    return labels


def brute_cost(problem: Problem, labels: Labels) -> NDArray[np.int64]:
    """The converted bytes of each labelling."""
    total = np.zeros(len(labels), np.int64)
    for tensor in problem.costs:
        own, read = labels[:, [tensor.label]], labels[:, list(tensor.readers)]
        total += np.where(own[:, 0], tensor.down, tensor.up) * (read != own).any(axis=1)
    return total


@pytest.mark.slow
@settings(max_examples=500)
@given(problems())
def test_no_labelling_converts_less_and_ties_take_the_fewest_high_labels(problem: Problem) -> None:
    labels = all_labellings(problem)
    if not len(labels):
        with pytest.raises(ValueError, match="variable"):
            choose(problem)
        return
    choice = choose(problem)
    costs = brute_cost(problem, labels)
    ties = labels[costs == costs.min()]
    assert choice.converted == costs.min()
    assert choice.labels == tuple(ties.all(axis=0))
    assert choice.labels in map(tuple, ties)


def test_a_conversion_that_two_readers_share_is_paid_once() -> None:
    shared = Problem(3, {0: False, 1: True, 2: True}, (), (ConversionCost(0, (1, 2), 7, 5),))
    assert choose(shared).converted == 5
    apart = Problem(3, {0: True, 1: False, 2: True}, (), (ConversionCost(0, (1, 2), 7, 5),))
    assert choose(apart).converted == 7


def test_bytes_beyond_32_bits_are_counted() -> None:
    huge = ConversionCost(0, (1,), 1 << 40, 1 << 40)
    assert choose(Problem(2, {0: True, 1: False}, (), (huge,) * 3)).converted == 3 << 40


def test_nothing_to_choose() -> None:
    assert choose(Problem(0, {}, (), ())) == Labelling((), 0)


def test_a_contradiction_is_named() -> None:
    pinned = Problem(2, {0: True, 1: False}, ((0, 1),), ())
    with pytest.raises(ValueError, match="variable 0 is high, variable 1 is low"):
        choose(pinned)
    assert contradiction(pinned, (False, False)) == "variable 0 is pinned to both labels"
    assert cost(pinned, (True, False)) == 0
