"""What says nothing against a rule: ops that do not run, and rounding that the rule asks for."""

from pathlib import Path

import pytest
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.rules import (
    EARLY,
    IS_FLOAT32,
    MAKE_OP_FP16_AND_INSERT_CAST,
    OK,
    OPTION_BOOL,
    WITH_SIZE,
    Op,
    gen_Shape,
    rule,
)
from htp_mlir.lowering.rules.soundness import Report, check_rule
from htp_mlir.lowering.rules.tree.expr import Expr
from htp_mlir.runtime.tensors.tensors import Tensor

CPP = """
GraphStatus twice({class_} &out, const {class_} &in);
DEF_PACKAGE_OP(twice, "Twice")
DEF_PACKAGE_OPTIMIZATION(EARLY, Op(FROM_DEFAULT_PACKAGE("Add"), "X", "X"), IS_FLOAT32("X"),
                         Op("Twice", "X"))
"""
BODIES = Bodies()


@BODIES.body("Twice")
def twice(out: Tensor, act: Tensor) -> None:
    out.store(2 * act.load())


def checked(folder: Path, class_: str) -> Report:
    path = folder / "package.cpp"
    path.write_text(CPP.format(class_=class_))
    read, _ = load_cpp(path, name="Pkg")
    packages = Packages().extended(from_cpp(read, BODIES))
    (own,) = packages.members[-1].rules
    return check_rule(own, cases=5, rule_set=packages.rules, library=packages.library)


@pytest.mark.slow
def test_a_kernel_that_takes_no_tensor_of_the_graph_is_named(tmp_path: Path) -> None:
    report = checked(tmp_path, "QUint8CroutonTensor_TCM")
    assert (report.cases, report.counterexample) == (0, None)
    (reason, times), *_ = report.refused
    assert reason.startswith("what the rule makes does not run: ")
    assert "Pkg.Twice" in reason
    assert times > 5
    assert "not checked" in str(report)


def test_one_that_does_is_run(tmp_path: Path) -> None:
    assert checked(tmp_path, "PlainFloatTensor").passed


HALF = MAKE_OP_FP16_AND_INSERT_CAST("*")
RELAXED = "relaxed_precision_flag"


def test_a_rule_of_relaxed_precision_is_compared_at_that_precision() -> None:
    match = Op("Tanh", "X")
    assert check_rule(rule(EARLY, match, IS_FLOAT32("*"), HALF, flags=[RELAXED]), cases=10).passed
    strict = check_rule(rule(EARLY, match, IS_FLOAT32("*"), HALF), cases=10)
    assert strict.counterexample is not None
    assert "elements" in strict.counterexample.reason


@pytest.mark.parametrize(
    "wrong", [Op("Sub", "X", "Y"), Op("Add", "X", WITH_SIZE(gen_Shape(1, 1, 1, 1), Op("Neg", "Y")))]
)
def test_relaxed_precision_excuses_no_other_number(wrong: Expr) -> None:
    member = rule(EARLY, Op("Add", "X", "Y"), OPTION_BOOL(RELAXED), wrong, flags=[RELAXED])
    assert check_rule(member, cases=10).counterexample is not None


def test_quantised_roots_are_left_by_the_helper_of_half_precision() -> None:
    report = check_rule(rule(EARLY, Op("Relu", "X"), OK, HALF, flags=[RELAXED]), cases=10)
    assert report.passed
    assert dict(report.refused)["the rule leaves the graph as it is"] > 0


@pytest.mark.parametrize(
    ("cases", "attempts", "weak"),
    [(2, 600, True), (5, 5, False), (50, 3000, False), (2, 30, False)],
)
def test_few_cases_of_many_graphs_are_marked(cases: int, attempts: int, weak: bool) -> None:
    own = rule(EARLY, Op("Relu", "X"), OK, Op("Relu", "X"))
    report = Report(own, cases, attempts, [("the constraint does not hold", 500)])
    assert report.is_weak is weak
    marked = str(report).endswith(
        "sound, but few graphs were cases: most often the constraint does not hold"
    )
    assert marked is weak
