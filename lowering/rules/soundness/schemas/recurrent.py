"""Schemas of recurrent layers, of buffers, and of reads of a state."""

from __future__ import annotations

from .....dialects.htp.ops import rnn
from .....dialects.value.dtypes import DType
from .....dialects.value.kinds import Kind
from ..drawing.constraint_system import IntVar
from ..drawing.template import GraphTemplate, OpTemplate
from .common import axis, ints, members, product, real, row

Dims = tuple[int | IntVar, ...]

_BIDIRECTIONAL = 2


def recurrent(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw a layer over a sequence of floats: the first result is all steps, others are states."""
    layer = next(each for each in rnn.OPS if each is op.op_class)
    seq, batch, inputs = (template.number(1, spread=4) for _ in range(3))
    hidden, rows, biases = template.number(1), template.number(1), template.number(1)
    parts = {name: template.number(1, spread=4) for name in layer.RECURRENT}
    template.derive(hidden, [*parts.values()], lambda *values: sum(values))
    product(template, rows, hidden, template.number(layer.GATES, layer.GATES))
    product(template, biases, rows, template.number(2, 2))
    direction = template.choices.below(_BIDIRECTIONAL + 1)
    directions = 2 if direction == _BIDIRECTIONAL else 1
    state: Dims = (1, directions, batch, hidden)
    shapes: dict[str, Dims] = {
        "X": (1, seq, batch, inputs),
        "W": (1, directions, rows, inputs),
        **{name: (1, directions, rows, part) for name, part in parts.items()},
        "B": (1, 1, directions, biases),
        "initial_h": state,
        "initial_c": state,
    }
    for name in shapes.keys() & set(op.names):
        template.dims_are(op.slot(name), shapes[name])
        template.same_dtype(op.slot("X"), op.slot(name))
    template.dtype_in(op.slot("X"), *members(Kind.FLOAT))
    if "P" in op.names:
        peepholes = template.number(1)
        product(template, peepholes, hidden, template.number(3, 3))
        template.dims_are(op.slot("P"), (1, 1, directions, peepholes))
        template.same_dtype(op.slot("X"), op.slot("P"))
    for place, result in enumerate(op.results):
        template.dims_are(result, state if place else (seq, directions, batch, hidden))
        template.same_dtype(op.slot("X"), result)
    lengths = op.slot("sequence_lens")
    row(template, lengths, batch)
    template.dtype_in(lengths, DType.Int32)
    lengths.bounds = (1, seq)
    ints(template, op.slot("direction"), direction)
    real(template, op.slot("clip"), template.number(0, 8))
    switch = "input_forget" if "input_forget" in op.names else "linear_before_reset"
    ints(template, op.slot(switch), template.number(0, 1))


def buffer_step(template: GraphTemplate, op: OpTemplate) -> None:
    """Move rows into the content; the stride is a multiple of them."""
    content, counters, rows = op.slot("content"), op.slot("counters"), op.slot("inp")
    out, kept, counted = op.results
    chosen = axis(template, op.slot("dim"))
    for slot in (rows, out, kept):
        template.same_encoding(content, slot)
    template.same_dims(content, out)
    template.same_dims(content, kept)
    taken, steps, more = (
        rows.dims[chosen],
        template.number(1, spread=3),
        template.number(1, spread=3),
    )
    stride = template.number(1)
    product(template, stride, taken, steps)
    template.derive(content.dims[chosen], [taken, steps, more], lambda k, s, m: k * (s + m - 1))
    for dim in range(len(rows.dims)):
        if dim != chosen:
            rows.dims[dim].join(content.dims[dim])
    ints(template, op.slot("stride"), stride)
    ints(template, op.slot("mode"), template.number(1, 2))
    for slot in (counters, counted):
        template.dims_are(slot, (1, 1, 1, 2))
        template.dtype_in(slot, DType.Int32)
    counters.bounds = (0, template.number(2, 2))


def sequence_ids(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw lengths of 0 or 1, and as many positions as they could need."""
    lengths, size, result = op.slot("lengths"), op.slot("size"), op.results[0]
    batch, count, positions = (template.number(1, spread=4) for _ in range(3))
    template.dims_are(lengths, (1, 1, batch, count))
    template.dims_are(size, (batch, 1, 1, positions))
    template.dims_are(result, size.dims)
    template.derive(positions, [count, template.number(0, spread=3)], lambda n, more: n + more)
    for slot in (lengths, result):
        template.dtype_in(slot, DType.Int32)
    lengths.bounds = (0, template.number(2, 2))


def state_read(template: GraphTemplate, op: OpTemplate) -> None:
    """Give the state its initial value's type, and one Bool8."""
    initial, reset = op.operands
    template.like(initial, op.results[0])
    template.dims_are(reset, (1, 1, 1, 1))
    template.dtype_in(reset, DType.Bool8)
