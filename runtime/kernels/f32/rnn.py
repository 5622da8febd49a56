"""Lstm and Gru of flat f32 tensors.

The inputs' share of all gates is one product before the first step. Weights are kept transposed,
with the inner half of the sigmoid in them, so that one tanh serves all gates.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from ...kernel.declare import Takes
from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import Int32Tensor, PlainFloatTensor, PlainFloatTensor_TCM
from ..support.calls import Floats, always, bound_once, hoisted, in_order, number, number_in
from ..support.classes import Flat, FloatTensor, Param, RealKernels, Weights
from .recurrent import SIGMOID, Cell, Gate, Parts, RecurrentLayer, StateTensors, recurrence

KERNELS = RealKernels()

Recurrent = TypeVar("Recurrent", PlainFloatTensor, PlainFloatTensor_TCM)
"""f32, flat: the weights of the recurrence, whose memory is their own."""

_HALF, _ONE = number(0.5), number(1)

# The operands' order is i o f c; here c is last but one, so that (i, f) * (c, cell) is one product.
_LSTM_GATES = (Gate(0, SIGMOID), Gate(2, SIGMOID), Gate(1, SIGMOID), Gate(3, 1.0))
_GRU_GATES = (Gate(0, SIGMOID), Gate(1, SIGMOID), Gate(2, 1.0))


def lstm(
    out: FloatTensor,
    out_h: FloatTensor,
    out_c: FloatTensor,
    x: FloatTensor,
    w: FloatTensor,
    r: FloatTensor,
    b: FloatTensor,
    sequence_lens: Int32Tensor,
    initial_h: FloatTensor,
    initial_c: FloatTensor,
    p: FloatTensor,
    direction: Int32Tensor,
    clip: FloatTensor,
    input_forget: Int32Tensor,
    *pinned: FloatTensor,
) -> BoundCall:
    layer = RecurrentLayer(x, w, (*pinned, r), b, sequence_lens, _LSTM_GATES)
    states = [StateTensors(initial_h, out_h), StateTensors(initial_c, out_c)]

    def bind() -> BoundCall:
        bound, coupled = number_in(clip), bool(number_in(input_forget))
        cells = [_lstm_cell(layer, d, p, bound, coupled) for d in range(r.shape[1])]
        return recurrence("htp.Lstm", layer, out, states, int(number_in(direction)), cells)

    return bound_once([direction, clip, input_forget], bind)


def _lstm_cell(
    layer: RecurrentLayer, direction: int, p: FloatTensor, clip: float, coupled: bool
) -> Cell:
    weights, before = layer.packed(direction, *layer.r)
    bias, more, ready = layer.biases(direction)
    before += [*ready, *hoisted([layer.b], [partial(np.add, bias, more, bias)])]
    terms, calls = layer.terms(direction, bias)
    memory = layer.memory(layer.all_gates + layer.hidden)
    sums, output = memory[..., : layer.all_gates], memory[..., layer.gate(2)]
    squashed, product = layer.memory(layer.hidden), layer.product()
    cell = memory[..., layer.gate(4)]
    inner = (
        _lstm_inner(layer, memory, squashed)
        if not clip and not coupled and always(p, 0)
        else _lstm_general(layer, memory, squashed, p.array[0, 0, direction], clip, coupled)
    )

    def step(parts: Parts, h: Floats, y: Floats) -> None:
        product(h, weights, sums)
        np.add(sums, parts[0], sums)
        inner()
        np.multiply(output, squashed, y)

    return Cell([*before, *calls], [(layer.line(term),) for term in terms], step, (cell,))


def _lstm_inner(layer: RecurrentLayer, memory: Floats, squashed: Floats) -> BoundCall:
    """From the sums of all gates to the next cell and its tanh."""
    hidden = layer.hidden
    sums, gates = memory[..., : 4 * hidden], memory[..., : 3 * hidden]
    pair, cell = layer.memory(2 * hidden), memory[..., layer.gate(4)]
    return in_order(
        [
            partial(np.tanh, sums, sums),
            *_to_sigmoid(gates),
            partial(np.multiply, memory[..., : 2 * hidden], memory[..., 3 * hidden :], pair),
            partial(np.add, pair[..., :hidden], pair[..., hidden:], cell),
            partial(np.tanh, cell, squashed),
        ]
    )


def _lstm_general(
    layer: RecurrentLayer,
    memory: Floats,
    squashed: Floats,
    peepholes: Floats,
    clip: float,
    coupled: bool,
) -> BoundCall:
    """The same with peepholes [i o f], a bound on the gates' sums, and f = 1 - i if coupled."""
    i, f, o, new, cell = (memory[..., layer.gate(place)] for place in range(5))
    p_i, p_o, p_f = peepholes.reshape(3, -1)
    work = layer.memory(layer.hidden)

    def gate(sums: Floats, weights: Floats) -> list[Call]:
        peep = [
            partial(np.multiply, cell, weights, work),
            partial(np.multiply, work, _HALF, work),
            partial(np.add, sums, work, sums),
        ]
        return [*peep, *_bounded(sums, clip * SIGMOID), *_squash(sums)]

    forget = [partial(np.subtract, _ONE, i, f)] if coupled else gate(f, p_f)
    return in_order(
        [
            *gate(i, p_i),
            *forget,
            *_bounded(new, clip),
            partial(np.tanh, new, new),
            partial(np.multiply, i, new, new),
            partial(np.multiply, f, cell, cell),
            partial(np.add, cell, new, cell),
            *gate(o, p_o),
            partial(np.tanh, cell, squashed),
        ]
    )


