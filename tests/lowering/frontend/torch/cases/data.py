"""Tensors for cases."""

import torch

_G = torch.Generator().manual_seed(7)


def r(*shape: int) -> torch.Tensor:
    """Normal numbers."""
    return torch.randn(*shape, generator=_G)


def u(*shape: int) -> torch.Tensor:
    """Numbers from 0.1 to 0.9."""
    return torch.rand(*shape, generator=_G) * 0.8 + 0.1


def i(*shape: int, high: int = 9, low: int = 0, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """Integers below a bound."""
    return torch.randint(low, high, shape, generator=_G).to(dtype)


def b(*shape: int) -> torch.Tensor:
    """Truth values."""
    return i(*shape, high=2) > 0


T = torch.tensor
