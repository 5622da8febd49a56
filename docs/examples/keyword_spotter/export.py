"""Writes the two ONNX files from the model's modules, and reads their weights back.

`model.onnx` is the streaming model, each block op one node; `stateless.onnx` is the convolutional
part alone, from the buffered window to the features, which ONNX Runtime can run on its own.
"""

import warnings
from pathlib import Path
from typing import Any

import onnx
import torch
from audio import BANDS
from htp_mlir.lowering.frontend.torch import export_onnx
from model import BUFFERED, KeywordSpotter
from onnx.numpy_helper import to_array
from torch import Tensor, nn

OPSET = 18


class OneFrame(nn.Module):
    """The spotter on a stream: one frame [1, 1, 1, 40] a call, a probability for each class."""

    def __init__(self, spotter: KeywordSpotter) -> None:
        super().__init__()
        self.spotter = spotter

    def forward(self, frame: Tensor, reset: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return probabilities [1, 3], the window [1, 1, 16, 40] and features [1, 1, 640]."""
        logits, window, features = self.spotter.answer(frame, reset)
        return logits.flatten(1).softmax(1), window, features


class Features(nn.Module):
    """The convolutional part: window [1, 1, 16, 40] to features [1, 1, 640]."""

    def __init__(self, spotter: KeywordSpotter) -> None:
        super().__init__()
        self.spotter = spotter

    def forward(self, window: Tensor) -> Tensor:
        """Return the features, a sequence of length 1 for the GRU."""
        features: Tensor = self.spotter.conv(window)[None]
        return features


def write(spotter: KeywordSpotter, folder: Path) -> None:
    """Writes `model.onnx` and `stateless.onnx` into the folder."""
    single = spotter.on_a_stream()
    frame, window = torch.zeros(1, 1, 1, BANDS), torch.zeros(1, 1, BUFFERED, BANDS)
    inputs, outputs = ["frame", "reset"], ["probabilities", "window", "features"]
    reset = torch.tensor(False)
    _export(OneFrame(single), (frame, reset), folder / "model.onnx", inputs, outputs)
    _export(Features(single), (window,), folder / "stateless.onnx", ["window"], ["features"])


def load(spotter: KeywordSpotter, path: Path) -> None:
    """Takes over the weights of a `model.onnx`, which have the names of the modules."""
    arrays = {t.name: to_array(t).copy() for t in onnx.load(path).graph.initializer}
    names = [name for name, _ in spotter.named_parameters()]
    weights = {name: torch.from_numpy(arrays[f"spotter.{name}"]) for name in names}
    spotter.load_state_dict({**spotter.state_dict(), **weights})


def _export(
    module: nn.Module, args: tuple[Any, ...], path: Path, inputs: list[str], outputs: list[str]
) -> None:
    with warnings.catch_warnings():
        # PyTorch's exporter uses what its own trees deprecate.
        warnings.simplefilter("ignore", FutureWarning)
        names = {"input_names": inputs, "output_names": outputs}
        export_onnx(module, args, path, **names, opset_version=OPSET, verbose=False)
    model = onnx.load(path)
    del model.metadata_props[:]
    graph = model.graph
    for part in (*graph.node, *graph.input, *graph.output, *graph.value_info, graph):
        # Where in Python each part comes from: as large as the weights.
        del part.metadata_props[:]
    onnx.save(model, path)
    path.with_suffix(".onnx.data").unlink(missing_ok=True)
