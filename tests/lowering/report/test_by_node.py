"""The first two tables of the memory report: bytes by node, and TCM at the peak; and its JSON."""

import json
from collections import Counter
from pathlib import Path

import pytest
from htp_mlir.dialects.value.spec import Memory
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.traffic import TransferKind, traffic
from htp_mlir.lowering.report.plan import ModulePlan, OtherPlan, at_peak, plan_of
from htp_mlir.lowering.report.text import node_table, peak_rows
from htp_mlir.lowering.tools.htp_opt import run
from xdsl.dialects.builtin import ModuleOp

from ...support.graph import Graph
from ...support.lowered_spotter import lowered_spotter
from ...support.paths import SPOTTER_MODEL

SMALL = 12 << 10


def convolutions() -> ModuleOp:
    """Convolutions of 12 channels, which croutons pad to 32; the last one reads both others."""
    graph, same = Graph(), {"pad_amount": (1, 1, 1, 1)}
    x = graph.input(1, 48, 48, 12)
    first = graph.op("Conv2d", x, graph.weights(3, 3, 12, 12), **same)
    second = graph.op("Conv2d", first, graph.weights(3, 3, 12, 12), **same)
    both = graph.op("Concat", [first, second], axis=3)
    graph.give("y", graph.op("Conv2d", both, graph.weights(3, 3, 24, 12), **same))
    return graph.model().module


@pytest.fixture(scope="module")
def lowered() -> ModuleOp:
    return lowered_spotter(SMALL)


@pytest.fixture(scope="module")
def plan(lowered: ModuleOp) -> ModulePlan:
    return plan_of(lowered, installed())


def number(cell: str) -> int:
    return int(cell.replace(",", ""))


def test_the_bytes_by_node_are_those_that_move(lowered: ModuleOp, plan: ModulePlan) -> None:
    moved = traffic(lowered)
    assert sum(row.bytes for row in plan.nodes) == moved.bytes == plan.totals.moved
    kinds = sum((Counter(row.parts) for row in plan.nodes), Counter[TransferKind]())
    assert kinds == moved.by_kind()
    assert [row.bytes for row in plan.nodes] == sorted((r.bytes for r in plan.nodes), reverse=True)
    assert {TransferKind.COPY_OUT, TransferKind.FILL, TransferKind.PARTS} <= set(kinds)


@pytest.mark.parametrize("most", [None, 3])
def test_every_column_of_the_table_adds_up(plan: ModulePlan, most: int | None) -> None:
    head, *rows, last = node_table(plan, None, most)
    for column in range(1, len(head) - 1):
        assert sum(number(row[column]) for row in rows) == number(last[column])
    parts = head.index("of it padding")
    assert all(sum(map(number, row[2:parts])) == number(row[1]) for row in (*rows, last))
    assert number(last[1]) == plan.totals.moved


def test_another_plan_has_a_column_of_its_own(plan: ModulePlan) -> None:
    other = plan_of(lower(load_module(SPOTTER_MODEL), tcm_bytes=SMALL, tiling=False), installed())
    head, *_, last = node_table(plan, OtherPlan("without tiling", other))
    assert number(last[head.index("without tiling")]) == other.totals.moved != plan.totals.moved


@pytest.mark.slow
@pytest.mark.parametrize("tcm", ["40K", "80K"])
def test_no_crouton_padding_moves_where_all_can_be_cut(tcm: str) -> None:
    """Of 12 channels croutons have 32, which stay in TCM."""
    plan = plan_of(lower(convolutions(), tcm_bytes=tcm), installed())
    assert [row for row in plan.nodes if row.padding] == []
    assert plan.totals.moved >= plan.totals.least


def test_a_node_says_why_most_of_its_bytes_move(plan: ModulePlan) -> None:
    reasons = {row.node: row.reason for row in plan.nodes}
    assert reasons["node_relu_1"] == (
        "ops in main memory: ConvLayer_valid.clamp does not fit the TCM"
    )
    assert reasons["node_relu"] == "copied from TCM: for Concat, which is there"
    filled = reasons["spotter.gather_frames"]
    assert filled.startswith("filled: BufferStep (2560 bytes) comes back to TCM")
    assert reasons["node_max_pool2d"].startswith("read in parts: Slice_shape reads 'in'")
    assert "@" not in "".join(reasons.values())


def test_the_peak_is_the_step_with_the_most_bytes(plan: ModulePlan) -> None:
    there = at_peak(plan.residencies)
    own = [each for each in plan.residencies if each.memory is Memory.TCM and not each.inside]
    steps = range(max(each.last for each in own) + 1)
    live = [sum(each.bytes for each in own if each.first <= at <= each.last) for at in steps]
    assert sum(each.bytes for each in there) == max(live) <= plan.totals.live
    assert max(each.first for each in there) <= min(each.last for each in there)
    *rows, last = peak_rows(plan, 2)
    assert 2 <= len(rows) <= 3
    assert sum(number(row[1]) for row in rows) == number(last[1]) == max(live)


@pytest.mark.slow
def test_the_report_begins_with_the_two_tables() -> None:
    outcome = run([str(SPOTTER_MODEL), "-p", "htp-lower{tcm-bytes=64K}", "-t", "memory-report"])
    first, nodes, peak, totals, *_ = outcome.out.split("\n\n")
    assert first == outcome.out.splitlines()[0]
    assert nodes.startswith("bytes by node ")
    assert peak.startswith("in TCM at the peak ")
    assert totals.split()[:3] == ["this", "plan", "without"]


@pytest.mark.slow
def test_json_has_all_of_it(tmp_path: Path, plan: ModulePlan) -> None:
    path = tmp_path / "report.json"
    passes = "htp-lower{tcm-bytes=12K}"
    outcome = run([str(SPOTTER_MODEL), "-p", passes, "-t", "memory-report", "-o", str(path)])
    assert outcome.status == 0, outcome.err
    content = json.loads(path.read_text())
    assert content["totals"]["moved"] == sum(node["bytes"] for node in content["nodes"])
    assert [node["node"] for node in content["nodes"]] == [row.node for row in plan.nodes]
    assert [each["name"] for each in content["peak"]] == [t.name for t in at_peak(plan.residencies)]
    assert len(content["tensors"]) == len(plan.residencies)
    assert content["too_large"][0]["need"] > SMALL
    assert content["beside"]["name"] == "without tiling"
    other = content["beside"]
    assert other["totals"]["moved"] == sum(node["bytes"] for node in other["nodes"])
    printed = run([str(SPOTTER_MODEL), "-p", passes, "-t", "memory-report{format=json}"])
    assert json.loads(printed.out) == content
