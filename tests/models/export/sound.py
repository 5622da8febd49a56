"""Speech and sound models of convolutions and attention."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from .attention import Attention, Block
from .classifiers import head
from .entry import DYNAMO, SCRIPT, Entry, conv, floats, mlp


class RelativeAttention(nn.Module):
    """Transformer-XL's attention: scores of positions apart, shifted by padding and a view."""

    def __init__(self, width: int, heads: int, length: int):
        super().__init__()
        self.inner, self.positions = Attention(width, heads), nn.Linear(width, width, bias=False)
        self.u, self.v = (nn.Parameter(torch.randn(heads, 1, width // heads)) for _ in range(2))
        self.register_buffer("table", torch.randn(1, 2 * length - 1, width))

    def forward(self, x: Tensor) -> Tensor:
        inner = self.inner
        q, k, v = (inner.split(part(x)) for part in (inner.query, inner.key, inner.value))
        apart = (q + self.v) @ inner.split(self.positions(self.table)).transpose(-2, -1)
        n, heads, rows, columns = apart.shape
        apart = functional.pad(apart, (1, 0)).view(n, heads, columns + 1, rows)
        apart = apart[:, :, 1:].view(n, heads, rows, columns)[..., :rows]
        scores = ((q + self.u) @ k.transpose(-2, -1) + apart) / math.sqrt(q.shape[-1])
        return inner.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class Convolution(nn.Module):
    """Conformer's convolution: GLU, depthwise, batch norm, Swish."""

    def __init__(self, width: int):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(width, 2 * width, 1),
            nn.GLU(1),
            nn.Conv1d(width, width, 5, padding=2, groups=width),
            nn.BatchNorm1d(width),
            nn.SiLU(),
            nn.Conv1d(width, width, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.body(x.transpose(1, 2)).transpose(1, 2)


class Conformer(nn.Module):
    """Feed-forward parts round attention and convolution; `after` norms as Squeezeformer does."""

    def __init__(self, *, after: bool = False, length: int = 12):
        super().__init__()
        self.after, self.stem = after, nn.Linear(10, 16)
        self.parts = nn.ModuleList(
            [
                mlp(16, 32, 16, act=nn.SiLU),
                RelativeAttention(16, 2, length),
                Convolution(16),
                mlp(16, 32, 16, act=nn.SiLU),
            ]
        )
        self.norms = nn.ModuleList(nn.LayerNorm(16) for _ in self.parts)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for part, norm, weight in zip(self.parts, self.norms, (0.5, 1, 1, 0.5), strict=True):
            x = norm(x + part(x)) if self.after else x + weight * part(norm(x))
        return x


class Causal(nn.Module):
    """WaveNet: gated dilated causal convolutions with skips."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv1d(1, 8, 1)
        self.gates = nn.ModuleList(nn.Conv1d(8, 16, 2, dilation=2**i) for i in range(3))
        self.outs = nn.ModuleList(nn.Conv1d(8, 8, 1) for _ in range(3))
        self.last = nn.Conv1d(8, 6, 1)

    def forward(self, x: Tensor) -> Tensor:
        x, skips = self.stem(x), 0
        for gate, out in zip(self.gates, self.outs, strict=True):
            value, weight = gate(functional.pad(x, (gate.dilation[0], 0))).chunk(2, 1)
            y = out(value.tanh() * weight.sigmoid())
            x, skips = x + y, skips + y
        return self.last(functional.relu(skips))


class Vocoder(nn.Module):
    """HiFi-GAN: transposed convolutions and residual stacks, weight norm in the exported graph."""

    def __init__(self) -> None:
        super().__init__()
        norm = nn.utils.parametrizations.weight_norm
        self.stem = norm(nn.Conv1d(10, 16, 7, padding=3))
        self.ups = nn.ModuleList(
            norm(nn.ConvTranspose1d(16 >> i, 8 >> i, 4, 2, 1)) for i in range(2)
        )
        self.stacks = nn.ModuleList(
            nn.ModuleList(norm(nn.Conv1d(8 >> i, 8 >> i, 3, padding=d, dilation=d)) for d in (1, 3))
            for i in range(2)
        )
        self.last = nn.Conv1d(4, 1, 7, padding=3)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for up, stack in zip(self.ups, self.stacks, strict=True):
            x = up(functional.leaky_relu(x, 0.1))
            x = sum(x + layer(functional.leaky_relu(x, 0.1)) for layer in stack) / 2
        return torch.tanh(self.last(functional.leaky_relu(x)))


class Whisper(nn.Module):
    """Two convolutions, sinusoids, transformer layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv1d(10, 16, 3, 1, 1), nn.Conv1d(16, 16, 3, 2, 1)
        rates = torch.exp(-math.log(10000) / 7 * torch.arange(8))
        angle = torch.arange(6)[:, None] * rates
        self.register_buffer("positions", torch.cat([angle.sin(), angle.cos()], 1))
        self.block, self.norm = Block(16, 2, fused=True), nn.LayerNorm(16)

    def forward(self, x: Tensor) -> Tensor:
        x = functional.gelu(self.second(functional.gelu(self.first(x))))
        return self.norm(self.block(x.transpose(1, 2) + self.positions))


class Speaker(nn.Module):
    """X-vectors: mean and deviation over time."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(10, 16, 5, dilation=2), nn.ReLU(), nn.BatchNorm1d(16))
        self.head = nn.Linear(32, 8)

    def forward(self, x: Tensor) -> Tensor:
        y = self.body(x)
        y = self.head(torch.cat([y.mean(-1), y.std(-1)], -1))
        return functional.normalize(y, p=2, dim=1)


def tcn() -> nn.Module:
    layers: list[nn.Module] = []
    for dilation in (1, 2, 4):
        layers += [
            nn.ConstantPad1d((2 * dilation, 0), 0.0),
            nn.Conv1d(10, 10, 3, dilation=dilation),
        ]
        layers += [nn.PReLU(), nn.BatchNorm1d(10)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(10, 4))


def wav2vec() -> nn.Module:
    first = [nn.Conv1d(1, 8, 10, 5, bias=False), nn.GroupNorm(8, 8), nn.GELU()]
    return nn.Sequential(*first, nn.Conv1d(8, 8, 3, 2, bias=False), nn.GELU("tanh"))


def separable_spotter() -> nn.Module:
    pairs = [conv(8, 8, 3, groups=8), conv(8, 8, 1)]
    return nn.Sequential(nn.Conv2d(1, 8, (10, 4), 2, (5, 1)), *pairs, nn.Dropout(), head(8))


def squeezeformer() -> nn.Module:
    return Conformer(after=True)


FRAMES, CHANNELS = (floats(1, 12, 10),), (floats(1, 10, 12),)

ENTRIES = [
    Entry("conformer", Conformer, FRAMES, DYNAMO, 20),
    Entry("conformer_f16", Conformer, FRAMES, SCRIPT, 17, half=True),
    Entry("squeezeformer", squeezeformer, FRAMES, SCRIPT, 17),
    Entry("tcn", tcn, CHANNELS, SCRIPT, 17),
    Entry("wavenet", Causal, (floats(1, 1, 40),), DYNAMO, 18),
    Entry("vocoder", Vocoder, CHANNELS, DYNAMO, 20),
    Entry("wav2vec", wav2vec, (floats(1, 1, 400),), SCRIPT, 20),
    Entry("whisper", Whisper, CHANNELS, DYNAMO, 23),
    Entry("speaker", Speaker, CHANNELS, DYNAMO, 20),
    Entry("separable_spotter", separable_spotter, (floats(1, 1, 20, 10),), SCRIPT, 13),
]
