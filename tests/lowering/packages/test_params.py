"""Params of C++ packages: without a param order, optional without default; names of DEF_OPT."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp
from htp_mlir.lowering.packages.def_package import load_cpp, write_cpp
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.tensors.tensors import Tensor

from .def_package.kit import load

KERNEL = 'GraphStatus line(Tensor &out, const Tensor &in{more});\nDEF_PACKAGE_OP(line, "Line")\n'
TWO = KERNEL.format(more=", const Tensor &factor, const Tensor &offset")
PROPERTIES = 'DEF_TENSOR_PROPERTIES(Op("Line", "in", "factor", "offset"), Flat("..."))\n'
ORDER = """
DEF_PACKAGE_PARAM_ORDER("Line", "factor", true, nullptr, "offset", false, nullptr)
"""
GRAPH = """
func.func @main(%x: tensor<1x2x2x4xf32> {{htp.name = "x"}})
    -> (tensor<1x2x2x4xf32> {{htp.name = "y"}}) {{
  %0 = qti_aisw.Custom(%x) {{op_type = "Line", package = "Pkg", params = {{{params}}}}}
    : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  func.return %0 : tensor<1x2x2x4xf32>
}}
"""
BODIES = Bodies()


@BODIES.body("Line")
def line(out: Tensor, act: Tensor, factor: Tensor, offset: Tensor | None = None) -> None:
    out.store(act.load() * factor.load() + (0 if offset is None else offset.load()))


def factor_and_offset(folder: Path, text: str, params: str) -> tuple[float, float]:
    """What a graph with these params multiplies by and adds, at the graph level and lowered."""
    read, summary = load(folder, text)
    assert summary.skipped == ()
    packages = Packages().extended(from_cpp(read, BODIES))
    graph = parse_module(GRAPH.format(params=params), ctx=packages.context())
    x = np.zeros((1, 2, 2, 4), np.float32)
    x[..., 1] = 1
    outputs = [
        Session(module, library=packages.library).run({"x": x})["y"]
        for module in (graph, lower(graph, packages=packages))
    ]
    np.testing.assert_array_equal(*outputs)
    offset, both = map(float, outputs[0][0, 0, 0, :2])
    return both - offset, offset


@pytest.mark.parametrize("properties", ["", PROPERTIES], ids=["kernel alone", "properties"])
def test_params_without_an_order_are_taken_as_they_come(properties: str, tmp_path: Path) -> None:
    package = TWO + properties
    assert factor_and_offset(tmp_path, package, "factor = 3.0 : f32, offset = 5.0 : f32") == (3, 5)
    assert factor_and_offset(tmp_path, package, "offset = 5.0 : f32, factor = 3.0 : f32") == (5, 3)


@pytest.mark.parametrize("properties", ["", PROPERTIES], ids=["kernel alone", "properties"])
def test_an_optional_param_without_default_may_be_left_out(properties: str, tmp_path: Path) -> None:
    one = KERNEL.format(more=", const Tensor &factor").replace("line", "factor_alone")
    package = TWO + one + properties + ORDER
    assert factor_and_offset(tmp_path, package, "factor = 3.0 : f32") == (3, 0)
    assert factor_and_offset(tmp_path, package, "offset = 5.0 : f32, factor = 3.0 : f32") == (3, 5)


def test_a_mandatory_param_may_not(tmp_path: Path) -> None:
    with pytest.raises(HtpError, match="param 'factor' is mandatory and not given"):
        factor_and_offset(tmp_path, TWO + PROPERTIES + ORDER, "offset = 5.0 : f32")


@pytest.mark.parametrize("macro", ["DEF_OPT(EARLY,", "DEF_OPTIM(EARLY, relaxed_precision_flag,"])
def test_names_of_def_opt_belong_to_the_package(macro: str, tmp_path: Path) -> None:
    text = f'{TWO}{macro} Op("Line", "X", "F", "O"), OK, Op(FROM_DEFAULT_PACKAGE("Relu"), "X"))\n'
    read, _ = load(tmp_path, text)
    (rule,) = read.rules
    assert rule.root == "Pkg.Line"
    path = tmp_path / "again.cpp"
    path.write_text(write_cpp(read))
    assert load_cpp(path, name="Pkg")[0] == read
