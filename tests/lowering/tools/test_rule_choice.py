"""Which rules `htp rules lint` and `htp rules check` look at, and what they pass over."""

from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp

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
    status, out, err = htp.run(["rules", "lint", *two, *flags])
    assert (status, out, err) == (0, f"{summary}\n", "")


def test_without_packages_the_projects_rules_are_meant() -> None:
    assert htp.run(["rules", "lint", "--rule", "Relu"]).out == "1 rule of htp is clean\n"


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
    status, out, err = htp.run(["rules", "check", *two, *flags])
    assert (status, out) == (1, "")
    assert all(a.startswith(b) for a, b in zip(err.splitlines(), lines, strict=True))


@pytest.mark.parametrize("flag", ["--cases", "--seed"])
def test_lint_takes_no_flag_of_checks(flag: str) -> None:
    status, _, err = htp.run(["rules", "lint", flag, "3"])
    assert (status, err.count("\n")) == (1, 2)
    assert f"htp rules lint: unrecognized arguments: {flag} 3" in err


@pytest.fixture(name="skeleton")
def _skeleton(tmp_path: Path) -> Path:
    """A package as `htp package new --cpp` writes it."""
    htp.run(["package", "new", "Mine", "--op", "Scale", "--cpp", "-o", str(tmp_path / "mine")])
    return tmp_path / "mine"


def test_a_new_package_is_clean_and_sound(skeleton: Path) -> None:
    flags = ["--package", str(skeleton / "package.py"), "--strict"]
    status, out, err = htp.run(["rules", "lint", *flags])
    assert (status, out, err) == (0, "1 rule of Mine is clean\n", "")
    status, out, err = htp.run(["rules", "check", *flags, "--cases", "3"])
    assert (status, err) == (0, "")
    assert out.endswith("1 rule of Mine is sound on 3 graphs\n")


def test_a_rule_without_bodies_is_passed_over(skeleton: Path) -> None:
    flags = ["rules", "check", "--package", str(skeleton / "package.cpp")]
    status, out, _ = htp.run(flags)
    assert status == 0
    why = 'Mine.Scale has no Python body: --build, or @bodies.body("Scale")'
    assert f"package.cpp:33): not checked: {why}\n" in out
    summary = f"passed over by htp rules check: 1\n  1 time: {why}\n"
    assert out.endswith(f"Mine has no rule that was checked\n{summary}")
    status, again, err = htp.run([*flags, "--strict"])
    assert (status, again) == (1, out)
    assert err.splitlines()[-2:] == [
        f"htp rules check --strict: 1 of 1 rule of Mine not checked; for example {why}",
        "  see all reasons above, or leave --strict out",
    ]


def test_a_declaration_that_is_not_read_is_passed_over(skeleton: Path) -> None:
    source = skeleton / "package.cpp"
    source.write_text(source.read_text().replace("GT(DIM_DEPTH", "GTT(DIM_DEPTH"))
    flags = ["rules", "lint", "--package", str(skeleton / "package.py")]
    status, out, err = htp.run(flags)
    assert (status, err) == (0, "")
    assert "passed over by htp rules lint: 1\n  1 time: not read: " in out
    assert "no function GTT in the rule language" in out
    status, _, err = htp.run([*flags, "--strict"])
    assert status == 1
    assert err.startswith(
        "htp rules lint --strict: 1 declaration of C++ text not read; for example"
    )


@pytest.mark.slow
def test_a_rule_that_is_not_linted_in_full_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    of_nothing = 'Op("q::Concat", "A"), OK, "A"'
    swapped = 'Op("q::Mul", "A", "B"), OK, Op("q::Mul", "B", "A")'
    path.write_text(PACKAGE.format(name="One").replace(swapped, of_nothing))
    flags = ["rules", "lint", "--package", str(path), "--rule", "ElementWiseAbs"]
    status, out, err = htp.run(flags)
    assert (status, err) == (0, "")
    assert "): not linted in full: no graph was found for it" in out
    status, out, err = htp.run([*flags, "--strict"])
    assert "htp rules lint --strict: 1 of 1 rule of One not linted in full; for example no" in err


@pytest.mark.slow
def test_a_finding_and_what_was_passed_over_are_told_together(skeleton: Path) -> None:
    source = skeleton / "package.cpp"
    match = 'Op("Scale", "act"),\n    GT'
    text = source.read_text().replace(match, match.replace("Scale", "Scael"))
    source.write_text(text + '\nDEF_PACKAGE_OPTIMIZATION(LATE, Op("A"), GTT(1, 2), Op("A"))\n')
    flags = ["--package", str(skeleton / "package.py"), "--strict"]
    status, out, err = htp.run(["rules", "lint", *flags])
    assert status == 1
    assert "Scael (" in out
    assert 'did you mean "Scale"' in out
    *_, count, finding, unread = err.splitlines()
    assert count == "2 errors:"
    assert finding.startswith("  htp rules lint: 1 finding in 1 of 1 rule of Mine; fix")
    assert unread.startswith("  htp rules lint --strict: 1 declaration of C++ text not read")
    out = htp.run(["rules", "check", *flags]).out
    assert "package.cpp:33): not checked: Mine.Scael has no kernel\n" in out
