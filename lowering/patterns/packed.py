"""Rules for what one layer computes packed in its depth, as queries, keys and values are.

Exporters of attention take the parts out of a Transpose that puts them in front. Here each part is
a slice of the depth and, of a result that is large, has a layer of its own: then none of it is
written for another part.
"""

from itertools import pairwise
from math import prod
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects.htp import NativeOp, SliceShapeOp
from ...dialects.htp.base import replaced
from ...dialects.spec_of import spec_of
from ..rules import (
    AND,
    EARLY,
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    LET,
    ONE_OF,
    OPCONST,
    QNN,
    Op,
    external_constraint,
    external_replacement,
    rule,
    rules,
)
from ..rules.graph.graph import Node
from ..rules.language.split import take_slice
from ..rules.tree.build import Builder, Reference
from .conditions import LAYERS, is_large


class _PackedPart(NamedTuple):
    """A part of the depth of some data."""

    data: Node
    start: int
    size: int


@external_constraint("takes_packed_part")
def takes_packed_part(gathered: Node) -> bool:
    """A row of a Transpose of a Reshape is a part of the depth of what it reshapes."""
    return _packed_part(gathered) is not None


@external_replacement("part_of_depth")
def part_of_depth(builder: Builder, root: Node) -> Node | SSAValue:
    """Slice the depth, and give that the shape of the row."""
    if (part := _packed_part(root)) is None:
        return root
    shape = part.data.shape
    start, size = (*(0 for _ in shape[1:]), part.start), (*shape[:-1], part.size)
    taken = take_slice(builder, part.data.value, start, size, Reference(part.data.spec))
    return builder.native("Reshape", [taken], Reference(root.spec))


def _packed_part(gathered: Node) -> _PackedPart | None:
    turned, index, axis = gathered.inputs
    view, perm = turned.inputs
    (data,) = view.inputs
    constants = [node.constant for node in (perm, index, axis)]
    order, numbers, dims = ([] if c is None else c.reshape(-1).tolist() for c in constants)
    real = [dim for dim in order if view.shape[dim] > 1]
    if len(numbers) != 1 or len(dims) != 1 or not real or real[1:] != sorted(real[1:]):
        return None
    count, inner = view.shape[real[0]], prod(view.shape[real[0] + 1 :])
    in_front = turned.shape[dims[0]] == count and prod(turned.shape[: dims[0]]) == 1
    whole = count * inner == data.shape[-1] and data.spec.quant == gathered.spec.quant
    if not (in_front and whole and -count <= numbers[0] < count):
        return None
    return _PackedPart(data, numbers[0] % count * inner, inner)


@external_constraint("is_taken_apart")
def is_taken_apart(layer: Node) -> bool:
    """Parts of the depth that do not overlap are all that is read of a layer."""
    shape, spans = layer.shape, list[tuple[int, int]]()
    for use in layer.value.uses:
        if not isinstance(op := use.operation, SliceShapeOp):
            return False
        start, size = op.dims("start"), op.dims("size")
        if size[:-1] != shape[:-1] or size == shape:
            return False
        spans.append((start[-1], start[-1] + size[-1]))
    spans.sort()
    return all(a[1] <= b[0] for a, b in pairwise(spans))


@external_replacement("layer_of_part")
def layer_of_part(builder: Builder, root: Node) -> Node | SSAValue:
    """Build the layer with the weights and the bias of a part of its depth."""
    layer, start, size = root.inputs
    op, operands = layer.op, list[SSAValue]()
    if not isinstance(op, NativeOp) or op.ACCESS is None:
        return root
    follows = op.ACCESS.follows("d")
    for number, value in enumerate(op.operands):
        if (follow := follows.get(op.operand_name(number))) is not None:
            shape = spec_of(value).shape
            at = replaced((0,) * len(shape), follow.dim, start.shape[-1])
            part = replaced(shape, follow.dim, size.shape[-1])
            value = take_slice(builder, value, at, part, Reference(spec_of(value)))
        operands.append(value)
    return builder.native(op.mnemonic(), operands, Reference(root.spec))


_LAYER = ONE_OF(
    Op("FullyConnected", "X", OPCONST("W"), OPCONST("B")),
    *(Op(name, "X", OPCONST("W"), "S", OPCONST("B")) for name in LAYERS[:1]),
)

PACKED = rules(
    rule(
        QNN + 6,
        Op("Gather", Op("Transpose", Op("Reshape", "X"), OPCONST("P")), OPCONST("I"), OPCONST("A")),
        EXTERNAL_CONSTRAINT(takes_packed_part, "*"),
        EXTERNAL_REPLACE(part_of_depth),
        name="part of the depth",
    ),
    rule(
        EARLY + 5,
        Op("Slice_shape", LET("L", _LAYER), "Start", "Size"),
        AND(is_large("L"), EXTERNAL_CONSTRAINT(is_taken_apart, "L")),
        EXTERNAL_REPLACE(layer_of_part),
        name="layer of a part",
    ),
)
"""Rules for parts of a packed depth: first each is a slice, then it may have a layer of its own."""
