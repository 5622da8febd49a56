"""The runner itself, on a few cases of the suites and on some that are made to go wrong."""

import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from .__main__ import run_all
from .case import Case
from .page import counts, page
from .reasons import Kind
from .run_case import Result, Verdict, run_case
from .suites import cases
from .workers import work_through

PASSING = {
    "test_sign_model": Kind.PASSES,
    "test_single_relu_model": Kind.PASSES,
    "test_expand_shape_model1": Kind.CONSTANTS,
    "test_operator_repeat": Kind.PASSES,
    "test_sequence_model1": Kind.PASSES,
}
FAILING = {
    "test_gradient_of_add": Kind.DESIGN,
}
SUITES = ("simple", "pytorch-operator")


@pytest.mark.slow
def test_a_sample_of_the_suites() -> None:
    wanted = PASSING | FAILING
    chosen = [case for case in cases(SUITES) if case.name in wanted]
    results = run_all(chosen)
    assert {r.name: r.graph.kind for r in results} == wanted
    lowered = {r.name: r.allocated.kind for r in results if r.allocated}
    assert lowered == dict.fromkeys(PASSING, Kind.PASSES)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["squeezenet", "shufflenet"])
def test_image_models_with_weights_drawn_anew(name: str) -> None:
    (result,) = run_all(cases(["light"], name))
    assert (result.graph.kind, result.allocated.kind) == (Kind.PASSES, Kind.PASSES)


def test_every_image_model_is_a_case() -> None:
    assert len(cases(["light"])) == 9


def node_case(op: str, expected: list[float], **tolerance: float) -> Case:
    numbers = np.array([-1.0, 2.0], np.float32)
    node = helper.make_node(op, ["x"], ["y"])
    x, y = (helper.make_tensor_value_info(name, 1, [2]) for name in "xy")
    model = helper.make_model(
        helper.make_graph([node], "g", [x], [y]), opset_imports=[helper.make_opsetid("", 21)]
    )
    data = [([numbers], [np.array(expected, np.float32)])]
    tolerances = {"rtol": 1e-3, "atol": 1e-7} | tolerance
    return Case("node", f"test_{op.lower()}", built=model, data=data, **tolerances)


@pytest.mark.parametrize(("rows", "problem"), [([[0, 0, 1]], ""), ([[0, 0, 0]], "wrong: ")])
def test_padded_rows_are_told_apart_and_compared(rows: list[list[int]], problem: str) -> None:
    """Of two boxes that overlap, the second has the better score."""
    node = helper.make_node("NonMaxSuppression", ["b", "s", "n", "i"], ["y"])
    feeds = [
        np.array([[[0, 0, 1, 1], [0, 0, 1, 1]]], np.float32),
        np.array([[[0.5, 0.75]]], np.float32),
        np.array([2], np.int64),
        np.array([0.5], np.float32),
    ]
    values = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for name, a in zip("bsni", feeds, strict=True)
    ]
    out = helper.make_tensor_value_info("y", TensorProto.INT64, [1, 3])
    model = helper.make_model(
        helper.make_graph([node], "g", values, [out]), opset_imports=[helper.make_opsetid("", 21)]
    )
    data = [(feeds, [np.array(rows, np.int64)])]
    result = run_case(Case("node", "test_nms", built=model, data=data, rtol=1e-3, atol=1e-7))
    assert result.graph.kind is (Kind.BUG if problem else Kind.PADDED)
    assert result.graph.reason.startswith(problem)


def test_kinds_of_ends() -> None:
    chosen = [
        node_case("Relu", [0, 2]),
        node_case("Neg", [1, 2]),
        node_case("MaxUnseen", [0, 0]),
        node_case("RandomNormalLike", [0, 0]),
    ]
    ends = [result.graph for result in run_all(chosen, allocated=False)]
    assert [end.kind for end in ends] == [Kind.PASSES, Kind.BUG, Kind.MISSING, Kind.DESIGN]
    assert "Mismatched elements: 1 / 2" in ends[1].reason
    assert ends[2].reason == "MaxUnseen"


