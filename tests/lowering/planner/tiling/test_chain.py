"""Chains: what lies between their ops stays in TCM, halos included."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from htp_mlir.lowering.planner.tiling import (
    AccessMap,
    TileProgram,
    TilingOp,
    TilingOperand,
    TilingTensor,
    plan_tiles,
)

H = 1
UNIT = 16 << 10
"""The unit of these tests: so large that a kernel call weighs little."""
ROW = 4 * UNIT
SAME = {H: AccessMap(H)}


def rows(count: int, **facts: bool) -> TilingTensor:
    """A tensor with `count` rows of 4 units."""
    return TilingTensor((1, count, 128, 128), 4, (1, 1, 1, 1), **facts)


def element_wise(count: int) -> TileProgram:
    """Ops in a row on 64 rows, from main memory and back."""
    tensors = [rows(64, in_ddr=True), *(rows(64) for _ in range(count - 1)), rows(64, in_ddr=True)]
    ops = [TilingOp(f"op{at}", (at + 1,), (TilingOperand(at, SAME),), (H,)) for at in range(count)]
    return TileProgram(tensors, ops, frozenset({count}))


def test_a_chain_reads_its_input_and_writes_its_result_once() -> None:
    program = element_wise(4)
    plan = plan_tiles(program, 80 * UNIT, 32 * UNIT)
    assert [(segment.start, segment.end) for segment in plan.segments] == [(0, 4)]
    assert plan.price.bytes == 2 * 64 * ROW
    assert len(set(plan.cuts.values())) == 1


def test_the_last_op_of_a_chain_leads() -> None:
    plan = plan_tiles(element_wise(3), 80 * UNIT, 32 * UNIT)
    assert plan.in_step == {0, 1}


def test_where_everything_fits_nothing_is_cut() -> None:
    plan = plan_tiles(element_wise(3), 4096 * UNIT, 2048 * UNIT)
    assert set(plan.cuts.values()) == {()}
    assert plan.in_step == set()


def windowed(taps: int) -> TileProgram:
    """Two convolutions of some rows, each with padding in front of it."""
    access = {H: AccessMap(H, Fraction(1), Fraction(taps))}
    shifted = {H: AccessMap(H, shift=taps // 2)}
    filters = TilingTensor((1, 1, 1, 4096), 4, constant=True)
    padded = rows(64 + taps - 1)
    tensors = [rows(64, in_ddr=True), padded, rows(64), padded, rows(64, in_ddr=True), filters]
    ops = [
        TilingOp(
            "pad",
            (1,),
            (TilingOperand(0, shifted, in_tcm=False),),
            (H,),
            in_tcm=False,
            moves_only=True,
        ),
        TilingOp("conv", (2,), (TilingOperand(1, access), TilingOperand(5)), (H,)),
        TilingOp(
            "pad",
            (3,),
            (TilingOperand(2, shifted, in_tcm=False),),
            (H,),
            in_tcm=False,
            moves_only=True,
        ),
        TilingOp("conv", (4,), (TilingOperand(3, access), TilingOperand(5)), (H,)),
    ]
    return TileProgram(tensors, ops, frozenset({4}))


@pytest.mark.parametrize("taps", [3, 5])
def test_halos_of_the_input_are_read_twice_and_those_inside_are_not(taps: int) -> None:
    plan = plan_tiles(windowed(taps), 192 * UNIT, 32 * UNIT)
    (chain,) = plan.segments
    tiles = -(-64 // dict(plan.cuts[3])[H])
    assert tiles > 1
    halos = (tiles - 1) * (taps - 1) * ROW
    assert chain.price.bytes == 2 * 64 * ROW + UNIT + halos


def test_paddings_are_not_cut_themselves() -> None:
    assert set(plan_tiles(windowed(3), 192 * UNIT, 32 * UNIT).cuts) == {1, 3}


def test_an_op_that_is_read_whole_ends_a_chain() -> None:
    program = element_wise(4)
    ops = list(program.ops)
    ops[2] = TilingOp("sum", (3,), (TilingOperand(2),), (H,))
    for steps, expected in ((program.ops, [(0, 4)]), (ops, [(0, 2), (2, 4)])):
        tiled = TileProgram(program.tensors, steps, program.kept)
        plan = plan_tiles(tiled, 320 * UNIT, 32 * UNIT)
        assert [(segment.start, segment.end) for segment in plan.segments] == expected


def test_strides_widen_the_tiles_in_front() -> None:
    pooled = {H: AccessMap(H, Fraction(2), Fraction(2))}
    tensors = [rows(64, in_ddr=True), rows(64), rows(32, in_ddr=True)]
    ops = [
        TilingOp("relu", (1,), (TilingOperand(0, SAME),), (H,)),
        TilingOp("pool", (2,), (TilingOperand(1, pooled),), (H,)),
    ]
    cuts = plan_tiles(TileProgram(tensors, ops, frozenset({2})), 96 * UNIT, 32 * UNIT).cuts
    assert dict(cuts[0])[H] == 2 * dict(cuts[1])[H]


def test_ratios_that_are_no_whole_numbers_go_in_step() -> None:
    """64 rows made 129: tiles in front are rounded up, and what is between stays in TCM."""
    between = {H: AccessMap(H, Fraction(64, 129), Fraction(2))}
    tensors = [rows(64, in_ddr=True), rows(64), rows(129, in_ddr=True)]
    ops = [
        TilingOp("relu", (1,), (TilingOperand(0, SAME),), (H,)),
        TilingOp("resize", (2,), (TilingOperand(1, between),), (H,)),
    ]
    plan = plan_tiles(TileProgram(tensors, ops, frozenset({2})), 160 * UNIT, 32 * UNIT)
    assert [(segment.start, segment.end) for segment in plan.segments] == [(0, 2)]
    assert plan.price.bytes == (64 + 129) * ROW
    front, behind = (dict(plan.cuts[at])[H] for at in (0, 1))
    assert front - 1 < behind * 64 / 129 <= front


def test_rows_go_inside_heads_where_a_head_is_too_large() -> None:
    heads, side = (1, 8, 256, 256), {1: AccessMap(1), 2: AccessMap(2)}
    keys = TilingTensor((1, 8, 256, 64), 4, in_ddr=True)
    tensors = [keys, keys, TilingTensor(heads, 4), TilingTensor(heads, 4), keys, keys]
    ops = [
        TilingOp(
            "scores", (2,), (TilingOperand(0, side), TilingOperand(1, {1: AccessMap(1)})), (1, 2)
        ),
        TilingOp("softmax", (3,), (TilingOperand(2, side),), (1, 2)),
        TilingOp(
            "mixed", (5,), (TilingOperand(3, side), TilingOperand(4, {1: AccessMap(1)})), (1, 2)
        ),
    ]
    plan = plan_tiles(TileProgram(tensors, ops, frozenset({5})), 25 * UNIT, 12 * UNIT)
    assert [(segment.start, segment.end) for segment in plan.segments] == [(0, 3)]
    (outer, heads_each), (inner, rows_each) = plan.cuts[0]
    assert (outer, heads_each, inner) == (1, 1, 2)
    assert rows_each < 256
    assert set(plan.cuts.values()) == {plan.cuts[0]}


def test_scratch_makes_the_tiles_of_a_chain_smaller() -> None:
    """Beside each tile of its middle op lie as many bytes again."""
    plain = element_wise(3)

    def as_much(sizes: Mapping[int, int]) -> int:
        return sizes.get(H, 64) * ROW

    ops = list(plain.ops)
    ops[1] = replace(ops[1], scratch=as_much)
    sizes = [
        dict(
            plan_tiles(TileProgram(plain.tensors, steps, plain.kept), 96 * UNIT, 24 * UNIT).cuts[1]
        )
        for steps in (plain.ops, ops)
    ]
    assert sizes[1][H] < sizes[0][H]
