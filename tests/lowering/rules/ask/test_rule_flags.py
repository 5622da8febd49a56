"""The flags that look into rules, where the rules are a user's and where the run fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from htp_mlir.lowering.tools.flags.rule_flags import with_formats
from htp_mlir.lowering.tools.htp_opt import run

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
    flags = ["--explain", "flip", "--explain", "mine.py:7", "--rule-stats"]
    done = run([*arguments, "-p", "htp-rules", *flags])
    assert done.status == 0, done.err
    flip, value, flop, refused, _, *counts = done.err.splitlines()
    assert flip.startswith("flip (")
    assert value.endswith("model.mlir:4:5: htp.Neg: fires")
    assert flop.startswith("flop (")
    assert refused.endswith("model.mlir:4:5: htp.Abs: refused: false: it never holds")
    assert any("mine.py:6) at" in line for line in counts)


def test_flags_count_for_every_pass_of_the_run(arguments: list[str]) -> None:
    both = run([*arguments, "-p", "htp-rules{first=LATE},htp-rules", "--explain", "flop"])
    assert "htp.Abs: refused" in both.err
    first = run([*arguments, "-p", "htp-rules{first=LATE},dce", "--explain", "flop"])
    assert first.err.splitlines()[1:] == ["  its pass group did not run"]


def test_what_was_asked_is_printed_where_the_run_fails(arguments: list[str]) -> None:
    Path(arguments[2]).write_text(PACKAGE.format(back="OK"), encoding="utf-8")
    done = run([*arguments, "-p", "htp-rules", "--rule-stats", "--explain", "flip"])
    assert done.status == 1
    assert done.out == ""
    assert ":5: htp.Neg: fires" in done.err
    assert "EARLY flop (" in done.err
    assert done.err.splitlines()[-2].startswith("pass group EARLY: does not end; ")


def test_json_of_both(arguments: list[str]) -> None:
    flags = ["--explain=flip", "--explain-format=json", "--rule-stats=json"]
    done = run([*arguments, "-p", "htp-rules", *flags])
    explained, counted = (json.loads(f"[{part}") for part in done.err.split("[\n", 2)[1:])
    assert [row["outcome"] for row in explained] == ["fires"]
    assert {"flip": 1, "flop": 0}.items() <= {
        row["rule"]: row["firings"] for row in counted
    }.items()


def test_json_of_nothing(arguments: list[str]) -> None:
    done = run(
        [*arguments, "-p", "dce", "--explain=flip", "--explain-format=json", "--rule-stats=json"]
    )
    assert done.err == "[]\n[]\n"


def test_bare_flag_does_not_take_what_follows() -> None:
    assert with_formats(["--rule-stats", "x.mlir"]) == ["--rule-stats=text", "x.mlir"]
    assert with_formats(["--rule-stats=json", "x.mlir"]) == ["--rule-stats=json", "x.mlir"]
