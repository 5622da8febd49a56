"""The block ops StatefulGru and StatefulLstm as modules. Source: QAIRT block op definitions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw.choices import Direction
from .buffer import BLOCKED, is_blocked
from .ops import block, is_traced
from .stateful import RESET, Stateful

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


def _gru_step(x: Tensor, state: State, weights: Weights, options: Options) -> State:
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


def _lstm_step(x: Tensor, state: State, weights: Weights, options: Options) -> State:
    """Compute h and c after one step; x [batch, 4 * hidden] is the input times W, plus its bias."""
    h, c = state
    i, o, f, new = (x + functional.linear(h, weights.R, weights.Rb)).chunk(4, -1)
    none = torch.zeros((), dtype=x.dtype, device=x.device)
    pi, po, pf = (none, none, none) if weights.P is None else weights.P.chunk(3)
    i = options.bound(i + pi * c).sigmoid()
    f = 1 - i if options.input_forget else options.bound(f + pf * c).sigmoid()
    c = f * c + i * options.bound(new).tanh()
    return options.bound(o + po * c).sigmoid() * c.tanh(), c


def _one_direction(
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


class StatefulLayer(Stateful):
    """A recurrent layer that goes on from its last call's final state; weights as ONNX has them.

    W [dir, gates * hidden, input], R [dir, gates * hidden, hidden] and, with `bias`, B
    [dir, 2 * gates * hidden].
    """

    GATES: ClassVar[int]
    OP: ClassVar[str]
    STEP: ClassVar[Callable[..., State]]

    def __init__(
        self,
        states: tuple[str, ...],
        input_size: int,
        hidden_size: int,
        bias: bool,
        direction: Direction | str,
        clip: float | None,
    ) -> None:
        super().__init__(*states)
        self.input_size, self.hidden_size = input_size, hidden_size
        self.direction, self.clip = Direction(direction), clip
        ways, rows = self.direction.directions, self.GATES * hidden_size
        self.W = nn.Parameter(torch.empty(ways, rows, input_size))
        self.R = nn.Parameter(torch.empty(ways, rows, hidden_size))
        self.B = nn.Parameter(torch.empty(ways, 2 * rows)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew, as PyTorch does: uniform up to 1 / sqrt(hidden)."""
        bound = self.hidden_size**-0.5
        for weight in self.parameters():
            nn.init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}, direction={self.direction}"

    def _answer(
        self,
        X: Tensor,
        lens: Tensor | None,
        initial: tuple[Tensor | None, ...],
        reset: Tensor | bool | None,
        switch: Mapping[str, int],
        *peepholes: Tensor | None,
    ) -> tuple[Tensor, ...]:
        """Run the layer, or put its op, which has one more attribute, into a traced graph."""
        reset = RESET.get() if reset is None else reset
        if is_blocked(X, reset):
            return (BLOCKED,) * (1 + len(initial))
        # What TorchScript traces has sizes that are tensors, and its rank alone is a number.
        if X.dim() != 3 or (not is_traced() and X.shape[2] != self.input_size):
            problem = f"X has shape {'x'.join(map(str, X.shape))}"
            raise fail(self.OP, problem, f"[seq, batch, {self.input_size}] is expected")
        if not is_traced():
            P, options = next(iter(peepholes), None), Options(self.clip, **switch)
            return self._run(X, lens, initial, reset, P, options)
        attributes = {"direction": str(self.direction), "clip": self.clip, **switch}
        inputs = (X, self.W, self.R, self.B, lens, *initial, *peepholes, reset)
        return block(self.OP, inputs, {"hidden_size": self.hidden_size, **attributes})

    def _run(
        self,
        X: Tensor,
        lens: Tensor | None,
        initial: tuple[Tensor | None, ...],
        reset: Tensor | bool | None,
        P: Tensor | None,
        options: Options,
    ) -> tuple[Tensor, ...]:
        """Run all directions from the state, and keep the state after them."""
        self._check_lens(X, lens)
        state = tuple(getattr(self, name) for name in self._states)
        if self._is_fresh(reset):
            zeros = X.new_zeros(self.direction.directions, X.shape[1], self.hidden_size)
            state = tuple(zeros if value is None else value for value in initial)
        if state[0].shape[1] != X.shape[1]:
            problem = f"the state has batch {state[0].shape[1]}, the input {X.shape[1]}"
            raise fail(self.OP, problem, "pass reset=True, or call reset_state()")
        rows: list[Tensor] = []
        finals: list[State] = []
        for way, reverse in enumerate(self.direction.reversals):
            weights = self._weights(way, P)
            before = tuple(value[way] for value in state)
            Y, final = _one_direction(type(self).STEP, X, before, lens, reverse, weights, options)
            rows.append(Y)
            finals.append(final)
        final_states = [torch.stack(values) for values in zip(*finals, strict=True)]
        self._keep(*final_states)
        return torch.stack(rows, 1), *final_states

    def _weights(self, way: int, P: Tensor | None) -> Weights:
        rows = self.W.shape[1]
        Wb, Rb = (None, None) if self.B is None else self.B[way].split(rows)
        none = self.W.new_zeros(rows)
        Wb, Rb = (none if bias is None else bias for bias in (Wb, Rb))
        return Weights(self.W[way], self.R[way], Wb, Rb, None if P is None else P[way])

    def _check_lens(self, X: Tensor, lens: Tensor | None) -> None:
        if lens is not None and bool(((lens < 0) | (lens > X.shape[0])).any()):
            problem = f"sequence_lens {lens.tolist()} do not lie within {X.shape[0]} steps"
            raise fail(self.OP, problem, "each is from 0 to the number of steps")


