"""The recurrence that LSTM and GRU share: directions, sequence lengths and the carried state."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .arrays import Array, Floats, narrow, widen

State: TypeAlias = tuple[Floats, ...]
Step: TypeAlias = Callable[[Floats, State], State]


class Direction(Enum):
    """Which way a recurrent layer reads its sequence; BIDIRECTIONAL is forward, then reverse."""

    FORWARD = "forward"
    REVERSE = "reverse"
    BIDIRECTIONAL = "bidirectional"

    @property
    def reversals(self) -> tuple[bool, ...]:
        """For each state on the direction axis: does it run backwards?"""
        return _REVERSALS[self]


_REVERSALS = {
    Direction.FORWARD: (False,),
    Direction.REVERSE: (True,),
    Direction.BIDIRECTIONAL: (False, True),
}


@dataclass(frozen=True)
class RnnParams:
    """The arrays of one recurrent layer, as its op takes them; None is zeros.

    x[seq, batch, input], w[dir, gates * hidden, input], r[dir, gates * hidden, hidden],
    b[dir, 2 * gates * hidden], lens[batch], states each [dir, batch, hidden].
    """

    x: Array
    w: Array
    r: Array
    b: Array | None
    lens: NDArray[np.integer] | None
    states: tuple[Array | None, ...]

    @property
    def hidden(self) -> int:
        """The number of elements in one state."""
        return int(self.r.shape[2])

    def lengths(self) -> NDArray[np.integer]:
        """lens[batch], seq where absent; one outside [0, seq] raises ValueError."""
        seq, batch = self.x.shape[:2]
        if self.lens is None:
            return np.full(batch, seq)
        wrong = self.lens[(self.lens < 0) | (self.lens > seq)]
        if wrong.size:
            raise ValueError(f"sequence length {int(wrong.flat[0])} is outside [0, {seq}]")
        return self.lens

    def biases(self, direction: int) -> tuple[Floats, Floats]:
        """The input and the recurrence bias of one direction, each [gates * hidden]."""
        width = self.r.shape[1]
        if self.b is None:
            zeros = widen(np.zeros(width, np.float32))
            return zeros, zeros
        both = widen(self.b[direction])
        return both[:width], both[width:]

    def start(self, direction: int) -> State:
        """The state of one direction before the first step."""
        shape = (self.x.shape[1], self.hidden)
        return tuple(
            widen(np.zeros(shape, np.float32) if s is None else s[direction]) for s in self.states
        )


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), as the tanh that cannot overflow."""
    half: Floats = 0.5 * np.tanh(0.5 * x)
    return half + 0.5


def bounded(x: Floats, clip: float | None) -> Floats:
    """x within [-clip, clip]; None means no bound."""
    return x if clip is None else np.clip(x, -clip, clip)


def run(
    params: RnnParams, direction: Direction, cell: Callable[[int], tuple[Floats, Step]]
) -> tuple[Array, tuple[Array, ...]]:
    """y[seq, dir, batch, hidden] and the final states[dir, batch, hidden] of all directions.

    `cell(d)` gives direction d's input term for every step, and its step function.
    """
    lengths = params.lengths()
    runs = [
        _run_one(*cell(d), params.start(d), lengths, backwards)
        for d, backwards in enumerate(direction.reversals)
    ]
    dtype = params.x.dtype
    y = np.stack([rows for rows, _ in runs], axis=1)
    finals = zip(*(state for _, state in runs), strict=True)
    return narrow(y, dtype), tuple(narrow(np.stack(final), dtype) for final in finals)


def _run_one(
    terms: Floats, step: Step, state: State, lengths: NDArray[np.integer], backwards: bool
) -> tuple[Floats, State]:
    """One direction. Past its length an element's output is 0 and its state does not change."""
    y = np.zeros((terms.shape[0], *state[0].shape), terms.dtype)
    times = range(terms.shape[0])
    for t in reversed(times) if backwards else times:
        live = (t < lengths)[:, None]
        after = step(terms[t], state)
        state = tuple(np.where(live, new, old) for new, old in zip(after, state, strict=True))
        y[t] = np.where(live, state[0], 0)
    return y, state
