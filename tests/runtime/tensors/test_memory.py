"""Simulated memory: aligned, bounded, refused where the machine has too little."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.spec import Memory
from htp_mlir.runtime.tensors.memory import TCM_ALIGNMENT, Arena, Bump


def test_an_arena_starts_zeroed_at_an_aligned_address() -> None:
    arena = Arena(Memory.TCM, 5000)
    assert arena.bytes.ctypes.data % TCM_ALIGNMENT == 0
    assert arena.bytes.size == 5000
    assert not arena.bytes.any()


def test_views_share_the_arenas_bytes() -> None:
    arena = Arena(Memory.DDR, 100)
    arena.view(10, 20, "a").fill(7)
    assert arena.bytes.sum() == 140
    assert arena.view(25, 10, "b").sum() == 35


@pytest.mark.parametrize(("offset", "nbytes"), [(90, 11), (-1, 5), (101, 0)])
def test_a_view_outside_is_refused_by_name(offset: int, nbytes: int) -> None:
    with pytest.raises(HtpError, match=f"%0: lies at bytes {offset} to .*, the tcm has 100"):
        Arena(Memory.TCM, 100).view(offset, nbytes, "%0")


def test_addresses_are_handed_out_in_order_and_aligned() -> None:
    bump = Bump(10, 64)
    assert [bump.take(n) for n in (1, 64, 65, 0)] == [64, 128, 192, 320]
    assert bump.end == 320


def test_more_memory_than_there_is_is_an_error() -> None:
    with pytest.raises(HtpError, match="ddr: the module takes 4611686018427387904 bytes"):
        Arena(Memory.DDR, 2**62)
