"""What to do about the ops of a package in C++ is said in C++."""

from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import Fault, HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import OpPackage, Packages, from_cpp
from htp_mlir.runtime import parse_module

from .def_package.kit import load

TEXT = """
template <typename T, typename U> GraphStatus half(T &out, const U &in);
DEF_PACKAGE_OP((half<FloatCroutonTensor_TCM, Tensor>), "Half.fast")
DEF_PACKAGE_OP((half<PlainFloatTensor, PlainFloatTensor>), "Half")
DEF_TENSOR_PROPERTIES(Op("Half", "in"), Flat("in"), Tcm("in"))
"""
RULE = 'DEF_PACKAGE_OPTIMIZATION(LATE, Op("Half", "X"), OK, Op("Zzz", "X"))'
GRAPH = """
func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {{
  %0 = qti_aisw.Custom(%x) {{op_type = "{op}", package = "Pkg", params = {{}}}}
    : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %0 : tensor<1x8x8x32xf32>
}}
"""


def package(folder: Path, text: str = TEXT) -> OpPackage:
    read, summary = load(folder, text)
    assert summary.skipped == ()
    return from_cpp(read)


def fault(folder: Path, op: str) -> Fault:
    """The first fault of lowering an op of the package."""
    packages = Packages().extended(package(folder))
    module = parse_module(GRAPH.format(op=op), ctx=packages.context())
    with pytest.raises(HtpError) as caught:
        lower(module, packages=packages)
    return caught.value.faults[0]


def test_a_kernel_that_is_lacking_is_a_declaration(tmp_path: Path) -> None:
    assert fault(tmp_path, "Half.fast").remedy == (
        "write one for these classes\n"
        "  GraphStatus half_fast(PlainFloatTensor &out, const PlainFloatTensor &in0);\n"
        '  DEF_PACKAGE_OP(half_fast, "Half.fast")'
    )


def test_a_kernel_for_the_properties_is_a_declaration(tmp_path: Path) -> None:
    remedy = fault(tmp_path, "Half").remedy
    wanted = "GraphStatus half(PlainFloatTensor &out, const PlainFloatTensor_TCM &in_); DEF_PACKAGE"
    assert wanted in remedy
    assert 'DEF_TENSOR_PROPERTIES(Op("Half", "in"), Flat("..."), MainMemory("..."))' in remedy


def test_an_op_of_a_graph_that_is_lacking_is_a_declaration(tmp_path: Path) -> None:
    assert 'DEF_PACKAGE_OP(function, "Gain")' in fault(tmp_path, "Gain").remedy


def test_an_op_of_a_rule_that_is_lacking_is_a_declaration(tmp_path: Path) -> None:
    own = package(tmp_path, TEXT + RULE)
    (unknown,) = Packages().extended(own).unknown_ops(own)
    assert unknown.message.endswith('declare it: DEF_PACKAGE_OP(function, "Zzz")')


def test_the_declared_kernel_is_read(tmp_path: Path) -> None:
    """The remedy, put into the source as it is."""
    lines = fault(tmp_path, "Half.fast").remedy.split("\n")[1:]
    packages = Packages().extended(package(tmp_path, "\n".join([TEXT, *lines])))
    module = parse_module(GRAPH.format(op="Half.fast"), ctx=packages.context())
    assert "half_fast" in str(lower(module, packages=packages))
