"""Attention in tiles: scores are never there as a whole, and the numbers stay."""

from __future__ import annotations

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.place import Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.report.plan import Plan, plan_of
from htp_mlir.lowering.report.residencies import Role
from htp_mlir.runtime import Session

from tests.support.feeds import assert_same
from tests.support.graph import F16, F32, Graph, Model

MIB = 1 << 20


def attention(
    heads: int, size: int, depth: int = 64, of: DType = F32, masked: bool = False, **params: int
) -> Model:
    graph = Graph()
    tensors = [graph.input(1, heads, size, depth, of=of) for _ in range(3)]
    mask = [graph.input(size, size, of=of)] if masked else []
    graph.give("out", graph.op("Attention", *tensors, *mask, scale=depth**-0.5, **params))
    return graph.model()


def planned(model: Model, tcm_bytes: int = MIB) -> Plan:
    return plan_of(lower(model.module, tcm_bytes=tcm_bytes), installed())


@pytest.mark.parametrize("of", [F32, F16])
@pytest.mark.parametrize("tcm_bytes", [MIB // 4, MIB])
def test_memory_is_linear_in_the_sequence(tcm_bytes: int, of: DType) -> None:
    """No tensor and no scratch is larger than the inputs; from one size on, nothing in TCM grows.

    The whole scores of the longest sequence take 256 MiB, those of the shortest head 256 KiB.
    """
    most = dict[int, int]()
    for size in (256, 512, 1024, 2048, 4096):
        plan = planned(attention(4, size, of=of), tcm_bytes)
        inside = [tensor for tensor in plan.residencies if tensor.memory is Memory.TCM]
        scratch = [tensor.bytes for tensor in inside if tensor.role is Role.SCRATCH]
        assert max(tensor.bytes for tensor in plan.residencies) == 4 * size * 64 * of.itemsize
        assert max(scratch) <= min(size, 1024) * 256
        assert plan.totals.peak <= tcm_bytes
        most[size] = max(tensor.bytes for tensor in inside)
    assert most[4096] <= most[1024]


@pytest.mark.parametrize(("size", "times"), [(1024, 1), (4096, 2.5)])
def test_keys_are_read_once_for_each_tile_of_queries(size: int, times: float) -> None:
    """The scratch of a tile leaves room for 1366 queries with their results: three tiles."""
    plan = planned(attention(4, size))
    assert plan.totals.moved <= 1.01 * times * plan.totals.least


def test_causal_tiles_leave_keys_out() -> None:
    assert (
        planned(attention(4, 4096, last=0)).totals.moved < planned(attention(4, 4096)).totals.moved
    )


@pytest.mark.parametrize("size", [1, 7, 33, 65, 300])
@pytest.mark.parametrize("of", [F32, F16])
@pytest.mark.parametrize("params", [{}, {"last": 0}, {"first": -20, "last": 3}], ids=str)
@pytest.mark.parametrize("masked", [False, True])
def test_the_numbers_stay(of: DType, size: int, params: dict[str, int], masked: bool) -> None:
    """In tiles of one head and some queries; f16 is rounded once, to its last bit."""
    model = attention(3, size, depth=8, of=of, masked=masked, **params)
    feeds = model.feeds(0)
    lowered = lower(model.module, tcm_bytes=1 << 14)
    tiles = [op.name for op in lowered.walk()].count("htp.Attention")
    assert tiles > 3 or size < 300
    found = Session(lowered, check=True).run(feeds)
    expected = Session(model.module).run(feeds)
    if of is F32:
        assert_same(found, expected)
    else:
        np.testing.assert_allclose(found["out"], expected["out"], rtol=2**-10, atol=2**-20)
