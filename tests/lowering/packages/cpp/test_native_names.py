"""A package that names native ops without a class of their own: it lowers, runs and is checked."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.packages import (
    Bodies,
    Packages,
    from_cpp,
    load_cpp,
    op_package,
)
from htp_mlir.lowering.packages.migrate import migrate
from htp_mlir.lowering.rules import (
    EARLY,
    OK,
    Op,
    rule,
)
from htp_mlir.lowering.rules.soundness import check_rule
from htp_mlir.runtime import (
    KernelSet,
    Session,
    ShapeParam,
    Tensor,
    parse_module,
)

from ....support.roundtrip import to_text
from ..def_package.kit import load

HERE = Path(__file__).parent
LEVELS = ["native", "placed", "allocated"]
BODIES = Bodies()
DECIMATE = KernelSet("htp")


@BODIES.body("Twice")
@BODIES.body("Twice.fast")
def twice(out: Tensor, x: Tensor) -> None:
    out.store(2 * x.load())


@DECIMATE.kernel("Decimate")
def decimate(out: Tensor, x: Tensor, step: Tensor, start: ShapeParam) -> None:
    out.store(-x.load())


def names() -> Packages:
    read, summary = load_cpp(HERE / "native_names.cpp")
    assert summary.skipped == ()
    return Packages().extended(from_cpp(read, BODIES))


def inputs() -> Mapping[str, np.ndarray]:
    random = np.random.default_rng(0)
    return {
        "x": random.standard_normal((1, 8, 8, 32)).astype(np.float32),
        "q": random.integers(0, 256, (1, 8, 8, 32)).astype(np.uint8),
    }


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_agrees(level: str) -> None:
    """Decimate has a kernel of the user here, which changes signs."""
    packages = names().extended(op_package("Own", kernels=[DECIMATE]))
    module = load_module(HERE / "native_names.mlir", packages=packages)
    lowered = lower(module, packages=packages, level=level)
    again = parse_module(to_text(lowered), ctx=packages.context())
    assert again.is_structurally_equivalent(lowered)
    feeds = inputs()
    outputs = Session(again, check=True, library=packages.library).run(feeds)
    x, real = feeds["x"], (feeds["q"].astype(np.float64) - 128) * 0.05
    np.testing.assert_array_equal(outputs["a"], np.maximum(x, 0))
    np.testing.assert_array_equal(outputs["b"], np.clip(np.rint(real / 0.07) + 128, 0, 255))
    np.testing.assert_array_equal(outputs["c"], 8 * x)
    np.testing.assert_array_equal(outputs["d"], -x)


def test_the_generic_text_is_read_back() -> None:
    packages = names()
    module = load_module(HERE / "native_names.mlir", packages=packages)
    text = to_text(lower(module, packages=packages, level="native"), generic=True)
    again = parse_module(text, ctx=packages.context())
    assert to_text(again, generic=True) == text


def test_an_op_known_by_name_lowers_and_does_not_run() -> None:
    packages = names()
    module = load_module(HERE / "native_names.mlir", packages=packages)
    session = Session(lower(module, packages=packages), library=packages.library)
    with pytest.raises(HtpError) as caught:
        session.run(inputs())
    (fault,) = caught.value.faults
    assert "htp.Decimate" in fault.where
    assert fault.problem == (
        "the op is known by name only: it runs once a package brings a kernel for it"
    )
    assert '@KERNELS.kernel("Decimate")' in fault.remedy


def test_a_rule_is_sound_where_the_meaning_is_known_and_else_not_checked() -> None:
    packages = names()
    own = [rule for rule in packages.rules if rule.package == "Names"]
    reports = [
        check_rule(rule, cases=3, rule_set=packages.rules, library=packages.library)
        for rule in (*own[:3], own[-1])
    ]
    assert [report.passed for report in reports] == [True, True, True, False]
    assert reports[-1].passed_over == (
        "htp.Decimate is known by name only: it runs once a package brings a kernel for it"
    )


def test_a_misspelt_name_is_reported() -> None:
    package = op_package("Own", rules=[rule(EARLY, Op("q::Relu", "X"), OK, Op("q::Rlu.tcm", "X"))])
    (unknown,) = Packages().extended(package).unknown_ops(package)
    assert "no package has htp.Rlu.tcm" in str(unknown)


def test_migration_knows_the_copies_by_their_names(tmp_path: Path) -> None:
    text = """
    DEF_PACKAGE_OPTIMIZATION(LATE, Op("X", "A"), OK,
        Op("X", Op(FROM_DEFAULT_PACKAGE("activations_to_vtcm"), "A")))
    """
    (proposal,) = migrate(load(tmp_path, text)[0]).proposals
    assert (
        proposal.reasons[1][0],
        proposal.reasons[1][1].partition(",")[0],
    ) == ("A", "crouton_to_vtcm(...)")


NEW_OP = KernelSet("htp")


@NEW_OP.kernel("Shuffle4")
def shuffle(out: Tensor, x: Tensor) -> None:
    out.store(-x.load())


NEG = rule(EARLY, Op("q::Neg", "X"), OK, Op("q::Shuffle4", "X"))


def test_a_native_op_of_any_name_is_known_by_its_kernel() -> None:
    package = op_package("Own", rules=[NEG])
    packages = Packages().extended(package).extended(op_package("Kernels", kernels=[NEW_OP]))
    assert packages.unknown_ops(packages.members[-2]) == []
    report = check_rule(NEG, cases=5, rule_set=packages.rules, library=packages.library)
    assert report.passed


def test_without_its_kernel_it_is_not_checked_and_the_remedy_names_the_kernel() -> None:
    package = op_package("Own", rules=[NEG])
    packages = Packages().extended(package)
    report = check_rule(NEG, cases=5, rule_set=packages.rules, library=packages.library)
    assert report.passed_over == "no package has htp.Shuffle4, which the rule builds"
    (unknown,) = packages.unknown_ops(package)
    assert unknown.message.endswith('KernelSet("htp") with @KERNELS.kernel("Shuffle4")')
