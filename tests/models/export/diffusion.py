"""A diffusion model that a text guides."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .entry import DYNAMO, Entry, floats, mlp


class Step(nn.Module):
    """A residual block whose second norm takes scale and shift from the time."""

    def __init__(self, inputs: int, outputs: int, time: int) -> None:
        super().__init__()
        self.norm, self.conv = nn.GroupNorm(4, inputs), nn.Conv2d(inputs, outputs, 3, padding=1)
        self.time, self.second = nn.Linear(time, 2 * outputs), nn.GroupNorm(4, outputs)
        self.out = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.skip = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        y = self.conv(functional.silu(self.norm(x)))
        scale, shift = self.time(functional.silu(time))[:, :, None, None].chunk(2, 1)
        y = self.second(y) * (1 + scale) + shift
        return self.skip(x) + self.out(functional.silu(y))


class Guided(nn.Module):
    """Attention of pixels to a text, then a gated feed-forward layer."""

    def __init__(self, width: int, text: int) -> None:
        super().__init__()
        self.norm, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, 2, kdim=text, vdim=text, batch_first=True)
        self.gate, self.out = nn.Linear(width, 4 * width), nn.Linear(2 * width, width)

    def forward(self, x: Tensor, text: Tensor) -> Tensor:
        y = x.flatten(2).transpose(1, 2)
        y = y + self.attention(self.norm(y), text, text, need_weights=False)[0]
        value, gate = self.gate(self.second(y)).chunk(2, -1)
        y = y + self.out(value * functional.gelu(gate))
        return y.transpose(1, 2).reshape(x.shape)


class Diffusion(nn.Module):
    """The noise in an image at a time: one scale down, one up, and a skip."""

    def __init__(self) -> None:
        super().__init__()
        self.time, self.head = mlp(8, 16, 16, act=nn.SiLU), nn.Conv2d(4, 8, 3, padding=1)
        self.down, self.up = nn.Conv2d(8, 8, 3, 2, 1), nn.Conv2d(12, 12, 3, padding=1)
        self.steps = nn.ModuleList([Step(8, 8, 16), Step(8, 12, 16), Step(20, 8, 16)])
        self.guided, self.norm = Guided(12, 6), nn.GroupNorm(4, 8)
        self.out = nn.Conv2d(8, 4, 3, padding=1)

    def forward(self, x: Tensor, time: Tensor, text: Tensor) -> Tensor:
        angles = time[:, None].float() * torch.exp(-torch.arange(4.0) * 2.3)
        time = self.time(torch.cat([angles.cos(), angles.sin()], -1))
        fine = self.steps[0](self.head(x), time)
        coarse = self.guided(self.steps[1](self.down(fine), time), text)
        up = self.up(functional.interpolate(coarse, scale_factor=2.0))
        y = self.steps[2](torch.cat([up, fine], 1), time)
        return self.out(functional.silu(self.norm(y)))


INPUTS = (floats(1, 4, 8, 8), torch.tensor([3]), floats(1, 5, 6))
ENTRIES = [Entry("diffusion", Diffusion, INPUTS, DYNAMO, 23)]
