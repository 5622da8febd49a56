"""Plans expanded into steps: the bytes that they move, computed by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest
from htp_mlir.lowering.planner.allocation.replay import moved_bytes
from htp_mlir.lowering.planner.allocation.step_list import STEP
from htp_mlir.lowering.planner.tiling import (
    SUMMED,
    AccessMap,
    TileProgram,
    TilingOp,
    TilingOperand,
    TilingTensor,
)
from htp_mlir.lowering.planner.tiling.steps import Expansion

from .expanded import expand

H = 1
ROW = 4 * 8 * 32
"""Bytes of a row."""
FILTERS = 4 * 3 * 8192
STRIPS = ((H, 16),)
LARGE = 1 << 24
"""A TCM that holds everything at once."""
TAPS = {H: AccessMap(H, taps=Fraction(3))}


def rows(count: int, **facts: bool) -> TilingTensor:
    return TilingTensor((1, count, 8, 32), 4, **facts)


def convolutions(count: int) -> TileProgram:
    """Convolutions of 3 rows in a row, to 64 rows, from DDR and back, by the same filters."""
    extents = [64 + 2 * left for left in range(count, -1, -1)]
    tensors = [rows(n, in_ddr=at in (0, count)) for at, n in enumerate(extents)]
    filters = TilingTensor((1, 3, 1, 8192), 4, constant=True)
    ops = [
        TilingOp("conv", (at + 1,), (TilingOperand(at, TAPS), TilingOperand(count + 1)), (H,))
        for at in range(count)
    ]
    return TileProgram([*tensors, filters], ops, frozenset({count}))


def test_strips_of_a_convolution_read_their_halo_and_the_filters_once() -> None:
    steps = expand(convolutions(1), {0: STRIPS}, (0,), LARGE, {})
    assert moved_bytes(steps, LARGE) == (4 * 18 + 64) * ROW + FILTERS
    assert [step.moves for step in steps.steps].count(FILTERS) == 1


def test_strips_fit_where_one_does_beside_the_filters() -> None:
    program = convolutions(1)
    tight = FILTERS + 18 * ROW + 16 * ROW
    steps = expand(program, {0: STRIPS}, (0,), tight, {})
    assert moved_bytes(steps, tight) == (4 * 18 + 64) * ROW + FILTERS
    assert moved_bytes(steps, tight - ROW) is None


def test_what_lies_between_ops_in_step_does_not_move() -> None:
    program = convolutions(2)
    steps = expand(program, {0: STRIPS, 1: STRIPS}, (1,), LARGE, {})
    # The 66 rows between are four tiles of 16 and one of 2.
    assert moved_bytes(steps, LARGE) == (4 * 18 + 4 + 64) * ROW + FILTERS


def test_tiles_are_joined_for_a_reader_of_all_of_them() -> None:
    """Until all of them are there each has bytes of its own, and so has the join."""
    program = convolutions(2)
    whole = TilingOp("mean", (2,), (TilingOperand(1), TilingOperand(3)), (H,))
    program = replace(program, ops=[program.ops[0], whole])
    steps = expand(program, {0: STRIPS, 1: ()}, (1,), LARGE, {})
    join = next(step for step in steps.steps if len(step.reads) == 5)
    assert [steps.bytes[number] for number in join.writes] == [66 * ROW]


def test_a_tile_runs_as_soon_as_it_is_read() -> None:
    program = convolutions(2)
    in_step = expand(program, {0: STRIPS, 1: STRIPS}, (1,), LARGE, {})
    one_by_one = expand(program, {0: STRIPS, 1: STRIPS}, (0, 1), LARGE, {})
    capacity = FILTERS + 72 * ROW
    assert moved_bytes(in_step, capacity) == moved_bytes(in_step, LARGE)
    moved = moved_bytes(one_by_one, capacity)
    assert moved is not None
    assert moved > (4 * 18 + 4 + 64) * ROW + FILTERS


@pytest.mark.parametrize(("chunk", "own"), [((1, 1, 1, 1), 0), ((1, 8, 8, 32), 1)])
def test_a_result_leaves_without_its_padding(chunk: tuple[int, ...], own: int) -> None:
    source = TilingTensor((1, 12, 7, 30), 4, chunk, in_ddr=True)
    operand = TilingOperand(0, {H: AccessMap(H)})
    program = TileProgram([source] * 2, [TilingOp("op", (1,), (operand,), (H,))], frozenset({1}))
    last = expand(program, {0: ((H, 8),)}, (0,), LARGE, {}).steps[-1]
    assert last.moves == 4 * 4 * 7 * 30
    # The layout changes to a flat buffer on the way.
    assert len(last.writes) == own


def test_what_a_reshape_gives_away_leaves_as_it_is_made() -> None:
    tensors = [rows(64, in_ddr=True), rows(64), TilingTensor((1, 1, 512, 32), 4, in_ddr=True)]
    ops = [
        TilingOp("op", (1,), (TilingOperand(0, {H: AccessMap(H)}),), (H,)),
        TilingOp("htp.Reshape", (2,), (TilingOperand(1, in_tcm=False),), in_tcm=False),
    ]
    program = TileProgram(tensors, ops, frozenset({2}))
    steps = expand(program, {0: STRIPS}, (0, 1), LARGE, {})
    assert moved_bytes(steps, LARGE) == 2 * 64 * ROW


@pytest.mark.parametrize(("dim", "copies"), [(1, 0), (2, 2)])
def test_a_join_reads_runs_of_bytes_in_main_memory(dim: int, copies: int) -> None:
    """Rows of a flat tensor are a run of bytes; a block of columns comes to TCM first."""
    joined = TilingTensor((1, 16, 8, 64), 4)
    tensors = [rows(16, in_ddr=True), rows(16, in_ddr=True), joined, replace(joined, in_ddr=True)]
    follows = {1: AccessMap(1), 2: AccessMap(2)}
    parts = tuple(TilingOperand(part, follows) for part in (0, 1))
    join = TilingOp("htp.Concat", (2,), parts, (1, 2), moves_only=True)
    read = TilingOp("op", (3,), (TilingOperand(2, follows),), (1, 2))
    program = TileProgram(tensors, [join, read], frozenset({3}))
    steps = expand(program, {1: ((dim, 4),)}, (1,), LARGE, {}).steps
    assert [bool(step.reads) for step in steps[: copies + 1]] == [False] * copies + [copies > 0]


@pytest.mark.parametrize(("block", "buffers"), [(64, 1), (32, 1), (128, 2)])
def test_a_block_of_a_join_is_read_from_the_parts_that_it_lies_in(block: int, buffers: int) -> None:
    follows = {H: AccessMap(H)}
    wide = TilingTensor((1, 16, 8, 128), 4)
    part, result = replace(wide, shape=(1, 16, 8, 64)), replace(wide, in_ddr=True)
    tensors = [replace(part, in_ddr=True), part, part, wide, result]
    makes = [TilingOp("op", (at,), (TilingOperand(0, follows),), (H,)) for at in (1, 2)]
    parts = (TilingOperand(1, follows, part=(3, 0)), TilingOperand(2, follows, part=(3, 64)))
    join = TilingOp("htp.Concat", (3,), parts, (H,), moves_only=True)
    read = TilingOp("op", (4,), (TilingOperand(3, {3: AccessMap(3)}),), (3,))
    program = TileProgram(tensors, [*makes, join, read], frozenset({4}))
    steps = expand(program, {3: ((3, block),)}, (3,), LARGE, {}).steps
    # It reads a whole part as it is, what lies in one from a copy, and both from their join.
    assert len(steps) == {64: 7, 32: 15, 128: 6}[block]
    assert len(steps[2 + (buffers > 1)].reads) == buffers


def test_what_is_kept_is_made_though_nothing_reads_it() -> None:
    program = convolutions(2)
    both = replace(program, kept=frozenset({1, 2}))
    read = replace(program.ops[1], operands=(TilingOperand(0, TAPS), TilingOperand(3)))
    apart = replace(both, ops=[program.ops[0], read])
    steps = expand(apart, {0: STRIPS, 1: STRIPS}, (1,), LARGE, {})
    assert len([step for step in steps.steps if step.reads and step.writes]) == 5 + 4


@pytest.mark.parametrize("changed", range(4))
def test_what_comes_before_a_change_is_taken_over(changed: int) -> None:
    """The steps are those of an expansion that begins anew."""
    program, every = convolutions(4), (0, 1, 2, 3)
    known = Expansion(program, dict.fromkeys(every, STRIPS), LARGE, {})
    assert known.run_all(every)
    cuts = {**dict.fromkeys(every, STRIPS), changed: ((H, 8),)}
    other = Expansion(program, cuts, LARGE, {})
    assert other.run_all(every, known=known)
    fresh = expand(program, cuts, every, LARGE, {})
    assert other.list == fresh
    assert other.taken == [0, *known.list.ends][changed]


def test_an_expansion_ends_early_only_where_all_of_it_is_too_much() -> None:
    program, cuts = convolutions(3), dict.fromkeys(range(3), STRIPS)
    steps = expand(program, cuts, (0, 2), LARGE, {})
    least = program.least_from[0]
    weight = max(steps.moves, least) + STEP * len(steps.steps)
    assert Expansion(program, cuts, LARGE, {}).run_all((0, 2), weight)
    early = Expansion(program, cuts, LARGE, {})
    assert not early.run_all((0, 2), least + STEP)
    assert len(early.list.steps) < len(steps.steps)


def test_a_sum_adds_each_part_to_those_before_it() -> None:
    """Of three parts two are added, each into a buffer of its own."""
    summed = {SUMMED: AccessMap(H)}
    ops = [
        TilingOp("relu", (1,), (TilingOperand(0, {H: AccessMap(H)}),), (H,)),
        TilingOp("op", (2,), (TilingOperand(1, summed),), (H,), summed=48),
    ]
    program = TileProgram([rows(48, in_ddr=True), rows(48), rows(1)], ops, frozenset({2}))
    steps = expand(program, {0: STRIPS, 1: ((SUMMED, 16),)}, (1,), LARGE, {}).steps
    runs = [(len(step.reads), len(step.writes)) for step in steps]
    assert runs == [*[(0, 1), (1, 1), (1, 1)] * 2, (2, 1), (0, 1), (1, 1), (1, 1), (2, 1)]


def test_what_goes_into_a_state_is_written_and_read_and_written() -> None:
    relu = TilingOp("relu", (1,), (TilingOperand(0, {H: AccessMap(H)}),), (H,))
    keep = TilingOp("keep", (), (TilingOperand(1, in_tcm=False, passes=2),), in_tcm=False)
    program = TileProgram([rows(8, in_ddr=True), rows(8)], [relu, keep])
    assert expand(program, {}, (0, 1), LARGE, {}).moves == (1 + 1 + 2) * 8 * ROW


def joined(result: int, *parts: int) -> TilingOp:
    """A join along the depth of parts that are 32 deep."""
    follows = {H: AccessMap(H)}
    operands = [
        TilingOperand(n, follows, in_tcm=False, part=(3, 32 * at)) for at, n in enumerate(parts)
    ]
    return TilingOp("htp.Concat", (result,), (*operands,), (H,), in_tcm=False, moves_only=True)


def test_a_part_of_a_join_in_ddr_that_nothing_in_tcm_makes_is_copied() -> None:
    relu = TilingOp("relu", (1,), (TilingOperand(0, {H: AccessMap(H)}),), (H,))
    wide = TilingTensor((1, 16, 8, 64), 4, in_ddr=True)
    program = TileProgram([rows(16, in_ddr=True), rows(16), wide], [relu, joined(2, 0, 1)])
    kept = replace(program, kept=frozenset({2}))
    steps = expand(kept, {}, (0, 1), LARGE, {})
    assert moved_bytes(steps, LARGE) == (1 + 1 + 2) * 16 * ROW
