"""The recorder of a lowering: changes by passes, firings of rules, reasons of the others."""

from contextlib import suppress
from dataclasses import dataclass

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.report.run import Limits, Recorder, run_page
from htp_mlir.lowering.report.run.recorder import RuleRecord
from htp_mlir.runtime import parse_module
from htp_mlir.runtime.passes import instrumented, run_pass
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....support.paths import SPOTTER_MODEL


@pytest.fixture(scope="module")
def spotter() -> tuple[Recorder, ModuleOp]:
    with instrumented(recorder := Recorder()):
        lowered = lower(load_module(SPOTTER_MODEL), tcm_bytes=96 << 10)
    return recorder, lowered


def rule(recorder: Recorder, name: str) -> RuleRecord:
    """The record of the rule of this name that fired most."""
    named = [record for record in recorder.rules.values() if record.rule.name == name]
    return max(named, key=lambda record: record.counts.firings)


@pytest.mark.slow
def test_differences_of_all_passes_lead_to_the_last_module(
    spotter: tuple[Recorder, ModuleOp],
) -> None:
    recorder, lowered = spotter
    assert recorder.passes[0].name.startswith("htp-lower")
    assert recorder.passes[0].depth == 0
    ops = recorder.ops_before
    for record in recorder.passes:
        ops += record.difference.added - record.difference.removed
    assert ops == recorder.passes[-1].ops == recorder.count(recorder.now)
    assert ops == sum(1 for op in lowered.walk()) - 2  # less the module and its function


def test_times_of_inner_passes_are_part_of_the_outer(spotter: tuple[Recorder, ModuleOp]) -> None:
    recorder, _ = spotter
    outer = recorder.passes[0]
    inner = [record for record in recorder.passes if record.depth == 1]
    assert outer.inner == pytest.approx(sum(record.seconds for record in inner))
    assert all(record.seconds > 0 and record.own >= 0 for record in recorder.passes)


def test_firings_name_the_root_and_the_new_ops(spotter: tuple[Recorder, ModuleOp]) -> None:
    recorder, _ = spotter
    record = rule(recorder, "PoolMax2d")
    (firing,) = record.firings
    lines = recorder.lines.all
    assert record.counts.firings == 1
    assert "htp.PoolMax2d" in lines[firing.root].text
    assert any("htp.MaxPool_valid" in lines[line].text for line in firing.new)
    assert recorder.passes[firing.step].name.startswith("htp-rules")
    assert recorder.passes[firing.step].firings[id(record.rule)] == 1


def test_new_ops_know_their_rule_and_pass(spotter: tuple[Recorder, ModuleOp]) -> None:
    recorder, _ = spotter
    final = [recorder.lines.all[line] for line in recorder.now]
    (pool,) = [line for line in final if "htp.MaxPool_valid" in line.text]
    assert recorder.rules[recorder.origins[pool.op]].rule.name == "PoolMax2d"
    step = next(p for p in reversed(recorder.passes) if p.first <= pool.op < p.end)
    assert step.name == "htp-rules{last=EARLY-1 tcm-bytes=98304}"
    assert pool.origins == "'node_max_pool2d'"


def test_an_op_keeps_the_names_of_its_results(spotter: tuple[Recorder, ModuleOp]) -> None:
    recorder, _ = spotter
    names: dict[int, set[str]] = {}
    for line in recorder.lines.all:
        if line.text.startswith("%"):
            names.setdefault(line.op, set()).add(line.text.partition(" = ")[0])
    assert all(len(each) == 1 for each in names.values())
    every = [name for each in names.values() for name in each]
    assert len(every) == len(set(every)) > 300


def test_reasons_are_given_where_rules_did_not_fire(spotter: tuple[Recorder, ModuleOp]) -> None:
    recorder, _ = spotter
    tried = [r for r in recorder.rules.values() if r.has_run and not r.counts.firings]
    entries = [entry for record in tried for entry in recorder.why_not(record)]
    outcomes = {outcome for _, _, outcome, _ in entries}
    assert {"no match", "refused"} <= outcomes
    assert all(reason for _, _, outcome, reason in entries if outcome == "refused")
    assert max(len(recorder.why_not(record)) for record in tried) <= recorder.limits.ops


