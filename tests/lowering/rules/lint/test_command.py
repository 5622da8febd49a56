"""`htp-opt --lint-rules`."""

from __future__ import annotations

from pathlib import Path

from htp_mlir.lowering.tools.htp_opt import run

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
    status, out, err = run(["--lint-rules", "--rule", "Relu"])
    assert (status, err) == (0, "")
    assert out == "3 rules of htp are clean\n"


def test_findings(tmp_path: Path) -> None:
    package = tmp_path / "mine.py"
    package.write_text(PACKAGE)
    status, out, err = run(["--lint-rules", "--package", str(package), "--rule", "bad"])
    assert status == 1
    assert "mine.py:9): [unknown-op] no package has htp.Mull, and it cannot be built; " in out
    assert 'did you mean FROM_DEFAULT_PACKAGE("Mul")' in out
    assert "[shadowed] good (" in out
    assert "2 findings in 1 of 1 rule of Mine" in err
