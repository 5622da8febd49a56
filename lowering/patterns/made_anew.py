"""Pass group TILING: readers find the block that was made anew for them.

An op with `htp.made_anew` becomes the Concat of what each of its blocks has alone. Whoever reads
a part of that which one block holds reads the block. No halo is then kept for another stripe.
"""

from xdsl.ir import SSAValue

from ..rules import (
    EXTERNAL_CONSTRAINT,
    EXTERNAL_REPLACE,
    LET,
    OPCONST,
    OR,
    TILING,
    Op,
    OpVarIn,
    external_constraint,
    external_replacement,
    gen_ShapeOf,
    rule,
    rules,
)
from ..rules.graph.graph import Node
from ..rules.language.split import take_slice
from ..rules.language.tile_plan import windows_on
from ..rules.tree.build import Builder, Reference
from .cleanup import TWICE, narrowed, slice_of_parts


@external_constraint("made_anew")
def made_anew(node: Node) -> bool:
    """The node represents blocks that were made anew."""
    return windows_on(node.op) is not None


@external_constraint("joins_blocks")
def joins_blocks(node: Node) -> bool:
    """The node is a join of what was made anew, or of joins of that."""
    is_join = node.name == "htp.Concat" and windows_on(node.op) is None
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
_MADE_ANEW, _JOINED = (EXTERNAL_CONSTRAINT(which, "J") for which in (made_anew, joins_blocks))

MADE_ANEW_RULES = rules(
    rule(
        TILING,
        Op("Slice_shape", _BLOCKS, "S", "N"),
        _MADE_ANEW,
        EXTERNAL_REPLACE(block_of),
        name="block of a slice",
    ),
    rule(
        TILING,
        Op("Slice_shape", _BLOCKS, "S", "N"),
        _JOINED,
        EXTERNAL_REPLACE(slice_of_parts),
        name="blocks of a slice of a join",
    ),
    rule(
        TILING,
        Op("SlicePad_shape", _BLOCKS, "B", "S", "N", "V"),
        OR(_MADE_ANEW, _JOINED),
        EXTERNAL_REPLACE(narrowed),
        name="block of a padding",
    ),
    rule(
        TILING,
        Op("Slice_shape", Op("SlicePad_shape", _BLOCKS, "B", "S0", "N0", "V"), "S1", "N1"),
        OR(_MADE_ANEW, _JOINED),
        Op("SlicePad_shape", "J", "B", TWICE, gen_ShapeOf("*"), "V"),
        name="block of a slice of a padding",
    ),
)
