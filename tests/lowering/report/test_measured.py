"""A plan beside what a device counted: totals, nodes by difference, the reasons of both sides."""

import json
from pathlib import Path
from typing import Any

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import load_packages
from htp_mlir.lowering.report.measured import Counters, beside_device, read_measured
from htp_mlir.lowering.report.measured.target import as_text
from htp_mlir.lowering.tools.htp import main as htp
from htp_mlir.runtime.tools.loading import parse_module

MODEL = """func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %y = qti_aisw.Relu(%x) {htp.name = "/layer.0/act"}
      : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %z = qti_aisw.Softmax(%y) {htp.name = "soft"} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %z : tensor<1x8x8x32xf32>
}
"""
OVERALL = {
    **{"total_dram_read": 10240, "total_dram_write": 8192, "peak_vtcm_alloc": 65536},
    **{"total_vtcm_read": 30000, "total_vtcm_write": 20000, "htp_nodes": 9},
    **{"timeline_cycles": 5000, "time_us": 3},
}


def node(name: str, read: int, written: int, instances: int) -> dict[str, Any]:
    counts = {"dram_read": read, "dram_write": written, "num_htp_ops": instances, "cycles": 7}
    return {"qnn_op": name, **counts}


def content(**tables: Any) -> dict[str, Any]:
    data: dict[str, Any] = {
        "htp_overall_summary": [OVERALL],
        "qnn_op_instances_nodes": [
            node("_layer_0_act:OpId_21", 8192, 0, 5),
            node("soft", 2048, 8192, 3),
            node("Input", 0, 0, 1),
        ],
        "htp_op_types": [
            {"op": "q::Relu", "instances": 4, "cycles": 9},
            {"op": "q::QInputSlicePad", "instances": 1, "dram_read": 8192},
            {"op": "q::Relu@Spill", "instances": 1, "dram_write": 2048},
            {"op": "q::TcmToDram", "instances": 2, "dram_write": 6144},
        ],
        "htp_op_instances": [
            {"htp_op": "q::Relu", "qnn_op": "_layer_0_act"},
            {"htp_op": "q::Relu", "qnn_op": "_layer_0_act"},
            {"htp_op": "q::QInputSlicePad", "qnn_op": "_layer_0_act"},
        ],
        **tables,
    }
    rows = {name: {"data": each} for name, each in data.items()}
    return {"version": "1.0", "type_code": "QHAS", "model_id": "net", "data": rows}


def saved(folder: Path, **tables: Any) -> str:
    path = folder / "summary.json"
    path.write_text(json.dumps(content(**tables)))
    return str(path)


def test_figures_of_the_run_and_of_kinds(tmp_path: Path) -> None:
    run = read_measured(saved(tmp_path))
    assert run.all == Counters(10240, 8192, 30000, 20000, 9, 5000)
    assert (run.model, run.peak, run.microseconds) == ("net", 65536, 3)
    assert run.kinds["spills"] == Counters(written=8192, instances=3)
    assert run.kinds["input slices"] == Counters(read=8192, instances=1)
    assert run.reasons["_layer_0_act"] == {"computing": 2, "input slices": 1}


def test_nodes_are_joined_by_name_and_the_largest_difference_comes_first(tmp_path: Path) -> None:
    run, packages = read_measured(saved(tmp_path)), load_packages()
    beside = beside_device(lower(parse_module(MODEL)), run, packages)
    rows = {row.node: row for row in beside.nodes}
    assert set(rows) == {"/layer.0/act", "soft", "Input"}
    act = rows["/layer.0/act"]
    assert act.device == Counters(8192, instances=5, cycles=7)
    assert act.plan
    assert act.difference == act.plan.read + act.plan.written - 8192
    assert act.device_reason == "2 computing, 1 input slices"
    assert rows["Input"].plan is None
    differences = [abs(row.difference) for row in beside.nodes]
    assert differences == sorted(differences, reverse=True)
    assert beside.all.read + beside.all.written == beside.plan.totals.moved


FUSED = """func.func @main(%x: tensor<1x8x8x32xf32>, %w: tensor<1x1x32x32xf32>)
    -> tensor<1x8x8x32xf32> {
  %c = qti_aisw.Conv2d(%x, %w) {htp.name = "conv"}
      : (tensor<1x8x8x32xf32>, tensor<1x1x32x32xf32>) -> tensor<1x8x8x32xf32>
  %y = qti_aisw.Relu(%c) {htp.name = "act"} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %y : tensor<1x8x8x32xf32>
}
"""


def test_a_fused_op_counts_where_the_device_counts_most(tmp_path: Path) -> None:
    lowered, counts = lower(parse_module(FUSED)), []
    for bytes_of_act in (0, 16384):
        nodes = [node("conv", 8192, 0, 1), node("act", bytes_of_act, 0, 1)]
        run = read_measured(saved(tmp_path, qnn_op_instances_nodes=nodes))
        rows = {row.node: row.plan for row in beside_device(lowered, run, load_packages()).nodes}
        counts.append([rows[name].instances if rows.get(name) else 0 for name in ("conv", "act")])
    (conv, act), (other_conv, other_act) = counts
    assert conv + act == other_conv + other_act
    assert (conv > other_conv, act < other_act) == (True, True)


@pytest.mark.parametrize("words", [["report", "--measured"], ["report", "measured"]])
def test_the_command(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(MODEL)
    outcome = htp.run([*words, saved(tmp_path), str(tmp_path / "m.mlir")])
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.splitlines()[1].split()[-3] == "10,240"
    assert "microseconds" in outcome.out
    assert "2 computing, 1 input slices" in outcome.out
    written = htp.run([*words, saved(tmp_path), str(tmp_path / "m.mlir"), "--format", "json"])
    figures = json.loads(written.out)
    assert figures["device"]["peak"] == 65536
    assert {row["node"] for row in figures["nodes"]} == {"/layer.0/act", "soft", "Input"}


def test_a_module_that_is_not_allocated_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(MODEL)
    outcome = htp.run(["report", "measured", saved(tmp_path), str(tmp_path / "m.mlir"), "-p", ""])
    assert outcome.status == 1
    assert "not allocated" in outcome.err


def test_figures_that_are_text_or_absent(tmp_path: Path) -> None:
    overall = {"total_dram_read": "10,240", "peak_vtcm_alloc": None, "time_us": 2.6}
    run = read_measured(saved(tmp_path, htp_overall_summary=[overall]))
    assert (run.all.read, run.all.written, run.peak, run.microseconds) == (10240, 0, None, 3)
    beside = beside_device(lower(parse_module(MODEL)), run, load_packages())
    assert "microseconds" in as_text(beside)
    assert "bytes read from TCM" not in as_text(beside)


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "no totals": ({"htp_overall_summary": []}, "is not a summary with overall figures"),
    "a count": (
        {"qnn_op_instances_nodes": [{"qnn_op": "a", "dram_read": "x"}]},
        "qnn_op_instances_nodes, row 1: 'dram_read' is x, not a finite number",
    ),
    "less than none": (
        {"qnn_op_instances_nodes": [{"qnn_op": "a", "dram_read": -5}]},
        "qnn_op_instances_nodes, row 1: 'dram_read' is -5, less than 0",
    ),
    "a row": ({"htp_op_types": [3]}, "htp_op_types, row 1: is 3, not an object"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_what_is_not_a_summary(what: str, tmp_path: Path) -> None:
    tables, message = FAULTS[what]
    with pytest.raises(HtpError) as caught:
        read_measured(saved(tmp_path, **tables))
    problem, remedy = caught.value.lines()
    assert message in problem
    assert remedy
