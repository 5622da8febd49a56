"""What is registered for an op."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.packages.packages import registered
from htp_mlir.lowering.tools import htp

from .. import registry_package
from ..scale_package import PACKAGE, ScaledRelu
from ..test_tools import FILE

PACKAGES = Packages().extended(PACKAGE)
MINE = Packages().extended(registry_package.PACKAGE)


def test_all_that_a_package_says_of_an_op_is_found() -> None:
    entry = registered(PACKAGES, "ScalePkg.ScaledRelu")
    assert entry.op is ScaledRelu
    assert [kernel.name for kernel in entry.kernels] == [
        "reference",
        "flat.PlainFloatTensor",
        "flat.PlainFloatTensor_TCM",
    ]
    assert entry.properties is PACKAGES.properties["ScalePkg.ScaledRelu"]
    assert entry.param_order is PACKAGES.param_orders["ScalePkg.ScaledRelu"]
    assert entry.matching == ()
    (rule,) = entry.building
    assert rule.package == "ScalePkg"


def test_rules_of_other_packages_are_found_inside_matches_too() -> None:
    alone, more = (registered(packages, "Relu").matching for packages in (Packages(), PACKAGES))
    assert [rule.package for rule in more if rule not in alone] == ["ScalePkg"]
    builders = registered(PACKAGES, "htp.Abs").building
    assert [rule.name for rule in builders if rule.package == "ScalePkg"] == ["Passed"]


def test_the_lines_say_it() -> None:
    lines = registered(PACKAGES, "ScalePkg.ScaledRelu").lines()
    assert lines[:3] == [
        "ScalePkg.ScaledRelu(in, scale)",
        "  kernels:",
        "    reference(out: Tensor, in_: Tensor, scale: Tensor), cost GLACIAL, RESOURCE_HVX",
    ]
    assert lines[5:13] == [
        "  tensor properties:",
        "    *: flat in tcm",
        "    in: flat in tcm",
        "    scale: flat in ddr",
        "  param order:",
        "    scale, mandatory",
        "  rules that match it:",
        "    none",
    ]
    assert lines[13] == "  rules that build it:"
    assert lines[14].startswith("    EARLY: q::Mul (")


def test_an_op_without_properties_and_with_any_number_of_operands() -> None:
    lines = registered(PACKAGES, "ScalePkg.Passed").lines()
    assert "    none, so everything is flat in main memory" in lines
    assert lines[1:3] == ["  kernels:", "    none"]
    assert any("*" in line for line in registered(PACKAGES, "Concat").lines()[2:3])


def test_an_unknown_op_is_named_with_its_neighbours() -> None:
    with pytest.raises(
        HtpError, match=r"no package in use has it\n  did you mean 'ScalePkg\.Passed'"
    ):
        registered(PACKAGES, "ScalePkg.Pased")


def test_htp_opt_shows_ops_and_runs_nothing() -> None:
    status, out, err = htp.run(["show", "op", "--package", FILE, "ScalePkg.Passed"], "no IR")
    assert (status, err) == (0, "")
    assert out.startswith("ScalePkg.Passed(in)\n")
    assert htp.run(["show", "op", "ScalePkg.Passed"], "").status == 1


def test_a_graph_op_is_told_with_the_native_op_of_its_name() -> None:
    entry = registered(PACKAGES, "qti_aisw.Relu")
    assert entry.op is PACKAGES.ops["htp.Relu"]
    assert entry.kernels
    assert entry.matching
    assert list(map(str, entry.conversions)) == ["regular.convert_regular, of htp"]
    lines = registered(PACKAGES, "qti_aisw.Buffer").lines()
    assert lines == [
        "qti_aisw.Buffer",
        "  graph op, converted by:",
        "    rnn.convert_buffer, of htp",
        "  ONNX op, imported by:",
        "    blocks.buffer, of htp",
    ]


@pytest.mark.parametrize("name", ["aten.elu", "aten.elu.default"])
def test_an_op_of_pytorch_is_told_with_its_conversion(name: str) -> None:
    entry = registered(PACKAGES, name)
    assert list(map(str, entry.torch_conversions)) == ["others.elu for some arguments, of htp"]
    with pytest.raises(HtpError, match="no package in use has it") as raised:
        registered(PACKAGES, "aten.add")
    assert "PyTorch's exporter knows most of its ops" in raised.value.lines()[1]


@pytest.mark.parametrize(
    ("name", "importers"),
    [
        ("onnx.Gemm", ["linear.gemm, of htp"]),
        ("onnx.Einsum", ["registry_package.import_einsum, of Mine", "linear.einsum, of htp"]),
        ("com.example.Swish", ["registry_package.import_swish, of Mine"]),
    ],
)
def test_importers_of_onnx_ops(name: str, importers: list[str]) -> None:
    entry = registered(MINE, name)
    assert list(map(str, entry.importers)) == importers
    lines = [f"    {importer}" for importer in importers]
    assert entry.lines() == [name, "  ONNX op, imported by:", *lines]


def test_an_op_of_a_package_says_how_it_comes_from_models() -> None:
    assert registered(MINE, "Mine.Affine").lines()[-4:] == [
        "  graph op, converted by:",
        "    custom.convert_custom, from qti_aisw.Custom, of htp",
        "  ONNX op, imported by:",
        "    custom_node, by the param order, of htp",
    ]
    assert registered(MINE, "Mine.Swish").lines() == [
        "Mine.Swish",
        "  graph op, converted by:",
        "    registry_package.convert_swish, of Mine",
    ]


def test_graph_ops_and_onnx_ops_are_shown() -> None:
    status, out, err = htp.run(["show", "op", "onnx.Conv", "qti_aisw.Conv2d"], "no IR")
    assert (status, err) == (0, "")
    assert out.startswith(
        "onnx.Conv\n  ONNX op, imported by:\n    convolution.conv, of htp\nhtp.Conv2d("
    )
    status, _, err = htp.run(["show", "op", "onnx.Gem"], "no IR")
    assert (status, err.count("\n")) == (1, 2)
    assert "did you mean 'onnx.Gemm'?" in err
