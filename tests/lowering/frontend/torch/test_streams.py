"""Models on streams: one reset, paddings that keep frames, and layers that cross borders."""

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import load_module
from htp_mlir.lowering.frontend.torch import export_onnx, reset_states, use_block_ops
from htp_mlir.runtime import Session
from torch import Tensor, nn
from torch.nn import functional

WARNINGS = pytest.mark.filterwarnings(
    # PyTorch's own: its older exporter is on its way out, its newer one uses deprecated trees.
    "ignore::DeprecationWarning",
    "ignore::FutureWarning",
    "ignore::UserWarning",
)
pytestmark = [WARNINGS, pytest.mark.needs("torch")]


class Spotter(nn.Module):
    """Convolutions over time behind paddings, two layers of a GRU, and named outputs."""

    def __init__(self, first: nn.Module, padding: int = 2) -> None:
        super().__init__()
        self.first, self.padding = first, padding
        self.pad, self.deep = nn.ConstantPad1d((4, 0), 0.0), nn.Conv1d(8, 6, 3, dilation=2)
        self.gru, self.out = nn.GRU(6, 7, 2, batch_first=True), nn.Linear(7, 3)

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        frames = self.first(functional.pad(x.transpose(1, 2), (self.padding, 0))).relu()
        rows, _ = self.gru(self.deep(self.pad(frames)).transpose(1, 2))
        return {"rows": rows, "scores": self.out(rows)}


def spotter() -> Spotter:
    torch.manual_seed(1)
    return Spotter(nn.Conv1d(5, 8, 3)).eval()


@pytest.mark.parametrize("kind", [nn.GRU, nn.LSTM])
def test_the_one_reset_reaches_a_layer(kind: type[nn.GRU | nn.LSTM]) -> None:
    class Layer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = kind(4, 5, batch_first=True)

        def forward(self, x: Tensor) -> Tensor:
            rows: Tensor = self.layer(x)[0]
            return rows

    x = torch.randn(1, 3, 4)
    stream, _ = use_block_ops(Layer().eval(), (x,), stateful=True, reset="reset")
    first, second, anew = (stream(x, torch.tensor(reset)) for reset in (False, False, True))
    assert not torch.equal(first, second)
    assert torch.equal(first, anew)


@pytest.mark.parametrize("chunk", [1, 2, 3, 4])
def test_chunks_answer_as_the_whole_and_a_reset_begins_anew(chunk: int) -> None:
    model, x = spotter(), torch.randn(1, 12, 5)
    stream, report = use_block_ops(model, (x[:, :chunk],), stateful=True, reset="reset")
    assert [part.op for part in report.replaced] == ["StatefulGru", "Buffer", "Buffer"]
    assert report.left == ()
    assert report.error < 1e-5
    whole = model(x)["scores"]
    for _ in range(2):
        parts = [
            stream(frames, torch.tensor(number == 0))["scores"]
            for number, frames in enumerate(x.split(chunk, 1))
        ]
        torch.testing.assert_close(torch.cat(parts, 1), whole, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("first", "padding", "path", "why"),
    [
        (nn.Conv1d(5, 8, 3, padding=1), 0, "first", "it pads the ends of each chunk"),
        (
            nn.Sequential(nn.Conv1d(5, 8, 1), nn.AvgPool1d(3, 1, 1)),
            0,
            "first.1",
            "it pads the ends",
        ),
        (nn.Sequential(nn.ConstantPad1d((1, 1), 0.0), nn.Conv1d(5, 8, 3)), 0, "first.0", "pads"),
    ],
)
def test_a_layer_that_crosses_the_border_of_a_chunk_is_named(
    first: nn.Module, padding: int, path: str, why: str
) -> None:
    model = Spotter(first, padding).eval()
    _, report = use_block_ops(model, (torch.randn(1, 4, 5),), stateful=True, reset="reset")
    assert [part.path for part in report.left] == [path]
    assert why in str(report)
    assert report.error > 1e-3


class Images(nn.Module):
    """A convolution over time and frequency, padded by a function or by a module."""

    def __init__(self, pad: nn.Module | None) -> None:
        super().__init__()
        self.pad, self.layer = pad, nn.Conv2d(1, 4, 3)

    def forward(self, x: Tensor) -> Tensor:
        padded = self.pad(x) if self.pad else functional.pad(x, (1, 1, 2, 0))
        result: Tensor = self.layer(padded)
        return result


@pytest.mark.parametrize("pad", [None, nn.ZeroPad2d((1, 1, 2, 0))])
def test_a_padding_of_time_and_of_another_dim_keeps_frames(pad: nn.Module | None) -> None:
    model, x = Images(pad).eval(), torch.randn(1, 1, 6, 5)
    stream, report = use_block_ops(model, (x[:, :, :2],), stateful=True, reset="reset")
    assert [part.op for part in report.replaced] == ["Buffer"]
    assert report.error < 1e-5
    parts = [stream(frames, torch.tensor(False)) for frames in x.split(2, 2)]
    torch.testing.assert_close(torch.cat(parts, 2), model(x), rtol=1e-4, atol=1e-5)


class Chomped(nn.Module):
    """A convolution that is padded on both sides, or in its forward, and cut."""

    def __init__(self, padding: int) -> None:
        super().__init__()
        self.layer = nn.Conv1d(5, 5, 3, padding=padding)

    def forward(self, x: Tensor) -> Tensor:
        zeros = x.new_zeros(1, 5, 2 - self.layer.padding[0])
        result: Tensor = self.layer(torch.cat([zeros, x], 2))[:, :, : x.shape[2]]
        return result


