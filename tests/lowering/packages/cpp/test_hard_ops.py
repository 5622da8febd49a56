"""Rules of the groups TILING and HARD_OPS that cut nothing run where tiles are not wanted, too."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp
from htp_mlir.runtime import Session, Tensor, parse_module

from ..def_package.kit import load

TEXT = """
GraphStatus square(Tensor &out, const Tensor &in);
DEF_PACKAGE_OP(square, "Square")
DEF_PACKAGE_OPTIMIZATION({priority}, Op(FROM_DEFAULT_PACKAGE("Mul"), "X", "X"), IS_FLOAT32("X"),
                         Op("Square", "X"))
DEF_PACKAGE_OPTIMIZATION(TILING + 3, Op("Square", "X"), GT(DIM_HEIGHT("*"), 4),
                         AUTOSPLIT(1, "I", 4, Op("Square", TYPICAL_SLICE("X", "I"))))
"""
GRAPH = """
func.func @main(%x: tensor<1x8x8x32xf32> {htp.name = "x"})
    -> (tensor<1x8x8x32xf32> {htp.name = "y"}) {
  %0 = qti_aisw.ElementWiseMultiply(%x, %x)
    : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %0 : tensor<1x8x8x32xf32>
}
"""
BODIES = Bodies()


@BODIES.body("Square")
def square(out: Tensor, x: Tensor) -> None:
    out.store(x.load() ** 2)


@pytest.mark.one_per("priority")
@pytest.mark.parametrize("priority", ["TILING", "HARD_OPS", "HARD_OPS - 20"])
@pytest.mark.parametrize("way", [{"level": "native"}, {}, {"tiling": False}], ids=str)
def test_the_rule_fires_however_the_module_is_tiled(
    priority: str, way: dict[str, Any], tmp_path: Path
) -> None:
    read, _ = load(tmp_path, TEXT.format(priority=priority))
    packages = Packages().extended(from_cpp(read, BODIES))
    lowered = lower(parse_module(GRAPH), packages=packages, **way)
    names = [op.name for op in lowered.walk()]
    cut = way != {"tiling": False} and priority == "TILING"
    assert names.count("Pkg.Square") == (2 if cut else 1)
    assert "htp.Mul" not in names
    x = np.random.default_rng(0).standard_normal((1, 8, 8, 32)).astype(np.float32)
    result = Session(lowered, check=True, library=packages.library).run({"x": x})["y"]
    np.testing.assert_array_equal(result, x * x)


def test_rules_that_cut_are_known(tmp_path: Path) -> None:
    read, _ = load(tmp_path, TEXT.format(priority="HARD_OPS"))
    assert [rule.cuts for rule in read.rules] == [False, True]
