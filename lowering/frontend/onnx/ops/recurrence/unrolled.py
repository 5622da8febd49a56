"""A recurrent layer step after step, in ops that know nothing of sequences.

Any activation can be said so, at the cost of some ten ops for each step and direction.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ......dialects.qti_aisw.choices import DirectionAttr
from ....graph.value import Value, concat, where
from ...support.faults import require
from .activations import Activation
from .cells import STEPS, Side, State
from .layer import Layer

MOST_STEPS = 4096
"""Steps of all directions together, at most."""


def unrolled(layer: Layer, functions: Sequence[Activation]) -> list[Value]:
    """Return Y [seq, dir, batch, hidden] and the final states [dir, batch, hidden] of a layer."""
    layer.check()
    count = layer.direction.directions
    problem = f"has {layer.seq * count} steps, which its activations or its clip have unrolled"
    require(layer.seq * count <= MOST_STEPS, problem, f"at most {MOST_STEPS} are taken")
    each = len(functions) // count
    runs = [
        _run(Side(layer, index, functions[index * each : (index + 1) * each]))
        for index in range(count)
    ]
    y = concat([rows for rows, _ in runs], axis=1)
    finals = zip(*(states for _, states in runs), strict=True)
    return [y, *(concat(parts, axis=0) for parts in finals)]


def _run(side: Side) -> tuple[Value, State]:
    """Return one direction's output [seq, 1, batch, hidden] and states [1, batch, hidden].

    Past its length an element's output is 0 and its state does not change.
    """
    layer, lengths = side.layer, side.layer.optional["sequence_lens"]
    terms, state = side.terms(), side.start()
    step = STEPS[layer.kind.name](side)
    rows = list(terms)
    for t in reversed(range(layer.seq)) if side.is_reverse else range(layer.seq):
        after = step(terms[t], state)
        if lengths is None:
            state, rows[t] = after, after[0]
            continue
        live = lengths.reshape(layer.batch, 1) > t
        pairs = zip(after, state, strict=True)
        state = tuple(where(live, new, old) for new, old in pairs)
        rows[t] = where(live, state[0], 0)
    shape = (layer.batch, layer.hidden)
    y = concat(rows, axis=0).reshape(layer.seq, 1, *shape)
    return y, tuple(value.reshape(1, *shape) for value in state)


def gru_of_rnn(layer: Layer) -> list[Value]:
    """Return a tanh layer as a Gru whose gates are held: its update at 0, its reset at 1.

    Their sums are biases alone, so large that the sigmoid in f32 is 0 or 1.
    """
    layer.check()
    x, hidden, count = layer.x, layer.hidden, layer.direction.directions
    sums = np.repeat(np.array([-_HELD, _HELD]), hidden)
    bias = layer.optional["B"]
    bias = x.like(np.zeros((count, 2 * hidden))) if bias is None else bias
    ours, theirs = bias[:, :hidden], bias[:, hidden:]
    gates = x.like(np.tile(sums, (count, 1)))
    parts = [gates, ours, x.like(np.zeros((count, 2 * hidden))), theirs]
    return x.ops(
        "Gru",
        *(_under_zeros(weights) for weights in (layer.w, layer.r)),
        concat(parts, axis=1),
        layer.optional["sequence_lens"],
        layer.optional["initial_h"],
        hidden_size=hidden,
        direction=DirectionAttr(layer.direction),
        linear_before_reset=1,
    )


_HELD = 100.0
"""The sum of a gate that is held open: the sigmoid is 1 from 17 on in f32."""


def _under_zeros(weights: Value) -> Value:
    """Return weights [dir, hidden, n] behind the zeros of two gates."""
    count, hidden, width = weights.shape
    return concat([weights.like(np.zeros((count, 2 * hidden, width))), weights], axis=1)
