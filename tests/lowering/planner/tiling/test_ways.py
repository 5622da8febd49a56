"""Ways to cut ops in step that estimates do not propose."""

from dataclasses import replace

import pytest
from htp_mlir.lowering.planner.tiling import (
    SUMMED,
    AccessMap,
    TileProgram,
    TilingOp,
    TilingOperand,
    TilingTensor,
)
from htp_mlir.lowering.planner.tiling.chain import Chain
from htp_mlir.lowering.planner.tiling.memory import Price, Setting
from htp_mlir.lowering.planner.tiling.search import Segment
from htp_mlir.lowering.planner.tiling.ways import Ways

H, D = 1, 3
LARGE = 1 << 24


def two_products() -> TileProgram:
    """Two matrix products: 64 rows of 32 elements, 256 between them, 32 at the end."""
    data = [TilingTensor((1, 64, 1, n), 4, in_ddr=n == 32) for n in (32, 256, 32)]
    weights = [TilingTensor((1, 1, m, n), 4, constant=True) for m, n in ((32, 256), (256, 32))]
    first = TilingOperand(0, {H: AccessMap(H)}), TilingOperand(3, {D: AccessMap(D)})
    sums = {H: AccessMap(H), SUMMED: AccessMap(D)}, {D: AccessMap(D), SUMMED: AccessMap(2)}
    second = TilingOperand(1, sums[0]), TilingOperand(4, sums[1])
    ops = [
        TilingOp("product", (1,), first, (H, D)),
        TilingOp("product", (2,), second, (H, D), summed=256),
    ]
    return TileProgram([*data, *weights], ops, frozenset({2}))


def test_a_sum_goes_over_parts_that_the_op_before_it_makes_in_turn() -> None:
    ways = Ways(Setting(two_products(), LARGE, LARGE, LARGE), [])
    cuts = [way.cuts for way in ways.between(0, 2)]
    assert {0: ((D, 128),), 1: ((SUMMED, 128),)} in cuts
    assert {0: ((H, 32), (D, 128)), 1: ((H, 32), (SUMMED, 128))} in cuts


def test_ops_behind_a_sum_over_parts_go_in_its_tiles() -> None:
    program = two_products()
    tensors = [*program.tensors, program.tensors[2]]
    relu = TilingOp("relu", (5,), (TilingOperand(2, {H: AccessMap(H)}),), (H,))
    behind = TileProgram(tensors, [*program.ops, relu], frozenset({5}))
    cuts = [way.cuts for way in Ways(Setting(behind, LARGE, LARGE, LARGE), []).between(0, 3)]
    assert {0: ((D, 128),), 1: ((SUMMED, 128),), 2: ()} in cuts
    assert {0: ((H, 32), (D, 128)), 1: ((H, 32), (SUMMED, 128)), 2: ((H, 32),)} in cuts


def test_an_op_that_may_not_be_cut_sums_over_all_at_once() -> None:
    program = two_products()
    last = replace(program.ops[1], cuts=(), summed=0)
    whole = replace(program, ops=[program.ops[0], last])
    ways = Ways(Setting(whole, LARGE, LARGE, LARGE), []).between(0, 2)
    assert all(dim != SUMMED for way in ways for dim, _ in way.cuts[1])


def test_the_second_part_of_a_segment_keeps_its_stripes() -> None:
    maps = {H: AccessMap(H), D: AccessMap(D)}
    ops = [TilingOp("relu", (n + 1,), (TilingOperand(n, maps),), (H, D)) for n in range(3)]
    tensors = [TilingTensor((1, 64, 1, 32), 4)] * 4
    setting = Setting(TileProgram(tensors, ops, frozenset({3})), LARGE, LARGE, LARGE)
    rows, stripes = ((H, 8),), ((D, 16), (H, 8))
    parted = list(Ways(setting, []).parting(Segment(0, 3, Price(), {0: rows, 1: rows, 2: stripes})))
    assert (1, {1: rows, 2: stripes}) in [(first.end, second.cuts) for first, second in parted]
    assert (2, {2: stripes}) in [(first.end, second.cuts) for first, second in parted]
    assert all(first.end == second.start for first, second in parted)


def test_longer_chains_grow_from_shorter_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    count, length, prepend = 0, 40, Chain.prepend

    def counted(chain: Chain) -> bool:
        nonlocal count
        count += 1
        return prepend(chain)

    monkeypatch.setattr(Chain, "prepend", counted)
    maps = {H: AccessMap(H)}
    ops = [TilingOp("relu", (n + 1,), (TilingOperand(n, maps),), (H,)) for n in range(length)]
    tensors = [TilingTensor((1, 64, 1, 32), 4)] * (length + 1)
    setting = Setting(TileProgram(tensors, ops, frozenset({length})), LARGE, LARGE, LARGE)
    ways = Ways(setting, [])
    apart = [[*Ways(setting, []).between(start, length)] for start in range(length)]
    alone, count = count, 0
    assert [[*ways.between(start, length)] for start in reversed(range(length))] == apart[::-1]
    assert (alone, count) == (length * (length + 1) // 2, length)
