"""One op alone: never more bytes than the best divisor tile, found by trying them all."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil

import pytest
from htp_mlir.lowering.planner.tiling import (
    SUMMED,
    AccessMap,
    TileProgram,
    TilingOp,
    TilingOperand,
    TilingTensor,
    plan_tiles,
)
from htp_mlir.lowering.planner.tiling.memory import CALL, SLACK, Price, Setting
from htp_mlir.lowering.planner.tiling.single import Single

F32 = 4
ROWS, COLUMNS = 2, 3
CAPACITY = 2 << 20
USABLE = CAPACITY - CAPACITY // SLACK
MATMULS = [
    *((1024, 1024, 1024), (512, 512, 3072), (512, 3072, 512), (2048, 64, 2048), (64, 4096, 64)),
    *((4096, 128, 4096), (256, 1024, 4096), (128, 768, 3072), (1536, 256, 1536), (2048, 256, 512)),
    *((384, 384, 384), (96, 2048, 1920), (1000, 100, 1000), (640, 640, 1280)),
]
"""Rows, summed extent, columns."""


def matmul(rows: int, inner: int, columns: int) -> TileProgram:
    """A product of two values from main memory, whose result goes back there."""
    tensors = [
        TilingTensor((1, 1, rows, inner), F32, in_ddr=True),
        TilingTensor((1, 1, inner, columns), F32, in_ddr=True),
        TilingTensor((1, 1, rows, columns), F32, in_ddr=True),
    ]
    operands = (
        TilingOperand(0, {ROWS: AccessMap(ROWS)}),
        TilingOperand(1, {COLUMNS: AccessMap(COLUMNS)}),
    )
    op = TilingOp("MatMul", (2,), operands, (ROWS, COLUMNS))
    return TileProgram(tensors, [op], frozenset({2}))


def divisors(extent: int) -> list[int]:
    return [size for size in range(1, extent + 1) if extent % size == 0]


def best_divisor_tile(rows: int, inner: int, columns: int) -> Price:
    """The cheapest of all tiles that divide both extents, in either nesting.

    The operand of the outer loop stays; the other one is read in each of its rounds, unless all
    of it is there. Parts of lines are joined by a copy.
    """
    prices = []
    for high, wide in product(divisors(rows), divisors(columns)):
        if (high * inner + inner * wide + high * wide) * F32 <= USABLE:
            down, across = rows // high, columns // wide
            result = rows * columns * (3 if across > 1 else 1)
            again_a = across if down > 1 else 1
            again_b = down if across > 1 else 1
            for read in (
                rows * inner + again_b * inner * columns,
                again_a * rows * inner + inner * columns,
            ):
                prices.append(Price((read + result) * F32, down * across))
    return min(prices)


@pytest.mark.parametrize("extents", MATMULS, ids=lambda extents: "x".join(map(str, extents)))
def test_a_product_moves_no_more_than_with_the_best_divisor_tile(
    extents: tuple[int, int, int],
) -> None:
    price = plan_tiles(matmul(*extents), CAPACITY, CAPACITY // 2).price
    best = best_divisor_tile(*extents)
    assert price.bytes <= best.bytes + CALL * max(0, best.calls - price.calls)


@pytest.mark.parametrize("extents", MATMULS, ids=lambda extents: "x".join(map(str, extents)))
def test_tiles_fit(extents: tuple[int, int, int]) -> None:
    rows, inner, columns = extents
    sizes = dict(plan_tiles(matmul(*extents), CAPACITY, CAPACITY // 2).cuts[0])
    high, wide = sizes.get(ROWS, rows), sizes.get(COLUMNS, columns)
    assert (high * inner + inner * wide + high * wide) * F32 <= CAPACITY


def test_what_fits_stays_whole() -> None:
    plan = plan_tiles(matmul(64, 64, 64), CAPACITY, CAPACITY // 2)
    assert plan.cuts == {0: ()}
    assert plan.price.bytes == 3 * 64 * 64 * F32


def test_what_fits_in_no_tile_has_no_plan() -> None:
    program = matmul(1024, 1 << 20, 1024)
    assert plan_tiles(program, CAPACITY, CAPACITY // 2).cuts == {}


def test_tiles_of_croutons_are_whole_chunks() -> None:
    chunk = (1, 8, 2, 32)
    x, y = (TilingTensor((1, 100, 64, 40), F32, chunk, in_ddr=True) for _ in range(2))
    relu = TilingOp("Relu", (1,), (TilingOperand(0, {1: AccessMap(1)}),), (1,))
    ((_, rows),) = plan_tiles(TileProgram([x, y], [relu]), 1 << 20, 1 << 19).cuts[0]
    assert rows % 8 == 0
    assert 2 * x.part({1: rows}) <= 1 << 20
    assert ceil(100 / rows) > 1


def test_tiles_are_made_of_whole_elements_of_their_operands() -> None:
    x = TilingTensor((1, 27, 1, 4096), F32, in_ddr=True)
    y = replace(x, shape=(1, 108, 1, 4096))
    four = AccessMap(1, Fraction(1, 4), Fraction(1, 4))
    op = TilingOp("TransposeConv", (1,), (TilingOperand(0, {1: four}),), (1,))
    ((_, rows),) = plan_tiles(TileProgram([x, y], [op]), CAPACITY, CAPACITY // 2).cuts[0]
    assert rows == 56


def summing(rows: int, inner: int, columns: int) -> TileProgram:
    """A product whose sum may be cut; its weights are read from main memory."""
    tensors = [
        TilingTensor((1, 1, rows, inner), F32, in_ddr=True),
        TilingTensor((1, 1, columns, inner), F32, constant=True),
        TilingTensor((1, 1, rows, columns), F32, in_ddr=True),
    ]
    x = TilingOperand(0, {ROWS: AccessMap(ROWS), SUMMED: AccessMap(COLUMNS)})
    weights = TilingOperand(1, {COLUMNS: AccessMap(ROWS), SUMMED: AccessMap(COLUMNS)}, in_tcm=False)
    op = TilingOp("FullyConnected", (2,), (x, weights), (ROWS, COLUMNS), summed=inner)
    return TileProgram(tensors, [op], frozenset({2}))


def test_a_long_sum_is_cut_so_that_the_weights_are_read_once() -> None:
    program = summing(128, 6144, 256)
    plan = plan_tiles(program, 1 << 20, 1 << 19)
    assert plan.price.bytes == sum(tensor.bytes for tensor in program.tensors)
    ((dim, part),) = plan.cuts[0]
    assert dim == SUMMED
    assert (128 * part + 3 * 128 * 256) * F32 <= 1 << 20


def test_a_sum_stays_whole_where_its_parts_move_as_much() -> None:
    assert plan_tiles(summing(128, 256, 256), 1 << 20, 1 << 19).cuts == {0: ()}


def test_parts_of_weights_that_are_no_run_of_bytes_are_gathered_first() -> None:
    program = summing(128, 6144, 256)
    x, weights, result = program.tensors
    varying = replace(program, tensors=[x, replace(weights, constant=False), result])
    setting = Setting(varying, 1 << 20, 1 << 19, 1 << 19)
    known = Setting(program, 1 << 20, 1 << 19, 1 << 19)
    cuts = ((SUMMED, 512),)
    dear, cheap = Single(setting, 0).price(cuts), Single(known, 0).price(cuts)
    assert dear is not None
    assert cheap is not None
    assert dear.bytes - cheap.bytes == 2 * weights.bytes


def with_scratch(at_once: int) -> TileProgram:
    """1024 rows of 1 KiB, and half a KiB of scratch for each row, of which few are done at once."""
    rows = TilingTensor((1, 1, 1024, 256), F32, in_ddr=True)

    def scratch(sizes: Mapping[int, int]) -> int:
        return 512 * min(sizes.get(ROWS, 1024), at_once)

    op = TilingOp("f", (1,), (TilingOperand(0, {ROWS: AccessMap(ROWS)}),), (ROWS,), scratch=scratch)
    return TileProgram([rows, rows], [op], frozenset({1}))


@pytest.mark.parametrize("at_once", [0, 64, 1024])
@pytest.mark.parametrize("capacity", [64 << 10, 512 << 10, 2 << 20])
def test_a_tile_fits_with_its_scratch(at_once: int, capacity: int) -> None:
    program = with_scratch(at_once)
    cuts = dict(plan_tiles(program, capacity, capacity // 2).cuts[0])
    rows = cuts.get(ROWS, 1024)
    assert 2048 * rows + program.ops[0].scratch_bytes(cuts) <= capacity


def test_scratch_that_fits_beside_no_tile_leaves_no_plan() -> None:
    program = with_scratch(0)
    ops = [replace(program.ops[0], scratch=lambda sizes: 1 << 20)]
    plan = plan_tiles(TileProgram(program.tensors, ops, program.kept), 1 << 20, 1 << 19)
    assert plan.cuts == {}
