"""Schemas of ops that move elements."""

from __future__ import annotations

from collections.abc import Sequence

from .....dialects.value.dtypes import DType
from .....dialects.value.layout import RANK
from ..sketch import Site, Sketch
from ..unknowns import Unknown
from .common import QUARTER, axis, ints, product, real, row

_PERMUTATIONS = (
    *((0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 1, 3), (0, 3, 1, 2), (0, 2, 3, 1), (3, 2, 1, 0)),
    *((1, 0, 2, 3), (0, 3, 2, 1)),
)
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
"""For each dim of a Reshape's result the dims of the operand whose product it is."""


def copy(sketch: Sketch, site: Site) -> None:
    """The operand itself."""
    sketch.like(site.operands[0], site.results[0])


def concat(sketch: Sketch, site: Site) -> None:
    """The parts differ on the axis only; there the result is their sum."""
    result, parts = site.results[0], site.operands[1:]
    chosen = axis(sketch, site.slot("axis"))
    for part in parts:
        sketch.same_encoding(result, part)
        for dim in range(RANK):
            if dim != chosen:
                result.dims[dim].join(part.dims[dim])
    sketch.total(result.dims[chosen], *(part.dims[chosen] for part in parts))


def reshape(sketch: Sketch, site: Site) -> None:
    """Dims of the result are products of the operand's, or the other way round."""
    source, result = site.operands[0], site.results[0]
    sketch.same_encoding(source, result)
    merges = sketch.choices.pick(_MERGES)
    if sketch.choices.chance(40):
        source, result = result, source
    for dim, merged in enumerate(merges):
        product(sketch, result.dims[dim], *(source.dims[old] for old in merged))


def transpose(sketch: Sketch, site: Site) -> None:
    """Dim i of the result is dim perm[i] of the operand."""
    source, result = site.operands[0], site.results[0]
    sketch.same_encoding(source, result)
    perm = sketch.choices.pick(_PERMUTATIONS)
    ints(sketch, site.slot("perm"), *perm)
    sketch.dims_are(result, (source.dims[old] for old in perm))


def pad(sketch: Sketch, site: Site) -> None:
    """Elements of one value before and after."""
    source, result = site.operands[0], site.results[0]
    sketch.same_encoding(source, result)
    amounts = [sketch.number(0, spread=3) for _ in range(2 * RANK)]
    ints(sketch, site.slot("pad_amount"), *amounts, dims=(1, 1, RANK, 2))
    real(sketch, site.slot("pad_constant_value"), sketch.number(-8, 8, 12), QUARTER)
    for dim in range(RANK):
        sketch.total(result.dims[dim], source.dims[dim], *amounts[2 * dim : 2 * dim + 2])


def gather(sketch: Sketch, site: Site) -> None:
    """Slices at indices that lie within the axis."""
    source, indices, result = site.operands[0], site.slot("indices"), site.results[0]
    sketch.same_encoding(source, result)
    chosen = axis(sketch, site.slot("axis"))
    row(sketch, indices, result.dims[chosen])
    sketch.dtype_in(indices, DType.Int32, DType.Int64)
    indices.bounds = (0, source.dims[chosen])
    for dim in range(RANK):
        if dim != chosen:
            result.dims[dim].join(source.dims[dim])


def tile(sketch: Sketch, site: Site) -> None:
    """The operand several times along each dim."""
    source, result = site.operands[0], site.results[0]
    sketch.same_encoding(source, result)
    times = [sketch.number(1, spread=2) for _ in range(RANK)]
    ints(sketch, site.slot("multiples"), *times)
    for dim in range(RANK):
        product(sketch, result.dims[dim], source.dims[dim], times[dim])


def strided_slice(sketch: Sketch, site: Site) -> None:
    """Elements begin, begin + stride, ... before end."""
    source, result = site.operands[0], site.results[0]
    sketch.same_encoding(source, result)
    held: list[Unknown] = []
    for dim in range(RANK):
        begin, end = sketch.number(0, spread=4), sketch.number(1)
        stride = sketch.number(1, spread=1 if sketch.choices.chance(60) else 3)
        sketch.derive(end, [begin, stride, result.dims[dim]], lambda b, s, n: b + (n - 1) * s + 1)
        sketch.total(source.dims[dim], end, sketch.number(0, spread=3))
        held += [begin, end, stride]
    ints(sketch, site.slot("ranges"), *held, dims=(1, 1, RANK, 3))


def slice_shape(sketch: Sketch, site: Site) -> None:
    """A block that lies within the operand."""
    source, result = site.operands[0], site.results[0]
    sketch.same_encoding(source, result)
    sketch.dims_are(site.slot("size"), result.dims)
    for dim, start in enumerate(_spread(site.slot("start").dims, 4)):
        rest = sketch.number(0, spread=3)
        sketch.total(source.dims[dim], result.dims[dim], start, rest)


def slice_pad(sketch: Sketch, site: Site) -> None:
    """A block that may lie partly outside the operand."""
    source, result = site.operands[0], site.results[0]
    sketch.same_encoding(source, result)
    sketch.dims_are(site.slot("size"), result.dims)
    real(sketch, site.slot("value"), sketch.number(-8, 8, 12), QUARTER)
    _spread(site.slot("start").dims, 3)
    _spread(site.slot("pad_before").dims, 3)


def _spread(dims: Sequence[Unknown], spread: int) -> Sequence[Unknown]:
    """Dims of a shape that are drawn near 0."""
    for dim in dims:
        dim.root.spread = min(spread, dim.root.spread)
    return dims