NEGS = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = qti_aisw.ElementWiseNeg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = qti_aisw.Relu(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = qti_aisw.ElementWiseNeg(%1) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %2 : tensor<4xf32>
}
"""


def test_ops_of_a_text_are_called_by_their_places() -> None:
    recorder = Recorder()
    with instrumented(recorder):
        lower(parse_module(NEGS), level="native")
    lines = recorder.lines.all
    firings = rule(recorder, "ElementWiseNeg").firings
    assert [lines[firing.root].title for firing in firings] == [
        "<text>:3:3: htp.ElementWiseNeg",
        "<text>:5:3: htp.ElementWiseNeg",
    ]
    reasons = [entry[3] for entry in recorder.why_not(rule(recorder, "Relu"))]
    layers = "htp.ConvLayer_valid or htp.DepthwiseConvLayer_valid or htp.FullyConnected"
    assert f"input 0 is <text>:3:3 htp.Neg, the match has {layers}" in reasons


@dataclass(frozen=True)
class DropFirst(ModulePass):
    """Erases the first op of main."""

    name = "drop-first"
    fails: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        block = next(iter(op.ops)).regions[0].block
        first = next(iter(block.ops))
        first.results[0].replace_all_uses_with(block.args[0])
        first.detach()
        first.erase()
        if self.fails:
            raise ValueError("it fails")


def test_values_keep_their_names() -> None:
    module = parse_module(NEGS)
    with instrumented(recorder := Recorder()):
        run_pass(Context(), module, DropFirst())
    (record,) = recorder.passes
    lines = recorder.lines.all
    parts = record.difference.parts
    shown = [sign + lines[number].text.partition(" : ")[0] for sign, number in parts[1:6]]
    # The second Neg reads %1 as before, though no %0 is left.
    assert shown == [
        "-%0 = qti_aisw.ElementWiseNeg(%x)",
        "-%1 = qti_aisw.Relu(%0)",
        "+%1 = qti_aisw.Relu(%x)",
        " %2 = qti_aisw.ElementWiseNeg(%1)",
        " func.return %2",
    ]
    assert (record.ops, record.difference.added, record.difference.removed) == (3, 1, 2)


def test_a_pass_that_fails_is_kept_with_its_error() -> None:
    with instrumented(recorder := Recorder()), pytest.raises(HtpError):
        run_pass(Context(), parse_module(NEGS), DropFirst(fails=True))
    (record,) = recorder.passes
    assert "it fails" in record.error
    assert record.difference.removed == 2
    page = run_page("Lowering", recorder, ModuleOp([]))
    assert "id='ending'>drop-first{fails=true} failed: " in page
    assert page.count("The run ended before this was looked at.") == 2


@dataclass(frozen=True)
class Tear(ModulePass):
    """Erases an op that is read, then fails."""

    name = "tear"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        first = next(iter(next(iter(op.ops)).regions[0].block.ops))
        first.detach()
        first.erase(safe_erase=False)
        next(iter(op.ops)).properties.clear()
        raise ValueError("it tears")


def test_a_pass_that_leaves_nothing_to_print_is_kept() -> None:
    with instrumented(recorder := Recorder()), pytest.raises(HtpError, match="it tears"):
        run_pass(Context(), parse_module(NEGS), Tear())
    assert recorder.ending.startswith("tear failed: ")
    assert recorder.count(recorder.now) == 4


@dataclass(frozen=True)
class Recover(ModulePass):
    """Runs a pass that fails, and goes on."""

    name = "recover"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with suppress(HtpError):
            run_pass(ctx, op, DropFirst(fails=True))


def test_a_pass_that_recovers_ends_nothing() -> None:
    with instrumented(recorder := Recorder()):
        run_pass(Context(), parse_module(NEGS), Recover())
    assert (recorder.ending, recorder.passes[1].error[:7]) == ("", "failed:")


def test_firings_beyond_the_limit_are_counted() -> None:
    with instrumented(recorder := Recorder(Limits(firings=1, parts=3, ops=1))):
        lower(parse_module(NEGS))
    record = rule(recorder, "ElementWiseNeg")
    assert (len(record.firings), record.counts.firings) == (1, 2)
    assert any(each.difference.is_cut for each in recorder.passes)
