"""Image classifiers and the blocks that they are known for."""

import torch
from torch import Tensor, nn

from .entry import DYNAMO, SCRIPT, Entry, conv, floats, mlp


class Residual(nn.Module):
    """out = act(x + body(x)), or with a shortcut where the shapes differ."""

    def __init__(self, body: nn.Module, shortcut: nn.Module | None = None, act: bool = True):
        super().__init__()
        self.body, self.shortcut = body, shortcut or nn.Identity()
        self.act = nn.ReLU() if act else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        return self.act(self.shortcut(x) + self.body(x))


class Squeeze(nn.Module):
    """Squeeze-and-excitation: each channel by a gate of all channels' means."""

    def __init__(self, channels: int, gate: type[nn.Module], act: type[nn.Module]):
        super().__init__()
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1),
            nn.Conv2d(channels, channels // 4, 1),
            act(),
            nn.Conv2d(channels // 4, channels, 1),
            gate(),
        )

    def forward(self, x: Tensor) -> Tensor:
        return x * self.gate(x)


class Shuffle(nn.Module):
    """ShuffleNet's unit: half of the channels convolved, then both halves interleaved."""

    def __init__(self, channels: int):
        super().__init__()
        half = channels // 2
        self.branch = nn.Sequential(
            conv(half, half, 1), conv(half, half, act=None, groups=half), conv(half, half, 1)
        )

    def forward(self, x: Tensor) -> Tensor:
        left, right = x.chunk(2, dim=1)
        joined = torch.cat([left, self.branch(right)], 1)
        n, c, h, w = joined.shape
        return joined.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)


class Joined(nn.Module):
    """The branches' results side by side: Inception, and DenseNet with an identity."""

    def __init__(self, *branches: nn.Module):
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([branch(x) for branch in self.branches], 1)


class ConvNeXt(nn.Module):
    """Depthwise 7x7, LayerNorm over channels, two linear layers, a scale for each channel."""

    def __init__(self, channels: int):
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, 7, padding=3, groups=channels)
        self.norm = nn.LayerNorm(channels)
        self.mlp = mlp(channels, 4 * channels, channels, act=nn.GELU)
        self.scale = nn.Parameter(torch.full((channels,), 0.1))

    def forward(self, x: Tensor) -> Tensor:
        y = self.scale * self.mlp(self.norm(self.depthwise(x).permute(0, 2, 3, 1)))
        return x + y.permute(0, 3, 1, 2)


def head(channels: int) -> nn.Sequential:
    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10))


def inverted(channels: int, act: type[nn.Module], *gate: nn.Module) -> Residual:
    """MobileNet's block: widen, convolve each channel, narrow."""
    wide = 2 * channels
    body = [conv(channels, wide, 1, act), conv(wide, wide, 3, act, groups=wide), *gate]
    return Residual(nn.Sequential(*body, conv(wide, channels, 1, None)), act=False)


def lenet() -> nn.Module:
    features = [nn.Conv2d(1, 6, 5), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 12, 5), nn.Tanh()]
    return nn.Sequential(*features, nn.AvgPool2d(2), nn.Flatten(), mlp(192, 32, 10, act=nn.Tanh))


def resnet() -> nn.Module:
    stem = [conv(3, 8, 7, stride=2), nn.MaxPool2d(3, 2, 1)]
    body = nn.Sequential(conv(8, 16, stride=2), conv(16, 16, act=None))
    return nn.Sequential(*stem, Residual(body, conv(8, 16, 1, None, stride=2)), head(16))


def resnext() -> nn.Module:
    body = nn.Sequential(conv(16, 16, 1), conv(16, 16, groups=4), conv(16, 16, 1, None))
    return nn.Sequential(conv(3, 16), Residual(body), head(16))


def mobilenet_v2() -> nn.Module:
    return nn.Sequential(conv(3, 8, 3, nn.ReLU6, stride=2), inverted(8, nn.ReLU6), head(8))


def mobilenet_v3() -> nn.Module:
    gate = Squeeze(16, nn.Hardsigmoid, nn.ReLU)
    return nn.Sequential(
        conv(3, 8, 3, nn.Hardswish, stride=2), inverted(8, nn.Hardswish, gate), head(8)
    )


def efficientnet() -> nn.Module:
    gate = Squeeze(16, nn.Sigmoid, nn.SiLU)
    return nn.Sequential(conv(3, 8, 3, nn.SiLU, stride=2), inverted(8, nn.SiLU, gate), head(8))


def shufflenet() -> nn.Module:
    return nn.Sequential(conv(3, 8, stride=2), Shuffle(8), Shuffle(8), head(8))


def densenet() -> nn.Module:
    def layer(n: int) -> Joined:
        return Joined(
            nn.Identity(),
            nn.Sequential(nn.BatchNorm2d(n), nn.ReLU(), nn.Conv2d(n, 4, 3, padding=1, bias=False)),
        )

    tail = [nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 8, 1), nn.AvgPool2d(2), head(8)]
    return nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), layer(8), layer(12), *tail)


def inception() -> nn.Module:
    pool = nn.Sequential(nn.AvgPool2d(3, 1, 1, count_include_pad=False), conv(8, 4, 1))
    most = nn.Sequential(nn.MaxPool2d(3, 1, 1, ceil_mode=True), conv(8, 4, 1))
    wide = nn.Sequential(conv(8, 4, 1), conv(4, 4, 5))
    return nn.Sequential(conv(3, 8, stride=2), Joined(conv(8, 4, 1), wide, pool, most), head(16))


def convnext() -> nn.Module:
    return nn.Sequential(nn.Conv2d(3, 8, 4, 4), ConvNeXt(8), ConvNeXt(8), head(8))


IMAGE = (floats(1, 3, 32, 32),)

ENTRIES = [
    Entry("lenet", lenet, (floats(1, 1, 28, 28),), SCRIPT, 13),
    Entry("resnet", resnet, IMAGE, SCRIPT, 17),
    Entry("resnext", resnext, IMAGE, DYNAMO, 18),
    Entry("mobilenet_v2", mobilenet_v2, IMAGE, DYNAMO, 18),
    Entry("mobilenet_v3", mobilenet_v3, IMAGE, SCRIPT, 17),
    Entry("efficientnet", efficientnet, IMAGE, DYNAMO, 20),
    Entry("shufflenet", shufflenet, IMAGE, DYNAMO, 20),
    Entry("densenet", densenet, IMAGE, SCRIPT, 20),
    Entry("inception", inception, IMAGE, DYNAMO, 23),
    Entry("convnext", convnext, IMAGE, DYNAMO, 20),
    Entry("mobilenet_v2_f16", mobilenet_v2, IMAGE, SCRIPT, 17, half=True),
]
