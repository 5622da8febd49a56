"""Words that packages use besides the documented ones: conjunctions, strides, helpers, classes."""

from pathlib import Path

import pytest
from htp_mlir.dialects.htp.base import native
from htp_mlir.dialects.htp.ops.const import ShapeOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import Shape
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.packages.def_package import CppPackage, Role, load_cpp, write_cpp
from htp_mlir.lowering.packages.def_package.package import known_class
from htp_mlir.lowering.packages.from_cpp import from_cpp
from htp_mlir.lowering.rules import run_rules
from htp_mlir.lowering.rules.graph.graph import Node
from htp_mlir.lowering.rules.language.external import shape_function
from htp_mlir.runtime.tensors.tensors import ShapeParam

from tests.support.native_graph import NativeGraph

from .kit import complaints, load, reasons

RULE = 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X", "Y"), {constraint}, Op("B", {built}))\n'
KERNEL = 'GraphStatus f({parameters});\nDEF_PACKAGE_OP(f, "A")\n'


def read_back(package: CppPackage, folder: Path) -> CppPackage:
    """What the written text of a package says."""
    path = folder / "again.cpp"
    path.write_text(write_cpp(package))
    return load_cpp(path, name="Pkg")[0]


def test_a_conjunction_is_an_and_of_its_tests(tmp_path: Path) -> None:
    text = RULE.format(constraint='IS_FLOAT32_ALL("*", "X", INPUT_OF("X", 0))', built='"X"')
    package, summary = load(tmp_path, text)
    assert summary.skipped == ()
    single = 'AND(IS_FLOAT32("*"), IS_FLOAT32("X"), IS_FLOAT32(INPUT_OF("X", 0)))'
    expected, _ = load(tmp_path, RULE.format(constraint=single, built='"X"'))
    assert package.rules == expected.rules
    assert read_back(package, tmp_path) == package


def test_a_conjunction_of_nothing_is_passed_over(tmp_path: Path) -> None:
    _, summary = load(tmp_path, RULE.format(constraint="IS_QUINT8_ALL()", built='"X"'))
    assert reasons(summary) == ["package.cpp:1: AND: 0 operands"]


@pytest.mark.parametrize("operands", ['"X"', '"Y", "X"'])
def test_padding_helpers_take_the_amounts_alone_or_last(operands: str, tmp_path: Path) -> None:
    built = f'"Y", SHAPEFN_APPLY(pad_before_for_qnn, {operands})'
    package, summary = load(tmp_path, RULE.format(constraint="OK", built=built))
    assert summary.skipped == ()
    assert read_back(package, tmp_path) == package


def test_a_helper_of_the_library_can_be_overridden(tmp_path: Path) -> None:
    @shape_function("pad_before_for_qnn")
    def own(node: Node) -> Shape:
        return (7, *node.shape[1:])

    text = RULE.format(constraint="OK", built='"X", SHAPEFN_APPLY(pad_before_for_qnn, "Y")')
    package, _ = load(tmp_path, text, externals=[own])
    loaded = Packages().extended(from_cpp(package))
    graph = NativeGraph()
    x = graph.input(1, 2, 3, 4)
    graph.block.add_op(op := native(loaded.ops["Pkg.A"], [x, x], spec_of(x)))
    module = graph.module(op.results[0])
    run_rules(module, loaded.rules)
    (shape,) = (op for op in module.walk() if isinstance(op, ShapeOp))
    assert Node(shape.results[0]).shape == (7, 2, 3, 4)


@pytest.mark.parametrize(
    ("parameter", "takes"),
    {
        "const TensorShape<4> &s": "TensorShape<4>",
        "const hnnx::TensorShape<4> &s": "TensorShape<4>",
        "const TensorContiguous<Tdefs::QuantUint8> &s": "QuantUint8Tensor",
        "const TensorContiguous<Tdefs::Int32> &s": "Int32Tensor",
    }.items(),
)
def test_classes_of_parameters(parameter: str, takes: str, tmp_path: Path) -> None:
    package, summary = load(tmp_path, KERNEL.format(parameters=f"Tensor &out, {parameter}"))
    assert summary.skipped == ()
    (kernel,) = package.kernels
    assert kernel.classes(Role.INPUT) == (takes,)
    assert read_back(package, tmp_path) == package


def test_a_shape_parameter_takes_a_shape_alone(tmp_path: Path) -> None:
    text = KERNEL.format(parameters="Tensor &out, const Tensor &in, const TensorShape<4> &s")
    package, _ = load(tmp_path, text)
    (kernel,) = from_cpp(package).kernels
    assert [slot.takes for slot in kernel.inputs][1] is ShapeParam


def test_a_shape_that_is_written_is_passed_over(tmp_path: Path) -> None:
    _, summary = load(tmp_path, KERNEL.format(parameters="TensorShape<4> &s, const Tensor &in"))
    assert reasons(summary) == ["package.cpp:2: 's' is a shape that the kernel may write"]


SPECIAL = "const op_slice_spec &slice, Graph &graph, const OpIoPtrs *pointers"


def test_what_is_no_tensor_is_kept_and_written(tmp_path: Path) -> None:
    """It takes no part in the choice of a kernel, and the function is declared with it."""
    text = KERNEL.format(parameters=f"Tensor &out, const Tensor &in, {SPECIAL}")
    package, summary = load(tmp_path, text)
    assert summary.skipped == ()
    (kernel,) = package.kernels
    assert kernel.classes(Role.INPUT) == ("Tensor",)
    types = ("const op_slice_spec &", "Graph &", "const OpIoPtrs *")
    assert kernel.classes(Role.SPECIAL) == types
    assert [len(each.inputs) for each in from_cpp(package).kernels] == [1]
    assert all(part in " ".join(write_cpp(package).split()) for part in SPECIAL.split(", "))
    assert read_back(package, tmp_path) == package


def test_other_templates_stay_as_they_are() -> None:
    assert known_class("ns::TensorContiguous<Tdefs::Int32>") == "Int32Tensor"
    assert known_class("ns::Tiled<Tdefs::Int32>") is None


@pytest.mark.needs("g++")
def test_a_compiler_takes_the_written_text(tmp_path: Path) -> None:
    text = KERNEL.format(parameters=f"Tensor &out, const TensorShape<4> &s, {SPECIAL}")
    path = tmp_path / "written.cpp"
    path.write_text(write_cpp(load(tmp_path, text)[0]))
    assert complaints(tmp_path, path) == ""
