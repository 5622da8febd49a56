"""The keyword spotter in PyTorch, written as it runs on a stream: state in, state out."""

from typing import NamedTuple

import torch
from audio import BANDS
from torch import Tensor, nn

BUFFERED = 16
"""Frames in the window that the convolutions see."""
REMEMBERED = 16
"""Steps over which the attention pools."""
HIDDEN = 48
"""Width of both recurrent layers."""
CLASSES = 3
MASKED = 10000.0
"""What the mask takes off the score of a step that is not there."""


class State(NamedTuple):
    """What survives from one step to the next; all zeros after a reset. B is the batch."""

    frames: Tensor  # [B, BUFFERED - 1, BANDS]
    gru: Tensor  # [1, B, HIDDEN]
    lstm_h: Tensor  # [1, B, HIDDEN]
    lstm_c: Tensor  # [1, B, HIDDEN]
    context: Tensor  # [B, REMEMBERED - 1, HIDDEN + 1], the last column is 1 in a filled row

    @classmethod
    def initial(cls, batch: int) -> "State":
        """The state after a reset."""
        hidden = torch.zeros(1, batch, HIDDEN)
        frames = torch.zeros(batch, BUFFERED - 1, BANDS)
        return cls(frames, hidden, hidden, hidden, torch.zeros(batch, REMEMBERED - 1, HIDDEN + 1))

    def detached(self) -> "State":
        """The same state, cut off from the graph of gradients."""
        return State(*(part.detach() for part in self))


class KeywordSpotter(nn.Module):
    """Buffer, convolutions, GRU, LSTM, buffer, masked attention, classifier."""

    def __init__(self) -> None:
        super().__init__()
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
        self.gru = nn.GRU(16 * (BUFFERED // 4) * (BANDS // 4), HIDDEN, batch_first=True)
        self.lstm = nn.LSTM(HIDDEN, HIDDEN, batch_first=True)
        self.attention = nn.Parameter(torch.zeros(HIDDEN))
        self.classifier = nn.Linear(HIDDEN, CLASSES)

    def forward(self, frames: Tensor, state: State) -> tuple[Tensor, Tensor, State]:
        """Logits [B, T, 3] for frames [B, T, BANDS], features [B, T, 640], the state afterwards.

        T steps at once give what T calls with one step each give.
        """
        batch, steps, _ = frames.shape
        seen = torch.cat([state.frames, frames], 1)
        windows = seen.unfold(1, BUFFERED, 1).transpose(2, 3)  # [B, T, BUFFERED, BANDS]
        features = self.conv(windows.reshape(-1, 1, BUFFERED, BANDS)).view(batch, steps, -1)
        first, gru = self.gru(features, state.gru)
        second, (lstm_h, lstm_c) = self.lstm(first, (state.lstm_h, state.lstm_c))
        rows = torch.cat([second, torch.ones(batch, steps, 1)], 2)
        context = torch.cat([state.context, rows], 1)
        logits = self.classifier(self._pool(context))
        left = seen[:, 1 - BUFFERED :], gru, lstm_h, lstm_c, context[:, 1 - REMEMBERED :]
        return logits, features, State(*left)

    def _pool(self, context: Tensor) -> Tensor:
        """Attention over the last REMEMBERED rows, as far as they are filled: [B, T, HIDDEN]."""
        rows = context.unfold(1, REMEMBERED, 1).transpose(2, 3)  # [B, T, REMEMBERED, HIDDEN + 1]
        hidden, valid = rows[..., :HIDDEN], rows[..., HIDDEN]
        scores = hidden @ self.attention + (valid - 1) * MASKED
        return (scores.softmax(-1)[..., None, :] @ hidden).squeeze(-2)
