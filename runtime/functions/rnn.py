"""LSTM and GRU over a whole sequence; the state comes in and goes out as arrays.

Source: ONNX operator spec LSTM and GRU, QAIRT block ops StatefulLstm and StatefulGru. Layouts as
in `RnnParams`; f16 is computed in f32. A length outside [0, seq] raises ValueError; length 0
leaves the incoming state unchanged.
"""

import numpy as np
from numpy.typing import NDArray

from .support.arrays import Array, Floats, widen
from .support.recurrence import Direction, RnnParams, State, Step, bounded, run, sigmoid

__all__ = ["Direction", "RnnParams", "gru", "lstm"]


@np.errstate(all="ignore")
def lstm(
    x: Array,
    w: Array,
    r: Array,
    b: Array | None = None,
    lens: NDArray[np.integer] | None = None,
    h0: Array | None = None,
    c0: Array | None = None,
    p: Array | None = None,
    *,
    direction: Direction = Direction.FORWARD,
    clip: float | None = None,
    input_forget: bool = False,
) -> tuple[Array, Array, Array]:
    """x[seq, batch, input] -> y[seq, dir, batch, hidden], y_h and y_c [dir, batch, hidden].

    Gates are in the order i o f c, the peepholes p[dir, 3 * hidden] in the order i o f. `clip`
    bounds every gate before its activation; `input_forget` makes f = 1 - i.
    """
    params = RnnParams(x, w, r, b, lens, (h0, c0))

    def cell(d: int) -> tuple[Floats, Step]:
        peepholes = np.zeros(3 * params.hidden, np.float32) if p is None else p[d]
        step = _lstm_step(widen(r[d]).T, widen(peepholes), clip, input_forget)
        return _input_terms(params, d) + params.biases(d)[1], step

    y, (y_h, y_c) = run(params, direction, cell)
    return y, y_h, y_c


def _lstm_step(r: Floats, peepholes: Floats, clip: float | None, input_forget: bool) -> Step:
    p_i, p_o, p_f = np.split(peepholes, 3)

    def step(term: Floats, state: State) -> State:
        h, c = state
        in_i, in_o, in_f, in_c = np.split(term + h @ r, 4, axis=-1)
        i = sigmoid(bounded(in_i + p_i * c, clip))
        f = 1 - i if input_forget else sigmoid(bounded(in_f + p_f * c, clip))
        cell = f * c + i * np.tanh(bounded(in_c, clip))
        o = sigmoid(bounded(in_o + p_o * cell, clip))
        return o * np.tanh(cell), cell

    return step


@np.errstate(all="ignore")
def gru(
    x: Array,
    w: Array,
    r: Array,
    b: Array | None = None,
    lens: NDArray[np.integer] | None = None,
    h0: Array | None = None,
    *,
    direction: Direction = Direction.FORWARD,
    clip: float | None = None,
    linear_before_reset: bool = False,
) -> tuple[Array, Array]:
    """x[seq, batch, input] -> y[seq, dir, batch, hidden], y_h[dir, batch, hidden].

    Gates are in the order z r h. `clip` bounds every gate before its activation;
    `linear_before_reset` applies the reset gate after the recurrent product and its bias.
    """
    params = RnnParams(x, w, r, b, lens, (h0,))

    def cell(d: int) -> tuple[Floats, Step]:
        step = _gru_step(widen(r[d]).T, params.biases(d)[1], clip, linear_before_reset)
        return _input_terms(params, d), step

    y, (y_h,) = run(params, direction, cell)
    return y, y_h


def _gru_step(r: Floats, bias: Floats, clip: float | None, linear_before_reset: bool) -> Step:
    hidden = r.shape[0]
    r_gates, r_new = np.split(r, [2 * hidden], axis=1)
    b_gates, b_new = np.split(bias, [2 * hidden])

    def step(term: Floats, state: State) -> State:
        (h,) = state
        in_gates, in_new = np.split(term, [2 * hidden], axis=-1)
        z, reset = np.split(sigmoid(bounded(in_gates + h @ r_gates + b_gates, clip)), 2, axis=-1)
        past = reset * (h @ r_new + b_new) if linear_before_reset else (reset * h) @ r_new + b_new
        new = np.tanh(bounded(in_new + past, clip))
        return ((1 - z) * new + z * h,)

    return step


def _input_terms(params: RnnParams, d: int) -> Floats:
    """x @ w.T + input bias of direction d for every step: [seq, batch, gates * hidden]."""
    return widen(params.x) @ widen(params.w[d]).T + params.biases(d)[0]
