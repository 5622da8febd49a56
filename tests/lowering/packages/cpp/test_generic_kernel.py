"""A generic kernel whose op has its result in TCM: the function writes it there."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import LayoutKind, Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.tensors.tensors import Tensor

from ..def_package.kit import load

CPP = """
GraphStatus double_it(Tensor &out, const Tensor &in);
DEF_PACKAGE_OP(double_it, "Double")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Add"), "X", "X"), OK, Op("Double", "X"))
"""
GRAPH = """
func.func @main(%x: tensor<1x8x8x32xf32> {htp.name = "x"})
    -> (tensor<1x8x8x32xf32> {htp.name = "y"}) {
  %0 = qti_aisw.ElementWiseAdd(%x, %x)
    : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %0 : tensor<1x8x8x32xf32>
}
"""
BODIES = Bodies()


@BODIES.body("Double")
def double(out: Tensor, act: Tensor) -> None:
    out.store(2 * act.load())


@pytest.mark.parametrize(
    ("clauses", "layout", "memory"),
    [
        ("", LayoutKind.FLAT, Memory.DDR),
        (', Flat("..."), Tcm("*")', LayoutKind.FLAT, Memory.TCM),
        (', Crouton("*"), Tcm("...")', LayoutKind.CROUTON, Memory.TCM),
    ],
)
def test_it_runs_where_properties_put_its_result(
    clauses: str, layout: LayoutKind, memory: Memory, tmp_path: Path
) -> None:
    text = f'{CPP}DEF_TENSOR_PROPERTIES(Op("Double", "in"){clauses})\n'
    read, summary = load(tmp_path, text)
    assert summary.skipped == ()
    packages = Packages().extended(from_cpp(read, BODIES))
    lowered = lower(parse_module(GRAPH), packages=packages)
    (op,) = (op for op in lowered.walk() if op.name == "Pkg.Double")
    place = spec_of(op.results[0]).place
    assert place is not None
    assert (place.layout, place.memory) == (layout, memory)
    x = np.random.default_rng(0).standard_normal((1, 8, 8, 32)).astype(np.float32)
    result = Session(lowered, check=True, library=packages.library).run({"x": x})["y"]
    np.testing.assert_array_equal(result, 2 * x)
