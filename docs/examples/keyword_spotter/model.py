"""The keyword spotter in PyTorch, from modules that are block ops: they keep its state."""

import torch
from audio import BANDS
from htp_mlir.lowering.frontend.torch import Buffer, MaskedSoftmax, StatefulGru, StatefulLstm
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
        self.attention = nn.Parameter(torch.zeros(HIDDEN, 1))
        self.attend = MaskedSoftmax()
        self.classifier = nn.Linear(HIDDEN, CLASSES)

    def forward(self, frames: Tensor, reset: Tensor | bool) -> tuple[Tensor, Tensor]:
        """Return logits [B, T, 3] and features [B, T, 640] of frames [B, T, BANDS]."""
        logits, _, features = self.answer(frames[:, None], reset)
        return logits, features

    def answer(self, frames: Tensor, reset: Tensor | bool) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits, the first buffer's content and features of frames [B, 1, T, BANDS]."""
        batch, _, steps, _ = frames.shape
        seen = self.gather_frames(frames, reset)
        features = self.conv(_windows(seen, steps, BUFFERED)).view(batch, steps, -1)
        first, _ = self.gru(features.transpose(0, 1), reset=reset)
        second, _, _ = self.lstm(first[:, 0], reset=reset)
        # A column of ones travels along: it tells filled rows from empty ones.
        rows = torch.cat([second.permute(2, 1, 0, 3), second.new_ones(batch, 1, steps, 1)], 3)
        recent = _windows(self.gather_steps(rows, reset), steps, REMEMBERED)
        hidden, filled = recent.split([HIDDEN, 1], 3)
        mask = ((filled.flatten(1) - 1) * MASKED).to(torch.int32)
        shares = self.attend((hidden @ self.attention).transpose(2, 3), mask)
        logits = self.classifier((shares @ hidden).flatten(1))
        return logits.view(batch, steps, CLASSES), seen, features

    def on_a_stream(self) -> "KeywordSpotter":
        """Return the model for one frame a call, with these weights."""
        single = KeywordSpotter().eval()
        single.load_state_dict({**single.state_dict(), **dict(self.named_parameters())})
        return single


def _last_rows(rows: int, steps: int, dim: int) -> Buffer:
    """A buffer for the rows of windows that end at each of `steps` rows, which come at once."""
    chunks = -(-(rows - 1 + steps) // steps)
    return Buffer(chunks * steps, dim, mode="NON_BLOCKING_RIGHT", stride=steps)


def _windows(rows: Tensor, steps: int, size: int) -> Tensor:
    """The windows [B * steps, 1, size, width] that end at the last rows of [B, 1, n, width]."""
    if steps == 1:
        return rows
    windows = rows[:, 0, 1 - size - steps :].unfold(1, size, 1).transpose(2, 3)
    return windows.flatten(0, 1)[:, None]
