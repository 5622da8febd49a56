"""Which ops stay in main memory where nothing is cut into tiles."""

from __future__ import annotations

import pytest
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.passes.placement.keep_home import KeepHome
from htp_mlir.lowering.passes.placement.properties import AT_HOME
from htp_mlir.runtime import parse_module

RELU = """
func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = htp.Relu(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %2 : tensor<1x8x8x32xf32>
}"""
NEED = 2 * (8192 + 2047)
"""Two tensors, each with the room to begin at a chunk."""


@pytest.mark.parametrize(("tcm_bytes", "home"), [(NEED, []), (NEED - 1, ["htp.Relu"])])
def test_an_op_stays_home_where_it_has_no_room(tcm_bytes: int, home: list[str]) -> None:
    module = parse_module(RELU)
    KeepHome(tcm_bytes).apply(Packages().context(), module)
    assert [op.name for op in module.walk() if AT_HOME in op.attributes] == home
