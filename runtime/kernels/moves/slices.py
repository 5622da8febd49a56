"""Slices, Pad and Concat for tensors of every class: elements move as they are stored.

One kernel per class of the result. Operands may be in either memory; those of another layout go
through scratch first.

Blocks go to another tensor of the same layout without being taken apart. Chunks form a grid. Where
a block has the same position in its chunks on both sides it moves as whole chunks; where it has
not, each dim falls into a few families of pieces, and the pieces of a family repeat from chunk to
chunk, so that a family is one copy between strided views. The number of copies does not grow with
the tensors.

Example: 20 columns from column 0 to column 6, in chunks of 8, are two families: columns 0 to 1 of
chunks 0, 1 and 2 go to columns 6 to 7, columns 2 to 7 of chunks 0 and 1 to 0 to 5 of the next; the
rest of chunk 2 is a third.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product
from math import prod

import numpy as np

from ....dialects.value import RANK, TensorSpec
from ...functions.support.arrays import Array
from ...kernel.declare import KernelSet
from ...kernel.kernel import Annotation, BoundCall, Call, Cost, CostFunction, Operand
from ...tensors.packing import CopyPair, factor_sizes, factor_view
from ...tensors.tensor_classes import CLASSES, new_tensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.bands import Overlap, filler, layout_of, overlap
from ..support.calls import bound_once, in_order, number_in

Parts = tuple[slice, ...]
Piece = tuple[Parts, Parts]
"""Indices into the factors of one dim, on either side."""


def moves(
    out: Tensor, to: Sequence[int], inp: Tensor, start: Sequence[int], size: Sequence[int]
) -> list[Call]:
    """Copy the block of this size at `start` of inp to `to` of out; both have one layout."""
    return [partial(np.copyto, *pair) for pair in shared_views(out, to, inp, start, size)]


def views(tensor: Tensor, start: Sequence[int], size: Sequence[int]) -> list[Array]:
    """List views that make up a block of a tensor."""
    return [view for view, _ in shared_views(tensor, start, tensor, start, size)]


def shared_views(
    a: Tensor, a_start: Sequence[int], b: Tensor, b_start: Sequence[int], size: Sequence[int]
) -> Iterator[CopyPair]:
    """Pair views over the same elements of a block of both tensors."""
    layout = layout_of(a)
    a_factors, b_factors = factor_view(a.array, layout), factor_view(b.array, layout)
    cuts = [
        _pieces(factor_sizes(layout, dim), a_start[dim], b_start[dim], size[dim])
        for dim in range(RANK)
    ]
    for pieces in product(*cuts):
        yield (
            a_factors[tuple(chain.from_iterable(part for part, _ in pieces))],
            b_factors[tuple(chain.from_iterable(part for _, part in pieces))],
        )


def _pieces(sizes: tuple[int, ...], a_start: int, b_start: int, count: int) -> list[Piece]:
    """The families of `count` indices from a_start on one side and from b_start on the other."""
    if not sizes:
        return [((slice(a_start, a_start + count),), (slice(b_start, b_start + count),))]
    families: dict[_Inner, list[_Chunks]] = {}
    for inner, (a, b) in _steps(sizes, a_start, b_start, count):
        runs = families.setdefault(inner, [])
        if runs and runs[-1].a + runs[-1].count == a:
            runs[-1] = replace(runs[-1], count=runs[-1].count + 1)
        else:
            runs.append(_Chunks(a, b, 1))
    return [
        (
            _parts(sizes, slice(run.a, run.a + run.count), inner.a, inner.length),
            _parts(sizes, slice(run.b, run.b + run.count), inner.b, inner.length),
        )
        for inner, runs in families.items()
        for run in runs
    ]


@dataclass(frozen=True)
class _Inner:
    """The position of a family's pieces in their chunks on either side, and their length."""

    a: int
    b: int
    length: int


@dataclass(frozen=True)
class _Chunks:
    """Neighbouring chunks, by the first on either side."""

    a: int
    b: int
    count: int


