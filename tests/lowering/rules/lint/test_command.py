"""`htp rules lint`."""

from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp

PACKAGE = """
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import EARLY, OK, Op, rule

PACKAGE = op_package(
    "Mine",
    rules=[
        rule(EARLY, Op("q::Add", "A", "B"), OK, Op("q::Sub", "A", "B"), name="good"),
        rule(EARLY, Op("q::Add", "A", "A"), OK, Op("q::Mull", "A", "A"), name="bad"),
    ],
)
"""


def test_clean_rules() -> None:
    status, out, err = htp.run(["rules", "lint", "--rule", "gelu"])
    assert (status, err) == (0, "")
    assert out == "2 rules of htp are clean\n"


def test_findings(tmp_path: Path) -> None:
    package = tmp_path / "mine.py"
    package.write_text(PACKAGE)
    status, out, err = htp.run(["rules", "lint", "--package", str(package), "--rule", "bad"])
    assert status == 1
    assert "mine.py:9): [unknown-op] no package has htp.Mull, and it cannot be built; " in out
    assert 'did you mean FROM_DEFAULT_PACKAGE("Mul")' in out
    assert "[shadowed] good (" in out
    assert "2 findings in 1 of 1 rule of Mine" in err


GROUPS = """
#define THIS_PKG_NAME Groups
DEF_PACKAGE_OP(f<Tensor>, "Half")
DEF_PACKAGE_OPTIMIZATION(CLEANUP_GRAPH + 2, Op("Half", "A", "B"), IS_QUINT8("A"), Op("Half", "A"))
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Half", "A", "B"), IS_QUINT8("A"), Op("Half", "A"))
DEF_PACKAGE_OPTIMIZATION(LATE + 900, Op("Half", "A"), IS_QUINT8("A"), "A")
"""


@pytest.mark.one_per
@pytest.mark.parametrize(
    ("flags", "linted", "findings"),
    [
        ([], 3, 2),
        (["--group", "CLEANUP_GRAPH+2"], 1, 1),
        (["--group", "LATE:LATE+900"], 2, 1),
        (["--group", "4900"], 1, 0),
        (["--group", "LATE", "--group", "LATE+900"], 2, 1),
        (["--group", "LATE", "--rule", "groups.cpp:5"], 1, 1),
    ],
)
def test_rules_of_a_pass_group(
    flags: list[str], linted: int, findings: int, tmp_path: Path
) -> None:
    package = tmp_path / "groups.cpp"
    package.write_text(GROUPS)
    status, out, err = htp.run(["rules", "lint", "--package", str(package), *flags])
    rules = f"{linted} rule{'s' * (linted > 1)} of Groups"
    assert status == bool(findings)
    assert out.count("[unused-tag]") == findings
    told = f"in {findings} of {rules}" in err if findings else f"{rules} is clean" in out
    assert told
    assert ("--rule or --group looks at some alone" in err) is (linted > 1)


@pytest.mark.parametrize(
    ("flags", "lines"),
    [
        (
            ["--group", "EARLY"],
            [
                "--group 'EARLY': none of these rules of Groups is in it",
                "  there are CLEANUP_GRAPH+2, LATE, LATE+900",
            ],
        ),
        (["--group", "SOON"], ["priority 'SOON': no name 'SOON'"]),
    ],
)
def test_a_group_without_rules_is_refused(
    flags: list[str], lines: list[str], tmp_path: Path
) -> None:
    package = tmp_path / "groups.cpp"
    package.write_text(GROUPS)
    status, out, err = htp.run(["rules", "check", "--package", str(package), *flags])
    assert (status, out) == (1, "")
    assert err.splitlines()[: len(lines)] == lines
