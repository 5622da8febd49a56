"""Steps of Adam as models write them, for `export.py`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.adam import adam
from torch.optim.adamw import adamw


class Library(nn.Module):
    """The library's step of one tensor; the rate is a number or an input."""

    def __init__(self, step: Callable[..., None] = adam, **changes: Any) -> None:
        super().__init__()
        numbers = {"lr": 1e-3, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "weight_decay": 0.0}
        flags = {"foreach": False, "fused": False, "capturable": False, "maximize": False}
        self.step = partial(
            step, **numbers | flags | {"amsgrad": False, "differentiable": True} | changes
        )

    def forward(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        """The weights, the moments, the number of the step, and AMSGrad's largest moment."""
        x, g, m, v, step, *largest = (tensor.clone() for tensor in tensors)
        self.step([x], [g], [m], [v], largest, [step])
        return x, m, v, step, *largest


class LibraryOfRate(Library):
    """The same with the rate as its last input."""

    def forward(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        """The weights, the moments and the number of the step."""
        *rest, rate = tensors
        self.step = partial(self.step, lr=rate)
        return super().forward(*rest)


def by_paper(x: Tensor, g: Tensor, m: Tensor, v: Tensor, step: Tensor) -> tuple[Tensor, ...]:
    """The algorithm of the paper, line by line."""
    step = step + 1
    m = 0.9 * m + (1 - 0.9) * g
    v = 0.999 * v + (1 - 0.999) * g**2
    corrected = m / (1 - 0.9**step), v / (1 - 0.999**step)
    return x - 1e-3 * corrected[0] / (corrected[1].sqrt() + 1e-8), m, v, step


def by_paper_with_decay(
    x: Tensor, g: Tensor, m: Tensor, v: Tensor, step: Tensor
) -> tuple[Tensor, ...]:
    """AdamW in the same way, with the decay in front and an epsilon that no exporter leaves out."""
    step, x = step + 1, x * (1 - 1e-3 * 0.01)
    m = 0.9 * m + (1 - 0.9) * g
    v = 0.999 * v + (1 - 0.999) * g * g
    corrected = m / (1 - 0.9**step), v / (1 - 0.999**step)
    return x - 1e-3 * (corrected[0] / (corrected[1].sqrt() + 1e-6)), m, v, step


def by_roots(x: Tensor, g: Tensor, m: Tensor, v: Tensor, step: Tensor) -> tuple[Tensor, ...]:
    """The faster order of the paper, whose epsilon is not corrected."""
    step = step + 1
    m = 0.9 * m + (1 - 0.9) * g
    v = 0.999 * v + (1 - 0.999) * g * g
    rate = 1e-3 * torch.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    return x - rate * m / (v.sqrt() + 1e-8), m, v, step


FUNCTIONS: dict[str, Callable[..., tuple[Tensor, ...]]] = {
    "Adam-paper": by_paper,
    "Adam-paper-decoupled": by_paper_with_decay,
    "Adam-roots": by_roots,
}
"""A function by the name of its spelling."""

MODULES: dict[str, Callable[[], nn.Module]] = {
    "Adam": Library,
    "Adam-decay": partial(Library, weight_decay=0.01),
    "Adam-decoupled": partial(Library, adamw, weight_decay=0.01),
    "Adam-amsgrad": partial(Library, amsgrad=True, weight_decay=0.01),
    "Adam-amsgrad-decoupled": partial(Library, adamw, amsgrad=True, weight_decay=0.01),
    "Adam-halves": partial(Library, beta1=0.5, weight_decay=0.01),
    "Adam-rate": partial(LibraryOfRate, adamw, weight_decay=0.01),
}
"""A module by the name of its spelling; TorchScript has no word for its addcdiv."""


def inputs(name: str) -> tuple[Tensor, ...]:
    """Weights, their gradient, both moments, the steps before, and the largest moment or a rate."""
    tensors = torch.randn(3, 8), torch.randn(3, 8), torch.randn(3, 8), torch.rand(3, 8)
    last = {"Adam-rate": [torch.tensor(0.01)]}.get(name, [])
    largest = [torch.rand(3, 8)] if "amsgrad" in name else []
    return *tensors, torch.tensor(1.0), *last, *largest
