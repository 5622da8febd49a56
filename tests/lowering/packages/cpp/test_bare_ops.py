"""Ops that only rules of a C++ package name, with bodies: they run, and their rules are checked."""

from pathlib import Path

import numpy as np
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import (
    Bodies,
    OpPackage,
    Packages,
    from_cpp,
)
from htp_mlir.lowering.rules.soundness import check_rule
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.tensors.tensors import Tensor

from ..def_package.kit import load

CPP = """
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Add"), "X", "Y"), IS_FLOAT32("X"),
                         Op("Sum", "X", "Y"))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Sum", "X", "Y"), OK, Op("Sum", "Y", "X"))
DEF_TENSOR_PROPERTIES(Op("Sum", "a", "b"), Flat("..."))
"""
GRAPH = """
func.func @main(%x: tensor<1x2x2x4xf32> {htp.name = "x"})
    -> (tensor<1x2x2x4xf32> {htp.name = "y"}) {
  %0 = qti_aisw.ElementWiseAdd(%x, %x)
    : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  func.return %0 : tensor<1x2x2x4xf32>
}
"""
BODIES = Bodies()


@BODIES.body("Sum")
def total(out: Tensor, first: Tensor, second: Tensor) -> None:
    out.store(first.load() + second.load())


def package(folder: Path, bodies: Bodies | None) -> OpPackage:
    read, summary = load(folder, CPP)
    assert summary.skipped == ()
    return from_cpp(read, bodies)


def test_a_body_without_a_registered_kernel_runs(tmp_path: Path) -> None:
    packages = Packages().extended(package(tmp_path, BODIES))
    lowered = lower(parse_module(GRAPH), packages=packages)
    assert [op.name for op in lowered.walk()].count("Pkg.Sum") == 1
    x = np.random.default_rng(0).standard_normal((1, 2, 2, 4)).astype(np.float32)
    result = Session(lowered, check=True, library=packages.library).run({"x": x})["y"]
    np.testing.assert_array_equal(result, 2 * x)


def test_its_rules_are_checked_with_as_many_operands_as_they_match(tmp_path: Path) -> None:
    packages = Packages().extended(package(tmp_path, BODIES))
    for rule in packages.members[-1].rules:
        report = check_rule(rule, cases=60, rule_set=packages.rules, library=packages.library)
        assert report.passed
        assert not any("positional arguments" in reason for reason, _ in report.refused)


def test_without_a_body_the_op_is_named(tmp_path: Path) -> None:
    packages = Packages().extended(package(tmp_path, None))
    rule, *_ = packages.members[-1].rules
    report = check_rule(rule, rule_set=packages.rules, library=packages.library)
    assert report.passed_over == "Pkg.Sum has no kernel"
