"""Scratch in C++ text: signatures and hooks read, bound to Python functions, written again."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp
from htp_mlir.lowering.packages.def_package import CppPackage, load_cpp, write_cpp
from htp_mlir.runtime import Session
from htp_mlir.runtime.kernel.kernel import Operand, Sizes
from htp_mlir.runtime.tensors.tensors import Tensor
from xdsl.dialects.builtin import ModuleOp

from ..scratch_package import damped
from ..test_scratch import graph

CPP = r"""
template <typename TType>
GraphStatus damp(TType &out, const TType &in, const Graph &graph);
template <typename TType>
GraphStatus damp_by_rows(TType &out, const TType &in, TType &squares, PlainFloatTensor &sums);

#ifndef PREPARE_DISABLED
class RowsHook : public hnnx::OpHookBase {
    virtual GraphStatus pre_allocate(hnnx::OpIoPtrs const &iop, Op &op) const override
    {
        size_t dims[3] = {op.get_output(0)->dim(1), op.get_output(0)->dim(2), 1};
        return hnnx::change_output_tensor_shape(op, 2, iop.graph(), 3, dims);
    }
};
CTOR_OPHOOK((damp_by_rows<PlainFloatTensor_TCM>), RowsHook)
#endif

DEF_PACKAGE_OP(damp<Tensor>, "Damp")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(damp_by_rows<PlainFloatTensor_TCM>, "Damp", FAST)
DEF_TENSOR_PROPERTIES(Op("Damp", "in"), Flat("*", "in"), Tcm("*", "in"))
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Sigmoid"), "X"), OK, Op("Damp", "X"))
"""
SHAPE = (1, 3, 5, 7)
BODIES = Bodies()


@BODIES.body("Damp")
def damp(
    out: Tensor, in_: Tensor, squares: Tensor | None = None, sums: Tensor | None = None
) -> None:
    if squares is None or sums is None:
        out.store(damped(in_.load()))
        return
    np.multiply(in_.array, in_.array, out=squares.array)
    np.sum(squares.array, axis=3, keepdims=True, out=sums.array)
    out.store(in_.array / (1 + sums.array))


@BODIES.hook("RowsHook")
def sizes(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> Sizes:
    return {"squares": outputs[0].shape, "sums": (*outputs[0].shape[1:3], 1)}


def read(folder: Path, text: str = CPP) -> CppPackage:
    path = folder / "damp.cpp"
    path.write_text(text)
    package, summary = load_cpp(path, name="CppDamp")
    assert summary.skipped == ()
    return package


def the_op(module: ModuleOp) -> NativeOp:
    (damp,) = (op for op in module.walk() if op.name == "CppDamp.Damp")
    assert isinstance(damp, NativeOp)
    return damp


@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_a_signature_with_scratch_runs_with_its_body_and_hook(level: str, tmp_path: Path) -> None:
    packages = Packages().extended(from_cpp(read(tmp_path), BODIES))
    lowered = lower(graph(SHAPE), packages=packages, level=level)
    if level == "allocated":
        shapes = [spec.shape for spec in the_op(lowered).scratch_specs()]
        assert shapes == [(1, 3, 5, 7), (1, 3, 5, 1)]
    x = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)
    session = Session(lowered, check=True, library=packages.library)
    np.testing.assert_array_equal(session.run({"x": x})["y"], damped(x))


def test_without_bodies_scratch_is_one_element_and_a_run_says_what_to_write(
    tmp_path: Path,
) -> None:
    package = read(tmp_path)
    packages = Packages().extended(from_cpp(package))
    lowered = lower(graph(SHAPE), packages=packages)
    assert [s.shape for s in the_op(lowered).scratch_specs()] == [(1, 1, 1, 1)] * 2
    feeds = {"x": np.zeros(SHAPE, np.float32)}
    with pytest.raises(HtpError, match="no Python body") as caught:
        Session(lowered, library=packages.library).run(feeds)
    assert caught.value.lines()[-3].strip() == "def run(t0, t1, squares, sums): ..."
    unsized = Packages().extended(from_cpp(package, Bodies({"Damp": damp})))
    with pytest.raises(HtpError) as missing:
        Session(lowered, library=unsized.library).run(feeds)
    assert [line.strip() for line in missing.value.lines()][1:4] == [
        "write one, give it to from_cpp and lower again",
        '@bodies.hook("RowsHook")',
        'def sizes(outputs, operands): return {"squares": ..., "sums": ...}',
    ]
    bound = Packages().extended(from_cpp(package, BODIES))
    with pytest.raises(HtpError, match=r"1x3x5x7 .*\n  allocate again"):
        Session(lowered, library=bound.library)


def test_a_hook_that_the_text_does_not_name_is_refused(tmp_path: Path) -> None:
    wrong = Bodies()
    wrong.hook("RowHook")(sizes)
    with pytest.raises(HtpError, match=r"no constructor hook 'RowHook'.*\n  it has RowsHook"):
        from_cpp(read(tmp_path), wrong)


def test_what_is_written_reads_back_equal(tmp_path: Path) -> None:
    package = read(tmp_path)
    assert package.kernels[1].hook == "RowsHook"
    assert read(tmp_path, write_cpp(package)) == package


def test_scratch_of_the_generic_class_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "damp.cpp"
    path.write_text(CPP.replace("PlainFloatTensor &sums", "Tensor &sums"))
    package, summary = load_cpp(path, name="CppDamp")
    (fault,) = summary.skipped
    assert "scratch 'sums' is of the generic class Tensor" in fault.problem
    assert [kernel.function for kernel in package.kernels] == ["damp"]
