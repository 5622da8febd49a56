"""The steps of StatefulGru and StatefulLstm, in one direction. Source: ONNX's GRU and LSTM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

State = tuple[Tensor, ...]
Step = Callable[[Tensor, State], State]


@dataclass(frozen=True)
class Weights:
    """The weights of one direction: W [g * hidden, input], R [g * hidden, hidden], biases alike.

    `P` [3 * hidden] are the peepholes of an LSTM, for i, o and f.
    """

    W: Tensor
    R: Tensor
    Wb: Tensor
    Rb: Tensor
    P: Tensor | None = None


@dataclass(frozen=True)
class Options:
    """The attributes that say how a step computes; `clip` bounds all sums in front of gates."""

    clip: float | None = None
    linear_before_reset: int = 1
    input_forget: int = 0

    def bound(self, x: Tensor) -> Tensor:
        """Bound the sum in front of a gate."""
        return x if self.clip is None else x.clamp(-self.clip, self.clip)


def gru_step(x: Tensor, state: State, weights: Weights, options: Options) -> State:
    """Compute h after one step; x [batch, 3 * hidden] is the input times W, plus its bias."""
    (h,) = state
    xz, xr, xh = x.chunk(3, -1)
    wz, wr, wh = weights.R.chunk(3)
    bz, br, bh = weights.Rb.chunk(3)
    z = options.bound(xz + functional.linear(h, wz, bz)).sigmoid()
    r = options.bound(xr + functional.linear(h, wr, br)).sigmoid()
    if options.linear_before_reset:
        recurrent = r * functional.linear(h, wh, bh)
    else:
        recurrent = functional.linear(r * h, wh, bh)
    new = options.bound(xh + recurrent).tanh()
    return ((1 - z) * new + z * h,)


def lstm_step(x: Tensor, state: State, weights: Weights, options: Options) -> State:
    """Compute h and c after one step; x [batch, 4 * hidden] is the input times W, plus its bias."""
    h, c = state
    i, o, f, new = (x + functional.linear(h, weights.R, weights.Rb)).chunk(4, -1)
    none = torch.zeros((), dtype=x.dtype, device=x.device)
    pi, po, pf = (none, none, none) if weights.P is None else weights.P.chunk(3)
    i = options.bound(i + pi * c).sigmoid()
    f = 1 - i if options.input_forget else options.bound(f + pf * c).sigmoid()
    c = f * c + i * options.bound(new).tanh()
    return options.bound(o + po * c).sigmoid() * c.tanh(), c


def run(
    step: Callable[..., State],
    X: Tensor,
    state: State,
    lens: Tensor | None,
    reverse: bool,
    weights: Weights,
    options: Options,
) -> tuple[Tensor, State]:
    """Run a layer in one direction; return Y [seq, batch, hidden] and the final state.

    Rows of Y from a length on are 0, and there the state stays. In reverse, each sequence is read
    from its last valid row down to row 0.
    """
    steps, batch = X.shape[:2]
    order = _order(steps, batch, lens, X.device) if reverse else None
    sums = functional.linear(X if order is None else _taken(X, order), weights.W, weights.Wb)
    rows: list[Tensor] = []
    for t, x in enumerate(sums):
        after = step(x, state, weights, options)
        if lens is not None:
            valid = (t < lens)[:, None]
            after = tuple(torch.where(valid, n, o) for n, o in zip(after, state, strict=True))
            rows.append(torch.where(valid, after[0], torch.zeros_like(after[0])))
        else:
            rows.append(after[0])
        state = after
    Y = torch.stack(rows) if rows else X.new_zeros(0, batch, weights.R.shape[1])
    return (Y if order is None else _taken(Y, order)), state


def _order(steps: int, batch: int, lens: Tensor | None, device: torch.device) -> Tensor:
    """Number the rows [seq, batch] from a sequence's last valid one down; the rest stay."""
    rows = torch.arange(steps, device=device)[:, None].expand(steps, batch)
    last = rows.new_full((batch,), steps) if lens is None else lens.to(rows.dtype)
    return torch.where(rows < last, last - 1 - rows, rows)


def _taken(X: Tensor, order: Tensor) -> Tensor:
    return X.gather(0, order[:, :, None].expand(-1, -1, X.shape[2]))
