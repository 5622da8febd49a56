"""Schemas of recurrent layers, of buffers, and of reads of a state."""

from __future__ import annotations

from .....dialects.htp.ops import rnn
from .....dialects.value.dtypes import DType
from ..sketch import Site, Sketch
from ..unknowns import Unknown
from .common import FLOATS, axis, ints, product, real, row

Dims = tuple[int | Unknown, ...]

_BIDIRECTIONAL = 2


def recurrent(sketch: Sketch, site: Site) -> None:
    """A layer over a sequence of floats; the first result holds all steps, the others states."""
    gates = 4 if issubclass(site.op_class, rnn.LstmOp) else 3
    seq, batch, inputs, hidden = (sketch.number(1, spread=4) for _ in range(4))
    rows, biases = sketch.number(1), sketch.number(1)
    product(sketch, rows, hidden, sketch.number(gates, gates))
    product(sketch, biases, rows, sketch.number(2, 2))
    direction = sketch.choices.below(_BIDIRECTIONAL + 1)
    directions = 2 if direction == _BIDIRECTIONAL else 1
    state: Dims = (1, directions, batch, hidden)
    shapes: dict[str, Dims] = {
        "X": (1, seq, batch, inputs),
        "W": (1, directions, rows, inputs),
        "R": (1, directions, rows, hidden),
        "B": (1, 1, directions, biases),
        "initial_h": state,
        "initial_c": state,
    }
    for name in shapes.keys() & set(site.names):
        sketch.dims_are(site.slot(name), shapes[name])
        sketch.same_dtype(site.slot("X"), site.slot(name))
    sketch.dtype_in(site.slot("X"), *FLOATS)
    if "P" in site.names:
        peepholes = sketch.number(1)
        product(sketch, peepholes, hidden, sketch.number(3, 3))
        sketch.dims_are(site.slot("P"), (1, 1, directions, peepholes))
        sketch.same_dtype(site.slot("X"), site.slot("P"))
    for place, result in enumerate(site.results):
        sketch.dims_are(result, state if place else (seq, directions, batch, hidden))
        sketch.same_dtype(site.slot("X"), result)
    lengths = site.slot("sequence_lens")
    row(sketch, lengths, batch)
    sketch.dtype_in(lengths, DType.Int32)
    lengths.bounds = (1, seq)
    ints(sketch, site.slot("direction"), direction)
    real(sketch, site.slot("clip"), sketch.number(0, 8))
    ints(sketch, site.operands[-1], sketch.number(0, 1))


def buffer_step(sketch: Sketch, site: Site) -> None:
    """Rows go into the content; the stride is a multiple of them."""
    content, counters, rows = site.slot("content"), site.slot("counters"), site.slot("inp")
    out, kept, counted = site.results
    chosen = axis(sketch, site.slot("dim"))
    for slot in (rows, out, kept):
        sketch.same_encoding(content, slot)
    sketch.same_dims(content, out)
    sketch.same_dims(content, kept)
    taken, steps, more = rows.dims[chosen], sketch.number(1, spread=3), sketch.number(1, spread=3)
    stride = sketch.number(1)
    product(sketch, stride, taken, steps)
    sketch.derive(content.dims[chosen], [taken, steps, more], lambda k, s, m: k * (s + m - 1))
    for dim in range(len(rows.dims)):
        if dim != chosen:
            rows.dims[dim].join(content.dims[dim])
    ints(sketch, site.slot("stride"), stride)
    ints(sketch, site.slot("mode"), sketch.number(1, 2))
    for slot in (counters, counted):
        sketch.dims_are(slot, (1, 1, 1, 2))
        sketch.dtype_in(slot, DType.Int32)
    counters.bounds = (0, sketch.number(2, 2))


def sequence_ids(sketch: Sketch, site: Site) -> None:
    """Lengths of 0 or 1, and as many positions as they could need."""
    lengths, size, result = site.slot("lengths"), site.slot("size"), site.results[0]
    batch, count, positions = (sketch.number(1, spread=4) for _ in range(3))
    sketch.dims_are(lengths, (1, 1, batch, count))
    sketch.dims_are(size, (batch, 1, 1, positions))
    sketch.dims_are(result, size.dims)
    sketch.derive(positions, [count, sketch.number(0, spread=3)], lambda n, more: n + more)
    for slot in (lengths, result):
        sketch.dtype_in(slot, DType.Int32)
    lengths.bounds = (0, sketch.number(2, 2))


def state_read(sketch: Sketch, site: Site) -> None:
    """The state, its initial value, and one Bool8."""
    initial, reset = site.operands
    sketch.like(initial, site.results[0])
    sketch.dims_are(reset, (1, 1, 1, 1))
    sketch.dtype_in(reset, DType.Bool8)
