"""GRU and LSTM of PyTorch, of any number of layers, as layers of block ops."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw.choices import Direction
from .buffer import BLOCKED, is_blocked
from .recurrent import StatefulGru, StatefulLstm

_GRU_GATES = (1, 0, 2)
"""The gates z, r, h by their places in PyTorch's order r, z, n."""
_LSTM_GATES = (0, 3, 1, 2)
"""The gates i, o, f, c by their places in PyTorch's order i, f, g, o."""


class StatefulLayers(nn.Module):
    """A GRU or LSTM that is called, and answers, as PyTorch's does, made of block ops.

    With `stateful` each call goes on where the last one ended, and `hx` counts after a true `reset`
    and in the first call only. Without it each call begins from `hx`, or zeros, as in PyTorch.
    """

    def __init__(
        self,
        layers: Iterable[StatefulGru | StatefulLstm],
        *,
        batch_first: bool = False,
        dropout: float = 0.0,
        stateful: bool = True,
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.batch_first, self.dropout, self.stateful = batch_first, dropout, stateful

    def forward(
        self,
        input: Tensor,
        hx: Tensor | tuple[Tensor, Tensor] | None = None,
        lengths: Tensor | None = None,
        reset: Tensor | bool | None = None,
    ) -> tuple[Any, Any]:
        """Return all steps, and the final states, in PyTorch's layouts.

        input is [seq, batch, input], or [batch, seq, input] with `batch_first`, or without a batch;
        `hx` h, or h and c, of [layers * dir, batch, hidden]; `lengths` [batch]. HtpError
        for a packed sequence.
        """
        if is_blocked(input, reset):
            return BLOCKED, BLOCKED
        if not isinstance(input, Tensor):
            problem = f"the input is a {type(input).__name__}"
            raise fail("StatefulLayers", problem, "pass a padded tensor and lengths=")
        has_batch = input.dim() == 3
        rows = input if has_batch else input.unsqueeze(1)
        swapped = self.batch_first and has_batch
        rows = rows.transpose(0, 1) if swapped else rows
        begin = reset if self.stateful else torch.ones((), dtype=torch.bool, device=input.device)
        finals: list[tuple[Tensor, ...]] = []
        for index, layer in enumerate(self.layers):
            initial = self._initial(hx, index, has_batch)
            rows, *final = layer(rows, lengths, *initial, reset=begin)
            # [seq, dir, batch, hidden] to PyTorch's [seq, batch, dir * hidden].
            rows = rows.transpose(1, 2).flatten(2)
            finals.append(tuple(final))
            if index + 1 < len(self.layers):
                rows = nn.functional.dropout(rows, self.dropout, self.training)
        states = tuple(torch.cat(values) for values in zip(*finals, strict=True))
        if not has_batch:
            rows, states = rows.squeeze(1), tuple(state.squeeze(1) for state in states)
        rows = rows.transpose(0, 1) if swapped else rows
        return rows, (states if len(states) > 1 else states[0])

    @property
    def num_layers(self) -> int:
        """Return the number of layers."""
        return len(self.layers)

    @property
    def input_size(self) -> int:
        """Return the features of a step."""
        return int(self.layers[0].input_size)

    @property
    def hidden_size(self) -> int:
        """Return the features of a state."""
        return int(self.layers[0].hidden_size)

    @property
    def bidirectional(self) -> bool:
        """Tell whether each layer reads both ways."""
        return self.layers[0].direction is Direction.BIDIRECTIONAL

    def flatten_parameters(self) -> None:
        """Do nothing, as PyTorch's does on a processor: models call it before they run."""

    def extra_repr(self) -> str:
        return f"batch_first={self.batch_first}, stateful={self.stateful}"

    def _initial(
        self, hx: Tensor | tuple[Tensor, Tensor] | None, index: int, has_batch: bool
    ) -> list[Tensor]:
        """Take a layer's part of the initial states."""
        if hx is None:
            return []
        ways = self.layers[index].direction.directions
        whole = hx if isinstance(hx, tuple) else (hx,)
        parts = [state[index * ways : (index + 1) * ways] for state in whole]
        return parts if has_batch else [part.unsqueeze(1) for part in parts]


def from_torch(layer: nn.GRU | nn.LSTM, *, stateful: bool = True) -> StatefulLayers:
    """Make block ops with the weights of a GRU or an LSTM, to stand in its place.

    HtpError for an LSTM with projections, which the block op does not have.
    """
    if getattr(layer, "proj_size", 0):
        problem = f"proj_size is {layer.proj_size}, the block op has no projection"
        raise fail(type(layer).__name__, problem, "use proj_size=0 and a Linear behind it")
    layers = [_layer(layer, index) for index in range(layer.num_layers)]
    block = StatefulLayers(
        layers, batch_first=layer.batch_first, dropout=layer.dropout, stateful=stateful
    )
    block.train(layer.training)
    return block


def _layer(layer: nn.GRU | nn.LSTM, index: int) -> StatefulGru | StatefulLstm:
    """Make one layer, with its weights in the order of ONNX's gates."""
    is_gru = isinstance(layer, nn.GRU)
    gates = _GRU_GATES if is_gru else _LSTM_GATES
    ends = [f"_l{index}", f"_l{index}_reverse"][: 2 if layer.bidirectional else 1]

    def weights(name: str) -> Tensor:
        parts = [getattr(layer, name + end).detach().chunk(len(gates)) for end in ends]
        return torch.stack([torch.cat([part[gate] for gate in gates]) for part in parts])

    W, R = weights("weight_ih"), weights("weight_hh")
    direction = Direction.BIDIRECTIONAL if layer.bidirectional else Direction.FORWARD
    block: StatefulGru | StatefulLstm
    if is_gru:
        block = StatefulGru(
            W.shape[2], R.shape[2], bias=layer.bias, direction=direction, linear_before_reset=1
        )
    else:
        block = StatefulLstm(W.shape[2], R.shape[2], bias=layer.bias, direction=direction)
    block.to(W.device, W.dtype)
    block.W.data.copy_(W)
    block.R.data.copy_(R)
    if block.B is not None:
        block.B.data.copy_(torch.cat([weights("bias_ih"), weights("bias_hh")], 1))
    block.requires_grad_(layer.weight_ih_l0.requires_grad)
    return block