def _squash(sums: Floats) -> list[Call]:
    return [partial(np.tanh, sums, sums), *_to_sigmoid(sums)]


def _to_sigmoid(values: Floats) -> list[Call]:
    """The outer part of sigmoid by tanh."""
    return [partial(np.multiply, values, _HALF, values), partial(np.add, values, _HALF, values)]


def _bounded(sums: Floats, clip: float) -> list[Call]:
    """Held within [-clip, clip]; 0 means no bound."""
    if not clip:
        return []
    return [
        partial(np.maximum, sums, number(-clip), out=sums),
        partial(np.minimum, sums, number(clip), out=sums),
    ]


def gru(
    out: FloatTensor,
    out_h: FloatTensor,
    x: FloatTensor,
    w: FloatTensor,
    r: FloatTensor,
    b: FloatTensor,
    sequence_lens: Int32Tensor,
    initial_h: FloatTensor,
    direction: Int32Tensor,
    clip: FloatTensor,
    linear_before_reset: Int32Tensor,
    *pinned: FloatTensor,
) -> BoundCall:
    layer = RecurrentLayer(x, w, (*pinned, r), b, sequence_lens, _GRU_GATES)
    states = [StateTensors(initial_h, out_h)]

    def bind() -> BoundCall:
        bound, linear = number_in(clip), bool(number_in(linear_before_reset))
        cells = [_gru_cell(layer, d, bound, linear) for d in range(r.shape[1])]
        return recurrence("htp.Gru", layer, out, states, int(number_in(direction)), cells)

    return bound_once([direction, clip, linear_before_reset], bind)


@dataclass(frozen=True)
class _GruSums:
    """The recurrence's share of a GRU step: `begin` sums the gates, `recur` the new value."""

    gates: Floats
    new: Floats
    begin: Callable[[Floats], None]
    recur: Callable[[Floats], None]
    before: list[Call]


