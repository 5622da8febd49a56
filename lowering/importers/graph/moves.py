"""Params of an op that works on data before a Transpose instead of behind it.

y = Transpose(x, perm) means that dim i of y is dim perm[i] of x. A move turns op(y) into
Transpose(op'(x), after): it gives the properties of op' and the order `after`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import Attribute

from ....dialects.qti_aisw import GRAPH_OPS, GraphOp
from ....dialects.qti_aisw.base import int_attr, ints_attr
from ....dialects.qti_aisw.ops.elementwise import Binary, Unary
from ....dialects.spec_of import Array, dtype_of, element_type, spec_of
from ....dialects.value import Shape, TensorSpec

Perm = tuple[int, ...]


@dataclass(frozen=True)
class Moved:
    """The properties that change, and the order of the dims that is left to restore."""

    properties: dict[str, Attribute]
    after: Perm


Move = Callable[[GraphOp, Perm], Moved | None]
"""None where an op cannot be moved."""


def inverse(perm: Sequence[int]) -> Perm:
    """Return the order that undoes this one."""
    return tuple(perm.index(i) for i in range(len(perm)))


def in_order_at_rank(array: Array, spec: TensorSpec, perm: Perm) -> tuple[Array, TensorSpec]:
    """Return a constant that is broadcast to the rank of an order with its dims in that order.

    It keeps its rank where dims of extent 1 come to the front: 6x16 of 1x6x16 is 16x6 of 1x16x6.
    """
    added, cut = len(perm) - spec.rank, 0
    turned = array.reshape((1,) * added + array.shape).transpose(perm)
    while cut < added and turned.shape[cut] == 1:
        cut += 1
    if spec.quant is not None and spec.quant.axis is not None:
        axis = perm.index(spec.quant.axis + added)
        cut = min(cut, axis)
        spec = replace(spec, quant=replace(spec.quant, axis=axis - cut))
    shape = turned.shape[cut:]
    return turned.reshape(shape), spec.with_shape(shape)


def _unchanged(op: GraphOp, perm: Perm) -> Moved:
    return Moved({}, perm)


def _axis(op: GraphOp, perm: Perm) -> Moved:
    axis = perm[op.int_param("axis") % len(perm)]
    return Moved({"axis": int_attr(axis)}, perm)


def _per_dim(name: str, count: int) -> Move:
    """Return a list param with `count` values for each dim."""

    def move(op: GraphOp, perm: Perm) -> Moved:
        values = op.ints_param(name)
        groups = [values[i * count : (i + 1) * count] for i in inverse(perm)]
        return Moved({name: ints_attr([v for group in groups for v in group])}, perm)

    return move


def _along(op: GraphOp, perm: Perm) -> Moved:
    """Return the encoding with its scales along the dim that they had before the move."""
    dtype, quant = dtype_of(op.properties["to"])
    if quant is None or quant.axis is None:
        return Moved({}, perm)
    return Moved({"to": element_type(dtype, replace(quant, axis=perm[quant.axis]))}, perm)


def _reduced(op: GraphOp, perm: Perm, axes: Sequence[int]) -> Perm:
    """Return the order of what a reduction over `axes` (of y) leaves."""
    return perm if op.params()["keep_dims"] else _without(perm, axes)


def _without(perm: Perm, axes: Sequence[int]) -> Perm:
    """Return the order of the dims that are left without those at `axes` (of y)."""
    kept = [dim for axis, dim in enumerate(perm) if axis not in axes]
    return tuple(sorted(kept).index(dim) for dim in kept)


def _axes(op: GraphOp, perm: Perm) -> Moved:
    axes = [axis % len(perm) for axis in op.ints_param("axes")]
    moved = ints_attr(sorted(perm[axis] for axis in axes))
    return Moved({"axes": moved}, _reduced(op, perm, axes))


def _arg(op: GraphOp, perm: Perm) -> Moved:
    axis = op.int_param("axis") % len(perm)
    return Moved({"axis": int_attr(perm[axis])}, _reduced(op, perm, [axis]))


def _gathered(op: GraphOp, perm: Perm) -> Moved | None:
    """Return the axis at which a single slice is taken; None for several."""
    axis, numbers = op.int_param("axis") % len(perm), spec_of(op.operands[1])
    if numbers.elements > 1 or numbers.rank > 1:
        return None
    after = perm if numbers.rank else _without(perm, [axis])
    return Moved({"axis": int_attr(perm[axis])}, after)


def _reshaped(op: GraphOp, perm: Perm) -> Moved | None:
    """Return the shape whose dims stand in the order that the data's have before the move.

    None where dims are joined that do not stand behind each other before the move, and for dims
    without elements.
    """
    before, shape = spec_of(op.operands[0]).shape, spec_of(op.results[0]).shape
    groups = list[tuple[Perm, list[int]]]()
    for dims, results in _groups(before, shape):
        own = tuple(perm[dim] for dim in dims if before[dim] != 1)
        if own != tuple(range(own[0], own[0] + len(own)) if own else ()):
            return None
        groups.append((own, results))
    order = [dim for _, results in sorted(groups) for dim in results]
    if len(order) < len(shape):
        return None
    return Moved({"shape": ints_attr([shape[dim] for dim in order])}, inverse(order))


def _groups(shape: Shape, other: Shape) -> Iterator[tuple[list[int], list[int]]]:
    """Pair the fewest dims of a shape with those of another that have as many elements."""
    dims, results = list[int](), list[int]()
    rest = iter(range(len(other)))
    for dim in range(len(shape)):
        dims.append(dim)
        wanted = prod(shape[at] for at in dims)
        while not results or prod(other[at] for at in results) < wanted:
            if (at := next(rest, None)) is None:
                break
            results.append(at)
        if prod(other[at] for at in results) == wanted:
            ends = dim + 1 == len(shape)
            yield dims, [*results, *rest] if ends else results
            dims, results = [], []


MOVES: dict[str, Move] = {
    **{op.name: _unchanged for op in GRAPH_OPS.values() if issubclass(op, (Unary, Binary))},
    **{
        f"qti_aisw.{name}": _unchanged
        for name in ("ElementWiseSelect", "Prelu", "Cast", "BitCast", "Dequantize")
    },
    "qti_aisw.Quantize": _along,
    **{f"qti_aisw.{name}": _axis for name in ("Softmax", "LogSoftmax", "Concat", "Split")},
    **{f"qti_aisw.Reduce{name}": _axes for name in ("Sum", "Mean", "Max", "Min", "Prod")},
    **{f"qti_aisw.{name}": _arg for name in ("Argmax", "Argmin")},
    "qti_aisw.Pad": _per_dim("pad_amount", 2),
    "qti_aisw.StridedSlice": _per_dim("ranges", 3),
    "qti_aisw.Tile": _per_dim("multiples", 1),
    "qti_aisw.Gather": _gathered,
    "qti_aisw.Reshape": _reshaped,
}
"""The ops that a Transpose can be moved past, by name."""


def moved_in_front(op: GraphOp, perm: Perm) -> Moved | None:
    """Move an op in front of a Transpose of its data; None where it cannot be moved."""
    move = MOVES.get(op.name)
    return move(op, perm) if move else None
