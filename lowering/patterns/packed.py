"""Rules for what one layer computes packed in its depth, and for the views that it is read through.

Exporters of attention take queries, keys and values out of a Transpose that puts them in front.
Here each part is a slice of the depth and, of a result that is large, has a layer of its own: then
none of it is written for another part.

Reshapes and a Transpose that put the depth into another order become a Gather, which does the same
with the rows where they are, and can be cut into tiles of some of them.

Some first rows of a Reshape are some of what it reshapes. Then a tile that reads through a Reshape
takes the tile in front of it, not all of the tensor.
"""

from itertools import pairwise
from math import prod
from operator import sub
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ...dialects.htp import NativeOp, SliceShapeOp
from ...dialects.htp.base import replaced
from ...dialects.spec_of import spec_of
from ...dialects.value import DType, Shape, TensorSpec
from ..planner.tiling.program import first_dim
from ..rules import (
    AND,
    EARLY,
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    LET,
    MIDDLE,
    OK,
    ONE_OF,
    OPCONST,
    QNN,
    SAME_SHAPE,
    TCM_MAXTENSOR_SIZE,
    Op,
    OpVarIn,
    external_constraint,
    external_replacement,
    rule,
    rules,
)
from ..rules.graph.graph import INT_MIN, Node
from ..rules.language.split import take_slice
from ..rules.tree.build import Builder, Reference
from .conditions import LAYERS, is_drained, is_large
from .tile_table import D


class _PackedPart(NamedTuple):
    """A part of the depth of some data."""

    data: Node
    start: int
    size: int


@external_constraint("takes_packed_part")
def takes_packed_part(taken: Node) -> bool:
    """A row of a Transpose of a Reshape, or a slice of a Reshape, is a part of its data's depth."""
    return _packed_part(taken) is not None


@external_replacement("part_of_depth")
def part_of_depth(builder: Builder, root: Node) -> Node | SSAValue:
    """Slice the depth, and give that the shape of the part."""
    if (part := _packed_part(root)) is None:
        return root
    shape = part.data.shape
    start, size = (*(0 for _ in shape[1:]), part.start), (*shape[:-1], part.size)
    taken = take_slice(builder, part.data.value, start, size, Reference(part.data.spec))
    return builder.native("Reshape", [taken], Reference(root.spec))


def _packed_part(taken: Node) -> _PackedPart | None:
    part = _row(taken) if taken.name == "htp.Gather" else _slice(taken)
    return part if part and part.data.spec.quant == taken.spec.quant else None


def _slice(taken: Node) -> _PackedPart | None:
    """Find what a slice takes along the first dim of a view that its data has in the depth."""
    view, start, size = taken.inputs
    (data,) = view.inputs
    cut = [dim for dim, extent in enumerate(view.shape) if size.shape[dim] != extent]
    inner = prod(view.shape[cut[0] + 1 :]) if cut else 0
    if len(cut) != 1 or view.shape[cut[0]] * inner != data.shape[-1]:
        return None
    return _PackedPart(data, start.shape[cut[0]] * inner, size.shape[cut[0]] * inner)


def _row(gathered: Node) -> _PackedPart | None:
    """Find what a row of a Transpose takes that puts the parts of the depth in front."""
    front, index, axis = gathered.inputs
    turned = front.inputs[0] if front.name == "htp.Reshape" else front
    view, perm = turned.inputs
    (data,) = view.inputs
    constants = [node.constant for node in (perm, index, axis)]
    order, numbers, dims = ([] if c is None else c.reshape(-1).tolist() for c in constants)
    real = [dim for dim in order if view.shape[dim] > 1]
    if len(numbers) != 1 or len(dims) != 1 or not real or real[1:] != sorted(real[1:]):
        return None
    count, inner = view.shape[real[0]], prod(view.shape[real[0] + 1 :])
    in_front = front.shape[dims[0]] == count and prod(front.shape[: dims[0]]) == 1
    whole = count * inner == data.shape[-1]
    if not (in_front and whole and -count <= numbers[0] < count):
        return None
    return _PackedPart(data, numbers[0] % count * inner, inner)


