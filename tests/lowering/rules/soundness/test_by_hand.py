"""Rules that place by hand: copies are the tensors themselves, kernels get what they want."""

from pathlib import Path

import pytest
from htp_mlir.lowering.packages import Bodies, Packages, from_cpp
from htp_mlir.lowering.packages.def_package import load_cpp
from htp_mlir.lowering.rules.soundness import Report, check_rule
from htp_mlir.runtime import Tensor

CPP = """
#define Q(NAME) FROM_DEFAULT_PACKAGE(NAME)
#define IN_TCM(X) \\
    WITH_SAME_OUTPUT(X, Op(Q("crouton_to_vtcm"), \\
        WITH_SAME_OUTPUT(X, Op(Q("ForceFormat_Crouton"), X))))
template <typename T> GraphStatus f(T &out, const T &in, const T &other);
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f<{class_}>, "Own", SNAIL)
DEF_PACKAGE_OPTIMIZATION({rule})
"""
PLACED = """EARLY, Op(Q("Sub"), "X", "Y"),
    AND(SAME_SHAPE("X", "Y"), {type}("*"), {type}("X"), {type}("Y")),
    Op(Q("crouton_from_vtcm"), Op("Own", IN_TCM("X"), IN_TCM("{other}")))"""
CANCELLED = """EARLY, Op("Own", Op(Q("crouton_to_vtcm"), Op(Q("crouton_from_vtcm"), "X")), "Y"), OK,
    Op("Own", "{first}", "Y")"""


def checked(folder: Path, rule: str, class_: str) -> Report:
    bodies = Bodies()

    @bodies.body("Own")
    def own(out: Tensor, act: Tensor, other: Tensor) -> None:
        if type(out).__name__ != class_:
            raise TypeError(f"it is {type(out).__name__}")
        if out.shape == (1, 1, 1, 1):
            raise ValueError("too small")
        out.store(act.load() - other.load())

    path = folder / "package.cpp"
    path.write_text(CPP.replace("{class_}", class_).replace("{rule}", rule))
    read, summary = load_cpp(path, name="Pkg")
    assert summary.skipped == ()
    packages = Packages().extended(from_cpp(read, bodies))
    (only,) = packages.members[-1].rules
    return check_rule(only, cases=3, rule_set=packages.rules, library=packages.library)


CLASSES = [
    ("FloatCroutonTensor_TCM", "IS_FLOAT32"),
    ("QUint8CroutonTensor_TCM", "IS_QUINT8"),
    ("F16CroutonTensor", "IS_FLOAT16"),
]


@pytest.mark.parametrize(("class_", "type_"), CLASSES)
def test_copies_in_the_replacement(class_: str, type_: str, tmp_path: Path) -> None:
    rule = PLACED.replace("{type}", type_)
    assert checked(tmp_path, rule.replace("{other}", "Y"), class_).passed
    report = checked(tmp_path, rule.replace("{other}", "X"), class_)
    assert report.counterexample is not None
    assert "elements" in report.counterexample.reason


@pytest.mark.slow
def test_copies_in_the_match(tmp_path: Path) -> None:
    class_, _ = CLASSES[0]
    assert checked(tmp_path, CANCELLED.replace("{first}", "X"), class_).passed
    assert checked(tmp_path, CANCELLED.replace("{first}", "Y"), class_).counterexample is not None


@pytest.mark.slow
def test_a_body_that_raises_after_the_rule_is_a_reason_and_no_fault(tmp_path: Path) -> None:
    rule = PLACED.replace("{type}", "IS_FLOAT32").replace("{other}", "Y")
    small = rule.replace("AND(", 'AND(EQ(DIM_HEIGHT("*"), 1), EQ(DIM_WIDTH("*"), 1), ').replace(
        "AND(", 'AND(EQ(DIM_BATCHES("*"), 1), EQ(DIM_DEPTH("*"), 1), '
    )
    report = checked(tmp_path, small, "FloatCroutonTensor_TCM")
    assert (report.cases, report.counterexample) == (0, None)
    (reason, _), *_ = report.refused
    assert reason.startswith("what the rule makes does not run: Pkg.Own")
    assert "ValueError: too small" in reason
    assert "not checked" in str(report)
