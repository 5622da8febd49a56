"""Small rules that tidy what conversion and tiling leave: reshapes, slices, concats."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.htp.const import constant_array
from ..rules import (
    ADD,
    AND,
    DIM_OF,
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    MIDDLE,
    OK,
    OPCONST,
    QNN,
    SAME_SHAPE,
    Op,
    OpVarIn,
    external_replacement,
    gen_Shape,
    gen_ShapeOf,
    rule,
    rules,
)
from ..rules.build import Builder, Reference
from ..rules.graph import Node
from .conditions import is_inner

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


@external_replacement("slice_of_part")
def slice_of_part(builder: Builder, root: Node) -> Node | SSAValue:
    """Slice the one part of a Concat that holds the whole slice, not the Concat."""
    joined, start, size = root.inputs
    axis, position = _axis(joined.inputs[0]), 0
    for part in joined.inputs[1:]:
        offset, extent = start.shape[axis] - position, part.shape[axis]
        if offset >= 0 and offset + size.shape[axis] <= extent:
            begin = (*start.shape[:axis], offset, *start.shape[axis + 1 :])
            operands = [part.value, builder.shape(begin), size.value]
            return builder.native("Slice_shape", operands, Reference(root.spec))
        position += extent
    return root


def _parts(node: Node, axis: int) -> list[Node]:
    inner = node.name == _CONCAT and _axis(node.inputs[0]) == axis
    return list(node.inputs[1:]) if inner else [node]


def _axis(node: Node) -> int:
    array = constant_array(node.value)
    return -1 if array is None else int(array.item())


RESHAPES = rules(
    rule(QNN + 5, Op("Reshape", Op("Reshape", "X")), OK, Op("Reshape", "X")),
    rule(
        QNN + 5,
        Op("Reshape", "X"),
        AND(SAME_SHAPE("*", "X"), EXTERNAL_CONSTRAINT(is_inner, "*")),
        "X",
    ),
)
"""The Reshapes at the function's boundary stay: they carry its signature."""

TILES = rules(
    rule(
        MIDDLE,
        Op("Slice_shape", Op("Slice_shape", "X", "S0", "N0"), "S1", "N1"),
        OK,
        Op(
            "Slice_shape",
            "X",
            gen_Shape(*(ADD(DIM_OF("S0", dim), DIM_OF("S1", dim)) for dim in range(4))),
            gen_ShapeOf("*"),
        ),
    ),
    rule(
        MIDDLE,
        Op("Slice_shape", OpVarIn("Concat", OPCONST("Axis"), "Part"), "S", "N"),
        OK,
        EXTERNAL_REPLACE(slice_of_part),
        name="slice of one part",
    ),
    rule(MIDDLE, Op("Slice_shape", "X", "S", "N"), SAME_SHAPE("*", "X"), "X"),
    rule(MIDDLE, OpVarIn("Concat", "Axis", "Part"), OK, EXTERNAL_REPLACE(flat_concat)),
)
"""What repeated halving leaves: slices of slices and of joined tiles, concats of concats."""

CLEANUP_RULES = RESHAPES + TILES
