"""A C++ package with an op of two outputs, which its tensor properties name from the first on."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import LayoutKind, Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp
from htp_mlir.lowering.packages.def_package import load_cpp, write_cpp
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.tensors.tensors import Tensor

from ..def_package.kit import load

CPP = r"""
GraphStatus halves(Tensor &positive, Tensor &negative, const Tensor &in);
template <typename T> GraphStatus fast_halves(T &positive, T &negative, const T &in);
DEF_PACKAGE_OP(halves, "Halves")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS((fast_halves<FloatCroutonTensor_TCM>), "Halves", FAST)
DEF_TENSOR_PROPERTIES(Op("Halves", "in"), Outputs("positive", "negative"),
                      Crouton("*", "negative", "in"), Tcm("..."))

DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Abs"), "X"), OK,
                         Op(FROM_DEFAULT_PACKAGE("Add"), OpMultiOut(2, 0, "Halves", "X"),
                            OpMultiOut(2, 1, "Halves", "X")))
"""
GRAPH = """
func.func @main(%x: tensor<1x8x8x32xf32> {htp.name = "x"})
    -> (tensor<1x8x8x32xf32> {htp.name = "y"}) {
  %0 = qti_aisw.ElementWiseAbs(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %0 : tensor<1x8x8x32xf32>
}
"""
BODIES = Bodies()


@BODIES.body("Halves")
def halves(positive: Tensor, negative: Tensor, act: Tensor) -> None:
    positive.store(np.maximum(act.load(), 0))
    negative.store(np.maximum(-act.load(), 0))


@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_both_outputs_are_placed_and_run(level: str, tmp_path: Path) -> None:
    read, summary = load(tmp_path, CPP)
    assert summary.skipped == ()
    packages = Packages().extended(from_cpp(read, BODIES))
    lowered = lower(parse_module(GRAPH), packages=packages, level=level)
    ops = [op for op in lowered.walk() if op.name == "Pkg.Halves"]
    assert ops
    places = [spec_of(result).place for op in ops for result in op.results]
    if level != "native":
        assert {(p.layout, p.memory) for p in places if p} == {(LayoutKind.CROUTON, Memory.TCM)}
    x = np.random.default_rng(0).standard_normal((1, 8, 8, 32)).astype(np.float32)
    result = Session(lowered, check=True, library=packages.library).run({"x": x})["y"]
    np.testing.assert_array_equal(result, np.abs(x))


def test_the_names_are_written_back(tmp_path: Path) -> None:
    read, _ = load(tmp_path, CPP)
    path = tmp_path / "again.cpp"
    path.write_text(write_cpp(read))
    again, _ = load_cpp(path, name="Pkg")
    assert again == read
    assert again.properties[0].outputs == ("positive", "negative")


def test_kernels_of_another_number_of_results_are_left_out(tmp_path: Path) -> None:
    read, _ = load(tmp_path, CPP.replace('"negative"),', '"negative", "none"),', 1))
    package = from_cpp(read)
    Packages().extended(package)
    assert package.cpp is not None
    (fault, *_) = package.cpp.passed_over
    assert fault.problem.startswith("takes 2 outputs and 1 operands")


@pytest.mark.parametrize("form", ["OpMultiOut({}, 0, {})", "WITH_MULTI_OUT({}, Op({}))"])
def test_an_op_of_very_many_outputs_takes_no_memory(form: str, tmp_path: Path) -> None:
    built = form.format(1 << 60, '"Many", "X"')
    read, summary = load(tmp_path, f'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Abs", "X"), OK, {built})')
    package = from_cpp(read)
    assert all(op.RESULTS <= 1024 for op in package.ops)
    told = [str(1 << 60) in each.problem for each in summary.skipped]
    assert told == ([True] if form.startswith("OpMultiOut") else [])
