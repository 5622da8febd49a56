"""Recurrent cells as models write them, for `export.py`; states are [b, h]."""

import torch
from torch import Tensor, nn

_INPUTS, _HIDDEN = 8, 4


class Projected(nn.Module):
    """A cell's products with the input and with the state."""

    def __init__(self, gates: int, bias: bool = True) -> None:
        super().__init__()
        self.of_input = nn.Linear(_INPUTS, gates * _HIDDEN)
        self.of_state = nn.Linear(_HIDDEN, gates * _HIDDEN, bias=bias)


class LstmCell(nn.LSTMCell):
    """The library's cell, with its states as two inputs."""

    def forward(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """One step."""
        return super().forward(x, (h, c))


class LstmOfChunks(Projected):
    """A cell that cuts its gates by chunk, in an order of its own."""

    def __init__(self) -> None:
        super().__init__(4, bias=False)

    def forward(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """One step."""
        f, i, o, g = (self.of_input(x) + self.of_state(h)).chunk(4, 1)
        c = torch.sigmoid(i) * torch.tanh(g) + c * torch.sigmoid(f)
        return torch.tanh(c) * torch.sigmoid(o), c


class LstmOfSlices(Projected):
    """A cell that cuts its gates by slices."""

    def __init__(self) -> None:
        super().__init__(4)

    def forward(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """One step."""
        gates = self.of_input(x) + self.of_state(h)
        i, f, o, g = (gates[:, n * _HIDDEN : (n + 1) * _HIDDEN] for n in range(4))
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class GruOfSlices(Projected):
    """A cell that cuts its gates by slices, and mixes the states with z and 1 - z."""

    def __init__(self) -> None:
        super().__init__(3)

    def forward(self, x: Tensor, h: Tensor) -> Tensor:
        """One step."""
        new, old = self.of_input(x), self.of_state(h)
        z = torch.sigmoid(new[:, :_HIDDEN] + old[:, :_HIDDEN])
        r = torch.sigmoid(new[:, _HIDDEN : 2 * _HIDDEN] + old[:, _HIDDEN : 2 * _HIDDEN])
        n = torch.tanh(new[:, 2 * _HIDDEN :] + r * old[:, 2 * _HIDDEN :])
        return (1 - z) * n + z * h


class LstmOfMatrices(nn.Module):
    """A cell whose products are matrices with a bias added."""

    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.randn(_INPUTS, 4 * _HIDDEN))
        self.r = nn.Parameter(torch.randn(_HIDDEN, 4 * _HIDDEN))
        self.bias = nn.Parameter(torch.randn(4 * _HIDDEN))

    def forward(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """One step."""
        i, f, g, o = ((x @ self.w + self.bias) + h @ self.r).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class GruOfReset(Projected):
    """A cell that resets its state in front of the product, as the first paper has it."""

    def __init__(self) -> None:
        super().__init__(2)
        self.of_input = nn.Linear(_INPUTS, 3 * _HIDDEN)
        self.of_reset = nn.Linear(_HIDDEN, _HIDDEN)

    def forward(self, x: Tensor, h: Tensor) -> Tensor:
        """One step."""
        new_z, new_r, new_n = self.of_input(x).chunk(3, 1)
        old_z, old_r = self.of_state(h).chunk(2, 1)
        z, r = torch.sigmoid(new_z + old_z), torch.sigmoid(new_r + old_r)
        n = torch.tanh(new_n + self.of_reset(r * h))
        return (1 - z) * n + z * h


CELLS: dict[str, type[nn.Module]] = {
    "Lstm-cell-chunks": LstmOfChunks,
    "Lstm-cell-slices": LstmOfSlices,
    "Lstm-cell-matrices": LstmOfMatrices,
    "Gru-cell-slices": GruOfSlices,
    "Gru-cell-reset": GruOfReset,
}
"""A module by the name of its spelling."""


def inputs(name: str) -> tuple[Tensor, ...]:
    """An input, and the states; none for a first step."""
    x = torch.randn(2, _INPUTS)
    states = 0 if name.endswith("-first") else 2 if name.startswith("Lstm") else 1
    return x, *(torch.randn(2, _HIDDEN) for _ in range(states))
