"""Models that take one step: from an input and a state to an output and the next state."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .entry import DYNAMO, SCRIPT, Entry, floats, mlp, tokens


class Rwkv(nn.Module):
    """RWKV: a weighted mean of all values so far, whose sums are kept below a running maximum."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.table = nn.Embedding(4, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.mix = nn.Parameter(torch.rand(3, 1, width))
        self.decay, self.bonus = nn.Parameter(torch.randn(width)), nn.Parameter(torch.randn(width))
        self.inner = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(3))
        self.out, self.head = nn.Linear(width, width), nn.Linear(width, 4)

    def forward(self, token: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        x = self.table(token)
        last, total, weight, top = state.split(1)
        inputs = self.norms[0](x)
        gate, key, value = (
            layer(torch.lerp(last, inputs, share))
            for layer, share in zip(self.inner, self.mix, strict=True)
        )
        peak = torch.maximum(top, key + self.bonus)
        old, new = torch.exp(top - peak), torch.exp(key + self.bonus - peak)
        mean = (old * total + new * value) / (old * weight + new)
        y = self.norms[1](x + self.out(gate.sigmoid() * mean))
        faded = top - torch.exp(self.decay)
        peak = torch.maximum(faded, key)
        old, new = torch.exp(faded - peak), torch.exp(key - peak)
        state = torch.cat([inputs, old * total + new * value, old * weight + new, peak])
        return self.head(y), state


class Reader(nn.Module):
    """Tacotron 2: the next frame, read from the text where the frames so far have led."""

    def __init__(self) -> None:
        super().__init__()
        self.frame, self.cell = mlp(8, 12, 12), nn.LSTMCell(24, 16)
        self.query, self.memory = nn.Linear(16, 6, bias=False), nn.Linear(12, 6, bias=False)
        self.places = nn.Sequential(nn.Conv1d(2, 4, 5, padding=2, bias=False), nn.Conv1d(4, 6, 1))
        self.energy, self.out = nn.Linear(6, 1, bias=False), nn.Linear(28, 8)

    def forward(
        self, frame: Tensor, text: Tensor, h: Tensor, c: Tensor, weights: Tensor, read: Tensor
    ) -> tuple[Tensor, ...]:
        h, c = self.cell(torch.cat([self.frame(frame), read], -1), (h, c))
        places = self.places(weights).transpose(1, 2)
        sums = torch.tanh(self.query(h)[:, None] + self.memory(text) + places)
        now = functional.softmax(self.energy(sums).squeeze(-1), -1)
        read = torch.bmm(now[:, None], text).squeeze(1)
        weights = torch.stack([now, weights[:, 1] + now], 1)
        return self.out(torch.cat([h, read], -1)), h, c, weights, read


class Tracker(nn.Module):
    """A Kalman filter of places and speeds in a plane, with the inverse of 2 x 2 by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("move", torch.eye(4) + 0.1 * torch.eye(4).roll(2, 1).triu())
        self.register_buffer("seen", torch.eye(2, 4))

    def forward(self, place: Tensor, state: Tensor, spread: Tensor) -> tuple[Tensor, Tensor]:
        state = self.move @ state
        spread = self.move @ spread @ self.move.mT + 0.01 * torch.eye(4)
        doubt = self.seen @ spread @ self.seen.mT + 0.1 * torch.eye(2)
        (a, b), (c, d) = doubt[..., 0, :].unbind(-1), doubt[..., 1, :].unbind(-1)
        turned = torch.stack([d, -b, -c, a], -1).unflatten(-1, (2, 2))
        gain = spread @ self.seen.mT @ turned / (a * d - b * c)[..., None, None]
        state = state + gain @ (place - self.seen @ state)
        return state, (torch.eye(4) - gain @ self.seen) @ spread


STATE = floats(1, 16)
READING = (floats(1, 8), floats(1, 9, 12), STATE, STATE, floats(1, 2, 9).softmax(-1), STATE[:, :12])
TRACK = (floats(3, 2, 1), floats(3, 4, 1), torch.eye(4).repeat(3, 1, 1))

LANGUAGE = [Entry("rwkv", Rwkv, (tokens(1), floats(4, 16).abs()), DYNAMO, 20)]
SPEECH = [Entry("reader", Reader, READING, SCRIPT, 17)]
OTHER = [Entry("tracker", Tracker, TRACK, DYNAMO, 20)]