class Twice(nn.Module):
    """One padding before two convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.pad, self.layer = nn.ConstantPad1d((2, 0), 0.0), nn.Conv1d(5, 5, 3)

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.layer(self.pad(self.layer(self.pad(x))))
        return result


class Valid(nn.Module):
    """A convolution without padding before a layer with state."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.gru = nn.Conv1d(5, 5, 3), nn.GRU(5, 4, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        rows: Tensor = self.gru(self.layer(x).transpose(1, 2))[0]
        return rows


@pytest.mark.parametrize(
    ("model", "left"),
    [
        (Chomped(2), "layer: Conv1d stays: it pads the ends of each chunk"),
        (Chomped(0), "Chomped: Chomped stays: it reads frames of other chunks"),
        (Twice(), "pad: ConstantPad1d stays: it pads 2 times; give each call a padding of its own"),
        (Valid(), "layer: Conv1d stays: it reads frames of other chunks"),
    ],
)
def test_what_is_wrong_from_the_second_chunk_on_is_named(model: nn.Module, left: str) -> None:
    _, report = use_block_ops(model, (torch.randn(1, 5, 4),), stateful=True, reset="reset")
    assert report.error > 1e-3
    assert [str(part)[: len(left)] for part in report.left] == [left]


def test_a_dim_of_time_that_nothing_tells_is_asked_for() -> None:
    x = torch.randn(1, 1, 4, 4)
    layer = nn.Conv2d(1, 4, 3, padding=1)
    _, report = use_block_ops(layer, (x,), stateful=True)
    assert "no layer tells which dim is time; give time_dim" in str(report)
    _, report = use_block_ops(layer, (x,), stateful=True, time_dim=2)
    assert "it pads the ends of each chunk" in str(report)
    assert report.error > 1e-3


def test_an_attention_is_asked_for_its_dim_of_time() -> None:
    """It takes no longer features, and says so by an error of its own."""

    class Attends(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.MultiheadAttention(4, 1, batch_first=True)

        def forward(self, x: Tensor) -> Tensor:
            rows: Tensor = self.inner(x, x, x)[0]
            return rows

    _, report = use_block_ops(Attends(), (torch.randn(1, 6, 4),), stateful=True)
    assert "no layer tells which dim is time" in str(report)


@pytest.mark.parametrize("dim", [0, 1, 7])
def test_a_whole_that_a_model_does_not_take_is_refused(dim: int) -> None:
    class Fixed(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x.view(1, 6, 4)

    with pytest.raises(HtpError) as caught:
        use_block_ops(Fixed(), (torch.randn(1, 6, 4),), stateful=True, time_dim=dim)
    problem, remedy = caught.value.lines()
    assert problem.startswith(f"Fixed: does not take 3 chunks along time_dim {dim} at once: ")
    assert remedy == "  take sizes from its input, or give another time_dim"


@pytest.mark.parametrize(
    ("layer", "frames", "left"),
    [
        (nn.Conv1d(4, 4, 3, stride=2), 5, "a stride of 2 does not divide the 5 frames of a chunk"),
        (nn.AvgPool1d(3), 4, "a stride of 3 does not divide the 4 frames of a chunk"),
        (nn.ConvTranspose1d(4, 4, 4, 2, 1), 6, "ConvTranspose1d stays: it reads frames of other"),
    ],
)
def test_a_stride_that_no_chunk_fits_is_told(layer: nn.Module, frames: int, left: str) -> None:
    """And a transposed convolution is not told to pad in front."""
    _, report = use_block_ops(layer, (torch.randn(1, 4, frames),), stateful=True)
    assert left in str(report)


def test_a_layer_that_reads_both_ways_is_named() -> None:
    class Tagger(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.gru = nn.GRU(5, 4, bidirectional=True)

        def forward(self, x: Tensor) -> Tensor:
            rows: Tensor = self.gru(x)[0]
            return rows

    _, report = use_block_ops(Tagger(), (torch.randn(4, 1, 5),), stateful=True)
    assert "gru: GRU stays: it reads from the end of a chunk" in str(report)


def test_a_reset_that_is_an_argument_already_is_refused() -> None:
    with pytest.raises(HtpError, match="argument 'x': is there already"):
        use_block_ops(spotter(), (torch.randn(1, 2, 5),), stateful=True, reset="x")


@pytest.mark.slow
@pytest.mark.parametrize(("dynamo", "opset"), [(False, 17), (True, 18), (True, 20), (True, 23)])
def test_the_stream_is_the_same_in_onnx(tmp_path: Path, dynamo: bool, opset: int) -> None:
    path = tmp_path / "stream.onnx"
    stream, _ = use_block_ops(spotter(), (torch.randn(1, 2, 5),), stateful=True, reset="reset")
    args = (torch.randn(1, 2, 5), torch.tensor(False))
    export_onnx(stream, args, path, dynamo=dynamo, opset_version=opset)
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert {function.opset_import[0].version for function in model.functions} == {opset}
    assert [value.name for value in model.graph.input] == ["x", "reset"]
    assert [value.name for value in model.graph.output] == ["rows", "scores"]
    blocks = [node for node in model.graph.node if node.domain == "qti_aisw"]
    assert len(blocks) == 4
    assert {node.input[-1] for node in blocks} == {"reset"}
    session = Session(load_module(path), check=True)
    reset_states(stream)
    for number in range(4):
        x, reset = torch.randn(1, 2, 5), torch.tensor(number == 2)
        results = session.run({"x": x.numpy(), "reset": reset.numpy()})
        for name, wanted in stream(x, reset).items():
            np.testing.assert_allclose(results[name], wanted.detach(), rtol=1e-4, atol=1e-5)
