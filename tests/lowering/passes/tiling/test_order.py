"""The order of ops in front of a plan: what makes the largest operand comes last."""

import pytest
from htp_mlir.dialects.attributes import IN_STEP, TILE_PLAN
from htp_mlir.lowering import lower
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.packages.packages import Packages
from htp_mlir.lowering.passes.tiling.plan_tiles import bring_close
from xdsl.parser import Parser

from tests.support.small_networks import SMALL as NETWORKS

LARGE, SMALL = "tensor<1x64x8x32xf32>", "tensor<1x1x1x32xf32>"
TWO = f"""
func.func @two(%x: {LARGE}, %z: {SMALL}) -> ({LARGE}, {LARGE}) {{
  %a = htp.Relu(%x) : ({LARGE}) -> {LARGE}
  %q = htp.Tanh(%a) : ({LARGE}) -> {LARGE}
  %k = htp.Relu(%z) : ({SMALL}) -> {SMALL}
  %s = htp.Add(%q, %k) : ({LARGE}, {SMALL}) -> {LARGE}
  func.return %s, OTHER : {LARGE}, {LARGE}
}}
"""


@pytest.mark.parametrize(
    ("other", "order"),
    [
        ("%s", ["Relu", "Relu", "Tanh", "Add"]),
        # Another op reads what is in front of the larger operand, or this itself.
        ("%a", ["Relu", "Relu", "Tanh", "Add"]),
        ("%q", ["Relu", "Tanh", "Relu", "Add"]),
    ],
)
def test_only_what_leads_to_the_largest_operand_alone_moves(other: str, order: list[str]) -> None:
    module = Parser(Packages().context(), TWO.replace("OTHER", other)).parse_module()
    (block,) = bodies(module)
    bring_close(block)
    module.verify()
    assert [op.name.removeprefix("htp.") for op in block.ops][:-1] == order
    assert str(next(iter(block.ops)).results[0].type) == (SMALL if other == "%s" else LARGE)


def test_operands_of_one_size_stay() -> None:
    module = Parser(Packages().context(), TWO.replace("OTHER", "%s").replace(SMALL, LARGE))
    (block,) = bodies(module.parse_module())
    before = [*block.ops]
    bring_close(block)
    assert [*block.ops] == before


def test_what_stays_whole_in_step_waits_for_its_reader() -> None:
    """The gate of an image is made where the image is scaled, as one of the ops in step."""
    placed = lower(NETWORKS["gated"]().module, tcm_bytes=200 << 10, level="placed")
    in_step = [op for op in placed.walk() if IN_STEP in op.attributes]
    assert [op.name for op in in_step if TILE_PLAN not in op.attributes] == ["htp.Sigmoid"]
