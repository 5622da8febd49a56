"""The memory report as text: every tensor, when, where and why; totals beside the bound."""

import re

import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.report.plan import ModulePlan, plan_of, timeline_of
from htp_mlir.lowering.report.text import as_text
from htp_mlir.lowering.tools.htp_opt import run
from htp_mlir.runtime.tools.loading import parse_module

from ...support.lowered_spotter import lowered_spotter
from ...support.paths import ATTENTION, SPOTTER_MODEL

SMALL = 65536
RELU = """
func.func @main(%x: tensor<1x8x8x32xf32> {htp.name = "Spill"}) -> tensor<1x8x8x32xf32> {
  %y = qti_aisw.Relu(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %y : tensor<1x8x8x32xf32>
}
"""
"""A model whose input has the name of one of the allocator's ops."""


@pytest.fixture(scope="module")
def plan() -> ModulePlan:
    return plan_of(lowered_spotter(SMALL), installed())


def row(plan: ModulePlan, start: str) -> str:
    return next(tensor.why for tensor in plan.residencies if tensor.name.startswith(start))


def totals_head(report: str) -> list[str]:
    return report.split("\n\n")[3].splitlines()[0].split()


def test_totals_do_not_go_below_their_bounds(plan: ModulePlan) -> None:
    totals = plan.totals
    assert totals.least <= totals.moved == sum(totals.parts.values())
    assert totals.live <= totals.peak <= SMALL
    assert totals.converted == totals.least_converted


def test_says_why_a_tensor_is_where_it_is(plan: ModulePlan) -> None:
    assert row(plan, "frame") == "input 'frame'"
    reads = [tensor for tensor in plan.residencies if tensor.name.startswith("StateRead")]
    assert {read.why for read in reads} >= {"state @Buffer0_content", "state @Buffer0_counters"}
    assert row(plan, "Const") == "constant"
    assert row(plan, "ConvLayer_valid.clamp") == (
        "ConvLayer_valid.clamp wants its result crouton in tcm"
    )
    assert row(plan, "flat_to_vtcm").endswith("wants 'weights' flat in tcm")


def test_moves_name_tensors_as_the_table_does(plan: ModulePlan) -> None:
    names = {tensor.name for tensor in plan.residencies}
    assert plan.moves
    for move in plan.moves:
        assert move.why.split(" ")[0] in names, move.why


def test_moves_name_the_nodes_in_text_too(plan: ModulePlan) -> None:
    lines = as_text(plan, None).splitlines()
    for move in plan.moves:
        assert f"{move.name} of {move.source.origins}: {move.why}" in lines
        assert move.source.origins.startswith("'")


def test_only_what_the_allocator_moved_is_a_move() -> None:
    plan = plan_of(lower(parse_module(RELU, "test.mlir")), installed())
    assert "Spill" in {tensor.name for tensor in plan.residencies}
    assert plan.moves == ()


def test_tensors_remember_their_nodes(plan: ModulePlan) -> None:
    nodes = {
        tensor.node for tensor in plan.residencies if tensor.name.startswith("ConvLayer_valid")
    }
    assert nodes == {"node_relu", "node_relu_1", "node_relu_2", "node_relu_3"}
    unknown = [tensor.name for tensor in plan.residencies if not tensor.node]
    assert not unknown


def test_the_timeline_holds_every_tensor_in_tcm(plan: ModulePlan) -> None:
    line = timeline_of(plan)
    placed = [tensor for tensor in plan.residencies if tensor.offset is not None]
    assert len(line.blocks) == len(placed)
    assert line.peak == plan.totals.peak
    assert all(0 <= block.first <= block.last < len(line.steps) for block in line.blocks)


@pytest.mark.slow
def test_text_with_the_plan_without_tiling() -> None:
    passes = f"htp-lower{{tcm-bytes={SMALL}}}"
    outcome = run([str(SPOTTER_MODEL), "-p", passes, "-t", "memory-report"])
    assert outcome.status == 0, outcome.err
    lines = outcome.out.splitlines()
    assert lines[0].startswith("TCM 65,536 bytes")
    assert totals_head(outcome.out) == ["this", "plan", "without", "tiling", "bound"]
    conversions = next(line for line in lines if line.startswith("conversions"))
    assert re.search(r"\d of ([\d,]+) bytes, optimum \1  ", conversions)
    head = next(line for line in lines if line.startswith("tensor"))
    assert head.split() == ["tensor", "bytes", "ops", "offset", "where", "from", "why", "there"]


def test_text_with_the_plan_without_tiling_of_ops_with_scratch() -> None:
    package, model = str(ATTENTION / "package.py"), str(ATTENTION / "model.mlir")
    passes = f"htp-lower{{tcm-bytes={SMALL}}}"
    outcome = run(["--package", package, model, "-p", passes, "-t", "memory-report"])
    assert outcome.status == 0, outcome.err
    assert totals_head(outcome.out) == ["this", "plan", "without", "tiling", "bound"]


def test_the_optimum_is_left_out_where_the_module_does_not_state_it() -> None:
    text = """
    module attributes {htp.tcm_bytes = 8192 : i64} {
      func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
        func.return %x : tensor<1x8x8x32xf32>
      }
    }
    """
    outcome = run(["-", "-t", "memory-report"], text)
    assert "0 of 0 bytes\n" in outcome.out


def test_a_module_that_is_not_allocated_is_refused() -> None:
    outcome = run([str(SPOTTER_MODEL), "-t", "memory-report"])
    assert outcome.status == 1
    assert outcome.err.splitlines()[0] == "memory-report: the module is not allocated"


def test_an_unknown_format_is_refused() -> None:
    outcome = run([str(SPOTTER_MODEL), "-p", "htp-lower", "-t", "memory-report{format=pdf}"])
    assert outcome.status == 1
    assert "format 'pdf' is not known" in outcome.err


@pytest.mark.parametrize("options", ["{formats=html}", "{format=3}", "{"])
def test_wrong_options_are_refused_before_anything_runs(options: str) -> None:
    outcome = run(["missing.onnx", "-p", "htp-lower", "-t", f"memory-report{options}"])
    assert outcome.status == 1
    first, remedy = outcome.err.splitlines()
    assert first.startswith("target")
    assert remedy == "  write -t name{option=value}"


def test_without_tiling_a_large_op_stays_home() -> None:
    passes = "htp-lower{tcm-bytes=16384 tiling=false}"
    outcome = run([str(SPOTTER_MODEL), "-p", passes])
    assert outcome.status == 0, outcome.err
    large = [line for line in outcome.out.splitlines() if "htp.home" in line]
    assert large
    assert not any("tcm" in line for line in large)
