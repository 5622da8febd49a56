"""The operands onto which an op may write: what is read no more behind it, in any order of ops."""

import pytest
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.passes.placement.placement import overwritable

from ....support.roundtrip import parse

LARGE, MEAN, AXES = "tensor<1x8x8x32xf32>", "tensor<1x1x1x32xf32>", "tensor<1x1x1x2xi32>"


@pytest.mark.parametrize(
    ("behind", "is_last"),
    [("", True), (f"%y = htp.Tanh(%x) : ({LARGE}) -> {LARGE}", False)],
)
def test_what_an_operand_is_made_of_was_read_before(behind: str, is_last: bool) -> None:
    """The mean of x is an operand, so x is read for it first; another reader may come last."""
    module = parse(f"""func.func @main(%a: {LARGE}) -> {LARGE} {{
  %axes = htp.Const dense<[[[[1, 2]]]]> : {AXES} -> {AXES}
  %x = htp.Relu(%a) : ({LARGE}) -> {LARGE}
  %m = htp.ReduceMean(%x, %axes) : ({LARGE}, {AXES}) -> {MEAN}
  %n = htp.Relu(%m) : ({MEAN}) -> {MEAN}
  %d = htp.SquaredDifference(%x, %n) : ({LARGE}, {MEAN}) -> {LARGE}
  {behind}
  func.return %d : {LARGE}
}}""")
    (block,) = bodies(module)
    (op,) = (op for op in block.ops if op.name == "htp.SquaredDifference")
    assert (op.operands[0] in overwritable(op, lambda value: False)) == is_last
