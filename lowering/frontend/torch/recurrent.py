"""The block ops StatefulGru and StatefulLstm as modules. Source: QAIRT block op definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import torch
from torch import Tensor, nn

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw.choices import Direction
from . import cells
from .blocked import BLOCKED, is_blocked
from .ops import Attributes, block, is_traced
from .stateful import Stateful


class StatefulLayer(Stateful):
    """A recurrent layer that goes on from its last call's final state; weights as ONNX has them.

    W [dir, gates * hidden, input], R [dir, gates * hidden, hidden] and, with `bias`, B
    [dir, 2 * gates * hidden].
    """

    GATES: ClassVar[int]
    OP: ClassVar[str]
    STEP: ClassVar[Callable[..., cells.State]]

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

    def _run(
        self,
        X: Tensor,
        lens: Tensor | None,
        initial: tuple[Tensor | None, ...],
        reset: Tensor | bool | None,
        P: Tensor | None,
        options: cells.Options,
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
        finals: list[cells.State] = []
        for way, reverse in enumerate(self.direction.reversals):
            weights = self._weights(way, P)
            before = tuple(value[way] for value in state)
            Y, final = cells.run(type(self).STEP, X, before, lens, reverse, weights, options)
            rows.append(Y)
            finals.append(final)
        final_states = [torch.stack(values) for values in zip(*finals, strict=True)]
        self._keep(*final_states)
        return torch.stack(rows, 1), *final_states

    def _weights(self, way: int, P: Tensor | None) -> cells.Weights:
        rows = self.W.shape[1]
        Wb, Rb = (None, None) if self.B is None else self.B[way].split(rows)
        none = self.W.new_zeros(rows)
        Wb, Rb = (none if bias is None else bias for bias in (Wb, Rb))
        return cells.Weights(self.W[way], self.R[way], Wb, Rb, None if P is None else P[way])

    def _check_shape(self, X: Tensor) -> None:
        # What TorchScript traces has sizes that are tensors, and its rank alone is a number.
        if X.dim() != 3 or (not is_traced() and X.shape[2] != self.input_size):
            problem = f"X has shape {'x'.join(map(str, X.shape))}"
            raise fail(self.OP, problem, f"[seq, batch, {self.input_size}] is expected")

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
    STEP = staticmethod(cells.gru_step)

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
        if is_blocked(X, reset):
            return BLOCKED, BLOCKED
        self._check_shape(X)
        if is_traced():
            attributes: Attributes = {
                "hidden_size": self.hidden_size,
                "direction": str(self.direction),
                "clip": self.clip,
                "linear_before_reset": self.linear_before_reset,
            }
            inputs = (X, self.W, self.R, self.B, sequence_lens, initial_h, reset)
            Y, Y_h = block(self.OP, inputs, attributes)
            return Y, Y_h
        options = cells.Options(self.clip, self.linear_before_reset)
        Y, Y_h = self._run(X, sequence_lens, (initial_h,), reset, None, options)
        return Y, Y_h


class StatefulLstm(StatefulLayer):
    """An LSTM layer with the gates i, o, f, c that goes on where its last call ended.

    With `peepholes` the gates i, o and f see the cell, too, through P [dir, 3 * hidden]. With
    `input_forget` 1 the forget gate is 1 - i. `clip` bounds the sums in front of all gates.
    """

    GATES = 4
    OP = "StatefulLstm"
    STEP = staticmethod(cells.lstm_step)

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
        if is_blocked(X, reset):
            return BLOCKED, BLOCKED, BLOCKED
        self._check_shape(X)
        if is_traced():
            attributes: Attributes = {
                "hidden_size": self.hidden_size,
                "direction": str(self.direction),
                "clip": self.clip,
                "input_forget": self.input_forget,
            }
            states = (initial_h, initial_c)
            inputs = (X, self.W, self.R, self.B, sequence_lens, *states, self.P, reset)
            Y, Y_h, Y_c = block(self.OP, inputs, attributes)
            return Y, Y_h, Y_c
        options = cells.Options(self.clip, input_forget=self.input_forget)
        initial = (initial_h, initial_c)
        Y, Y_h, Y_c = self._run(X, sequence_lens, initial, reset, self.P, options)
        return Y, Y_h, Y_c
