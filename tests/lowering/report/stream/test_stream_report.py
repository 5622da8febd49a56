"""The stream report: joins, recurrent layers, states, text, JSON and exit status."""

import json
from collections.abc import Sequence
from math import inf
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.report.stream.stream import (
    Loss,
    Stream,
    StreamSchedule,
    Window,
    rate_text,
    stream_of,
)
from htp_mlir.lowering.tools.htp_opt import run
from htp_mlir.runtime import Session, parse_module

from ....support.faults import told
from ....support.paths import SPOTTER_MODEL


def joined(*buffers: tuple[int, int, int]) -> str:
    """A model that joins Buffers of its input, each by size, stride and padding."""
    ops = [
        f"%v{n} = qti_aisw.Buffer(%x) {{buffer_dim = 0 : i64, buffer_size = {size} : i64, "
        f"stride = {stride} : i64, buffer_padding = {padding} : i64}} "
        f": (tensor<1xf32>) -> tensor<{size}xf32>"
        for n, (size, stride, padding) in enumerate(buffers)
    ]
    total = sum(size for size, _, _ in buffers)
    names = ", ".join(f"%v{n}" for n in range(len(buffers)))
    kinds = ", ".join(f"tensor<{size}xf32>" for size, _, _ in buffers)
    body = "\n  ".join(ops)
    return f"""
func.func @main(%x: tensor<1xf32> {{htp.name = "x"}}) -> (tensor<{total}xf32> {{htp.name = "y"}}) {{
  {body}
  %y = qti_aisw.Concat({names}) {{axis = 0 : i64}} : ({kinds}) -> tensor<{total}xf32>
  func.return %y : tensor<{total}xf32>
}}"""


def read(text: str) -> Stream:
    return stream_of(parse_module(text), installed())


def ran(text: str, steps: int) -> list[int]:
    """The inferences in which the output of a model ran."""
    session = Session(parse_module(text))
    values = [session.run({"x": np.ones(1, np.float32)})["y"] for _ in range(steps)]
    return [step for step, value in enumerate(values, 1) if value is not None]


def last_of(text: str, frames: Sequence[float]) -> float:
    """The sum of the last output on these frames."""
    session = Session(parse_module(text))
    *_, last = (session.run({"x": np.float32([frame])})["y"] for frame in frames)
    return float(last.sum())


GRU = """
func.func @main(%x: tensor<1xf32> {htp.name = "x"}) -> (tensor<2x1x1x1xf32> {htp.name = "y"}) {
  %w = qti_aisw.Const dense<0.5> : tensor<1x3x1xf32> -> tensor<1x3x1xf32>
  %0 = qti_aisw.Buffer(%x) {buffer_dim = 0 : i64, buffer_size = 2 : i64, stride = 2 : i64}
      : (tensor<1xf32>) -> tensor<2xf32>
  %1 = qti_aisw.Reshape(%0) {shape = array<i64: 2, 1, 1>} : (tensor<2xf32>) -> tensor<2x1x1xf32>
  %y, %h = qti_aisw.StatefulGru(%1, %w, %w) {hidden_size = 1 : i64}
      : (tensor<2x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      -> (tensor<2x1x1x1xf32>, tensor<1x1x1xf32>)
  func.return %y : tensor<2x1x1x1xf32>
}"""
JOINS: Sequence[tuple[str, Loss, list[int]]] = [
    (joined((2, 2, 0), (3, 3, 0)), Loss.BOTH, [6, 12]),
    (joined((2, 2, 0), (4, 4, 0)), Loss.ONE, [4, 8, 12]),
    (joined((2, 2, 0), (2, 2, 1)), Loss.ALL, []),
]


@pytest.mark.parametrize(("text", "loss", "steps"), JOINS, ids=["both", "one", "never"])
def test_a_join_of_rates_that_differ_is_told(text: str, loss: Loss, steps: list[int]) -> None:
    stream = read(text)
    (join,) = stream.joins
    assert join.label == "qti_aisw.Concat %y (op 2)"
    assert join.loss is loss
    assert ran(text, 12) == steps
    assert bool(stream.faults) is (loss is not Loss.ONE)


