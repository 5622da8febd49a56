"""A recurrent layer step after step, in ops that know nothing of sequences.

Any activation can be said so, at the cost of some ten ops for each step and direction.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from ......dialects.qti_aisw.choices import DirectionAttr
from ...support.context import NodeContext
from ..tensors.steps import concat, like, piece
from .activations import Activation
from .cells import STEPS, Side, State
from .layer import Layer

MOST_STEPS = 4096
"""Steps of all directions together, at most."""


def unrolled(layer: Layer, functions: Sequence[Activation]) -> list[SSAValue]:
    """Return Y [seq, dir, batch, hidden] and the final states [dir, batch, hidden] of a layer."""
    layer.check()
    count, ctx = layer.direction.directions, layer.ctx
    problem = f"has {layer.seq * count} steps, which its activations or its clip have unrolled"
    ctx.require(layer.seq * count <= MOST_STEPS, problem, f"at most {MOST_STEPS} are taken")
    each = len(functions) // count
    runs = [
        _run(Side(layer, index, functions[index * each : (index + 1) * each]))
        for index in range(count)
    ]
    y = concat(ctx, [rows for rows, _ in runs], axis=1)
    finals = zip(*(states for _, states in runs), strict=True)
    return [y, *(concat(ctx, parts, axis=0) for parts in finals)]


def _run(side: Side) -> tuple[SSAValue, State]:
    """Return one direction's output [seq, 1, batch, hidden] and states [1, batch, hidden].

    Past its length an element's output is 0 and its state does not change.
    """
    layer, ctx = side.layer, side.layer.ctx
    terms, state = side.terms(), side.start()
    step = STEPS[layer.kind.name](side)
    rows = list(terms)
    for t in reversed(range(layer.seq)) if side.is_reverse else range(layer.seq):
        after, live = step(terms[t], state), _live(layer, t)
        if live is not None:
            after = tuple(
                ctx.emit("ElementWiseSelect", live, new, old)
                for new, old in zip(after, state, strict=True)
            )
        state, rows[t] = after, after[0]
        if live is not None:
            rows[t] = ctx.emit("ElementWiseSelect", live, after[0], ctx.scalar(0, after[0]))
    shape = (layer.batch, layer.hidden)
    y = ctx.reshape(concat(ctx, rows, axis=0), (layer.seq, 1, *shape))
    return y, tuple(ctx.reshape(value, (1, *shape)) for value in state)


def _live(layer: Layer, t: int) -> SSAValue | None:
    """Tell which elements [batch, 1] are not past their length; None where they have none."""
    lengths = layer.optional["sequence_lens"]
    if lengths is None:
        return None
    ctx = layer.ctx
    column = ctx.reshape(lengths, (layer.batch, 1))
    return ctx.emit("ElementWiseGreater", column, ctx.scalar(t, column))


def gru_of_rnn(layer: Layer) -> list[SSAValue]:
    """Return a tanh layer as a Gru whose gates are held: its update at 0, its reset at 1.

    Their sums are biases alone, so large that the sigmoid in f32 is 0 or 1.
    """
    layer.check()
    ctx, hidden = layer.ctx, layer.hidden
    sums = np.repeat(np.array([-_HELD, _HELD]), hidden)
    count = layer.direction.directions
    bias = layer.optional["B"]
    if bias is None:
        bias = like(ctx, np.zeros((count, 2 * hidden)), layer.x)
    ours, theirs = (piece(ctx, bias, {1: (n, n + hidden, 1)}) for n in (0, hidden))
    gates = like(ctx, np.tile(sums, (count, 1)), layer.x)
    parts = [gates, ours, like(ctx, np.zeros((count, 2 * hidden)), layer.x), theirs]
    return ctx.emit_all(
        "Gru",
        layer.x,
        *(_under_zeros(ctx, weights) for weights in (layer.w, layer.r)),
        concat(ctx, parts, axis=1),
        layer.optional["sequence_lens"],
        layer.optional["initial_h"],
        hidden_size=hidden,
        direction=DirectionAttr(layer.direction),
        linear_before_reset=1,
    )


_HELD = 100.0
"""The sum of a gate that is held open: the sigmoid is 1 from 17 on in f32."""


def _under_zeros(ctx: NodeContext, weights: SSAValue) -> SSAValue:
    """Return weights [dir, hidden, n] behind the zeros of two gates."""
    count, hidden, width = ctx.shape(weights)
    return concat(ctx, [like(ctx, np.zeros((count, 2 * hidden, width)), weights), weights], axis=1)
