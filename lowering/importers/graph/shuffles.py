"""A dim whose parts come into another order, as channels do between grouped convolutions."""

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ....dialects.qti_aisw.ops.movement import ReshapeOp, TransposeOp
from ....dialects.spec_of import spec_of
from .moves import Perm


@dataclass(frozen=True)
class Shuffle:
    """A dim of a value that falls into parts, which come into another order and are one again."""

    source: SSAValue
    dim: int
    parts: tuple[int, ...]
    order: Perm

    def inside(self, shape: tuple[int, ...], at: int) -> tuple[tuple[int, ...], Perm]:
        """Return the dims of a shape whose dim `at` falls into the parts, and their order."""
        behind, ends = shape[at + 1 :], at + len(self.parts)
        dims = (*shape[:at], *self.parts, *behind)
        moved = (at + dim for dim in self.order)
        return dims, (*range(at), *moved, *range(ends, len(dims)))


def shuffle_of(op: Operation) -> Shuffle | None:
    """Find the dim that a Reshape, a Transpose and this Reshape shuffle, and no other one."""
    turned = transposed(op.operands[0]) if isinstance(op, ReshapeOp) else None
    split = None if turned is None else turned[0].owner
    if turned is None or not isinstance(split, ReshapeOp):
        return None
    source, order = split.operands[0], turned[1]
    shape, parts = spec_of(source).shape, spec_of(turned[0]).shape
    moved = [at for at, dim in enumerate(order) if at != dim]
    if spec_of(op.results[0]).shape != shape or not moved:
        return None
    dim, end = moved[0], moved[-1] + 1
    if parts[:dim] != shape[:dim] or parts[end:] != shape[dim + 1 :]:
        return None
    return Shuffle(source, dim, parts[dim:end], tuple(at - dim for at in order[dim:end]))


def transposed(value: SSAValue) -> tuple[SSAValue, Perm, Operation] | None:
    """Return operand, order and op of the Transpose that made a value; None for others."""
    owner = value.owner
    if not isinstance(owner, TransposeOp):
        return None
    return owner.operands[0], owner.ints_param("perm"), owner
