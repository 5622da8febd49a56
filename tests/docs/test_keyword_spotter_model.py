"""The committed keyword spotter: its files, its numbers against PyTorch's, and its detections."""

from collections.abc import Callable, Iterator
from types import ModuleType

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.report.plan import plan_of, timeline
from htp_mlir.lowering.report.residencies import TensorRole
from numpy.typing import NDArray
from onnx.numpy_helper import to_array

from ..support.paths import SPOTTER, SPOTTER_MODEL
from ..support.spotter import spotter_modules

Floats = NDArray[np.float32]


@pytest.fixture(scope="module")
def example() -> Iterator[Callable[[str], ModuleType]]:
    with spotter_modules() as imported:
        yield imported


@pytest.fixture(scope="module")
def weights() -> dict[str, Floats]:
    model = onnx.load(SPOTTER_MODEL)
    return {t.name.removeprefix("spotter."): to_array(t) for t in model.graph.initializer}


class Reference:
    """The streaming model in numpy, from the block op definitions: one `step` per frame."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.w = weights
        self.clear()

    def clear(self) -> None:
        self.window = np.zeros((16, 40), np.float32)
        self.rows = np.zeros((0, 48), np.float32)
        self.gru, self.lstm, self.cell = np.zeros((3, 48), np.float32)

    def step(self, frame: Floats, reset: bool) -> Floats:
        if reset:
            self.clear()
        self.window = np.vstack([self.window[1:], frame[None]])
        self._gru(self.features())
        self._lstm(self.gru)
        self.rows = np.vstack([self.rows, self.lstm[None]])[-16:]
        attention = softmax(self.rows @ self.w["attention"][:, 0])
        pooled = attention @ self.rows
        return softmax(self.w["classifier.weight"] @ pooled + self.w["classifier.bias"])

    def features(self) -> Floats:
        x = self._conv(0, self.window[None], 1)
        x = self._conv(2, x, 2)
        x = self._conv(4, x, 1)
        x = x.reshape(32, 4, 2, 10, 2).max(axis=(2, 4))
        return self._conv(7, x, 1).ravel()

    def _conv(self, place: int, x: Floats, stride: int) -> Floats:
        w, b = (self.w[f"conv.{place}.{name}"] for name in ("weight", "bias"))
        return conv(x, w, b, stride)

    def _gru(self, x: Floats) -> None:
        """Gates zrh; the reset gate acts after the linear part (linear_before_reset = 1)."""
        w, r, (wb, rb) = self.w["gru.W"][0], self.w["gru.R"][0], self.w["gru.B"][0].reshape(2, -1)
        xz, xr, xh = np.split(w @ x + wb, 3)
        hz, hr, hh = np.split(r @ self.gru + rb, 3)
        update, candidate = sigmoid(xz + hz), np.tanh(xh + sigmoid(xr + hr) * hh)
        self.gru = (1 - update) * candidate + update * self.gru

    def _lstm(self, x: Floats) -> None:
        """Gates iofc."""
        bias = self.w["lstm.B"][0].reshape(2, -1).sum(0)
        gates = self.w["lstm.W"][0] @ x + self.w["lstm.R"][0] @ self.lstm + bias
        i, o, f, c = np.split(gates, 4)
        self.cell = sigmoid(f) * self.cell + sigmoid(i) * np.tanh(c)
        self.lstm = sigmoid(o) * np.tanh(self.cell)


def conv(x: Floats, w: Floats, b: Floats, stride: int) -> Floats:
    """A same-padded convolution and Relu; x is [C, H, W], w is [O, C, k, k]."""
    size = w.shape[2]
    padded = np.pad(x, [(0, 0), *[(size // 2, size // 2)] * 2])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), (1, 2))
    out = np.tensordot(w, windows[:, ::stride, ::stride], ([1, 2, 3], [0, 3, 4]))
    return np.maximum(out + b[:, None, None], 0)


def softmax(x: Floats) -> Floats:
    powers = np.exp(x - x.max())
    return powers / powers.sum()


def sigmoid(x: Floats) -> Floats:
    return np.float32(0.5) * (1 + np.tanh(x / 2))


def stream(weights: dict[str, Floats], frames: Floats) -> Floats:
    reference = Reference(weights)
    return np.stack([reference.step(frame, False) for frame in frames])


def test_reference_agrees_with_pytorch_through_a_reset(weights: dict[str, Floats]) -> None:
    reference = Reference(weights)
    with np.load(SPOTTER / "trace.npz") as trace:
        steps = list(zip(trace["frames"], trace["reset"], strict=True))
        expected = trace["probabilities"]
    got = np.stack([reference.step(frame, reset) for frame, reset in steps])
    np.testing.assert_allclose(got, expected, atol=1e-5)
    assert expected.max(axis=0).min() > 0.9, "every class is recognised somewhere in the trace"


def test_a_lost_reset_shows_in_the_trace(weights: dict[str, Floats]) -> None:
    with np.load(SPOTTER / "trace.npz") as trace:
        frames, expected = trace["frames"], trace["probabilities"]
        last = int(np.flatnonzero(trace["reset"])[-1])
    error = np.abs(stream(weights, frames) - expected).max(axis=1)
    assert error[:last].max() < 1e-5
    assert error[last : last + 16].max() > 1e-2


def test_stateless_part_in_onnx_runtime(weights: dict[str, Floats]) -> None:
    session = ort.InferenceSession(SPOTTER / "stateless.onnx")
    reference = Reference(weights)
    reference.window = np.random.default_rng(3).standard_normal((16, 40)).astype(np.float32)
    (features,) = session.run(None, {"window": reference.window[None, None]})
    assert features.shape == (1, 1, 640)
    np.testing.assert_allclose(features.ravel(), reference.features(), atol=1e-5)


def test_function_bodies_give_the_first_step_in_onnx_runtime(weights: dict[str, Floats]) -> None:
    """With the buffers' contents fed from outside, a first step needs no state."""
    frame = np.random.default_rng(4).standard_normal(40).astype(np.float32)
    reference = Reference(weights)
    expected = reference.step(frame, True)
    rows = np.zeros((1, 1, 16, 49), np.float32)
    rows[0, 0, 0] = [*reference.rows[0], 1]
    session = ort.InferenceSession(without_buffers().SerializeToString())
    feeds = {"window": reference.window[None, None], "rows": rows, "reset": np.array(True)}
    (probabilities,) = session.run(["probabilities"], feeds)
    np.testing.assert_allclose(probabilities[0], expected, atol=1e-5)


