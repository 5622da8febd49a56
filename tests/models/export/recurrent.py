"""Speech models with recurrent layers."""

import torch
from torch import Tensor, nn

from .entry import DYNAMO, SCRIPT, Entry, conv, floats, mlp, tokens


class Spotter(nn.Module):
    """Keywords from the last state of a recurrent layer."""

    def __init__(self, kind: type[nn.RNNBase], **options: bool | int | str):
        super().__init__()
        self.rnn = kind(10, 12, batch_first=True, **options)
        self.head = nn.Linear(12 * (1 + self.rnn.bidirectional), 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.rnn(x)[0][:, -1])


class Streaming(nn.Module):
    """A layer whose state is an input and an output."""

    def __init__(self) -> None:
        super().__init__()
        self.rnn, self.head = nn.LSTM(10, 12), nn.Linear(12, 4)

    def forward(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        y, (h, c) = self.rnn(x, (h, c))
        return self.head(y).log_softmax(-1), h, c


class Crnn(nn.Module):
    """Convolutions over an image of text or sound, then a bidirectional layer for CTC."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(1, 4), nn.MaxPool2d(2), conv(4, 8), nn.MaxPool2d((2, 1), (2, 1))
        )
        self.rnn = nn.GRU(8 * 4, 8, bidirectional=True, batch_first=True)
        self.head = nn.Linear(16, 6)

    def forward(self, x: Tensor) -> Tensor:
        y = self.body(x).permute(0, 3, 1, 2).flatten(2)
        return self.head(self.rnn(y)[0]).log_softmax(-1)


class Joint(nn.Module):
    """A transducer: every frame joined with every token."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.table = nn.LSTM(10, 8, batch_first=True), nn.Embedding(6, 8)
        self.predictor, self.joint = nn.GRU(8, 8, batch_first=True), mlp(8, 8, 6, act=nn.Tanh)

    def forward(self, x: Tensor, text: Tensor) -> Tensor:
        heard = self.encoder(x)[0].unsqueeze(2)
        said = self.predictor(self.table(text))[0].unsqueeze(1)
        return self.joint(heard + said).log_softmax(-1)


class Enhancer(nn.Module):
    """A mask for a spectrogram, and the energy that it leaves."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.rnn, self.mask = nn.LayerNorm(16), nn.GRU(16, 16, 2), nn.Linear(16, 16)

    def forward(self, real: Tensor, imaginary: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        loud = torch.log1p(torch.sqrt(real**2 + imaginary**2))
        mask = self.mask(self.rnn(self.norm(loud).transpose(0, 1))[0]).sigmoid().transpose(0, 1)
        real, imaginary = mask * real, mask * imaginary
        return real, imaginary, (real**2 + imaginary**2).sum(-1).clamp(min=1e-6).log()


class Listener(nn.Module):
    """An attention decoder's step over what an encoder heard."""

    def __init__(self) -> None:
        super().__init__()
        self.cell, self.table = nn.GRUCell(16, 8), nn.Embedding(6, 8)
        self.query, self.energy = nn.Linear(8, 8), nn.Linear(8, 1)
        self.head = nn.Linear(8, 6)

    def forward(self, memory: Tensor, token: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        scores = self.energy(torch.tanh(memory + self.query(state).unsqueeze(1)))
        context = (scores.softmax(1) * memory).sum(1)
        state = self.cell(torch.cat([self.table(token), context], -1), state)
        return self.head(state), state


FRAMES = (floats(1, 12, 10),)
STATES = (floats(1, 1, 12), floats(1, 1, 12))


def entry(name: str, kind: type[nn.RNNBase], exporter: str, opset: int, **options) -> Entry:
    return Entry(name, lambda: Spotter(kind, **options), FRAMES, exporter, opset)


ENTRIES = [
    entry("gru_spotter", nn.GRU, SCRIPT, 17),
    entry("gru_bidirectional", nn.GRU, DYNAMO, 20, bidirectional=True),
    entry("lstm_two_layers", nn.LSTM, SCRIPT, 20, num_layers=2),
    entry("lstm_bidirectional", nn.LSTM, SCRIPT, 17, num_layers=2, bidirectional=True),
    entry("lstm_spotter", nn.LSTM, DYNAMO, 20),
    Entry("lstm_streaming", Streaming, (floats(1, 1, 10), *STATES), DYNAMO, 18),
    entry("rnn_relu", nn.RNN, SCRIPT, 17, nonlinearity="relu"),
    entry("rnn_bidirectional", nn.RNN, DYNAMO, 20, num_layers=2, bidirectional=True),
    Entry("crnn", Crnn, (floats(1, 1, 16, 20),), SCRIPT, 17),
    Entry("transducer", Joint, (*FRAMES, tokens(1, 5)), DYNAMO, 23),
    Entry("enhancer", Enhancer, (floats(1, 6, 16), floats(1, 6, 16)), DYNAMO, 20),
    Entry("listener", Listener, (floats(1, 7, 8), tokens(1), floats(1, 8)), SCRIPT, 17),
]
