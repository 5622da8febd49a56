"""Small rules for the slices and concats that conversion and tiling leave.

An op with `htp.made_anew` becomes the Concat of what each of its blocks has alone. Whoever reads
a part of that which one block holds reads the block. No halo is then kept for another stripe.
"""

from collections.abc import Sequence

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.attributes import DRAINED
from ...dialects.htp import NativeOp, constant_array
from ...dialects.value import Shape
from ..rules import (
    ADD,
    AND,
    BOUND,
    DIM_OF,
    EQ,
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    GE,
    LE,
    LET,
    MIDDLE,
    OK,
    ONE_OF,
    OPCONST,
    OR,
    SAME_SHAPE,
    SELECT,
    SUB,
    TILING,
    Op,
    OpVarIn,
    external_constraint,
    external_replacement,
    gen_Shape,
    gen_ShapeOf,
    rule,
    rules,
)
from ..rules.graph.graph import Node
from ..rules.language.split import take_slice
from ..rules.language.tile_plan import windows_on
from ..rules.tree.build import Builder, Reference
from .conditions import has, is_drained, is_large
from .packed import slice_before, taken_window

_CONCAT = "htp.Concat"


@external_replacement("flat_concat")
def flat_concat(builder: Builder, root: Node) -> Node | SSAValue:
    """Take the parts of an inner Concat of the same axis as parts of the outer one."""
    axis, *parts = root.inputs
    flat = [leaf for part in parts for leaf in _parts(part, _axis(axis))]
    if len(flat) == len(parts):
        return root
    return builder.native(
        "Concat", [axis.value, *(leaf.value for leaf in flat)], Reference(root.spec)
    )


MOST_PARTS = 64
"""Parts of a Concat into which a slice of all of them is pushed, at most."""


@external_replacement("slice_of_parts")
def slice_of_parts(builder: Builder, root: Node) -> Node | SSAValue:
    """Slice the parts of a Concat that hold the slice, and join these, not the Concat."""
    joined, start, size = root.inputs
    if not _blocks(joined, start.shape, size.shape) or (is_drained(joined) and _is_moved(root)):
        return root
    return _joined_slices(builder, root, joined, start.shape, size.shape)


def _joined_slices(
    builder: Builder, root: Node, whole: Node, start: Shape, size: Shape
) -> SSAValue:
    """Join the slices of those parts of a Concat that hold a slice."""
    slices = [_sliced(builder, root, *block) for block in _blocks(whole, start, size)]
    operands = [whole.inputs[0].value, *slices]
    part = Reference(whole.spec.sliced(start, size))
    return slices[0] if len(slices) == 1 else builder.native("Concat", operands, part)


def _sliced(builder: Builder, root: Node, part: Node, start: Shape, size: Shape) -> SSAValue:
    """Slice a part of a Concat, or the parts that it is joined of itself.

    A slice of blocks that were made anew finds the block that holds it.
    """
    if size == part.shape:
        return part.value
    if windows_on(part.op) is None and not is_drained(part) and _blocks(part, start, size):
        return _joined_slices(builder, root, part, start, size)
    return take_slice(builder, part.value, start, size, Reference(root.spec))


def _blocks(joined: Node, start: Shape, size: Shape) -> list[tuple[Node, Shape, Shape]]:
    """List the parts of a Concat that hold a slice, with its start and size in each.

    Empty where the Concat itself is to be sliced, and for other ops.
    """
    if joined.name != _CONCAT or has(joined, DRAINED):
        return []
    axis, position = _axis(joined.inputs[0]), 0
    blocks: list[tuple[Node, Shape, Shape]] = []
    for part in joined.inputs[1:]:
        low = max(start[axis] - position, 0)
        high = min(start[axis] + size[axis] - position, part.shape[axis])
        if low < high:
            begin, extent = (
                (*shape[:axis], at, *shape[axis + 1 :])
                for shape, at in ((start, low), (size, high - low))
            )
            blocks.append((part, begin, extent))
        position += part.shape[axis]
    return [] if len(blocks) == len(joined.inputs) - 1 > MOST_PARTS else blocks


