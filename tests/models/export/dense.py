"""Images in, images out: segmentation, super resolution, depth, detection heads."""

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from .classifiers import IMAGE, Joined, Residual
from .entry import DYNAMO, SCRIPT, Entry, conv, floats


class UNet(nn.Module):
    """Two levels down and up again with skips; `up` doubles the size."""

    def __init__(self, up: nn.Module):
        super().__init__()
        self.first, self.second, self.up = conv(3, 8), conv(8, 16), up
        self.last = nn.Sequential(conv(24, 8), nn.Conv2d(8, 2, 1))

    def forward(self, x: Tensor) -> Tensor:
        high = self.first(x)
        low = self.up(self.second(functional.max_pool2d(high, 2)))
        return self.last(torch.cat([low, high], 1))


class Pyramid(nn.Module):
    """FPN: three sizes, the smaller ones added to the larger from above."""

    def __init__(self) -> None:
        super().__init__()
        sizes = (3, 8, 12, 16)
        self.down = nn.ModuleList(conv(a, b, stride=2) for a, b in pairwise(sizes))
        self.sides = nn.ModuleList(nn.Conv2d(n, 8, 1) for n in sizes[1:])

    def forward(self, x: Tensor) -> list[Tensor]:
        levels = []
        for layer in self.down:
            x = layer(x)
            levels.append(x)
        outputs = [self.sides[-1](levels[-1])]
        for level, side in reversed(list(zip(levels[:-1], self.sides[:-1], strict=True))):
            larger = functional.interpolate(outputs[0], size=level.shape[-2:], mode="nearest")
            outputs.insert(0, side(level) + larger)
        return outputs


class Yolo(nn.Module):
    """One scale of a detector: boxes decoded on a grid, with objectness and classes."""

    def __init__(self, anchors: int = 3, classes: int = 4, size: int = 8):
        super().__init__()
        self.anchors, self.fields = anchors, 5 + classes
        self.body = nn.Sequential(conv(3, 8, 3, nn.SiLU, stride=4), conv(8, 8, 3, nn.SiLU))
        self.head = nn.Conv2d(8, anchors * self.fields, 1)
        ys, xs = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
        self.register_buffer("grid", torch.stack([xs, ys], -1).float()[None, None])
        self.register_buffer("sizes", torch.rand(1, anchors, 1, 1, 2) * 8)

    def forward(self, x: Tensor) -> Tensor:
        y = self.head(self.body(x))
        n, _, h, w = y.shape
        y = y.view(n, self.anchors, self.fields, h, w).permute(0, 1, 3, 4, 2).contiguous()
        centre, extent, rest = y.sigmoid().split((2, 2, self.fields - 4), 4)
        centre = (centre * 2 - 0.5 + self.grid) * 4
        extent = (extent * 2) ** 2 * self.sizes
        return torch.cat([centre, extent, rest], 4).view(n, -1, self.fields)


class Keypoints(nn.Module):
    """Soft-argmax: the mean position under the softmax of a heat map for each joint."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(3, 8, stride=2), nn.Conv2d(8, 5, 1))

    def forward(self, x: Tensor) -> Tensor:
        maps = self.body(x)
        n, joints, h, w = maps.shape
        weights = maps.flatten(2).softmax(-1).view(n, joints, h, w)
        xs = (weights.sum(2) * torch.linspace(-1, 1, w)).sum(-1)
        ys = (weights.sum(3) * torch.linspace(-1, 1, h)).sum(-1)
        return torch.stack([xs, ys], -1)


class Atrous(nn.Module):
    """DeepLab's pooling: dilated convolutions beside the mean of the whole image."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = conv(3, 8, stride=4)
        rates = [nn.Conv2d(8, 4, 3, padding=rate, dilation=rate) for rate in (1, 2, 4)]
        self.rates = Joined(*rates)
        self.mean = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(8, 4, 1), nn.ReLU())
        self.head = nn.Conv2d(16, 3, 1)

    def forward(self, x: Tensor) -> Tensor:
        y = self.stem(x)
        mean = functional.interpolate(self.mean(y), y.shape[-2:], mode="bilinear")
        y = self.head(torch.cat([self.rates(y), mean], 1))
        y = functional.interpolate(y, x.shape[-2:], mode="bilinear", align_corners=False)
        return y.argmax(1)


def reflected(inputs: int, outputs: int) -> nn.Sequential:
    layers = [nn.ReflectionPad2d(1), nn.Conv2d(inputs, outputs, 3)]
    return nn.Sequential(*layers, nn.InstanceNorm2d(outputs, affine=True), nn.ELU())


def unet_resize() -> nn.Module:
    return UNet(nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True))


def unet_transpose() -> nn.Module:
    return UNet(nn.ConvTranspose2d(16, 16, 2, stride=2))


def super_resolution() -> nn.Module:
    layers = [nn.Conv2d(1, 8, 5, padding=2), nn.PReLU(8), nn.Conv2d(8, 9, 3, padding=1)]
    return nn.Sequential(*layers, nn.PixelShuffle(3))


def depth_decoder() -> nn.Module:
    up = nn.Upsample(scale_factor=2, mode="nearest")
    layers = [conv(3, 8, stride=4), reflected(8, 8), up, reflected(8, 4), up]
    return nn.Sequential(*layers, nn.ReflectionPad2d(1), nn.Conv2d(4, 1, 3), nn.Sigmoid())


def style_transfer() -> nn.Module:
    body = nn.Sequential(reflected(8, 8), reflected(8, 8))
    return nn.Sequential(reflected(3, 8), Residual(body, act=False), nn.Conv2d(8, 3, 1), nn.Tanh())


def retina_head() -> nn.Module:
    layers: list[nn.Module] = []
    for _ in range(2):
        layers += [nn.Conv2d(8, 8, 3, padding=1), nn.GroupNorm(4, 8), nn.ReLU()]
    return nn.Sequential(conv(3, 8, stride=4), *layers, nn.Conv2d(8, 6, 3, padding=1))


ENTRIES = [
    Entry("unet_resize", unet_resize, IMAGE, SCRIPT, 17),
    Entry("unet_transpose", unet_transpose, IMAGE, DYNAMO, 20),
    Entry("fpn", Pyramid, IMAGE, DYNAMO, 18),
    Entry("yolo_head", Yolo, IMAGE, SCRIPT, 17),
    Entry("keypoints", Keypoints, IMAGE, DYNAMO, 20),
    Entry("deeplab", Atrous, IMAGE, SCRIPT, 20),
    Entry("super_resolution", super_resolution, (floats(1, 1, 16, 16),), SCRIPT, 13),
    Entry("depth_decoder", depth_decoder, IMAGE, DYNAMO, 23),
    Entry("style_transfer", style_transfer, IMAGE, DYNAMO, 18),
    Entry("retina_head", retina_head, IMAGE, SCRIPT, 20),
    Entry("unet_transpose_f16", unet_transpose, IMAGE, DYNAMO, 20, half=True),
]