@external_constraint("is_taken_apart")
def is_taken_apart(node: Node, along: int = INT_MIN) -> bool:
    """Parts along one dim, which may be stated, that do not overlap are all that is read of it."""
    shape, dims, spans = node.shape, set[int](), list[tuple[int, int]]()
    for use in node.value.uses:
        if not isinstance(op := use.operation, SliceShapeOp):
            return False
        start, size = op.dims("start"), op.dims("size")
        cut = [dim for dim, extent in enumerate(shape) if size[dim] != extent]
        dims |= {*cut}
        spans += [(start[dim], start[dim] + size[dim]) for dim in cut]
    spans.sort()
    is_one = len(dims) == 1 and (along == INT_MIN or {along} == dims)
    return is_one and all(a[1] <= b[0] for a, b in pairwise(spans))


@external_replacement("slice_before")
def slice_before(builder: Builder, root: Node) -> Node | SSAValue:
    """Transpose a slice of the input, not all of it to take a slice of that."""
    turned, start, size = root.inputs
    source, perm = turned.inputs
    axes = [] if perm.constant is None else perm.constant.reshape(-1).tolist()
    if not axes:
        return root
    begin, extent = (
        tuple(bounds.shape[axes.index(dim)] for dim in range(len(axes))) for bounds in (start, size)
    )
    part = take_slice(builder, source.value, begin, extent, Reference(turned.spec))
    return builder.native("Transpose", [part, perm.value], Reference(root.spec))


@external_replacement("layer_of_part")
def layer_of_part(builder: Builder, root: Node) -> Node | SSAValue:
    """Build the layer with the weights and the bias of a part of its depth."""
    layer, start, size = root.inputs
    op, operands = layer.op, list[SSAValue]()
    if not isinstance(op, NativeOp) or op.ACCESS is None:
        return root
    follows = op.ACCESS.follows("d", op.ACCESS.turned_in(op))
    for number, value in enumerate(op.operands):
        if (follow := follows.get(op.operand_name(number))) is not None:
            shape = spec_of(value).shape
            at = replaced((0,) * len(shape), follow.dim, start.shape[-1])
            part = replaced(shape, follow.dim, size.shape[-1])
            value = take_slice(builder, value, at, part, Reference(spec_of(value)))
        operands.append(value)
    return builder.native(op.mnemonic(), operands, Reference(root.spec))


class _ViewPart(NamedTuple):
    """Whole elements of the first dims of data and of its view that hold a slice of the view."""

    of_data: range
    of_view: range


@external_constraint("takes_first_rows")
def takes_first_rows(root: Node, data: Node, start: Node, size: Node, share: int) -> bool:
    """A slice of a Reshape of the data needs some elements of its first dim, not all of them.

    An element of either first dim takes at most its share of the TCM.
    """
    view = root.inputs[0].shape
    part = _part(view, data.shape, start.shape, size.shape)
    return part is not None and _has_small_rows(view, data, share)


def _has_small_rows(view: Shape, data: Node, share: int) -> bool:
    fewest = min(data.shape[first_dim(data.shape)], view[first_dim(view)])
    return data.spec.nbytes <= share * fewest


@external_constraint("pads_first_rows")
def pads_first_rows(root: Node, data: Node, share: int) -> bool:
    """A padding of a Reshape of tiles needs some elements of their first dim, as a slice does."""
    view, (start, size) = root.inputs[0].shape, taken_window(root)
    part = None if min(size) < 1 else _part(view, data.shape, start, size)
    return part is not None and not is_drained(data) and _has_small_rows(view, data, share)


def taken_window(padding: Node) -> tuple[Shape, Shape]:
    """Return start and size of what a SlicePad_shape takes of its input; below 1 for nothing."""
    source, before, start, size, _ = padding.inputs
    dims = zip(before.shape, start.shape, size.shape, source.shape, strict=True)
    spans = [(max(0, at - pad), min(end, at - pad + n)) for pad, at, n, end in dims]
    return tuple(low for low, _ in spans), tuple(high - low for low, high in spans)


