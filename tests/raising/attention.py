"""Attention as models write it, for `export.py`; queries, keys and values are [b, h, n, e]."""

from collections.abc import Callable
from functools import partial
from math import sqrt

import torch
import torch.nn.functional as F
from torch import Tensor

Spelling = Callable[..., Tensor]


def mean(scores: Tensor, v: Tensor) -> Tensor:
    """The values, weighted by the softmax of the scores."""
    return torch.softmax(scores, -1) @ v


def scaled_scores(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Scores times a number."""
    return mean(q @ k.transpose(-2, -1) * 0.35, v)


def scaled_queries(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Queries times a number."""
    return mean((q * 0.35) @ k.transpose(-2, -1), v)


def added_mask(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Scores over a root, then a mask, as BERT does."""
    return mean(q @ k.transpose(-2, -1) / sqrt(q.shape[-1]) + mask, v)


def filled_mask(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Scores that become -infinity, as nanoGPT does."""
    scores = q @ k.transpose(-2, -1) / sqrt(q.shape[-1])
    return mean(scores.masked_fill(mask < 0, -torch.inf), v)


def chosen_scores(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Scores or the lowest number, by a triangle, as GPT-2 does."""
    keep = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
    lowest = torch.full([], torch.finfo(torch.float32).min)
    return mean(torch.where(keep, q @ k.transpose(-2, -1) / sqrt(q.shape[-1]), lowest), v)


def capped(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Scores within 30, as Gemma does."""
    scores = q @ k.transpose(-2, -1) * 0.35
    return mean(30.0 * torch.tanh(scores / 30.0) + mask, v)


def softmax_in_f32(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """A softmax between casts, as language models in f16 do."""
    scores = q @ k.transpose(-2, -1) * 0.35 + mask
    return F.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype) @ v


def batched(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Heads and batch as one dim."""
    return torch.bmm(torch.softmax(torch.bmm(q, k.transpose(1, 2)) / sqrt(q.shape[-1]), -1), v)


def repeated(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Keys and values of half the heads, repeated, as Llama does."""
    k, v = (x[:, :, None].expand(-1, -1, 2, -1, -1).flatten(1, 2) for x in (k, v))
    return scaled_scores(q, k, v)


def biased(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """A bias of the scores in front of the division, as DeBERTa does."""
    return mean((q @ k.transpose(-2, -1) + mask) / sqrt(3 * q.shape[-1]), v)


def biased_then_filled(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """A bias of the scores, then a triangle of lowest numbers, as MPT does."""
    scores = q @ k.transpose(-2, -1) * 0.35 + mask
    later = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).triu(1)
    return mean(scores.masked_fill(later, torch.finfo(torch.float32).min), v)


def filled_twice(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """A bias in front of the division; low scores, then weights of 0, as Conformer does."""
    scores = (q @ k.transpose(-2, -1) + mask) / sqrt(q.shape[-1])
    hidden = mask < -1
    weights = torch.softmax(scores.masked_fill(hidden, -1e4), -1)
    return weights.masked_fill(hidden, 0.0) @ v


def heads_apart(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Heads and batch as one dim in the products alone, of a sum with nothing, as Falcon does."""
    nothing = torch.zeros(4, 5, 5)
    scores = torch.baddbmm(nothing, q, k.transpose(1, 2), beta=0.0, alpha=0.35).view(2, 2, 5, 5)
    return torch.bmm(torch.softmax(scores + mask, -1).view(4, 5, 5), v)


def masked_twice(q: Tensor, k: Tensor, v: Tensor, mask: Tensor, bias: Tensor) -> Tensor:
    """A bias for each head and a mask for each batch, as Swin does."""
    return mean(q @ k.transpose(-2, -1) * 0.35 + bias + mask, v)


def with_weights(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """The weights are a result, too: no op gives them."""
    weights = torch.softmax(q @ k.transpose(-2, -1) * 0.35, -1)
    return weights @ v, weights


SPELLINGS: dict[str, Spelling] = {
    "Attention": F.scaled_dot_product_attention,
    "Attention-added-mask": added_mask,
    "Attention-batched": batched,
    "Attention-biased": biased,
    "Attention-biased-filled": biased_then_filled,
    "Attention-capped": capped,
    "Attention-causal": partial(F.scaled_dot_product_attention, is_causal=True),
    "Attention-chosen": chosen_scores,
    "Attention-f16": softmax_in_f32,
    "Attention-filled-mask": filled_mask,
    "Attention-filled-twice": filled_twice,
    "Attention-grouped": repeated,
    "Attention-heads-apart": heads_apart,
    "Attention-mask": F.scaled_dot_product_attention,
    "Attention-masked-twice": masked_twice,
    "Attention-queries": scaled_queries,
    "Attention-scores": scaled_scores,
    "Attention-truth-mask": F.scaled_dot_product_attention,
    "Attention-weights": with_weights,
}
"""A function by the name of its spelling."""


def inputs(name: str) -> tuple[Tensor, ...]:
    """Queries, keys and values, and a mask where the spelling takes one."""
    if name.endswith("grouped"):
        return torch.randn(2, 4, 5, 8), torch.randn(2, 2, 5, 8), torch.randn(2, 2, 5, 8)
    if name.endswith(("batched", "apart")):
        masks = [torch.randn(2, 1, 5, 5)] * name.endswith("apart")
        return torch.randn(4, 5, 8), torch.randn(4, 5, 8), torch.randn(4, 5, 8), *masks
    tensors = [torch.randn(2, 4, 5, 8) for _ in "qkv"]
    if name.endswith("truth-mask"):
        return *tensors, torch.rand(5, 5) < torch.eye(5) + 0.5
    if name.endswith(("mask", "biased", "biased-filled", "capped", "f16", "twice")):
        tensors.append(torch.randn(2, 1, 5, 5))
    if name.endswith("masked-twice"):
        tensors.append(torch.randn(4, 5, 5))
    return tuple(each.half() for each in tensors) if name.endswith("f16") else tuple(tensors)