@external_replacement("narrowed")
def narrowed(builder: Builder, root: Node) -> Node | SSAValue:
    """Pad what a SlicePad_shape reads of a Concat, or of a slice of one, not all of that.

    Where it reads nothing, that is one element behind as much padding as is wanted. In main memory
    it reads a block of either without that.
    """
    joined, before, start, size, value = root.inputs
    lows, extents = taken_window(root)
    pads = tuple(max(0, pad - at) for pad, at in zip(before.shape, start.shape, strict=True))
    if min(extents) < 1:
        pads = tuple(n * (taken < 1) for n, taken in zip(size.shape, extents, strict=True))
        lows = tuple(min(low, n - 1) for low, n in zip(lows, joined.shape, strict=True))
        extents = (1,) * len(lows)
    if extents == joined.shape or is_drained(joined):
        return root
    part = take_slice(builder, joined.value, lows, extents, Reference(root.spec))
    bounds = [builder.shape(pads), builder.shape((0,) * len(pads)), size.value]
    return builder.native("SlicePad_shape", [part, *bounds, value.value], Reference(root.spec))


@external_constraint("has_no_parts")
def has_no_parts(node: Node) -> bool:
    """Tell whether slices of a tensor stay slices: of Transposes and joins in TCM they do not."""
    return node.name not in (_CONCAT, "htp.Transpose") or is_drained(node)


@external_replacement("turned_parts")
def turned_parts(builder: Builder, root: Node) -> Node | SSAValue:
    """Transpose the parts of a Concat, and those of its parts, and join these."""
    joined, perm = root.inputs
    axes = [] if perm.constant is None else perm.constant.reshape(-1).tolist()
    return root if _turned_axis(joined, axes) is None else _turned(builder, joined, perm, axes)


def _turned(builder: Builder, node: Node, perm: Node, axes: Sequence[int]) -> SSAValue:
    """Transpose a node; of a Concat its parts."""
    spec, axis = node.spec.transposed(axes), _turned_axis(node, axes)
    if axis is None:
        return builder.native("Transpose", [node.value, perm.value], Reference(spec))
    number, *parts = node.inputs
    there = builder.const(np.full(number.shape, axis, np.int32), number.spec)
    turned = [_turned(builder, part, perm, axes) for part in parts]
    return builder.native("Concat", [there, *turned], Reference(spec))


def _turned_axis(node: Node, axes: Sequence[int]) -> int | None:
    """Find the axis along which the parts of a Concat are joined once they are transposed."""
    if node.name != _CONCAT or is_drained(node):
        return None
    axis = _axis(node.inputs[0])
    return axes.index(axis) if axis in axes else None


def _is_moved(node: Node) -> bool:
    """Tell whether all that reads a tensor only moves its elements."""
    readers = [use.operation for use in node.value.uses]
    return all(isinstance(op, NativeOp) and op.ACCESS and op.ACCESS.moves for op in readers)


def _parts(node: Node, axis: int) -> list[Node]:
    inner = node.name == _CONCAT and _axis(node.inputs[0]) == axis and not is_drained(node)
    return list(node.inputs[1:]) if inner else [node]


def _axis(node: Node) -> int:
    array = constant_array(node.value)
    return -1 if array is None else int(array.item())


TWICE = gen_Shape(*(ADD(DIM_OF("S0", dim), DIM_OF("S1", dim)) for dim in range(4)))
"""The start of a slice of a slice."""
_BEGIN = tuple(SUB(DIM_OF("S", dim), DIM_OF("B", dim)) for dim in range(4))
"""The start of a SlicePad_shape that pads nothing."""
_JOINED = OpVarIn("Concat", OPCONST("Axis"), "Part")
_SOURCE = ONE_OF(Op("Slice_shape", "Y", "S2", "N2"), "X")
_TURNED = LET("T", Op("Transpose", _SOURCE, OPCONST("Perm")))


