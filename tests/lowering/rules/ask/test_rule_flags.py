"""The commands that look into rules, where the rules are a user's and where the run fails."""

import json
from pathlib import Path

import pytest
from htp_mlir.lowering.tools import htp

from tests.support.roundtrip import to_text

from ..kit import chain

PACKAGE = """
from htp_mlir.lowering.packages import op_package
from htp_mlir.lowering.rules import EARLY, OK, Op, rule

PACKAGE = op_package("Mine", rules=[
    rule(EARLY, Op("q::Neg", "X"), OK, Op("q::Abs", "X"), name="flip"),
    rule(EARLY, Op("q::Abs", "X"), {back}, Op("q::Neg", "X"), name="flop"),
])
"""


@pytest.fixture(name="arguments")
def _arguments(tmp_path: Path) -> list[str]:
    (tmp_path / "mine.py").write_text(PACKAGE.format(back="False"), encoding="utf-8")
    (tmp_path / "model.mlir").write_text(to_text(chain("Neg")), encoding="utf-8")
    return [str(tmp_path / "model.mlir"), "--package", str(tmp_path / "mine.py")]


@pytest.mark.slow
def test_rules_of_a_package_are_explained_and_counted(arguments: list[str]) -> None:
    flags = ["-p", "htp-rules", "--rule", "flip", "--rule", "mine.py:7"]
    done = htp.run(["rules", "explain", *arguments, *flags])
    assert (done.status, done.err) == (0, "")
    flip, value, flop, refused = done.out.splitlines()
    assert flip.startswith("flip (")
    assert value.endswith("model.mlir:4:5: htp.Neg: fires")
    assert flop.startswith("flop (")
    assert refused.endswith("model.mlir:4:5: htp.Abs: refused: false: it never holds")
    counts = htp.run(["rules", "stats", *arguments, "-p", "htp-rules"]).out.splitlines()
    assert any("mine.py:6) at" in line for line in counts)


@pytest.mark.parametrize("output", ["-", "out.mlir"])
def test_with_an_output_the_module_is_written_and_the_answer_goes_to_stderr(
    arguments: list[str], output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flags = ["-p", "htp-rules", "--rule", "flip"]
    alone = htp.run(["rules", "explain", *arguments, *flags])
    both = htp.run(["rules", "explain", *arguments, *flags, "-o", output])
    assert both.err == alone.out
    module = both.out if output == "-" else Path(output).read_text(encoding="utf-8")
    assert "htp.Abs" in module


def test_rules_are_looked_at_in_every_pass_of_the_run(arguments: list[str]) -> None:
    flags = ["rules", "explain", *arguments, "--rule", "flop", "-p"]
    assert "htp.Abs: refused" in htp.run([*flags, "htp-rules{first=LATE},htp-rules"]).out
    first = htp.run([*flags, "htp-rules{first=LATE},dce"])
    assert first.out.splitlines()[1:] == ["  its pass group did not run"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [(["explain", "--rule", "flip"], ":5: htp.Neg: fires"), (["stats"], "EARLY flop (")],
)
def test_the_answer_is_printed_where_the_run_fails(
    question: list[str], answer: str, arguments: list[str]
) -> None:
    Path(arguments[2]).write_text(PACKAGE.format(back="OK"), encoding="utf-8")
    done = htp.run(["rules", *question, *arguments, "-p", "htp-rules"])
    assert done.status == 1
    assert answer in done.out
    assert done.err.splitlines()[-2].startswith("pass group EARLY: does not end; ")


def test_answers_in_json(arguments: list[str]) -> None:
    flags = [*arguments, "--format=json", "-p"]
    explain = ["rules", "explain", "--rule", "flip", *flags]
    explained = json.loads(htp.run([*explain, "htp-rules"]).out)
    counted = json.loads(htp.run(["rules", "stats", *flags, "htp-rules"]).out)
    assert [row["outcome"] for row in explained] == ["fires"]
    assert {"flip": 1, "flop": 0}.items() <= {
        row["rule"]: row["firings"] for row in counted
    }.items()
    assert htp.run([*explain, "dce"]).out == "[]\n"
    assert htp.run(["rules", "stats", *flags, "dce"]).out == "[]\n"


def test_a_question_names_a_rule_or_an_op(arguments: list[str]) -> None:
    assert htp.run(["rules", "explain", *arguments]).err.splitlines() == [
        "htp rules explain: neither a rule nor an op is named",
        "  give --rule RULE[@OP] or --op OP",
    ]
