"""Language models that read a whole text."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .attention import Attention, Block
from .entry import DYNAMO, SCRIPT, Entry, mlp, tokens


class Layer(nn.Module):
    """A post-norm transformer layer with its scores written out."""

    def __init__(self) -> None:
        super().__init__()
        self.attention, self.mlp = Attention(16, 4, fused=False), mlp(16, 32, 16, act=nn.GELU)
        self.norms = nn.ModuleList(nn.LayerNorm(16) for _ in range(2))

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        x = self.norms[0](x + self.attention(x, bias=hidden))
        return self.norms[1](x + self.mlp(x))


class Bert(nn.Module):
    """Three embeddings, layers, a mask of padding; `shared` repeats one layer (ALBERT)."""

    def __init__(self, *, shared: bool = False):
        super().__init__()
        tables = [nn.Embedding(16, 16), nn.Embedding(8, 16), nn.Embedding(4, 16)]
        self.tables, self.norm = nn.ModuleList(tables), nn.LayerNorm(16)
        self.pool = nn.Linear(16, 16)
        layers = [Layer() for _ in range(1 if shared else 2)]
        self.layers = nn.ModuleList(2 * layers if shared else layers)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        words, positions, segments = self.tables
        x = self.norm(words(ids) + positions(torch.arange(ids.shape[1])) + segments(kinds))
        hidden = (1.0 - mask[:, None, None].to(x.dtype)) * torch.finfo(x.dtype).min
        for layer in self.layers:
            x = layer(x, hidden)
        return x, self.pool(x[:, 0]).tanh()


class Relative(nn.Module):
    """T5: no scale, a bias for each bucket of distances."""

    def __init__(self, length: int = 8):
        super().__init__()
        self.table, self.bias = nn.Embedding(16, 16), nn.Embedding(8, 2)
        self.block = Block(16, 2, nn.ReLU, fused=False)
        apart = torch.arange(length)[None] - torch.arange(length)[:, None]
        far = torch.log(apart.abs().clamp(min=1).float()).long().clamp(max=3)
        self.register_buffer("buckets", far + 4 * (apart > 0))

    def forward(self, ids: Tensor) -> Tensor:
        bias = self.bias(self.buckets).permute(2, 0, 1).unsqueeze(0)
        return self.block(self.table(ids), bias)


class Disentangled(nn.Module):
    """DeBERTa: scores of content and of positions, gathered by distance."""

    def __init__(self, length: int = 8):
        super().__init__()
        self.table, self.inner = nn.Embedding(16, 16), Attention(16, 2)
        self.positions = nn.Parameter(torch.randn(1, 8, 16))
        apart = torch.arange(length)[:, None] - torch.arange(length)[None]
        self.register_buffer("places", (apart + 4).clamp(0, 7)[None, None])

    def forward(self, ids: Tensor) -> Tensor:
        x, inner = self.table(ids), self.inner
        q, k, v = (inner.split(part(x)) for part in (inner.query, inner.key, inner.value))
        near = q @ inner.split(inner.key(self.positions)).transpose(-2, -1)
        places = self.places.expand(*near.shape[:3], -1)
        scores = (q @ k.transpose(-2, -1) + near.gather(-1, places)) / 24**0.5
        return inner.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class Linear(nn.Module):
    """Linear attention: queries and keys by elu + 1, no softmax over tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.inner = nn.Embedding(16, 16), Attention(16, 2)

    def forward(self, ids: Tensor) -> Tensor:
        x, inner = self.table(ids), self.inner
        q, k, v = (inner.split(part(x)) for part in (inner.query, inner.key, inner.value))
        q, k = functional.elu(q) + 1, functional.elu(k) + 1
        scale = 1 / (torch.einsum("nhlk,nhk->nhl", q, k.sum(2)) + 1e-6)
        sums = torch.einsum("nhsk,nhsv->nhkv", k, v)
        return inner.out(torch.einsum("nhlk,nhkv,nhl->nlhv", q, sums, scale).flatten(2))


class Fourier(nn.Module):
    """FNet with a cosine matrix in place of attention."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.norm, self.mlp = nn.Embedding(16, 8), nn.LayerNorm(8), mlp(8, 16, 8)
        angle = torch.outer(torch.arange(8.0), torch.arange(8.0)) * torch.pi / 4
        self.register_buffer("cosine", angle.cos())

    def forward(self, ids: Tensor) -> Tensor:
        x = self.table(ids)
        x = self.norm(x + self.cosine @ x @ self.cosine)
        return self.norm(x + self.mlp(x))


class BagOfWords(nn.Module):
    """The mean of the words that are not padding, then classes."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.head = nn.Embedding(16, 12, padding_idx=0), mlp(12, 12, 3)

    def forward(self, ids: Tensor) -> Tensor:
        kept = (ids != 0).unsqueeze(-1).float()
        mean = (self.table(ids) * kept).sum(1) / kept.sum(1).clamp(min=1)
        return self.head(mean).softmax(-1)


class Bags(nn.Module):
    """Sums and means of the rows of words, by EmbeddingBag, side by side."""

    def __init__(self) -> None:
        super().__init__()
        self.sums = nn.EmbeddingBag(16, 6, mode="sum")
        self.means = nn.EmbeddingBag(16, 6, mode="mean")

    def forward(self, ids: Tensor) -> Tensor:
        return torch.cat([self.sums(ids), self.means(ids)], 1)


class TextCnn(nn.Module):
    """Windows of two to four words, the strongest answer of each filter."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(16, 8)
        self.windows = nn.ModuleList(nn.Conv1d(8, 4, n) for n in (2, 3, 4))
        self.head = nn.Linear(12, 3)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.table(ids).transpose(1, 2)
        return self.head(torch.cat([w(x).relu().max(-1).values for w in self.windows], 1))


def albert() -> nn.Module:
    return Bert(shared=True)


TEXT = (tokens(1, 8),)
MASKED = (*TEXT, torch.ones(1, 8, dtype=torch.int64), tokens(1, 8))

ENTRIES = [
    Entry("bert", Bert, MASKED, SCRIPT, 17),
    Entry("bert", Bert, MASKED, DYNAMO, 20),
    Entry("albert", albert, MASKED, DYNAMO, 23),
    Entry("t5_encoder", Relative, TEXT, SCRIPT, 17),
    Entry("deberta", Disentangled, TEXT, DYNAMO, 20),
    Entry("linear_attention", Linear, TEXT, DYNAMO, 18),
    Entry("fourier_mixing", Fourier, TEXT, SCRIPT, 20),
    Entry("bag_of_words", BagOfWords, TEXT, SCRIPT, 17),
    Entry("bags", Bags, TEXT, DYNAMO, 20),
    Entry("text_cnn", TextCnn, TEXT, DYNAMO, 20),
]
