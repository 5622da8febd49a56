"""Which rules `htp-opt --lint-rules` and `--check-rules` look at, and what they pass over."""

from __future__ import annotations

from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp_package
from htp_mlir.lowering.tools.htp_opt import run

PACKAGE = """
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import EARLY, OK, Op, rule

PACKAGE = op_package("{name}", rules=[
    rule(EARLY, Op("q::Add", "A", "B"), OK, Op("q::Add", "B", "A"), name="{name} turns"),
    rule(EARLY, Op("q::Mul", "A", "B"), OK, Op("q::Mul", "B", "A"), name="ElementWiseAbs"),
])
"""


@pytest.fixture(name="two")
def _two(tmp_path: Path) -> list[str]:
    """Flags for two packages of two rules each."""
    for name in ("One", "Two"):
        (tmp_path / f"{name}.py").write_text(PACKAGE.format(name=name))
    return [flag for name in ("One", "Two") for flag in ("--package", str(tmp_path / f"{name}.py"))]


@pytest.mark.one_per
@pytest.mark.parametrize(
    ("flags", "summary"),
    [
        ([], "4 rules of One, Two are clean"),
        (["--package-rules", "Two"], "2 rules of Two are clean"),
        (
            ["--package-rules", "Two,One", "--rule", "ElementWiseAbs"],
            "2 rules of One, Two are clean",
        ),
        (["--rule", "One turns"], "1 rule of One, Two is clean"),
        (["--package-rules", "htp", "--rule", "ElementWiseAbs"], "1 rule of htp is clean"),
        (
            ["--package-rules", "One", "--package-rules", "htp", "--rule", "ElementWiseAbs"],
            "2 rules of htp, One are clean",
        ),
        (
            ["--package-rules", "all", "--rule", "ElementWiseAbs"],
            "3 rules of htp, One, Two are clean",
        ),
    ],
)
def test_packages_and_rules_are_chosen(two: list[str], flags: list[str], summary: str) -> None:
    status, out, err = run(["--lint-rules", *two, *flags])
    assert (status, out, err) == (0, f"{summary}\n", "")


def test_without_packages_the_projects_rules_are_meant() -> None:
    assert run(["--lint-rules", "--rule", "Relu"]).out == "3 rules of htp are clean\n"


@pytest.mark.parametrize(
    ("flags", "lines"),
    [
        (
            ["--package-rules", "Three"],
            [
                "--package-rules 'Three': no package in use has this name",
                "  there are htp, One, Two; --package loads others",
            ],
        ),
        (
            ["--rule", "Gelu"],
            [
                "--rule 'Gelu': no rule of One, Two is called that",
                "  package htp has one: add --package-rules htp",
            ],
        ),
        (
            ["--rule", "One turned"],
            [
                "--rule 'One turned': no rule of One, Two is called that",
                "  did you mean 'One turns'",
            ],
        ),
    ],
)
def test_what_is_not_there_is_told(two: list[str], flags: list[str], lines: list[str]) -> None:
    status, out, err = run(["--check-rules", *two, *flags])
    assert (status, out) == (1, "")
    assert all(a.startswith(b) for a, b in zip(err.splitlines(), lines, strict=True))


@pytest.mark.parametrize(
    ("flags", "remedy"),
    [
        (["--strict"], "  add --check-rules or --lint-rules, or leave it out"),
        (["--rule", "Relu"], "  add --check-rules or --lint-rules, or leave it out"),
        (["--package-rules", "all"], "  add --check-rules or --lint-rules, or leave it out"),
        (["--lint-rules", "--cases", "3"], "  add --check-rules, or leave it out"),
        (["--lint-rules", "--seed", "0"], "  add --check-rules, or leave it out"),
    ],
)
def test_a_flag_without_its_mode_is_refused(flags: list[str], remedy: str) -> None:
    status, _, err = run(flags)
    assert status == 1
    assert "says how rules are checked, and this run checks none" in err
    assert err.splitlines()[1] == remedy