@external_replacement("padding_of_slice")
def padding_of_slice(builder: Builder, root: Node) -> Node | SSAValue:
    """Slice the data, reshape that, and pad the other shape."""
    view, before, start, size, value = root.inputs
    part, dim = _part(view.shape, view.inputs[0].shape, *taken_window(root)), first_dim(view.shape)
    if part is None:
        return root
    begin = tuple(map(sub, start.shape, before.shape))
    begin = replaced(begin, dim, begin[dim] - part.of_view.start)
    bounds = (tuple(max(0, sign * at) for at in begin) for sign in (-1, 1))
    operands = [_shaped(builder, view, part), *map(builder.shape, bounds), size.value, value.value]
    return builder.native("SlicePad_shape", operands, Reference(root.spec))


def _shaped(builder: Builder, view: Node, part: _ViewPart) -> SSAValue:
    """Reshape a slice of the data of a view into a part of that."""
    (data,), zeros = view.inputs, (0,) * len(view.shape)
    first, dim = first_dim(data.shape), first_dim(view.shape)
    begin = replaced(zeros, first, part.of_data.start)
    extent = replaced(data.shape, first, len(part.of_data))
    taken = take_slice(builder, data.value, begin, extent, Reference(data.spec))
    front = replaced(view.shape, dim, len(part.of_view))
    ahead = replaced(zeros, dim, part.of_view.start)
    return builder.native("Reshape", [taken], Reference(view.spec.sliced(ahead, front)))


@external_constraint("takes_rows")
def takes_rows(root: Node, data: Node, start: Node, size: Node) -> bool:
    """A slice of a Reshape of the data is a view of some elements of its first dim, not of all."""
    view = root.inputs[0].shape
    part = _part(view, data.shape, start.shape, size.shape)
    return part is not None and len(part.of_view) == size.shape[first_dim(view)]


@external_replacement("view_of_slice")
def view_of_slice(builder: Builder, root: Node) -> Node | SSAValue:
    """Slice the data, reshape that, and slice what is more of it, and the other dims."""
    view, start, size = root.inputs
    part = _part(view.shape, view.inputs[0].shape, start.shape, size.shape)
    if part is None:
        return root
    shaped, dim = _shaped(builder, view, part), first_dim(view.shape)
    if spec_of(shaped).shape == size.shape:
        return shaped
    rest = replaced(start.shape, dim, start.shape[dim] - part.of_view.start)
    return take_slice(builder, shaped, rest, size.shape, Reference(root.spec))


