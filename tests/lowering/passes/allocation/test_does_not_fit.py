"""An op that does not fit: its bytes by tensor, its smallest tile, and the size that fits."""

from htp_mlir.lowering.passes.allocation.allocate import NO_TABLES
from htp_mlir.lowering.passes.allocation.does_not_fit import (
    SmallestTile,
    does_not_fit,
    smallest_tile,
)
from htp_mlir.lowering.tools.htp_opt import run
from htp_mlir.runtime.tools.loading import parse_module

from tests.support.faults import told

DDR = "tensor<1x64x32x32xf32, #htp.place<crouton, ddr>>"
TCM = "tensor<1x64x32x32xf32, #htp.place<crouton, tcm>>"
WHOLE = 64 * 32 * 32 * 4
"""Bytes of one tensor of this shape; a chunk, 8 rows and 2 columns, takes 2,048."""

PLACED = f"""
func.func @main(%x: tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32> {{
  %0 = htp.Reshape(%x) : (tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  %1 = htp.ForceFormat_Crouton(%0) : (tensor<1x64x32x32xf32>) -> {DDR}
  %2 = htp.crouton_to_vtcm(%1) : ({DDR}) -> {TCM}
  %3 = htp.Relu(%2) {{htp.name = "block/relu"}} : ({TCM}) -> {TCM}
  %sum = htp.Add(%3, %2) : ({TCM}, {TCM}) -> {TCM}
  %4 = htp.crouton_from_vtcm(%sum) : ({TCM}) -> {DDR}
  %5 = htp.ForceFormat_Flat(%4) : ({DDR}) -> tensor<1x64x32x32xf32>
  %6 = htp.Reshape(%5) : (tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  return %6 : tensor<1x64x32x32xf32>
}}
"""


def allocate(tcm_bytes: int) -> str:
    """What the tool tells of a module that does not fit; nothing where it does."""
    return run(["-p", f"htp-allocate{{tcm-bytes={tcm_bytes}}}"], stdin=PLACED).err


def test_the_op_its_node_its_tensors_and_the_smallest_tile_are_named() -> None:
    problem, advice = told(allocate(1 << 17))
    assert problem == (
        f"<stdin>:6:3: htp.Relu 'block/relu': needs {2 * WHOLE} bytes of TCM, there are 131072: "
        f"'in' {WHOLE}, 'result 0' {WHOLE}"
    )
    assert advice == (
        f"  give tcm-bytes={2 * WHOLE} at least, or cut it along height and width: "
        "a tile of 1x8x2x32 of 1x64x32x32 takes 4096: 'in' 2048, 'result 0' 2048"
    )


def test_where_the_smallest_tile_is_too_large_its_bytes_are_told() -> None:
    advice = allocate(2048).splitlines()[1]
    assert f"tcm-bytes={2 * WHOLE} at least, or 4096 for its smallest tile: 1x8x2x32" in advice


def test_the_size_that_is_named_fits() -> None:
    assert allocate(2 * WHOLE) == ""
    assert f"needs {2 * WHOLE} bytes" in allocate(2 * WHOLE - 2048)


def test_without_a_smaller_tile_there_is_no_talk_of_one() -> None:
    op = next(iter(parse_module(PLACED).walk()))
    tile = SmallestTile((1, 8, 8, 32), (1, 8, 8, 32), (("'in'", 8192),))
    error = does_not_fit(op, 8192, 4096, tile, (("'in'", 8192),))
    assert "no tile of its result of 1x8x8x32 takes less" in str(error)


def test_an_op_without_results_has_no_tiles() -> None:
    op = next(op for op in parse_module(PLACED).walk() if op.name == "func.return")
    tile = smallest_tile(op, {}, NO_TABLES, 2048)
    error = does_not_fit(op, 8192, 4096, tile, (("'in'", 8192),))
    assert "give tcm-bytes=8192 at least, it has no result" in str(error)


def test_the_bytes_that_are_listed_are_those_that_are_needed() -> None:
    op = next(iter(parse_module(PLACED).walk()))
    tile = SmallestTile((1, 8, 8, 32), (1, 8, 8, 32), (("'in'", 8192),))
    error = does_not_fit(op, 12288, 4096, tile, (("'in'", 8192),))
    assert "12288 bytes of TCM, there are 4096: 'in' 8192, what cannot leave meanwhile 4096" in str(
        error
    )
