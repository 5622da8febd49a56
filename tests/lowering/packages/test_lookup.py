"""What is registered for an op."""

from __future__ import annotations

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import htp_opt
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.packages.lookup import registered

from .scale_package import PACKAGE, ScaledRelu
from .test_tools import FILE

PACKAGES = Packages().extended(PACKAGE)


def test_all_that_a_package_says_of_an_op_is_found() -> None:
    found = registered(PACKAGES, "ScalePkg.ScaledRelu")
    assert found.op is ScaledRelu
    assert [kernel.name for kernel in found.kernels] == [
        "reference",
        "flat.PlainFloatTensor",
        "flat.PlainFloatTensor_TCM",
    ]
    assert found.properties is PACKAGES.properties["ScalePkg.ScaledRelu"]
    assert found.param_order is PACKAGES.param_orders["ScalePkg.ScaledRelu"]
    assert found.matching == ()
    (rule,) = found.building
    assert rule.package == "ScalePkg"


def test_rules_of_other_packages_are_found_inside_matches_too() -> None:
    alone, more = (registered(held, "Relu").matching for held in (Packages(), PACKAGES))
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
    with pytest.raises(HtpError, match=r"no package in use has it\n  did you mean ScalePkg.Passed"):
        registered(PACKAGES, "ScalePkg.Pased")


def test_htp_opt_shows_ops_and_runs_nothing() -> None:
    status, out, err = htp_opt.run(["--package", FILE, "--show-op", "ScalePkg.Passed"], "no IR")
    assert (status, err) == (0, "")
    assert out.startswith("ScalePkg.Passed(in)\n")
    assert htp_opt.run(["--show-op", "ScalePkg.Passed"], "").status == 1