def _part(view: Shape, data: Shape, start: Shape, size: Shape) -> _ViewPart | None:
    """Find what holds a slice; None where that is all, or where elements of both do not match."""
    dim, first = first_dim(view), first_dim(data)
    each, own = prod(data[first + 1 :]), prod(view[dim + 1 :])
    if each % own and own % each:
        return None
    many, step = max(1, own // each), max(1, each // own)
    low, high = start[dim] // step, -(-(start[dim] + size[dim]) // step)
    if (high - low) * many == data[first]:
        return None
    of_view = range(low * step, min(high * step, view[dim]))
    return _ViewPart(range(low * many, high * many), of_view)


_LAYER = ONE_OF(
    Op("FullyConnected", "X", OPCONST("W"), "B"),
    Op("MatMul", "X", OPCONST("W"), "T0", "T1"),
    Op("BiasAdd", "X", OPCONST("B")),
    *(Op(name, "X", OPCONST("W"), "S", "B") for name in LAYERS[:1]),
)

_IN_FRONT = Op("Transpose", Op("Reshape", "X"), OPCONST("P"))

RESHAPES = rules(
    *(
        rule(at, Op("Reshape", data), ask, built)
        for at in (QNN + 5, QNN + 7)
        for data, ask, built in (
            (Op("Reshape", "X"), OK, Op("Reshape", "X")),
            ("X", SAME_SHAPE("*", "X"), "X"),
        )
    ),
    rule(QNN + 5, Op("Concat", OPCONST("Axis"), "X"), OK, "X", name="join of one part"),
)
"""Reshapes inside the graph, before and after parts of the depth; those at its boundary stay."""

PACKED = rules(
    rule(
        QNN + 6,
        Op("Gather", ONE_OF(_IN_FRONT, Op("Reshape", _IN_FRONT)), OPCONST("I"), OPCONST("A")),
        EXTERNAL_CONSTRAINT(takes_packed_part, "*"),
        EXTERNAL_REPLACE(part_of_depth),
        name="part of the depth",
    ),
    rule(
        QNN + 6,
        Op("Slice_shape", Op("Reshape", "X"), "S", "N"),
        EXTERNAL_CONSTRAINT(takes_packed_part, "*"),
        EXTERNAL_REPLACE(part_of_depth),
        name="slice of the depth",
    ),
    rule(
        QNN + 6,
        Op("Slice_shape", LET("T", Op("Transpose", "X", OPCONST("P"))), "S", "N"),
        AND(is_large("T"), EXTERNAL_CONSTRAINT(is_taken_apart, "T")),
        EXTERNAL_REPLACE(slice_before),
        name="part of a transpose",
    ),
    rule(
        QNN + 6,
        Op("Slice_shape", LET("V", Op("Reshape", "X")), "S", "N"),
        AND(
            is_large("V"),
            EXTERNAL_CONSTRAINT(is_taken_apart, "V"),
            EXTERNAL_CONSTRAINT(takes_rows, "*", "X", "S", "N"),
        ),
        EXTERNAL_REPLACE(view_of_slice),
        name="part of a view",
    ),
    rule(
        EARLY + 5,
        Op("Slice_shape", LET("L", _LAYER), "Start", "Size"),
        AND(is_large("L"), EXTERNAL_CONSTRAINT(is_taken_apart, "L", D)),
        EXTERNAL_REPLACE(layer_of_part),
        name="layer of a part",
    ),
)
"""Rules for parts of a packed depth: first each is a slice, then it may have a layer of its own."""


@external_constraint("shuffles_depth")
def shuffles_depth(joined: Node, data: Node) -> bool:
    """A Reshape of a Transpose of a Reshape puts the depth of the data into another order."""
    return joined.shape == data.shape and len(_order(joined)) > 0


@external_replacement("shuffled_depth")
def shuffled_depth(builder: Builder, root: Node) -> Node | SSAValue:
    """Gather the depth in its new order."""
    data = root.inputs[0].inputs[0].inputs[0]
    numbers = (_order(root), np.array([len(data.shape) - 1]))
    rows = [array.astype(np.int32).reshape(1, 1, 1, -1) for array in numbers]
    indices = [builder.const(row, TensorSpec(row.shape, DType.Int32)) for row in rows]
    return builder.native("Gather", [data.value, *indices], Reference(root.spec))


def _order(joined: Node) -> NDArray[np.intp]:
    """Return the elements of the depth in their new order; none where other dims move, too."""
    split, perm = joined.inputs[0].inputs
    axes = [] if perm.constant is None else perm.constant.reshape(-1).tolist()
    first = next((at for at, dim in enumerate(axes) if at != dim), len(axes))
    depth, parts = joined.shape[-1], split.shape[first:]
    if prod(parts) != depth:
        return np.arange(0)
    inner = [dim - first for dim in axes[first:]]
    return np.arange(depth).reshape(parts).transpose(inner).reshape(-1)


SHUFFLES = rules(
    rule(
        QNN + 6,
        Op("Reshape", Op("Transpose", Op("Reshape", "X"), OPCONST("Perm"))),
        EXTERNAL_CONSTRAINT(shuffles_depth, "*", "X"),
        EXTERNAL_REPLACE(shuffled_depth),
        name="shuffled depth",
    ),
)


_TILES = LET("J", OpVarIn("Concat", OPCONST("Axis"), "Part"))

VIEW_SLICES = rules(
    rule(
        MIDDLE,
        Op("Slice_shape", Op("Reshape", "X"), "S", "N"),
        EXTERNAL_CONSTRAINT(takes_first_rows, "*", "X", "S", "N", TCM_MAXTENSOR_SIZE),
        EXTERNAL_REPLACE(view_of_slice),
        name="slice of a view",
    ),
    rule(
        MIDDLE,
        Op("SlicePad_shape", Op("Reshape", _TILES), "B", "S", "N", "V"),
        EXTERNAL_CONSTRAINT(pads_first_rows, "*", "J", TCM_MAXTENSOR_SIZE),
        EXTERNAL_REPLACE(padding_of_slice),
        name="padding of a view",
    ),
)