def _gru_cell(layer: RecurrentLayer, direction: int, clip: float, linear: bool) -> Cell:
    """new = tanh(x + (reset * h) @ R); if `linear`, tanh(x + reset * (h @ R + bias))."""
    weights, before = layer.packed(direction, *layer.r)
    bias, past_bias, calls = layer.biases(direction)
    before += calls
    hidden, work = layer.hidden, layer.memory(layer.hidden)
    if linear:
        sums = _linear_sums(layer, weights, past_bias)
    else:
        sums = _reset_first_sums(layer, weights, work)
        before += hoisted([layer.b], [partial(np.add, bias, past_bias, bias)])
    gates, new, begin, recur = sums.gates, sums.new, sums.begin, sums.recur
    update = gates[..., :hidden]
    squash_gates = in_order([*_bounded(gates, clip * SIGMOID), *_squash(gates)])
    squash_new = in_order([*_bounded(new, clip), partial(np.tanh, new, new)])

    def step(parts: Parts, h: Floats, y: Floats) -> None:
        in_gates, in_new = parts
        begin(h)
        np.add(gates, in_gates, gates)
        squash_gates()
        recur(h)
        np.add(new, in_new, new)
        squash_new()
        np.subtract(h, new, work)
        np.multiply(work, update, work)
        np.add(new, work, y)

    terms, calls = layer.terms(direction, bias)
    cut = 2 * hidden
    parts: list[Parts] = [(layer.line(t[:, :cut]), layer.line(t[:, cut:])) for t in terms]
    return Cell([*before, *sums.before, *calls], parts, step)


def _linear_sums(layer: RecurrentLayer, weights: Floats, past_bias: Floats) -> _GruSums:
    """The gates and the new value by one product; reset after it."""
    hidden, product, sums = layer.hidden, layer.product(), layer.memory(3 * layer.hidden)
    new, reset = sums[..., 2 * hidden :], sums[..., hidden : 2 * hidden]

    def begin(h: Floats) -> None:
        product(h, weights, sums)
        np.add(sums, past_bias, sums)

    def recur(h: Floats) -> None:
        np.multiply(new, reset, new)

    return _GruSums(sums[..., : 2 * hidden], new, begin, recur, [])


def _reset_first_sums(layer: RecurrentLayer, weights: Floats, work: Floats) -> _GruSums:
    """The gates by one product, the new value by another, of the state after reset."""
    hidden, product = layer.hidden, layer.product()
    gates, new = layer.memory(2 * hidden), layer.memory(hidden)
    reset = gates[..., hidden:]
    parts = weights[:, : 2 * hidden], weights[:, 2 * hidden :]
    # Each in one piece, which `dot` needs to be fast.
    r_gates, r_new = (np.empty_like(part, order="C") for part in parts)
    copies = [partial(np.copyto, r_gates, parts[0]), partial(np.copyto, r_new, parts[1])]

    def begin(h: Floats) -> None:
        product(h, r_gates, gates)

    def recur(h: Floats) -> None:
        np.multiply(reset, h, work)
        product(work, r_new, new)

    return _GruSums(gates, new, begin, recur, hoisted(layer.r, copies))


_OPERANDS: dict[str, Takes] = {
    "x": Flat,
    "w": Weights,
    "r": Recurrent,
    "b": Param,
    "sequence_lens": Int32Tensor,
    "initial_h": Param,
}
_PARAMS: dict[str, Takes] = {"direction": Int32Tensor, "clip": PlainFloatTensor}
_LAYERS: dict[str, tuple[Callable[..., BoundCall], tuple[str, ...], dict[str, Takes]]] = {
    "Lstm": (
        lstm,
        ("out_h", "out_c"),
        {**_OPERANDS, "initial_c": Param, "p": Param, **_PARAMS, "input_forget": Int32Tensor},
    ),
    "Gru": (gru, ("out_h",), {**_OPERANDS, **_PARAMS, "linear_before_reset": Int32Tensor}),
}
"""The function of each layer, its results behind the first, and its operands."""

for _name, (_function, _states, _inputs) in _LAYERS.items():
    for _suffix, _more in (("", {}), (".pinned", {"pinned": Param})):
        KERNELS.add(
            f"{_name}{_suffix}",
            _function,
            {"out": Flat, **dict.fromkeys(_states, Param)},
            {**_inputs, **_more},
            name=f"{_name.lower()}{_suffix.replace('.', '_')}",
            cost=Cost.FAST,
        )
