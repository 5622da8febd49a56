"""A user's package among the passes: parsed, matched, built, placed, given kernels, run."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import LayoutKind, Memory
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.packages.htp import HTP
from htp_mlir.lowering.passes.graph.raise_ops import RunRules
from htp_mlir.lowering.patterns import HTP_RULES
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.kernels import NATIVE
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...support.roundtrip import to_text
from .scale_package import PACKAGE

PACKAGES = Packages().extended(PACKAGE)

GRAPH = """
func.func @main(%x: tensor<1x8x8x32xf32> {htp.name = "x"})
    -> (tensor<1x8x8x32xf32> {htp.name = "y"}) {
  %s = qti_aisw.Const dense<2.5> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %0 = qti_aisw.Relu(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = qti_aisw.ElementWiseMultiply(%0, %s)
    : (tensor<1x8x8x32xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x8x32xf32>
  func.return %1 : tensor<1x8x8x32xf32>
}
"""

NATIVE_TEXT = """
func.func @main(%x: tensor<1x1x1x4xf32> {htp.name = "x"})
    -> (tensor<1x1x1x4xf32> {htp.name = "y"}) {
  %s = htp.Const dense<2.5> : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = ScalePkg.ScaledRelu(%0, %s)
    : (tensor<1x1x1x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x4xf32>
  %2 = ScalePkg.Passed(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %3 = htp.Reshape(%2) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %3 : tensor<1x1x1x4xf32>
}
"""


def ours(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if op.name.startswith("ScalePkg.")]


def result(module: ModuleOp, x: np.ndarray) -> np.ndarray:
    output = Session(module, check=True, library=PACKAGES.library).run({"x": x})["y"]
    assert output is not None
    return output


def test_htp_is_a_package_with_the_projects_tables() -> None:
    packages = Packages()
    assert packages.members == (HTP,)
    assert list(packages.rules) == list(HTP_RULES)
    assert packages.kernels is NATIVE
    assert packages.properties["htp.Add"].op == "htp.Add"
    assert packages.param_orders["htp.Pad"].params[0].mandatory


@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_a_rule_across_packages_lowers_to_every_level(level: str) -> None:
    lowered = lower(parse_module(GRAPH), packages=PACKAGES, level=level)
    assert [op.name for op in ours(lowered)] == ["ScalePkg.ScaledRelu"]
    x = np.random.default_rng(0).standard_normal((1, 8, 8, 32)).astype(np.float32)
    np.testing.assert_array_equal(result(lowered, x), np.maximum(x, 0) * np.float32(2.5))
    again = parse_module(to_text(lowered), ctx=PACKAGES.context())
    assert again.is_structurally_equivalent(lowered)


def test_without_the_package_nothing_is_rewritten() -> None:
    lowered = lower(parse_module(GRAPH), packages=Packages(), level="native")
    assert ours(lowered) == []


def test_properties_place_and_kernels_are_selected() -> None:
    lowered = lower(parse_module(GRAPH), packages=PACKAGES)
    (op,) = ours(lowered)
    place = spec_of(op.results[0]).place
    assert place is not None
    assert (place.layout, place.memory) == (LayoutKind.FLAT, Memory.TCM)
    assert str(op.properties["kernel"]) == '"flat.PlainFloatTensor_TCM"'


def test_ops_are_read_from_text_and_verified() -> None:
    module = parse_module(NATIVE_TEXT, ctx=PACKAGES.context())
    x = np.array([[[[-1.0, 0.5, 2.0, -3.0]]]], np.float32)
    wrong = NATIVE_TEXT.replace("ScaledRelu(%0, %s)", "ScaledRelu(%0, %0, %s)").replace(
        "(tensor<1x1x1x4xf32>, tensor<1x1x1x1xf32>)",
        "(tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>, tensor<1x1x1x1xf32>)",
    )
    with pytest.raises(HtpError, match=r"ScalePkg.ScaledRelu: has 3 operands"):
        parse_module(wrong, ctx=PACKAGES.context())
    RunRules().apply(PACKAGES.context(), module)
    assert [op.name for op in ours(module)] == ["ScalePkg.ScaledRelu"]
    assert any(op.name == "htp.Abs" for op in module.walk())
    np.testing.assert_array_equal(result(module, x), np.maximum(x, 0) * np.float32(2.5))


def test_text_without_the_package_is_refused() -> None:
    with pytest.raises(HtpError, match="ScalePkg"):
        parse_module(NATIVE_TEXT)


def test_a_module_is_loaded_with_its_packages(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(NATIVE_TEXT)
    assert len(ours(load_module(path, packages=PACKAGES))) == 2


def test_a_copied_context_keeps_its_packages() -> None:
    copy = PACKAGES.context().clone()
    assert copy.packages is PACKAGES
    assert copy.get_optional_op("ScalePkg.Passed") is not None