def _steps(
    sizes: tuple[int, ...], a: int, b: int, count: int
) -> Iterator[tuple[_Inner, tuple[int, int]]]:
    """Pieces within one chunk on both sides, and the numbers of these chunks.

    A dim with several factors inside its chunk moves whole chunks or single elements.
    """
    chunk = prod(sizes)
    while count:
        length = min(chunk - a % chunk, chunk - b % chunk, count)
        length = 1 if len(sizes) > 1 and length < chunk else length
        yield _Inner(a % chunk, b % chunk, length), (a // chunk, b // chunk)
        a, b, count = a + length, b + length, count - length


def _parts(sizes: tuple[int, ...], across: slice, inner: int, length: int) -> Parts:
    """A slice of chunks, and of each factor inside them."""
    if len(sizes) == 1:
        return across, slice(inner, inner + length)
    if length == prod(sizes):
        return across, *(slice(0, size) for size in sizes)
    return across, *(slice(int(i), int(i) + 1) for i in np.unravel_index(inner, sizes))


_ORIGIN = (0,) * RANK
Block = tuple[tuple[int, ...], tuple[int, ...]]
"""The start and the size of a block."""


def _cost(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> float:
    """Cheap unless a conversion is hidden in it; params are flat and do not count."""
    data = [spec for spec in operands if isinstance(spec, TensorSpec) and spec.elements > 1]
    alike = all(spec.layout is outputs[0].layout for spec in data)
    return Cost.FAST.value if alike else Cost.SNAIL.value


def _block(out: Tensor, to: Sequence[int], inp: Tensor, block: Block) -> Iterator[Call]:
    """Move a block of an operand to where it begins in the result.

    What is flat goes to another layout block by block: a large tensor may be cut into many tiles.
    """
    start, size = block
    if inp.spec.layout is out.spec.layout:
        yield from moves(out, to, inp, start, size)
    elif inp.flat:
        ends = (slice(begin, begin + extent) for begin, extent in zip(start, size, strict=True))
        relaid = new_tensor(inp.spec.with_shape(size).with_place(out.spec.place))
        yield relaid.packer(inp.array[tuple(ends)])
        yield from moves(out, to, relaid, _ORIGIN, size)
    else:
        relaid = new_tensor(inp.spec.with_place(out.spec.place))
        values = relaid.array if relaid.flat else np.empty(inp.shape, inp.array.dtype)
        yield inp.unpacker(values)
        if not relaid.flat:
            yield relaid.packer(values)
        yield from moves(out, to, relaid, start, size)


def _slice(out: Tensor, inp: Tensor, start: ShapeParam, size: ShapeParam) -> BoundCall:
    return in_order([*_block(out, _ORIGIN, inp, (start.dims, size.dims))])


def _slice_pad(
    out: Tensor,
    inp: Tensor,
    pad_before: ShapeParam,
    start: ShapeParam,
    size: ShapeParam,
    value: Tensor,
) -> BoundCall:
    first = [begin - before for begin, before in zip(start.dims, pad_before.dims, strict=True)]
    shared = overlap(inp.shape, first, size.dims)
    calls = [*_fill(out, shared, value)]
    if not shared.empty:
        to, begin = ([s.start for s in spans] for spans in (shared.target, shared.source))
        size_there = tuple(span.stop - span.start for span in shared.target)
        calls += _block(out, to, inp, (tuple(begin), size_there))
    return in_order(calls)


def _pad(out: Tensor, inp: Tensor, pad_amount: Tensor, pad_constant_value: Tensor) -> BoundCall:
    """A slice of the whole result, which begins before the input."""

    def bind() -> BoundCall:
        before = ShapeParam(tuple(pad_amount.array.reshape(-1)[::2].tolist()))
        return _slice_pad(
            out, inp, before, ShapeParam(_ORIGIN), ShapeParam(out.shape), pad_constant_value
        )

    return bound_once([pad_amount], bind)


def _fill(out: Tensor, shared: Overlap, value: Tensor) -> Iterator[Call]:
    """Write the value wherever the slice is outside the input."""
    stored = filler(number_in(value), out.spec)
    if not value.constant:
        yield lambda: np.copyto(stored, filler(number_in(value), out.spec))
    if stored.size > 1:
        yield out.packer(np.broadcast_to(stored, out.shape))
        return
    single = stored.reshape(())
    blocks = [(_ORIGIN, out.shape)] if shared.empty else _around(out.shape, shared)
    for start, size in blocks:
        yield from (partial(np.copyto, view, single) for view in views(out, start, size))


def _around(shape: Sequence[int], shared: Overlap) -> Iterator[Block]:
    """Blocks that make up all of the shape but the shared region, and do not overlap."""
    start, size = list(_ORIGIN), list(shape)
    for dim, span in enumerate(shared.target):
        for low, high in ((0, span.start), (span.stop, shape[dim])):
            if low < high:
                yield (
                    (*start[:dim], low, *start[dim + 1 :]),
                    (*size[:dim], high - low, *size[dim + 1 :]),
                )
        start[dim], size[dim] = span.start, span.stop - span.start


def _concat(out: Tensor, axis: Tensor, *parts: Tensor) -> BoundCall:
    """The shapes tell the axis: it is where parts differ from the result."""
    calls: list[Call] = []
    to = np.zeros(RANK, np.int64)
    for part in parts:
        calls += _block(out, to.tolist(), part, (_ORIGIN, part.shape))
        to += np.where(np.not_equal(part.shape, out.shape), part.shape, 0)
    return in_order(calls)


KERNELS = KernelSet()

_DIMS = dict.fromkeys(("start", "size"), ShapeParam)
_ROWS: tuple[tuple[str, Callable[..., BoundCall], CostFunction, dict[str, Annotation]], ...] = (
    ("Slice_shape", _slice, _cost, {"inp": Tensor, **_DIMS}),
    (
        "SlicePad_shape",
        _slice_pad,
        _cost,
        {"inp": Tensor, "pad_before": ShapeParam, **_DIMS, "value": Tensor},
    ),
    (
        "Pad",
        _pad,
        lambda outputs, operands: _cost(outputs, operands[:1]),
        {"inp": Tensor, "pad_amount": Tensor, "pad_constant_value": Tensor},
    ),
    ("Concat", _concat, _cost, {"axis": Tensor, "parts": Tensor}),
)
"""Op, function, cost and inputs; all data of a Pad is its first operand."""

for _op, _function, _price, _inputs in _ROWS:
    for _class in (*CLASSES.values(), Tensor):
        KERNELS.add(
            _op,
            _function,
            {"out": _class},
            _inputs,
            name=f"blocks.{_class.__name__}",
            variadic=_op == "Concat",
            cost=_price,
        )
