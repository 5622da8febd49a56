"""What the tiling planner is told of a function."""

import pytest
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.packages.packages import Packages
from htp_mlir.lowering.passes.tiling.plan_tiles import read_block
from htp_mlir.lowering.passes.tiling.tile_program import TileReader
from htp_mlir.lowering.planner.tiling import plan_tiles
from xdsl.parser import Parser

BYTES = 64 * 8 * 128 * 4
RETURNED = """
func.func @chain(%x: tensor<1x64x8x128xf32>) -> tensor<1x64x8x128xf32> {
  %0 = htp.Relu(%x) : (tensor<1x64x8x128xf32>) -> tensor<1x64x8x128xf32>
  %1 = htp.Tanh(%0) : (tensor<1x64x8x128xf32>) -> tensor<1x64x8x128xf32>
  func.return %1 : tensor<1x64x8x128xf32>
}
"""


@pytest.mark.parametrize("tcm_bytes", [BYTES // 2, BYTES * 4])
def test_what_a_function_returns_is_written_to_main_memory(tcm_bytes: int) -> None:
    """In tiles or whole: the argument is read once, the result is written once."""
    packages = Packages()
    (block,) = bodies(Parser(packages.context(), RETURNED).parse_module())
    program = read_block(TileReader(packages.tables), block).program()
    plan = plan_tiles(program, tcm_bytes, tcm_bytes // 2)
    assert plan.price.bytes == 2 * BYTES