_ENDS = [(DIM_OF("S1", dim), DIM_OF("B", dim), DIM_OF("N1", dim)) for dim in range(4)]
_PADS_EDGES = AND(
    *(OR(EQ(DIM_OF("S0", dim), 0), LE(pad, at)) for dim, (at, pad, _) in enumerate(_ENDS)),
    *(
        OR(
            EQ(DIM_OF("X", dim), ADD(DIM_OF("S0", dim), DIM_OF("N0", dim))),
            GE(ADD(DIM_OF("N0", dim), pad), ADD(at, size)),
        )
        for dim, (at, pad, size) in enumerate(_ENDS)
    ),
)
"""A padding of a slice adds nothing where the slice ends, but the tensor does not."""
_IS_LARGE = SELECT(BOUND("Y"), is_large("Y"), is_large("T"))
"""A Transpose, or the tensor of which it turns a part, takes more than its share of the TCM."""

_OUTER = ("B1", "S1", "N1")
_PADS = gen_Shape(*(ADD(DIM_OF("B", dim), DIM_OF("B1", dim)) for dim in range(4)))
_AHEAD = [
    (DIM_OF("S0", dim), DIM_OF("B", dim), DIM_OF("S1", dim), DIM_OF("B1", dim)) for dim in range(4)
]
_PADS_THE_SAME = AND(
    *(OR(LE(pad, at), LE(start, before)) for start, before, at, pad in _AHEAD),
    *(
        OR(
            LE(ADD(DIM_OF("N1", dim), at), ADD(DIM_OF("N0", dim), pad)),
            GE(ADD(DIM_OF("N0", dim), start), ADD(DIM_OF("X", dim), before)),
        )
        for dim, (start, before, at, pad) in enumerate(_AHEAD)
    ),
)
"""A padding of another one adds to it only beyond the tensor that the other pads."""

TILES = rules(
    rule(
        MIDDLE,
        Op("Slice_shape", Op("Slice_shape", "X", "S0", "N0"), "S1", "N1"),
        OK,
        Op("Slice_shape", "X", TWICE, gen_ShapeOf("*")),
    ),
    rule(
        MIDDLE,
        Op("Slice_shape", _JOINED, "S", "N"),
        OK,
        EXTERNAL_REPLACE(slice_of_parts),
        name="slice of parts",
    ),
    rule(
        MIDDLE,
        Op("Slice_shape", Op("SlicePad_shape", "X", "B", "S0", "N0", "V"), "S1", "N1"),
        OK,
        Op("SlicePad_shape", "X", "B", TWICE, gen_ShapeOf("*"), "V"),
    ),
    rule(
        MIDDLE,
        Op("SlicePad_shape", Op("SlicePad_shape", "X", "B", "S0", "N0", "V"), *_OUTER, "V"),
        _PADS_THE_SAME,
        Op("SlicePad_shape", "X", _PADS, TWICE, gen_ShapeOf("*"), "V"),
        name="padding of a padding",
    ),
    rule(
        MIDDLE,
        Op("SlicePad_shape", "X", "B", "S", "N", "V"),
        AND(
            *(LE(DIM_OF("B", dim), DIM_OF("S", dim)) for dim in range(4)),
            *(GE(DIM_OF("X", dim), ADD(at, DIM_OF("N", dim))) for dim, at in enumerate(_BEGIN)),
        ),
        Op("Slice_shape", "X", gen_Shape(*_BEGIN), gen_ShapeOf("*")),
        name="nothing is padded",
    ),
    rule(
        MIDDLE,
        Op(
            "SlicePad_shape",
            ONE_OF(_JOINED, Op("Slice_shape", _JOINED, "S0", "N0"), _TURNED),
            *("B", "S", "N", "V"),
        ),
        SELECT(BOUND("T"), _IS_LARGE, OK),
        EXTERNAL_REPLACE(narrowed),
        name="padding of parts",
    ),
    rule(
        MIDDLE,
        Op("SlicePad_shape", Op("Slice_shape", "X", "S0", "N0"), "B", "S1", "N1", "V"),
        AND(EXTERNAL_CONSTRAINT(has_no_parts, "X"), _PADS_EDGES),
        Op("SlicePad_shape", "X", "B", TWICE, gen_ShapeOf("*"), "V"),
        name="padding of a slice",
    ),
    rule(MIDDLE, Op("Slice_shape", "X", "S", "N"), SAME_SHAPE("*", "X"), "X"),
    rule(MIDDLE, _JOINED, OK, EXTERNAL_REPLACE(flat_concat)),
)
"""Rules for slices of slices, of paddings and of joined tiles, and for concats of concats.

Once they are gone, the tiles of one op are read by the tiles of the next.
"""

