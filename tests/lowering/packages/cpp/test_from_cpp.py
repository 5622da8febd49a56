"""A C++ package at every level: rewritten, tiled, placed, allocated, and run with Python bodies."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import LayoutKind, Memory, TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import (
    Bodies,
    OpPackage,
    Packages,
    from_cpp,
)
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.packages.packages import registered
from htp_mlir.lowering.passes.fold import Fold
from htp_mlir.lowering.patterns.conditions import exceeds
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.kernel.kernel import Operand
from htp_mlir.runtime.tensors.tensors import ShapeParam, Tensor

from ....support.roundtrip import to_text

CPP = r"""
BEGIN_PKG_OP_DEFINITION(PKG_MaxPool);

template <typename TType>
GraphStatus max_pool(TType &out, const TType &in, const Tensor &window, const Tensor &stride);

DEF_PACKAGE_OP(max_pool<Tensor>, "MaxPool")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(max_pool<FloatCroutonTensor_TCM>, "MaxPool", FAST,
                                  Flags::RESOURCE_HVX)

DEF_TENSOR_PROPERTIES(Op("MaxPool", "Act", "W", "S"), Crouton("*", "Act"), Tcm("*", "Act"))

DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("MaxPool_valid"), "Act", "W", "S"), OK,
                         Op("MaxPool", "Act", "W", "S"))
DEF_PACKAGE_OPTIMIZATION(EARLY + 4, Op("MaxPool", "Act", "W", "S"), GT(DIM_DEPTH("*"), 32),
                         AUTOSPLIT(3, "I", 32, Op("MaxPool", TYPICAL_SLICE("Act", "I"), "W", "S")))

END_PKG_OP_DEFINITION(PKG_MaxPool);
"""
GRAPH = """
func.func @main(%x: tensor<1x16x16x80xf32> {htp.name = "x"})
    -> (tensor<1x8x8x80xf32> {htp.name = "y"}) {
  %0 = qti_aisw.PoolMax2d(%x) {filter_size = array<i64: 2, 2>, stride = array<i64: 2, 2>}
    : (tensor<1x16x16x80xf32>) -> tensor<1x8x8x80xf32>
  func.return %0 : tensor<1x8x8x80xf32>
}
"""
BODIES = Bodies()


@BODIES.body("MaxPool")
def max_pool(out: Tensor, act: Tensor, window: ShapeParam, stride: ShapeParam) -> None:
    height, width = window.dims[1:3]
    taps = act.load()
    down, across = stride.dims[1:3]
    rows = [taps[:, i::down][:, : out.shape[1]] for i in range(height)]
    tall = np.max(rows, axis=0)
    columns = [tall[:, :, i::across][:, :, : out.shape[2]] for i in range(width)]
    out.store(np.max(columns, axis=0))


def package(folder: Path, bodies: Bodies | None = None) -> OpPackage:
    path = folder / "max_pool.cpp"
    path.write_text(CPP)
    read, summary = load_cpp(path, name="CppPkg")
    assert summary.skipped == ()
    return from_cpp(read, bodies)


@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_it_lowers_round_trips_and_runs(level: str, tmp_path: Path) -> None:
    packages = Packages().extended(package(tmp_path, BODIES))
    graph = parse_module(GRAPH)
    lowered = lower(graph, packages=packages, level=level)
    ops = [op for op in lowered.walk() if op.name == "CppPkg.MaxPool"]
    assert [spec_of(op.results[0]).shape[-1] for op in ops] == [32, 32, 16]
    again = parse_module(to_text(lowered), ctx=packages.context())
    assert again.is_structurally_equivalent(lowered)
    x = np.random.default_rng(0).standard_normal((1, 16, 16, 80)).astype(np.float32)
    expected = Session(graph).run({"x": x})["y"]
    result = Session(again, check=True, library=packages.library).run({"x": x})["y"]
    np.testing.assert_array_equal(result, expected)


def test_signatures_and_properties_decide_without_a_body(tmp_path: Path) -> None:
    packages = Packages().extended(package(tmp_path))
    lowered = lower(parse_module(GRAPH), packages=packages)
    ops = [op for op in lowered.walk() if op.name == "CppPkg.MaxPool"]
    assert len(ops) == 3
    for op in ops:
        place = spec_of(op.results[0]).place
        assert place is not None
        assert (place.layout, place.memory) == (LayoutKind.CROUTON, Memory.TCM)
        assert str(op.properties["kernel"]) == '"max_pool<FloatCroutonTensor_TCM>"'
    session = Session(lowered, library=packages.library)
    with pytest.raises(HtpError, match="has a C\\+\\+ signature and no Python body") as caught:
        session.run({"x": np.zeros((1, 16, 16, 80), np.float32)})
    assert [line.strip() for line in caught.value.lines()[1:6]] == [
        "run its own by --build, or write one and give it to from_cpp",
        "from htp_mlir.lowering.packages import Bodies",
        "bodies = Bodies()",
        '@bodies.body("MaxPool")',
        "def run(t0, t1, t2, t3): ...",
    ]


CONSTANT = """
func.func @main() -> (tensor<1x8x8x32xf32> {htp.name = "y"}) {
  %c = htp.Const dense<1.0> : tensor<1x16x16x32xf32> -> tensor<1x16x16x32xf32>
  %s = htp.Shape : !htp.shape<1x2x2x1>
  %0 = CppPkg.MaxPool(%c, %s, %s)
    : (tensor<1x16x16x32xf32>, !htp.shape<1x2x2x1>, !htp.shape<1x2x2x1>) -> tensor<1x8x8x32xf32>
  %1 = htp.Reshape(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %1 : tensor<1x8x8x32xf32>
}
"""


@pytest.mark.parametrize(("bodies", "left"), [(None, 1), (BODIES, 0)], ids=["none", "body"])
def test_constants_do_not_run_what_has_no_body(
    bodies: Bodies | None, left: int, tmp_path: Path
) -> None:
    context = Packages().extended(package(tmp_path, bodies)).context()
    module = parse_module(CONSTANT, ctx=context)
    Fold().apply(context, module)
    assert sum(op.name == "CppPkg.MaxPool" for op in module.walk()) == left


def test_a_body_for_an_unknown_op_is_refused(tmp_path: Path) -> None:
    wrong = Bodies()
    wrong.body("MinPool")(max_pool)
    with pytest.raises(HtpError, match="has no op 'MinPool' for a body\n  it has MaxPool"):
        package(tmp_path, wrong)


def test_too_few_operands_are_refused(tmp_path: Path) -> None:
    packages = Packages().extended(package(tmp_path))
    text = """
func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = CppPkg.MaxPool(%0) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %1 : tensor<1x1x1x4xf32>
}"""
    with pytest.raises(HtpError, match="has 1 operand, it takes 3"):
        parse_module(text, ctx=packages.context())


def test_htp_opt_takes_cpp_text_and_notes_what_it_passes_over(tmp_path: Path) -> None:
    path, model = tmp_path / "CppPkg.cpp", tmp_path / "model.mlir"
    path.write_text(CPP + '\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op("MaxPool", "A"), OK, Opp("A"))\n')
    model.write_text(GRAPH)
    status, out, err = htp_opt.run(["--package", str(path), str(model), "-p", "htp-lower"])
    assert status == 0
    assert out.count("CppPkg.MaxPool(") == 3
    (note,) = err.splitlines()
    assert note.startswith(f"note: passed over: {path}:")
    assert "Opp" in note


def test_a_cpp_file_that_is_missing_is_two_lines(tmp_path: Path) -> None:
    status, out, err = htp_opt.run(["--package", str(tmp_path / "gone.cpp")], GRAPH)
    assert (status, out) == (1, "")
    assert "gone.cpp" in err
    assert err.count("\n") == 2


COSTLY = """
GraphStatus plain(FloatCroutonTensor_TCM &out, const FloatCroutonTensor_TCM &in,
                  const Tensor &window, const Tensor &stride);
