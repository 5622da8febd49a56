"""Which rules raise when a package brings native rules of its own."""

from htp_mlir.lowering.packages import Packages, load_packages
from htp_mlir.lowering.passes.graph.raise_ops import beginnings, left_to_packages

from ...support.paths import ATTENTION


def test_without_packages_all_rules_raise() -> None:
    packages = Packages()
    assert left_to_packages(packages) is packages.rules


def test_what_a_package_takes_over_is_left_to_it_and_nothing_else() -> None:
    packages = load_packages(ATTENTION / "package.py")
    kept = left_to_packages(packages)
    left = [rule for rule in packages.rules if rule not in kept.rules]
    assert {rule.name.partition(",")[0] for rule in left} == {"attention"}
    assert {rule.name for rule in kept} > {"gelu", "core of LayerNorm", "softmax"}


def test_a_beginning_is_the_root_and_the_ops_behind_it_in_their_core_form() -> None:
    (gelu, *_) = (rule for rule in Packages().rules if rule.name == "gelu")
    assert beginnings(gelu) == {("htp.Mul", "htp.Mul"), ("htp.Mul", "htp.Add")}
