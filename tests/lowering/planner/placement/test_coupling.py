"""What unions of boxes look like to a minimum cut: exact where that can be, else a part."""

from itertools import product

import pytest
from htp_mlir.lowering.planner.placement.coupling import Box, Coupling, couple
from hypothesis import given, settings
from hypothesis import strategies as st

LOW, HIGH, ANY = frozenset({False}), frozenset({True}), frozenset({False, True})


def union(boxes: tuple[Box, ...]) -> set[tuple[bool, ...]]:
    return {labels for box in boxes for labels in product(*box)}


def allowed(coupling: Coupling, size: int) -> set[tuple[bool, ...]]:
    return {labels for labels in product((False, True), repeat=size) if coupling.allows(labels)}


def boxes(size: int) -> st.SearchStrategy[tuple[Box, ...]]:
    box = st.tuples(*[st.sampled_from((LOW, HIGH, ANY))] * size)
    return st.lists(box, min_size=1, max_size=4).map(tuple)


def is_lattice(ways: set[tuple[bool, ...]]) -> bool:
    """Closed under both and either: what pins and implications describe (2-SAT, monotone)."""
    pairs = [(a, b) for a in ways for b in ways]
    both = all(tuple(map(min, zip(*pair, strict=True))) in ways for pair in pairs)
    return both and all(tuple(map(max, zip(*pair, strict=True))) in ways for pair in pairs)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.integers(1, 4).flatmap(boxes))
def test_exact_for_what_a_cut_can_take_else_a_part(given_boxes: tuple[Box, ...]) -> None:
    whole = union(given_boxes)
    taken = allowed(couple(given_boxes), len(given_boxes[0]))
    assert taken
    assert taken <= whole
    if is_lattice(whole):
        assert taken == whole


def test_all_alike_is_one_group() -> None:
    alike = couple(((LOW, LOW, LOW), (HIGH, HIGH, HIGH)))
    assert alike == Coupling((0, 0, 0), (), ())


def test_free_tensors_and_pinned_ones() -> None:
    assert couple(((ANY, ANY, LOW),)) == Coupling((0, 1, 2), ((2, False),), ())


def test_an_op_that_only_ever_converts_keeps_one_way() -> None:
    flip = couple(((LOW, HIGH), (HIGH, LOW)))
    assert allowed(flip, 2) == {(False, True)}


def test_a_join_of_a_thousand_parts_is_free() -> None:
    parts = couple(((*[ANY] * 1000, LOW), (*[ANY] * 1000, HIGH)))
    assert parts.groups == tuple(range(1001))
    assert not parts.pins
    assert not parts.implications


def test_no_way_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one way"):
        couple(((frozenset(), LOW),))
