"""Slices, Pad and Concat for tensors of every class: elements move as they are stored.

One kernel per class of the result. Operands may be in either memory; those of another layout go
through scratch first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from ....dialects.value.layout import RANK
from ....dialects.value.spec import TensorSpec
from ...kernel.declare import KernelSet
from ...kernel.kernel import Annotation, BoundCall, Call, Cost, CostFunction, Operand
from ...tensors.tensor_classes import CLASSES, new_tensor
from ...tensors.tensors import ShapeParam, Tensor
from ..support.calls import in_order
from ..support.hoisting import bound_once, number_in
from ..support.regions import Overlap, filler, overlap
from .transfers import moves, views

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