def without_buffers() -> onnx.ModelProto:
    """The committed model, with the outputs of its buffers as inputs."""
    model = onnx.load(SPOTTER_MODEL)
    kept = [node for node in model.graph.node if node.op_type != "Buffer"]
    rows = [node.output[0] for node in model.graph.node if node.op_type == "Buffer"][1]
    for node in kept:
        node.input[:] = ["rows" if name == rows else name for name in node.input]
    shapes = {"window": [1, 1, 16, 40], "rows": [1, 1, 16, 49]}
    del model.graph.node[:], model.graph.output[1:], model.graph.input[0]
    model.graph.node.extend(kept)
    for name, shape in shapes.items():
        value = onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
        model.graph.input.append(value)
    return model


def test_model_is_small_and_has_every_block_op() -> None:
    path = SPOTTER_MODEL
    nodes = [node for node in onnx.load(path).graph.node if node.domain == "qti_aisw"]
    assert path.stat().st_size < 1_000_000
    assert sorted(node.op_type for node in nodes) == [
        "Buffer",
        "Buffer",
        "MaskedSoftmax",
        "StatefulGru",
        "StatefulLstm",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_chirps_are_detected(
    example: Callable[[str], ModuleType], weights: dict[str, Floats], seed: int
) -> None:
    audio, detect = example("audio"), example("detect")
    sound, events = audio.synthesise(seed, 20)
    detected = detect.detections(stream(weights, audio.frames(sound)), audio.HOP_S)
    hits, false = detect.score(events, detected)
    assert len(events) >= 6
    assert hits >= 0.9 * len(events)
    assert false <= 1


def test_score_counts_late_wrong_and_repeated_detections_as_false(
    example: Callable[[str], ModuleType],
) -> None:
    detect, audio = example("detect"), example("audio")
    rising, falling = audio.Label.RISING, audio.Label.FALLING
    events = [audio.Event(1.0, 1.5, rising), audio.Event(3.0, 3.5, falling)]
    detected = [(1.2, rising), (1.3, falling), (1.6, rising), (4.0, falling)]
    assert detect.score(events, detected) == (1, 3)
    assert detect.score(events, [(1.7, rising), (3.2, falling)]) == (2, 0)


def test_silence_gives_no_frames_and_no_detections(example: Callable[[str], ModuleType]) -> None:
    audio, detect = example("audio"), example("detect")
    assert audio.frames(np.zeros(audio.WINDOW - 1, np.float32)).shape == (0, audio.BANDS)
    assert audio.frames(np.zeros(audio.WINDOW, np.float32)).shape == (1, audio.BANDS)
    assert detect.detections(np.zeros((0, 3), np.float32), audio.HOP_S) == []


def test_a_detection_needs_a_hold_and_fires_once(example: Callable[[str], ModuleType]) -> None:
    detect, label = example("detect"), example("audio").Label
    rising = np.array([0.9, 0.9, 0, 0.9, 0.9, 0.9, 0.5, 0.9, 0.9, 0.9, 0.1, 0.9, 0.9, 0.9])
    curves = np.stack([1 - rising, rising, 0 * rising], axis=1).astype(np.float32)
    assert detect.detections(curves, 1.0) == [(6.0, label.RISING), (14.0, label.RISING)]


def test_synthesis_follows_from_the_seed(example: Callable[[str], ModuleType]) -> None:
    audio = example("audio")
    (first, events), (again, _), (other, _) = (audio.synthesise(seed, 5) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    assert all(0 < start < end < 5 for start, end, _ in events)


@pytest.mark.slow
def test_the_demo_counts_what_the_report_shows(example: Callable[[str], ModuleType]) -> None:
    demo = example("demo")
    module = load_module(SPOTTER_MODEL)
    lowered, whole = (
        lower(module, tcm_bytes=demo.TCM_BYTES, tiling=tiling) for tiling in (True, False)
    )
    facts = dict(demo.describe(lowered, whole, timeline(lowered)))
    plan, untiled = (plan_of(each, installed()) for each in (lowered, whole))
    spills, fills = (
        sum(move.role is role for move in plan.moves)
        for role in (TensorRole.SPILL, TensorRole.FILL)
    )
    assert any(op.name.endswith(".start") for op in lowered.walk())
    assert facts["Spilling"] == f"{spills} spills to DDR, {fills} fills from it"
    assert facts["Tiling"].startswith("4 convolutions became ")
    assert facts["Ops to run"] == str(plan.steps)
    assert plan.totals.moved < untiled.totals.moved
    assert f"{plan.totals.moved:,} bytes" in facts["To and from DDR"]
    assert f"without tiling {untiled.totals.moved:,} bytes" in facts["To and from DDR"]
