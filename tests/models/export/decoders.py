"""Language models that write token by token, with the caches that they carry."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .attention import Attention, Block, RMSNorm, angles, rotate
from .entry import DYNAMO, SCRIPT, Entry, floats, mlp, tokens


class Gpt(nn.Module):
    """Learned positions, a causal mask, the head tied to the table."""

    def __init__(self, *, fused: bool = True):
        super().__init__()
        self.table, self.positions = nn.Embedding(16, 16), nn.Embedding(8, 16)
        self.blocks = nn.ModuleList(Block(16, 2, fused=fused) for _ in range(2))
        self.norm = nn.LayerNorm(16)

    def forward(self, ids: Tensor) -> Tensor:
        length = ids.shape[1]
        x = self.table(ids) + self.positions(torch.arange(length))
        mask = torch.full((length, length), float("-inf"), dtype=x.dtype).triu(1)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x) @ self.table.weight.T


class Llama(nn.Module):
    """RMSNorm, rotary embedding, grouped heads, SwiGLU; a cache of fixed size.

    The new key and value are written at `position`; positions after it are masked.
    """

    def __init__(self, length: int = 8, *, fused: bool = True):
        super().__init__()
        self.fused, self.length, self.table = fused, length, nn.Embedding(16, 16)
        self.norms = nn.ModuleList(RMSNorm(16) for _ in range(3))
        self.query, self.out = (nn.Linear(16, 16, bias=False) for _ in range(2))
        self.key, self.value = (nn.Linear(16, 8, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(16, 32, bias=False) for _ in range(2))
        self.down, self.head = nn.Linear(32, 16, bias=False), nn.Linear(16, 16, bias=False)

    def forward(
        self, ids: Tensor, position: Tensor, keys: Tensor, values: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        x = self.table(ids)
        y, (cos, sin) = self.norms[0](x), angles(position, 4)
        q, k, v = (
            part(y).view(1, -1, heads, 4).transpose(1, 2)
            for part, heads in ((self.query, 4), (self.key, 2), (self.value, 2))
        )
        q, k = q * cos + rotate(q) * sin, k * cos + rotate(k) * sin
        here = (torch.arange(self.length) == position)[:, None]
        keys, values = torch.where(here, k, keys), torch.where(here, v, values)
        k, v = (
            cache[:, :, None].expand(1, 2, 2, self.length, 4).reshape(1, 4, self.length, 4)
            for cache in (keys, values)
        )
        seen = torch.arange(self.length) <= position
        if self.fused:
            y = functional.scaled_dot_product_attention(q, k, v, attn_mask=seen[None])
        else:
            scores = (q @ k.transpose(-2, -1) * 0.5).masked_fill(~seen, float("-inf"))
            y = scores.softmax(-1) @ v
        x = x + self.out(y.transpose(1, 2).reshape(1, -1, 16))
        y = self.norms[1](x)
        x = x + self.down(functional.silu(self.gate(y)) * self.up(y))
        return self.head(self.norms[2](x)), keys, values


class Grown(nn.Module):
    """A cache that the new key and value are appended to."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Attention(16, 2)

    def forward(self, x: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        inner = self.inner
        q, k, v = (inner.split(part(x)) for part in (inner.query, inner.key, inner.value))
        keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        y = functional.scaled_dot_product_attention(q, keys, values)
        return inner.out(y.transpose(1, 2).flatten(2)), keys, values


class Alibi(nn.Module):
    """Scores less by the distance, with a slope for each head."""

    def __init__(self, length: int = 8):
        super().__init__()
        self.table, self.block = nn.Embedding(16, 16), Block(16, 2)
        apart = torch.arange(length)[None] - torch.arange(length)[:, None]
        slopes = torch.tensor([0.5, 0.25])[:, None, None]
        bias = (apart * slopes).masked_fill(apart > 0, float("-inf"))
        self.register_buffer("bias", bias[None])

    def forward(self, ids: Tensor) -> Tensor:
        return self.block(self.table(ids), self.bias)


class Experts(nn.Module):
    """A mixture of experts: the two best of four, weighed by their softmax."""

    def __init__(self) -> None:
        super().__init__()
        self.router = nn.Linear(8, 4)
        self.experts = nn.ModuleList(mlp(8, 16, 8, act=nn.SiLU) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        weights, chosen = self.router(x).softmax(-1).topk(2, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        gates = torch.zeros(*x.shape[:-1], 4, dtype=x.dtype).scatter(-1, chosen, weights)
        results = torch.stack([expert(x) for expert in self.experts], -2)
        return (gates.unsqueeze(-1) * results).sum(-2)


class Mamba(nn.Module):
    """A gated state space: its decays are summed up, so no loop over time is needed."""

    def __init__(self) -> None:
        super().__init__()
        self.into, self.depthwise = nn.Linear(8, 32), nn.Conv1d(16, 16, 4, padding=3, groups=16)
        self.parts, self.out = nn.Linear(16, 16 + 2 * 4), nn.Linear(16, 8)

    def forward(self, x: Tensor) -> Tensor:
        y, gate = self.into(x).chunk(2, -1)
        y = functional.silu(self.depthwise(y.transpose(1, 2))[..., : x.shape[1]]).transpose(1, 2)
        step, b, c = self.parts(y).split((16, 4, 4), -1)
        step = functional.softplus(step)
        total = torch.cumsum(step, 1)
        decay = torch.exp(torch.tril(-(total[:, :, None] - total[:, None]).permute(0, 3, 1, 2)))
        mixed = torch.tril((c @ b.transpose(1, 2))[:, None] * decay)
        y = (mixed @ (step * y).transpose(1, 2).unsqueeze(-1)).squeeze(-1).transpose(1, 2)
        return self.out(y * functional.silu(gate))


class Translator(nn.Module):
    """PyTorch's own decoder layer over an encoder's memory, with a causal mask."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.head = nn.Embedding(16, 16), nn.Linear(16, 16)
        layer = nn.TransformerDecoderLayer(16, 2, 32, 0.0, batch_first=True)
        self.decoder = nn.TransformerDecoder(layer, 1)

    def forward(self, ids: Tensor, memory: Tensor) -> Tensor:
        mask = torch.full((ids.shape[1], ids.shape[1]), float("-inf")).triu(1)
        return self.head(self.decoder(self.table(ids), memory, tgt_mask=mask, tgt_is_causal=False))


def gpt_eager() -> nn.Module:
    return Gpt(fused=False)


def llama_eager() -> nn.Module:
    return Llama(fused=False)


TEXT = (tokens(1, 8),)
CACHE = (tokens(1, 1), tokens(1), floats(1, 2, 8, 4), floats(1, 2, 8, 4))
APPENDED = (floats(1, 1, 16), floats(1, 2, 5, 8), floats(1, 2, 5, 8))

ENTRIES = [
    Entry("gpt", gpt_eager, TEXT, SCRIPT, 17),
    Entry("gpt", Gpt, TEXT, DYNAMO, 23),
    Entry("gpt_f16", Gpt, TEXT, DYNAMO, 20, half=True),
    Entry("llama", llama_eager, CACHE, SCRIPT, 17),
    Entry("llama", Llama, CACHE, DYNAMO, 23),
    Entry("grown_cache", Grown, APPENDED, DYNAMO, 20),
    Entry("alibi", Alibi, TEXT, SCRIPT, 20),
    Entry("experts", Experts, (floats(1, 6, 8),), DYNAMO, 20),
    Entry("mamba", Mamba, (floats(1, 6, 8),), DYNAMO, 20),
    Entry("translator", Translator, (*TEXT, floats(1, 5, 16)), DYNAMO, 18),
]
