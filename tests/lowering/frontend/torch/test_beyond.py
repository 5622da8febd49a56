"""Modules that PyTorch's exporter knows how to spell out: the same numbers at every level."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.torch import load_torch
from htp_mlir.runtime import Session
from torch import Tensor, nn
from torch.nn import functional

pytestmark = pytest.mark.needs("torch")

X = torch.linspace(-2, 3, 48).reshape(2, 3, 8)
WAVE = torch.sin(torch.arange(64.0)).reshape(1, 64)


class Call(nn.Module):
    """A function of tensors as a module."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: Tensor) -> Any:
        return self.function(*inputs)


def spectrum(x: Tensor) -> Tensor:
    window = torch.hann_window(16)
    return torch.view_as_real(torch.stft(x, 16, 4, window=window, return_complex=True))


def rotated(x: Tensor) -> Tensor:
    angles = torch.outer(torch.arange(3.0), torch.arange(4.0) / 4)
    turns = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(torch.view_as_complex(x.reshape(2, 3, 4, 2)) * turns).flatten(2)


def cached(cache: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
    cache[:, 1:2] = row
    return cache.sum(1), cache


CASES: dict[str, tuple[Callable[..., Any], tuple[Tensor, ...]]] = {
    "normalize": (lambda x: functional.normalize(x, dim=-1), (X,)),
    "cosine_similarity": (lambda x, y: functional.cosine_similarity(x, y), (X, X.flip(1))),
    "cumprod": (lambda x: torch.cumprod(x, -1), (X,)),
    "stft": (spectrum, (WAVE,)),
    "complex rotary embedding": (rotated, (X,)),
    "cache written in place": (cached, (X, X[:, :1] * 2)),
}


@pytest.mark.one_per
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("level", ["graph", "native", "placed", "allocated"])
def test_numbers_are_those_of_pytorch(case: str, level: str) -> None:
    function, inputs = CASES[case]
    module = load_torch(Call(function).eval(), tuple(x.clone() for x in inputs))
    module = module if level == "graph" else lower(module, level=level)
    session = Session(module, check=True)
    feeds = {name: x.numpy() for name, x in zip(session.inputs, inputs, strict=True)}
    wanted = function(*(x.clone() for x in inputs))
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for out, tensor in zip(session.run(feeds).values(), wanted, strict=True):
        # Sums of some dozens of products in another order.
        np.testing.assert_allclose(out, tensor.numpy(), rtol=1e-5, atol=5e-6)


def test_a_cache_that_is_not_returned_is_refused() -> None:
    with pytest.raises(HtpError, match="is written by the module, and its state would be lost"):
        load_torch(Call(lambda *args: cached(*args)[0]), (X.clone(), X[:, :1]))
