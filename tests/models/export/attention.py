"""The attention layers that models of several families share."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .entry import mlp


class Attention(nn.Module):
    """Heads of queries over keys and values, with a bias for the scores or without.

    `fused` asks for PyTorch's own function, else matmul, softmax and matmul are written out.
    """

    def __init__(self, width: int, heads: int, *, fused: bool = True):
        super().__init__()
        self.heads, self.fused = heads, fused
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.out = nn.Linear(width, width)

    def split(self, x: Tensor) -> Tensor:
        """From tokens of all heads to heads of tokens."""
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(
        self, x: Tensor, memory: Tensor | None = None, bias: Tensor | None = None
    ) -> Tensor:
        source = x if memory is None else memory
        q, k, v = (
            self.split(self.query(x)),
            self.split(self.key(source)),
            self.split(self.value(source)),
        )
        if self.fused:
            y = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        else:
            scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
            y = (scores if bias is None else scores + bias).softmax(-1) @ v
        return self.out(y.transpose(1, 2).flatten(2))


class Block(nn.Module):
    """A pre-norm transformer layer."""

    def __init__(
        self, width: int, heads: int, act: type[nn.Module] = nn.GELU, *, fused: bool = True
    ):
        super().__init__()
        self.attention = Attention(width, heads, fused=fused)
        self.mlp = mlp(width, 2 * width, width, act=act)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))

    def forward(self, x: Tensor, bias: Tensor | None = None) -> Tensor:
        x = x + self.attention(self.norms[0](x), bias=bias)
        return x + self.mlp(self.norms[1](x))


class RMSNorm(nn.Module):
    """x by the root of its mean square, written out as in many language models."""

    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * (x.float() * scale).type_as(x)


def rotate(x: Tensor) -> Tensor:
    """The second half negated, then the first half."""
    first, second = x.chunk(2, -1)
    return torch.cat([-second, first], -1)


def angles(positions: Tensor, width: int) -> tuple[Tensor, Tensor]:
    """Cosine and sine of the rotary embedding, positions x width."""
    rates = 10000 ** (-torch.arange(0, width, 2).float() / width)
    angle = positions.float()[..., None] * rates
    angle = torch.cat([angle, angle], -1)
    return angle.cos(), angle.sin()