TRANSPOSES = rules(
    rule(
        MIDDLE,
        Op("Slice_shape", _TURNED, "S", "N"),
        _IS_LARGE,
        EXTERNAL_REPLACE(slice_before),
        name="slice of a transpose",
    ),
    rule(
        MIDDLE,
        Op("Transpose", _JOINED, OPCONST("Perm")),
        is_large("*"),
        EXTERNAL_REPLACE(turned_parts),
        name="transpose of parts",
    ),
)
"""Rules for a Transpose that is larger than its share of the TCM.

Behind them each tile brings its part of the input, and turns it in TCM, or turns its part of the
result, and writes it where it belongs.
"""

CLEANUP_RULES = TILES + TRANSPOSES


@external_constraint("made_anew")
def made_anew(node: Node) -> bool:
    """The node represents blocks that were made anew."""
    return windows_on(node.op) is not None


@external_constraint("joins_blocks")
def joins_blocks(node: Node) -> bool:
    """The node is a join of what was made anew, or of joins of that."""
    is_join = node.name == _CONCAT and windows_on(node.op) is None
    return is_join and any(map(_has_blocks, node.inputs))


def _has_blocks(node: Node) -> bool:
    return windows_on(node.op) is not None or bool(joins_blocks(node))


@external_replacement("block_of")
def block_of(builder: Builder, root: Node) -> Node | SSAValue:
    """Slice the block that holds all of a slice, not the Concat that represents the blocks."""
    joined, start, size = root.inputs
    windows = windows_on(joined.op)
    if windows is None:
        return root
    dim = windows.dim
    number = windows.holding((start.shape[dim], start.shape[dim] + size.shape[dim]))
    if number is None:
        return root
    part, (low, high) = joined.inputs[1 + number], windows.spans[number]
    block = part if part.shape[dim] == high - low else part.inputs[0]
    begin = tuple(at - low * (axis == dim) for axis, at in enumerate(start.shape))
    if size.shape == block.shape:
        return block.value
    return take_slice(builder, block.value, begin, size.shape, Reference(root.spec))


_BLOCKS = LET("J", OpVarIn("Concat", OPCONST("Axis"), "Part"))
_IS_MADE_ANEW, _IS_JOINED = (EXTERNAL_CONSTRAINT(which, "J") for which in (made_anew, joins_blocks))

MADE_ANEW_RULES = rules(
    rule(
        TILING,
        Op("Slice_shape", _BLOCKS, "S", "N"),
        _IS_MADE_ANEW,
        EXTERNAL_REPLACE(block_of),
        name="block of a slice",
    ),
    rule(
        TILING,
        Op("Slice_shape", _BLOCKS, "S", "N"),
        _IS_JOINED,
        EXTERNAL_REPLACE(slice_of_parts),
        name="blocks of a slice of a join",
    ),
    rule(
        TILING,
        Op("SlicePad_shape", _BLOCKS, "B", "S", "N", "V"),
        OR(_IS_MADE_ANEW, _IS_JOINED),
        EXTERNAL_REPLACE(narrowed),
        name="block of a padding",
    ),
    rule(
        TILING,
        Op("Slice_shape", Op("SlicePad_shape", _BLOCKS, "B", "S0", "N0", "V"), "S1", "N1"),
        OR(_IS_MADE_ANEW, _IS_JOINED),
        Op("SlicePad_shape", "J", "B", TWICE, gen_ShapeOf("*"), "V"),
        name="block of a slice of a padding",
    ),
)
"""Rules of pass group TILING: readers find the block that was made anew for them."""