class StatefulGru(StatefulLayer):
    """A GRU layer with the gates z, r, h that goes on where its last call ended.

    With `linear_before_reset` 1 the reset gate acts after the product with R, as in PyTorch's GRU,
    with 0 before it. `clip` bounds the sums in front of all gates.
    """

    GATES = 3
    OP = "StatefulGru"
    STEP = staticmethod(_gru_step)

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        bias: bool = True,
        direction: Direction | str = Direction.FORWARD,
        linear_before_reset: int = 0,
        clip: float | None = None,
    ) -> None:
        super().__init__(("state_h",), input_size, hidden_size, bias, direction, clip)
        self.linear_before_reset = linear_before_reset

    def forward(
        self,
        X: Tensor,
        sequence_lens: Tensor | None = None,
        initial_h: Tensor | None = None,
        reset: Tensor | bool | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return Y [seq, dir, batch, hidden] and Y_h [dir, batch, hidden].

        X is [seq, batch, input]. A true reset, and the first call, begin from `initial_h`
        [dir, batch, hidden], or zeros.
        """
        switch = {"linear_before_reset": self.linear_before_reset}
        Y, Y_h = self._answer(X, sequence_lens, (initial_h,), reset, switch)
        return Y, Y_h


class StatefulLstm(StatefulLayer):
    """An LSTM layer with the gates i, o, f, c that goes on where its last call ended.

    With `peepholes` the gates i, o and f see the cell, too, through P [dir, 3 * hidden]. With
    `input_forget` 1 the forget gate is 1 - i. `clip` bounds the sums in front of all gates.
    """

    GATES = 4
    OP = "StatefulLstm"
    STEP = staticmethod(_lstm_step)

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        bias: bool = True,
        peepholes: bool = False,
        direction: Direction | str = Direction.FORWARD,
        input_forget: int = 0,
        clip: float | None = None,
    ) -> None:
        super().__init__(("state_h", "state_c"), input_size, hidden_size, bias, direction, clip)
        ways = self.direction.directions
        self.P = nn.Parameter(torch.zeros(ways, 3 * hidden_size)) if peepholes else None
        self.input_forget = input_forget

    def forward(
        self,
        X: Tensor,
        sequence_lens: Tensor | None = None,
        initial_h: Tensor | None = None,
        initial_c: Tensor | None = None,
        reset: Tensor | bool | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return Y [seq, dir, batch, hidden], Y_h and Y_c [dir, batch, hidden].

        X is [seq, batch, input]. A true reset, and the first call, begin from `initial_h` and
        `initial_c` [dir, batch, hidden], or zeros.
        """
        switch, states = {"input_forget": self.input_forget}, (initial_h, initial_c)
        Y, Y_h, Y_c = self._answer(X, sequence_lens, states, reset, switch, self.P)
        return Y, Y_h, Y_c
