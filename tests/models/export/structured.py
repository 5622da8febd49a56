"""Models of tables, graphs, points and series, and quantised ones."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .entry import DYNAMO, SCRIPT, Entry, floats, mlp, tokens


class Tabular(nn.Module):
    """Embeddings of categories beside numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(n, 4) for n in (5, 7, 11))
        self.norm, self.body = nn.BatchNorm1d(6), mlp(18, 16, 8, 1)

    def forward(self, kinds: Tensor, numbers: Tensor) -> Tensor:
        parts = [table(kinds[:, i]) for i, table in enumerate(self.tables)]
        return self.body(torch.cat([*parts, self.norm(numbers)], 1)).squeeze(-1)


class Recommender(nn.Module):
    """DLRM: products of all pairs of features."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(8, 4, mode="sum") for _ in range(3))
        self.bottom, self.top = mlp(5, 8, 4), mlp(10, 8, 1)
        rows, columns = torch.tril_indices(4, 4, -1)
        self.register_buffer("pairs", rows * 4 + columns)

    def forward(self, kinds: Tensor, numbers: Tensor) -> Tensor:
        dense = self.bottom(numbers)
        sparse = [table.weight[kinds[:, i]].sum(1) for i, table in enumerate(self.tables)]
        features = torch.stack([dense, *sparse], 1)
        products = (features @ features.transpose(1, 2)).flatten(1)[:, self.pairs]
        return self.top(torch.cat([dense, products], 1)).sigmoid()


class Graph(nn.Module):
    """Messages along edges, added up at their ends."""

    def __init__(self) -> None:
        super().__init__()
        self.message, self.update = mlp(8, 16, 8), nn.Linear(12, 8)

    def forward(self, nodes: Tensor, edges: Tensor) -> Tensor:
        source, target = edges[0], edges[1]
        messages = self.message(torch.cat([nodes[source], nodes[target]], -1))
        places = target[:, None].expand(-1, messages.shape[1])
        sums = torch.zeros(nodes.shape[0], messages.shape[1]).scatter_add(0, places, messages)
        return self.update(torch.cat([nodes, sums], -1)).relu().mean(0, keepdim=True)


class Convolved(nn.Module):
    """A graph convolution with a dense adjacency matrix, normalised by degree."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, nodes: Tensor, edges: Tensor) -> Tensor:
        edges = edges.float() + torch.eye(nodes.shape[0])
        degree = edges.sum(1).rsqrt()
        edges = degree[:, None] * edges * degree[None]
        return (edges @ self.second((edges @ self.first(nodes)).relu())).log_softmax(1)


class Points(nn.Module):
    """PointNet: a function of each point, the largest over all, a rotation learnt."""

    def __init__(self) -> None:
        super().__init__()
        self.turn, self.features = mlp(3, 16, 9), mlp(3, 16, 16)
        self.head = nn.Linear(16, 5)

    def forward(self, x: Tensor) -> Tensor:
        turn = self.turn(x).max(1).values.view(-1, 3, 3) + torch.eye(3)
        return self.head(self.features(torch.bmm(x, turn)).amax(1))


class Forecast(nn.Module):
    """DLinear: a trend by a moving mean, the rest apart, one linear layer for each."""

    def __init__(self) -> None:
        super().__init__()
        self.trend, self.rest = nn.Linear(16, 4), nn.Linear(16, 4)

    def forward(self, x: Tensor) -> Tensor:
        mean, deviation = x.mean(1, keepdim=True), x.var(1, keepdim=True, unbiased=False)
        x = ((x - mean) / torch.sqrt(deviation + 1e-5)).transpose(1, 2)
        padded = torch.cat([x[..., :1].repeat(1, 1, 2), x, x[..., -1:].repeat(1, 1, 2)], -1)
        trend = functional.avg_pool1d(padded, 5, 1)
        y = (self.trend(trend) + self.rest(x - trend)).transpose(1, 2)
        return y * torch.sqrt(deviation + 1e-5) + mean


class Ranker(nn.Module):
    """Siamese towers, their distance, and the order of candidates."""

    def __init__(self) -> None:
        super().__init__()
        self.tower = mlp(6, 16, 8, act=nn.Mish)

    def forward(self, query: Tensor, candidates: Tensor) -> tuple[Tensor, Tensor]:
        scores = functional.cosine_similarity(self.tower(query), self.tower(candidates), dim=-1)
        return torch.sort(scores, descending=True)


class Fake(nn.Module):
    """Quantised-aware training: rounds to 8 bits; a scale for each channel of weights."""

    def __init__(self, layer: nn.Module):
        super().__init__()
        self.layer = layer
        scale = layer.weight.detach().abs().amax(tuple(range(1, layer.weight.dim()))) / 127
        self.register_buffer("scale", scale)
        self.register_buffer("zero", torch.zeros(len(scale), dtype=torch.int32))

    def forward(self, x: Tensor) -> Tensor:
        x = torch.fake_quantize_per_tensor_affine(x, 0.04, 128, 0, 255)
        weight = torch.fake_quantize_per_channel_affine(
            self.layer.weight, self.scale, self.zero, 0, -128, 127
        )
        if isinstance(self.layer, nn.Linear):
            return functional.linear(x, weight, self.layer.bias)
        return functional.conv2d(x, weight, self.layer.bias, self.layer.stride, self.layer.padding)


def quantised_cnn() -> nn.Module:
    body = [Fake(nn.Conv2d(3, 8, 3, 2, 1)), nn.ReLU(), Fake(nn.Conv2d(8, 8, 3, padding=1))]
    tail = [nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), Fake(nn.Linear(8, 10))]
    return nn.Sequential(*body, *tail)


def perceptron() -> nn.Module:
    return mlp(16, 32, 32, 4)


ENTRIES = [
    Entry("mlp", perceptron, (floats(2, 16),), SCRIPT, 17),
    Entry("mlp_f16", perceptron, (floats(2, 16),), DYNAMO, 18, half=True),
    Entry("tabular", Tabular, (tokens(2, 3), floats(2, 6)), SCRIPT, 20),
    Entry("recommender", Recommender, (tokens(2, 3, 2), floats(2, 5)), DYNAMO, 20),
    Entry("graph_messages", Graph, (floats(5, 4), tokens(2, 7)), SCRIPT, 17),
    Entry("graph_convolution", Convolved, (floats(5, 4), tokens(5, 5)), DYNAMO, 20),
    Entry("point_net", Points, (floats(1, 10, 3),), DYNAMO, 18),
    Entry("forecast", Forecast, (floats(1, 16, 3),), SCRIPT, 17),
    Entry("ranker", Ranker, (floats(1, 6), floats(5, 6)), DYNAMO, 20),
    Entry("quantised_cnn", quantised_cnn, (floats(1, 3, 16, 16),), SCRIPT, 17),
]
