"""Attention in tiles: scores are never there as a whole, and the numbers stay."""

import numpy as np
import pytest
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.allocation.certificate import certificate
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.lowering.report.plan import ModulePlan, plan_of
from htp_mlir.lowering.report.residencies import TensorRole
from htp_mlir.runtime import Session
from htp_mlir.runtime.memory_plan import verify

from tests.support.feeds import assert_same
from tests.support.graph import F16, F32, Graph, Model

MIB = 1 << 20
BLOCK = 4 * (128 * 256 * 5 // 4 + 128 * (64 + 64 + 4))
"""Bytes: scores and marks, then scaled queries, products and four columns."""


def attention(
    heads: int, size: int, depth: int = 64, of: DType = F32, masked: bool = False, **params: int
) -> Model:
    graph = Graph()
    tensors = [graph.input(1, heads, size, depth, of=of) for _ in range(3)]
    mask = [graph.input(size, size, of=of)] if masked else []
    graph.give("out", graph.op("Attention", *tensors, *mask, scale=depth**-0.5, **params))
    return graph.model()


def planned(model: Model, tcm_bytes: int = MIB) -> ModulePlan:
    return plan_of(lower(model.module, tcm_bytes=tcm_bytes), installed())


@pytest.mark.slow
@pytest.mark.parametrize("of", [F32, F16])
@pytest.mark.parametrize("tcm_bytes", [MIB // 4, MIB])
def test_memory_is_linear_in_the_sequence(tcm_bytes: int, of: DType) -> None:
    """The inputs grow, and nothing in TCM does once they are larger than it: whole scores would.

    Scratch is that of a block of 128 queries and 256 keys at most.
    """
    peaks = dict[int, int]()
    for size in (256, 512, 1024, 2048, 4096):
        plan = planned(attention(2, size, of=of), tcm_bytes)
        scratch = [tensor for tensor in plan.residencies if tensor.role is TensorRole.SCRATCH]
        assert {tensor.memory for tensor in scratch} == {Memory.TCM}
        assert max(tensor.bytes for tensor in scratch) <= BLOCK
        most = max(2 * size * 64 * of.itemsize, BLOCK)
        assert max(tensor.bytes for tensor in plan.residencies) <= most
        peaks[size] = plan.totals.peak
    assert max(peaks.values()) <= tcm_bytes


@pytest.mark.parametrize("heads", [1, 2, 3, 4])
def test_keys_leave_room_for_scratch(heads: int) -> None:
    """All of a head fits a TCM of 256 KiB with its keys or with its scratch, not with both."""
    plan = planned(attention(heads, 256), MIB // 4)
    assert plan.totals.too_large == 0
    assert plan.totals.moved <= 1.01 * plan.totals.least


@pytest.mark.parametrize("tcm_bytes", [MIB // 4, MIB])
def test_what_is_in_tcm_is_checked_with_its_scratch(tcm_bytes: int) -> None:
    """A run finds scratch that lies on a tensor, is read before it is written or left behind."""
    model = attention(4, 512)
    lowered = lower(model.module, tcm_bytes=tcm_bytes)
    assert verify(certificate(lowered), tcm_bytes, TCM_ALIGNMENT) == ()
    feeds = model.feeds(0)
    assert_same(Session(lowered, check=True).run(feeds), Session(model.module).run(feeds))


@pytest.mark.parametrize(("size", "times"), [(1024, 1), (4096, 2.5)])
def test_keys_are_read_once_for_each_tile_of_queries(size: int, times: float) -> None:
    """The scratch of a tile leaves room for 1366 queries with their results: three tiles."""
    plan = planned(attention(4, size))
    assert plan.totals.moved <= 1.01 * times * plan.totals.least


@pytest.mark.slow
def test_causal_tiles_leave_keys_out() -> None:
    assert (
        planned(attention(4, 4096, last=0)).totals.moved < planned(attention(4, 4096)).totals.moved
    )


@pytest.mark.sampled("size", "params")
@pytest.mark.one_per("of", "params")
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
    outputs = Session(lowered, check=True).run(feeds)
    expected = Session(model.module).run(feeds)
    if of is F32:
        assert_same(outputs, expected)
    else:
        np.testing.assert_allclose(outputs["out"], expected["out"], rtol=2**-10, atol=2**-20)
