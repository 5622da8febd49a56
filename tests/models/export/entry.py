"""One model of the set: what it is, its example inputs, and what exports it."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn

SCRIPT, DYNAMO = "torchscript", "dynamo"


@dataclass(frozen=True)
class Entry:
    """A model; `exporter` and `opset` are what writes its file, `half` stores it in f16."""

    name: str
    build: Callable[[], nn.Module]
    inputs: tuple[Tensor, ...]
    exporter: str
    opset: int
    half: bool = False


def floats(*shape: int) -> Tensor:
    """Normal numbers."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


def tokens(*shape: int) -> Tensor:
    """Integers from 0 to 3, which every model's tables have."""
    return torch.randint(0, 4, shape, generator=torch.Generator().manual_seed(0))


def conv(
    inputs: int, outputs: int, size: int = 3, act: type[nn.Module] | None = nn.ReLU, **options: int
) -> nn.Sequential:
    """A convolution that keeps the size, with batch norm and an activation."""
    layers = [
        nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False, **options),
        nn.BatchNorm2d(outputs),
    ]
    return nn.Sequential(*layers, *([act()] if act else []))


def mlp(*sizes: int, act: type[nn.Module] = nn.ReLU) -> nn.Sequential:
    """Linear layers with activations between them."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(sizes):
        layers += [nn.Linear(inputs, outputs), act()]
    return nn.Sequential(*layers[:-1])