def test_wrong_numbers_are_a_bug_of_an_op_that_is_left_by_design_too() -> None:
    case = node_case("RandomNormalLike", [0, 0])
    model = case.model()
    model.graph.node[0].attribute.append(helper.make_attribute("seed", 1.0))
    (end,) = run_all([replace(case, built=model)], allocated=False)
    assert (end.graph.kind, end.graph.reason[:7]) == (Kind.BUG, "wrong: ")


def test_the_tolerance_is_the_case_s_own() -> None:
    (near,) = run_all([node_case("Neg", [1, -2.1])], allocated=False)
    (wide,) = run_all([node_case("Neg", [1, -2.1], rtol=0.1)], allocated=False)
    assert (near.graph.kind, wide.graph.kind) == (Kind.BUG, Kind.PASSES)


def deadly(index: int) -> str:
    if index == 1:
        os._exit(3)
    if index == 2:
        time.sleep(60)
    return "done"


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_work_that_kills_its_process_or_hangs_costs_one_item(jobs: int) -> None:
    def lost(index: int, problem: str) -> str:
        return f"{index}: {problem}"

    ends = sorted(work_through(deadly, 5, jobs=jobs, seconds=1, lost=lost))
    assert ends == ["1: its process died, exit code 3", "2: it takes too long", *["done"] * 3]


RESULTS = [
    Result("node", "test_a", Verdict(Kind.PASSES), Verdict(Kind.PASSES)),
    Result("node", "test_b", Verdict(Kind.CONSTANTS), Verdict(Kind.REFUSED, "too large")),
    Result("node", "test_d", Verdict(Kind.PASSES), Verdict(Kind.LACKED, "HTP cannot hold f64")),
    Result("simple", "test_c", Verdict(Kind.MISSING, "Det")),
]


def test_counts_are_by_suite_and_level() -> None:
    lines = counts(RESULTS).splitlines()
    assert lines[2] == "| node | 3 | 3 | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 0 |"
    assert lines[4] == "| all | 4 | 3 | 2 | 1 | 0 | 0 | 0 | 1 | 0 | 0 |"
    assert lines[-1] == "| all | 3 | 1 | 1 | 1 | 0 | 50.0 |"


def test_the_share_is_of_what_htp_can_hold() -> None:
    double = node_case("Neg", [1, -2])
    model = double.model()
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = TensorProto.DOUBLE
    data = [tuple([array.astype(np.float64) for array in part] for part in double.data[0])]
    result = run_case(replace(double, built=model, data=data))
    assert result.allocated == Verdict(Kind.LACKED, "HTP cannot hold f64")
    assert counts([result]).splitlines()[-1] == "| node | 1 | 1 | 0 | 0 | 0 | - |"


def test_the_page_lists_every_failure_with_its_reason() -> None:
    text = page(RESULTS, "2026-01-01", "commit 1234567")
    assert "| 1 | Det | `c` |" in text
    assert "| 1 | too large | `b` |" in text
    assert "## Of types that HTP lacks, allocated level: 1" in text
    assert "`a`" not in text


def test_the_kept_page_counts_every_suite() -> None:
    kept = Path(__file__).parents[2] / "docs" / "benchmarks" / "conformance.md"
    text = kept.read_text(encoding="utf-8")
    assert text.startswith("# Conformance\n")
    assert all(f"\n| {suite} | " in text for suite in ("node", *SUITES, "pytorch-converted"))


def test_the_kept_page_says_which_share_of_what_htp_can_hold_runs() -> None:
    kept = Path(__file__).parents[2] / "docs" / "benchmarks" / "conformance.md"
    _, totals = (
        line for line in kept.read_text(encoding="utf-8").splitlines() if "| all |" in line
    )
    assert float(totals.split("|")[-2]) >= 97
