"""Losses, attention to pages and routed experts as models write them, for `export.py`."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

_DEPTH, _WIDTH, _EXPERTS, _CHOSEN = 8, 12, 4, 2


def mean_of_gathered(x: Tensor, target: Tensor) -> Tensor:
    """Minus the mean logarithm of the probability of each target."""
    return -torch.log_softmax(x, -1).gather(-1, target[:, None]).mean()


def sum_of_gathered(x: Tensor, target: Tensor) -> Tensor:
    """The sum of the same, each made positive first."""
    return (-torch.log_softmax(x, -1).gather(-1, target[:, None]).squeeze(1)).sum()


def rows_of_gathered(x: Tensor, target: Tensor) -> Tensor:
    """The loss of each row, as policies are trained by it."""
    return -torch.log_softmax(x, -1).gather(-1, target[:, None]).squeeze(-1)


def negative_likelihood(x: Tensor, target: Tensor) -> Tensor:
    """The library's two halves of it."""
    return F.nll_loss(F.log_softmax(x, 1), target)


def paged(q: Tensor, keys: Tensor, values: Tensor, table: Tensor, lengths: Tensor) -> Tensor:
    """The library's attention to sequences of some lengths, whose pages a table names."""
    k, v = (pages[table].flatten(1, 2).transpose(1, 2) for pages in (keys, values))
    reach = torch.arange(k.shape[2]) < lengths[:, None]
    return F.scaled_dot_product_attention(q, k, v, reach[:, None, None])


def paged_in_groups(q: Tensor, keys: Tensor, values: Tensor, table: Tensor) -> Tensor:
    """An attention by hand to full pages, in which two heads share keys."""
    k, v = (
        pages[table].flatten(1, 2).transpose(1, 2).repeat_interleave(2, 1)
        for pages in (keys, values)
    )
    return torch.softmax(q @ k.transpose(2, 3) * 0.35, -1) @ v


class Experts(nn.Module):
    """A gate over experts, whose matrices are [d, f] and [f, d], or turned."""

    def __init__(self, turned: bool = True) -> None:
        super().__init__()
        self.gate = nn.Linear(_DEPTH, _EXPERTS)
        inner = (_EXPERTS, _WIDTH, _DEPTH) if turned else (_EXPERTS, _DEPTH, _WIDTH)
        outer = (_EXPERTS, _DEPTH, _WIDTH) if turned else (_EXPERTS, _WIDTH, _DEPTH)
        self.w1, self.w3 = (nn.Parameter(torch.randn(inner)) for _ in range(2))
        self.w2 = nn.Parameter(torch.randn(outer))


class ExpertsOfShares(Experts):
    """SwiGLU experts, weighted by their share of the chosen probabilities, as gpt-fast does."""

    def forward(self, x: Tensor) -> Tensor:
        """Each row through its experts."""
        weights, chosen = torch.topk(F.softmax(self.gate(x), -1), _CHOSEN, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        first = F.silu(torch.einsum("ti,taoi->tao", x, self.w1[chosen]))
        inner = first * torch.einsum("ti,taoi->tao", x, self.w3[chosen])
        results = torch.einsum("tao,taio->tai", inner, self.w2[chosen])
        return torch.einsum("tai,ta->ti", results, weights)


class ExpertsOfColumns(Experts):
    """GELU experts, weighted by a softmax of the chosen scores, as gpt-oss does."""

    def forward(self, x: Tensor) -> Tensor:
        """Each row through its experts."""
        best = torch.topk(self.gate(x), _CHOSEN, -1)
        inner = F.gelu(torch.einsum("beck,bk->bec", self.w1[best.indices], x))
        results = torch.einsum("beck,bek->bec", self.w2[best.indices], inner)
        return torch.einsum("bec,be->bc", results, torch.softmax(best.values, 1))


class ExpertsOfAll(Experts):
    """ReLU experts, weighted by their probabilities, as the Switch Transformer does."""

    def __init__(self) -> None:
        super().__init__(turned=False)

    def forward(self, x: Tensor) -> Tensor:
        """Each row through its experts."""
        weights, chosen = torch.topk(F.softmax(self.gate(x), -1), _CHOSEN, -1)
        inner = F.relu(torch.einsum("td,tkdf->tkf", x, self.w1[chosen]))
        results = torch.einsum("tkf,tkfd->tkd", inner, self.w2[chosen])
        return (results * weights[..., None]).sum(1)


class ExpertsInTurn(ExpertsOfShares):
    """All experts one after another, each times its weight or 0."""

    def forward(self, x: Tensor) -> Tensor:
        """Each row through all experts."""
        weights, chosen = torch.topk(F.softmax(self.gate(x), -1), _CHOSEN, -1)
        total = torch.zeros_like(x)
        for expert in range(_EXPERTS):
            weight = (weights * (chosen == expert)).sum(-1, keepdim=True)
            inner = F.silu(x @ self.w1[expert].T) * (x @ self.w3[expert].T)
            total = total + weight * (inner @ self.w2[expert].T)
        return total


FUNCTIONS: dict[str, Callable[..., Tensor]] = {
    "SoftmaxCrossEntropy-gathered": mean_of_gathered,
    "SoftmaxCrossEntropy-sum": sum_of_gathered,
    "SoftmaxCrossEntropy-rows": rows_of_gathered,
    "SoftmaxCrossEntropy-halves": negative_likelihood,
    "PagedAttention": paged,
    "PagedAttention-grouped": paged_in_groups,
}
"""A function by the name of its spelling."""

MODULES: dict[str, Callable[[], nn.Module]] = {
    "SoftmaxCrossEntropy": nn.CrossEntropyLoss,
    "SoftmaxCrossEntropy-ignored": partial(nn.CrossEntropyLoss, ignore_index=2, reduction="sum"),
    "RoutedExperts-shares": ExpertsOfShares,
    "RoutedExperts-columns": ExpertsOfColumns,
    "RoutedExperts-all": ExpertsOfAll,
    "RoutedExperts-in-turn": ExpertsInTurn,
}
"""A module by the name of its spelling."""


def inputs(name: str) -> tuple[Tensor, ...]:
    """Scores and targets; queries, pages and their table; or rows."""
    if name.startswith("SoftmaxCrossEntropy"):
        return torch.randn(4, 8), torch.randint(8, (4,))
    if name.startswith("RoutedExperts"):
        return (torch.randn(3, _DEPTH),)
    heads = 2 if name.endswith("grouped") else 4
    pages = (torch.randn(16, 4, heads, 8) for _ in "kv")
    tensors = torch.randn(2, 4, 3, 8), *pages, torch.tensor([[0, 2], [3, 1]])
    return tensors if name.endswith("grouped") else (*tensors, torch.tensor([5, 8]))
