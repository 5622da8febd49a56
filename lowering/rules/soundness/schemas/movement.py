"""Schemas of ops that move elements."""

from __future__ import annotations

from collections.abc import Sequence

from .....dialects.value.dtypes import DType
from .....dialects.value.layout import RANK
from ..drawing.constraint_system import IntVar
from ..drawing.template import GraphTemplate, OpTemplate
from .common import QUARTER, axis, ints, product, real, row

_MERGES: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((0,), (1,), (2,), (3,)),
    ((), (0,), (1, 2), (3,)),
    ((), (), (0, 1, 2), (3,)),
    ((0,), (1,), (), (2, 3)),
    ((0,), (), (), (1, 2, 3)),
    ((), (), (), (0, 1, 2, 3)),
    ((0,), (2,), (1,), (3,)),
    ((0,), (3,), (1, 2), ()),
)
"""Dims of the operand whose product a dim of a Reshape's result is, by dim."""


def copy(template: GraphTemplate, op: OpTemplate) -> None:
    """Give the result all that the operand has."""
    template.like(op.operands[0], op.results[0])


def bit_cast(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw the dtypes of the operand and the result, which have as many bytes."""
    template.same_dims(op.operands[0], op.results[0])
    for slot in (op.operands[0], op.results[0]):
        template.dtype_in(slot, DType.Float32, DType.Int32)


def concat(template: GraphTemplate, op: OpTemplate) -> None:
    """Let parts differ on the axis only; there the result is their sum."""
    result, parts = op.results[0], op.operands[1:]
    chosen = axis(template, op.slot("axis"))
    for part in parts:
        template.same_encoding(result, part)
        for dim in range(RANK):
            if dim != chosen:
                result.dims[dim].join(part.dims[dim])
    template.total(result.dims[chosen], *(part.dims[chosen] for part in parts))


def reshape(template: GraphTemplate, op: OpTemplate) -> None:
    """Make dims of the result products of the operand's, or the other way round."""
    source, result = op.operands[0], op.results[0]
    template.same_encoding(source, result)
    merges = template.choices.pick(_MERGES)
    if template.choices.chance(40):
        source, result = result, source
    for dim, merged in enumerate(merges):
        product(template, result.dims[dim], *(source.dims[old] for old in merged))


def gather(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw indices within the axis."""
    source, indices, result = op.operands[0], op.slot("indices"), op.results[0]
    template.same_encoding(source, result)
    chosen = axis(template, op.slot("axis"))
    row(template, indices, result.dims[chosen])
    template.dtype_in(indices, DType.Int32, DType.Int64)
    indices.bounds = (0, source.dims[chosen])
    for dim in range(RANK):
        if dim != chosen:
            result.dims[dim].join(source.dims[dim])


def strided_slice(template: GraphTemplate, op: OpTemplate) -> None:
    """Take elements begin, begin + stride, ... before end."""
    source, result = op.operands[0], op.results[0]
    template.same_encoding(source, result)
    ranges: list[IntVar] = []
    for dim in range(RANK):
        begin, end = template.number(0, spread=4), template.number(1)
        stride = template.number(1, spread=1 if template.choices.chance(60) else 3)
        template.derive(end, [begin, stride, result.dims[dim]], lambda b, s, n: b + (n - 1) * s + 1)
        template.total(source.dims[dim], end, template.number(0, spread=3))
        ranges += [begin, end, stride]
    ints(template, op.slot("ranges"), *ranges, dims=(1, 1, RANK, 3))


def slice_shape(template: GraphTemplate, op: OpTemplate) -> None:
    """Take a block within the operand."""
    source, result = op.operands[0], op.results[0]
    template.same_encoding(source, result)
    template.dims_are(op.slot("size"), result.dims)
    for dim, start in enumerate(_spread(op.slot("start").dims, 4)):
        rest = template.number(0, spread=3)
        template.total(source.dims[dim], result.dims[dim], start, rest)


def slice_pad(template: GraphTemplate, op: OpTemplate) -> None:
    """Take a block that may be partly outside the operand."""
    source, result = op.operands[0], op.results[0]
    template.same_encoding(source, result)
    template.dims_are(op.slot("size"), result.dims)
    real(template, op.slot("value"), template.number(-8, 8, 12), QUARTER)
    _spread(op.slot("start").dims, 3)
    _spread(op.slot("pad_before").dims, 3)


def _spread(dims: Sequence[IntVar], spread: int) -> Sequence[IntVar]:
    """Have dims of a shape drawn near 0."""
    for dim in dims:
        dim.root.spread = min(spread, dim.root.spread)
    return dims


def state_read(template: GraphTemplate, op: OpTemplate) -> None:
    """Give the state its initial value's type, and one Bool8."""
    initial, reset = op.operands
    template.like(initial, op.results[0])
    template.dims_are(reset, (1, 1, 1, 1))
    template.dtype_in(reset, DType.Bool8)
