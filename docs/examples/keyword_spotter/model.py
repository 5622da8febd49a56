"""The keyword spotter in PyTorch, from modules that are block ops: they keep its state."""

import numpy as np
import torch
from audio import BANDS
from htp_mlir.lowering.frontend.torch import (
    Buffer,
    MaskedSoftmax,
    StatefulGru,
    StatefulLstm,
    reset_states,
)
from numpy.typing import NDArray
from torch import Tensor, nn

BUFFERED = 16
"""Frames in the window that the convolutions see."""
REMEMBERED = 16
"""Steps over which the attention pools."""
HIDDEN = 48
"""Width of both recurrent layers."""
CLASSES = 3
MASKED = 10000
"""What the mask takes off the score of a step that is not there."""


class KeywordSpotter(nn.Module):
    """Buffer, convolutions, GRU, LSTM, buffer, masked attention, classifier.

    A call brings `steps` frames and goes on from the state of the last one: 1 frame on a stream,
    more to train. The numbers are the same, and the weights fit both.
    """

    def __init__(self, steps: int = 1) -> None:
        super().__init__()
        self.gather_frames = _last_rows(BUFFERED, steps, dim=2)
        self.conv = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(32, 32, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 16, 1),
            nn.ReLU(),
            nn.Flatten(),
        )
        features = 16 * (BUFFERED // 4) * (BANDS // 4)
        self.gru = StatefulGru(features, HIDDEN, linear_before_reset=1)
        self.lstm = StatefulLstm(HIDDEN, HIDDEN)
        self.gather_steps = _last_rows(REMEMBERED, steps, dim=2)
        self.attention = nn.Parameter(torch.zeros(HIDDEN))
        self.attend = MaskedSoftmax()
        self.classifier = nn.Linear(HIDDEN, CLASSES)

    def forward(self, frames: Tensor, reset: Tensor | bool) -> tuple[Tensor, Tensor]:
        """Return logits [B, T, 3] and features [B, T, 640] of frames [B, T, BANDS]."""
        batch, steps, _ = frames.shape
        seen = self.gather_frames(frames[:, None], reset)[:, 0]
        windows = _windows(seen, steps, BUFFERED).reshape(-1, 1, BUFFERED, BANDS)
        features = self.conv(windows).view(batch, steps, -1)
        first, _ = self.gru(features.transpose(0, 1), reset=reset)
        second, _, _ = self.lstm(first[:, 0], reset=reset)
        # A column of ones travels along: it tells filled rows from empty ones.
        rows = nn.functional.pad(second[:, 0].transpose(0, 1), (0, 1), value=1.0)
        context = self.gather_steps(rows[:, None], reset)[:, 0]
        recent = _windows(context, steps, REMEMBERED).reshape(-1, 1, REMEMBERED, HIDDEN + 1)
        hidden, filled = recent[..., :HIDDEN], recent[:, 0, :, HIDDEN]
        mask = ((filled - 1) * MASKED).to(torch.int32)
        shares = self.attend((hidden @ self.attention)[:, :, None], mask)
        pooled = (shares @ hidden).view(batch, steps, HIDDEN)
        return self.classifier(pooled), features

    def on_a_stream(self) -> "KeywordSpotter":
        """Return the model for one frame a call, with these weights."""
        single = KeywordSpotter().eval()
        single.load_state_dict(self.state_dict())
        reset_states(single)
        return single

    @torch.no_grad()
    def weights(self) -> dict[str, NDArray[np.float32]]:
        """The weights under the names and in the forms of the ONNX files."""
        return {name: value.numpy().copy() for name, value in self._named().items()}

    @torch.no_grad()
    def load(self, weights: dict[str, NDArray[np.float32]]) -> None:
        """Take over weights as the ONNX files have them."""
        for name, value in self._named().items():
            value.copy_(torch.from_numpy(weights[name].copy()))

    def _named(self) -> dict[str, Tensor]:
        """Views of the weights; those of block ops are in ONNX's form already."""
        named = {"attention.w": self.attention[:, None]}
        layers = {"conv1": self.conv[0], "conv2": self.conv[2], "conv3": self.conv[4]}
        for name, layer in {**layers, "conv4": self.conv[7]}.items():
            named |= {f"{name}.w": layer.weight, f"{name}.b": layer.bias}
        for name, block in {"gru": self.gru, "lstm": self.lstm}.items():
            named |= {f"{name}.w": block.W, f"{name}.r": block.R, f"{name}.b": block.B}
        return {**named, "class.w": self.classifier.weight.T, "class.b": self.classifier.bias}


def _last_rows(rows: int, steps: int, dim: int) -> Buffer:
    """A buffer for the rows of windows that end at each of `steps` rows, which come at once."""
    chunks = -(-(rows - 1 + steps) // steps)
    return Buffer(chunks * steps, dim, mode="NON_BLOCKING_RIGHT", stride=steps)


def _windows(rows: Tensor, steps: int, size: int) -> Tensor:
    """The windows [B, steps, size, width] that end at each of the last rows [B, rows, width]."""
    if steps == 1:
        return rows[:, None]
    return rows[:, 1 - size - steps :].unfold(1, size, 1).transpose(2, 3)