def test_rates_that_agree_are_no_join() -> None:
    stream = read(joined((2, 2, 0), (4, 2, 0), (8, 1, 0)))
    assert stream.joins == ()
    assert stream.outputs["y"].runs == StreamSchedule(8, 2)


def test_of_three_rates_the_worst_pair_is_told() -> None:
    (join,) = read(joined((2, 2, 0), (4, 4, 0), (2, 2, 1))).joins
    assert join.loss is Loss.ALL


def test_frames_between_two_runs_are_missed() -> None:
    flow = read(joined((2, 2, 0), (3, 3, 0))).outputs["y"]
    assert flow.sees == {"x": Window(3, whole=False)}
    assert (flow.latency("x"), flow.latency_full("x")) == (2, 2)


def test_the_keyword_spotter_sees_all_frames_and_fills_both_buffers() -> None:
    module = load_module(SPOTTER_MODEL)
    stream = stream_of(module, installed())
    probabilities, features = (stream.outputs[n] for n in ("probabilities", "features"))
    assert features.sees == {"frame": Window(16)}
    assert probabilities.sees == {"frame": Window(inf)}
    assert probabilities.full == StreamSchedule(31)
    assert probabilities.latency_full("frame") == 30
    assert stream.state_bytes == 4 * (16 * 40 + 2 + 3 * 48 + 16 * 49 + 2)


def test_a_recurrent_layer_behind_a_buffer_sees_all_frames() -> None:
    stream, late = read(GRU), ran(GRU, 6)
    flow = stream.outputs["y"]
    assert flow.sees == {"x": Window(inf)}
    assert (flow.runs, late) == (StreamSchedule(2, 2), [2, 4, 6])
    last = [last_of(GRU, [float(step == n) for step in range(6)]) for n in range(6)]
    assert len(set(last)) == 6
    assert (flow.latency("x"), flow.latency_full("x")) == (1, 1)


def test_states_are_those_that_a_session_saves(tmp_path: Path) -> None:
    module = load_module(SPOTTER_MODEL)
    session = Session(module)
    session.run({name: np.zeros(s.shape, s.dtype.storage) for name, s in session.inputs.items()})
    session.save_state(tmp_path / "s.npz")
    with np.load(tmp_path / "s.npz") as saved:
        sizes = {name: saved[name].nbytes for name in saved.files if name != "htp.states"}
    states = stream_of(module, installed()).states
    assert {state.spec.name: state.nbytes for state in states} == sizes


def test_a_lowered_model_is_refused() -> None:
    lowered = lower(load_module(SPOTTER_MODEL), level="native")
    with pytest.raises(HtpError, match="does not belong to the graph level"):
        stream_of(lowered, installed())


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_report_is_printed_where_rates_contradict(tmp_path: Path, form: str) -> None:
    (tmp_path / "m.mlir").write_text(JOINS[0][0])
    outcome = run([str(tmp_path / "m.mlir"), "-t", f"stream-report{{format={form}}}"])
    assert outcome.status == 1
    assert "results of both are lost" in outcome.out
    assert "qti_aisw.Concat %y (op 2): joins" in told(outcome.err)[0]


def test_json_says_what_the_text_says(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(JOINS[2][0])
    whole = json.loads(run([str(tmp_path / "m.mlir"), "-t", "stream-report{format=json}"]).out)
    assert whole["outputs"] == {"y": {"runs": None, "full": None, "inputs": {}}}
    assert whole["state_bytes"] == sum(state["bytes"] for state in whole["states"]) == 32
    assert [join["loss"] for join in whole["joins"]] == ["they never meet"]


def test_an_unknown_format_is_refused() -> None:
    outcome = run(["-t", "stream-report{format=jso}"], JOINS[0][0])
    assert outcome.status == 1
    assert "did you mean 'json'?" in told(outcome.err)[1]


@pytest.mark.parametrize(
    ("schedule", "text"),
    [
        (StreamSchedule(), "every from 1"),
        (StreamSchedule(2, 3), "every 3rd from 2"),
        (StreamSchedule(1, 12), "every 12th from 1"),
        (StreamSchedule(1, 22), "every 22nd from 1"),
        (StreamSchedule(9, 21), "every 21st from 9"),
    ],
)
def test_rates_in_words(schedule: StreamSchedule, text: str) -> None:
    assert rate_text(schedule) == text