float costly(const Op *op);
DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(plain, "MaxPool", costly)
"""


def chosen(package: OpPackage) -> set[str]:
    lowered = lower(parse_module(GRAPH), packages=Packages().extended(package))
    ops = [op for op in lowered.walk() if op.name == "CppPkg.MaxPool"]
    return {str(op.properties["kernel"]).strip('"') for op in ops}


def test_a_cost_function_counts_as_snail_until_python_gives_it(tmp_path: Path) -> None:
    path = tmp_path / "costly.cpp"
    path.write_text(CPP + COSTLY)
    read, _ = load_cpp(path, name="CppPkg")
    unbound = from_cpp(read)
    assert chosen(unbound) == {"max_pool<FloatCroutonTensor_TCM>"}
    lines = registered(Packages().extended(unbound), "CppPkg.MaxPool").lines()
    assert 'cost SNAIL, until @bodies.cost("costly") says what costly computes' in "\n".join(lines)
    bodies = Bodies()

    @bodies.cost("costly")
    def costly(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> float:
        return 0.5 if outputs[0].shape[3] < 32 else 2.0

    assert chosen(from_cpp(read, bodies)) == {"max_pool<FloatCroutonTensor_TCM>", "plain"}
    wrong = Bodies()
    wrong.cost("cheap")(costly)
    with pytest.raises(HtpError, match="no cost function 'cheap' for a function\n  it has costly"):
        from_cpp(read, wrong)


def test_tiling_sees_what_ops_of_packages_hold_in_tcm(tmp_path: Path) -> None:
    """`exceeds` is the guard of the project's own tiling rules; here a package uses it."""
    path = tmp_path / "guarded.cpp"
    path.write_text(
        CPP.replace('GT(DIM_DEPTH("*"), 32)', 'EXTERNAL_CONSTRAINT(exceeds, "*", 40000)')
    )
    read, summary = load_cpp(path, name="CppPkg", externals=[exceeds])
    assert summary.skipped == ()
    packages = Packages().extended(from_cpp(read))
    lowered = lower(parse_module(GRAPH), packages=packages, level="native")
    depths = [spec_of(op.results[0]).shape[3] for op in lowered.walk() if "MaxPool" in op.name]
    assert depths == [32, 32, 16]