@pytest.fixture(name="skeleton")
def _skeleton(tmp_path: Path) -> Path:
    """A package as `htp-package new --cpp` writes it."""
    htp_package.run(["new", "Mine", "--op", "Scale", "--cpp", "-o", str(tmp_path / "mine")])
    return tmp_path / "mine"


BOTH = ["--lint-rules", "--check-rules", "--cases", "3"]


def test_a_new_package_is_clean_and_sound(skeleton: Path) -> None:
    status, out, err = run(["--package", str(skeleton / "package.py"), *BOTH, "--strict"])
    assert (status, err) == (0, "")
    assert "1 rule of Mine is clean\n" in out
    assert out.endswith("1 rule of Mine is sound on 3 graphs\n")


def test_a_rule_without_bodies_is_passed_over(skeleton: Path) -> None:
    flags = ["--package", str(skeleton / "package.cpp"), "--check-rules"]
    status, out, _ = run(flags)
    assert status == 0
    why = 'Mine.Scale has no Python body: @bodies.body("Scale")'
    assert f"package.cpp:23): not checked: {why}\n" in out
    summary = f"passed over by --check-rules: 1\n  1 time: {why}\n"
    assert out.endswith(f"0 rules of Mine are sound on 0 graphs\n{summary}")
    status, again, err = run([*flags, "--strict"])
    assert (status, again) == (1, out)
    assert err.splitlines()[-2:] == [
        f"--strict, --check-rules: 1 of 1 rule of Mine not checked; for example {why}",
        "  see all reasons above, or leave --strict out",
    ]


def test_a_declaration_that_is_not_read_is_passed_over(skeleton: Path) -> None:
    source = skeleton / "package.cpp"
    source.write_text(source.read_text().replace("GT(DIM_DEPTH", "GTT(DIM_DEPTH"))
    flags = ["--package", str(skeleton / "package.py"), "--lint-rules"]
    status, out, err = run(flags)
    assert (status, err) == (0, "")
    assert "passed over by --lint-rules: 1\n  1 time: not read: " in out
    assert "no function GTT in the rule language" in out
    status, _, err = run([*flags, "--strict"])
    assert status == 1
    assert err.startswith("--strict, --lint-rules: 1 declaration of C++ text not read; for example")


@pytest.mark.slow
def test_a_rule_that_is_not_linted_in_full_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    of_nothing = 'Op("q::Concat", "A"), OK, "A"'
    swapped = 'Op("q::Mul", "A", "B"), OK, Op("q::Mul", "B", "A")'
    path.write_text(PACKAGE.format(name="One").replace(swapped, of_nothing))
    flags = ["--package", str(path), "--lint-rules", "--rule", "ElementWiseAbs"]
    status, out, err = run(flags)
    assert (status, err) == (0, "")
    assert "): not linted in full: no graph was found for it" in out
    status, out, err = run([*flags, "--strict"])
    assert "--strict, --lint-rules: 1 of 1 rule of One not linted in full; for example no" in err


@pytest.mark.slow
def test_faults_of_both_modes_are_told_together(skeleton: Path) -> None:
    source = skeleton / "package.cpp"
    match = 'Op("Scale", "act"),\n    GT'
    source.write_text(source.read_text().replace(match, match.replace("Scale", "Scael")))
    status, out, err = run(["--package", str(skeleton / "package.py"), *BOTH, "--strict"])
    assert status == 1
    assert "Scael (" in out
    assert 'did you mean "Scale"' in out
    assert "package.cpp:23): not checked: Mine.Scael has no kernel\n" in out
    first, *lines = err.splitlines()
    assert first.startswith("note: Scael (")
    assert lines[0] == "2 errors:"
    assert lines[1].startswith("  --lint-rules: 1 finding in 1 of 1 rule of Mine; fix")
    assert lines[2].startswith("  --strict, --check-rules: 1 of 1 rule of Mine not checked; for")
