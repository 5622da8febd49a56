"""Tensors that are made again: nothing is saved for them, and the numbers stay."""

import pytest
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.passes.allocation.allocate import allocate_block
from htp_mlir.lowering.passes.allocation.fetches import refetch_block
from htp_mlir.lowering.passes.allocation.select_kernels import select_kernels
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.lowering.passes.checks.check_level import check_dominance
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.runtime import Session
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernels import standard_library
from xdsl.dialects.builtin import ModuleOp

from tests.support.feeds import assert_same, feeds
from tests.support.roundtrip import parse

from ..kit import ops_of

DDR, TCM = "xf32, #htp.place<flat, ddr>>", "xf32, #htp.place<flat, tcm>>"
ONE = 2048
"""Bytes of the part that is read twice, and of each tensor made of it."""


def read_twice(ops: int) -> ModuleOp:
    """Half of the input goes through ops, each of which reads the two before it, and is added."""
    half, shapes = f"tensor<1x1x8x64{TCM}", "!htp.shape<0x0x8x0>, !htp.shape<1x1x8x64>"
    adds = "\n".join(
        f"%{at} = htp.Add(%{at - 1}, %{at - 2}) : ({half}, {half}) -> {half}"
        for at in range(2, ops + 2)
    )
    return parse(f"""
      func.func @main(%x: tensor<1x1x16x64xf32> {{htp.name = "x"}})
          -> (tensor<1x1x8x64xf32> {{htp.name = "y"}}) {{
        %in = htp.Reshape(%x) : (tensor<1x1x16x64xf32>) -> tensor<1x1x16x64{DDR}
        %at = htp.Shape : !htp.shape<0x0x8x0>
        %size = htp.Shape : !htp.shape<1x1x8x64>
        %half = htp.Slice_shape(%in, %at, %size) : (tensor<1x1x16x64{DDR}, {shapes}) -> {half}
        %0 = htp.Relu(%half) : ({half}) -> {half}
        %1 = htp.Abs(%0) : ({half}) -> {half}
        {adds}
        %sum = htp.Mul(%{ops + 1}, %half) : ({half}, {half}) -> {half}
        %out = htp.flat_from_vtcm(%sum) : ({half}) -> tensor<1x1x8x64{DDR}
        %y = htp.Reshape(%out) : (tensor<1x1x8x64{DDR}) -> tensor<1x1x8x64xf32>
        func.return %y : tensor<1x1x8x64xf32>
      }}""")


def refetched(module: ModuleOp, tcm_bytes: int) -> ModuleOp:
    for block in bodies(module):
        refetch_block(block, tcm_bytes, TCM_ALIGNMENT)
    module.verify()
    check_dominance(module)
    return module


def outputs(module: ModuleOp, tcm_bytes: int) -> dict[str, Array | None]:
    """Allocate a module, and run it with every check."""
    for block in bodies(module):
        allocate_block(block, tcm_bytes, TCM_ALIGNMENT)
    select_kernels(module, standard_library().kernels)
    session = Session(module, check=True)
    return session.run(feeds(session))


@pytest.mark.parametrize("ops", [1, 3])
def test_the_numbers_stay_and_nothing_is_saved(ops: int) -> None:
    before, after = read_twice(ops), refetched(read_twice(ops), 2 * ONE)
    assert ops_of(after).count("Slice_shape") == 2
    expected = outputs(before, 2 * ONE)
    assert_same(outputs(after, 2 * ONE), expected)
    assert "Fill" in ops_of(before)
    assert not {"Spill", "Fill"} & {*ops_of(after)}
    assert traffic(after).bytes < traffic(before).bytes
