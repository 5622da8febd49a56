"""Cases of a sweep: the axes that span them, their names in a journal, their way as text."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from htp_mlir.lowering import HtpError
from htp_mlir.lowering.packages import load_packages
from htp_mlir.lowering.sweep import Status, lowerings, rule_checks
from htp_mlir.lowering.sweep.cases import Outcome, case_of
from htp_mlir.lowering.sweep.run import outcome_of
from htp_mlir.lowering.tools import htp, htp_opt


def test_axes_are_multiplied() -> None:
    cases = lowerings(
        ["relu.mlir", "weighted.mlir"], socs=["sm8650", "SM8550"], options=["", "tiling=false"]
    )
    assert [(case.model, case.soc, case.options) for case in cases[:3]] == [
        ("relu.mlir", "SM8650", ""),
        ("relu.mlir", "SM8650", "tiling=false"),
        ("relu.mlir", "SM8550", ""),
    ]
    assert len(cases) == 8
    assert {case.tcm_bytes for case in cases} == {8 << 20}


def test_rules_are_multiplied_with_seeds() -> None:
    rules = list(load_packages().rules)[:2]
    checks = rule_checks(rules, seeds=range(3), cases=5)
    assert [(check.name, check.seed) for check in checks] == [
        (rule.name, seed) for rule in rules for seed in range(3)
    ]


def test_a_case_survives_text() -> None:
    rule = next(iter(load_packages().rules))
    cases = [*lowerings(["relu.mlir"], dims=["n=1"]), *rule_checks([rule])]
    assert [case_of(case.text()) for case in cases] == cases


def test_the_key_is_that_of_the_work(inside: Path) -> None:
    (case,) = lowerings(["relu.mlir"])
    assert replace(case, folder="elsewhere").key == case.key
    assert replace(case, tcm_bytes=4096).key != case.key
    text = (inside / "relu.mlir").read_text()
    (inside / "relu.mlir").write_text(text.replace("2x3", "4x3"))
    (changed,) = lowerings(["relu.mlir"])
    assert changed.key != case.key
    outcome = outcome_of(case)
    assert (outcome.status, outcome.problem) == (
        Status.FAULT,
        "relu.mlir: is not as it was when the sweep began",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"socs": ["SM1"]}, "soc 'SM1'"),
        ({"tcm_bytes": [0]}, "tcm-bytes is 0"),
        ({"options": ["tilling=false"]}, "unknown option 'tilling'"),
        ({"options": ["level=native"]}, "'level' is no option to vary"),
        ({"options": ["soc=SM8550"]}, "'soc' is no option to vary"),
        ({"options": ["tiling="]}, "htp-lower"),
    ],
)
def test_bad_axes_are_told_before_anything_runs(
    options: dict[str, list[str]], message: str
) -> None:
    with pytest.raises(HtpError, match=message):
        lowerings(["relu.mlir"], **options)


def test_a_model_that_is_missing_is_told() -> None:
    with pytest.raises(HtpError, match=r"none\.mlir: no such file"):
        lowerings(["none.mlir"])


def test_a_lowering_gives_the_figures_of_its_plan() -> None:
    (case,) = lowerings(["weighted.mlir"], tcm_bytes=[65536])
    outcome = outcome_of(case)
    assert outcome.status is Status.OK
    # The input, the weights and the output, once each.
    assert outcome.figures["least_moved_bytes"] == 3 * 4 * 4
    assert outcome.figures["moved_bytes"] >= outcome.figures["least_moved_bytes"]
    assert Outcome.read(outcome.text()) == outcome


def test_a_bad_model_gives_two_lines() -> None:
    (case,) = lowerings(["bad.mlir"])
    outcome = outcome_of(case)
    assert outcome.status is Status.FAULT
    assert outcome.problem.startswith("bad.mlir:3:8: Operation qti_aisw.Rleu is not registered")
    assert outcome.remedy == "did you mean 'qti_aisw.Relu'?"


def test_the_command_of_a_case_does_the_same() -> None:
    (case,) = lowerings(["weighted.mlir"], tcm_bytes=[65536], options=["tiling=false"])
    program, *words = shlex.split(case.command)
    assert program == "htp-opt"
    assert "htp.tcm_bytes = 65536" in htp_opt.run(words).out
    rule = next(rule for rule in load_packages().rules if rule.name == "BiasAdd")
    (check,) = rule_checks([rule], cases=2)
    assert "on 2 graphs" in htp.run(shlex.split(check.command)[1:]).out
