"""Joins and slices in TCM that move no bytes: which there can be, and where the parts lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from ....dialects.htp.base import NativeOp
from ....dialects.htp.in_place import Share, is_in_place, shares
from ....dialects.htp.ops.movement import ConcatOp, ReshapeOp
from ....dialects.htp.ops.slices import SliceShapeOp
from ....dialects.htp.ops.transfers import CopyWaitOp
from ....dialects.htp.views import views
from .tcm import in_tcm


@dataclass(frozen=True)
class Views:
    """Values in TCM that lie in the bytes of others, and the ops that make them so.

    Such an op runs no kernel and takes no room of its own.
    """

    inside: Mapping[SSAValue, Share] = field(default_factory=dict)
    ops: frozenset[Operation] = frozenset()

    def root(self, value: SSAValue) -> tuple[SSAValue, int]:
        """The value whose bytes a value lies in, and how many bytes after its start."""
        offset = 0
        while value in self.inside:
            share = self.inside[value]
            value, offset = share.whole, offset + (share.delta or 0)
        return value, offset

    def joined(self, other: Views) -> Views:
        """The views of both."""
        return Views({**self.inside, **other.inside}, self.ops | other.ops)


def stated(block: Block) -> Views:
    """What the IR says already: waits, Reshapes, and what is marked as in place."""
    return _views((op, held) for op in block.ops if (held := views(op)))


def joins(block: Block, alignment: int) -> Views:
    """The Concats whose every part can be written into its place in the result."""
    return _views(_joins(block, alignment))


def slices(block: Block, alignment: int, taken: Views) -> Views:
    """The slices that can be read where they lie in their input, unless they lie elsewhere."""
    found = (op for op in block.ops if isinstance(op, SliceShapeOp) and _apart(op))
    free = (op for op in found if op.results[0] not in taken.inside)
    return _views((op, held) for op in free if _possible(held := shares(op), alignment))


def _joins(block: Block, alignment: int) -> Iterator[tuple[Operation, tuple[Share, ...]]]:
    taken: set[SSAValue] = set()
    for op in block.ops:
        if not isinstance(op, ConcatOp) or not _apart(op):
            continue
        held = shares(op)
        parts = {share.part for share in held}
        free = len(parts) == len(held) and not parts & taken and all(map(_writable, parts))
        if free and _possible(held, alignment):
            taken |= parts
            yield op, held


def _apart(op: Operation) -> bool:
    """Whether an op in TCM takes its parts to bytes of their own, as yet."""
    return in_tcm(op.results[0]) and not is_in_place(op)


def _writable(part: SSAValue) -> bool:
    """Whether the op that makes a part may write it anywhere in TCM."""
    maker = part.owner
    if not isinstance(maker, NativeOp) or isinstance(maker, (ReshapeOp, CopyWaitOp)):
        return False
    return not is_in_place(maker)


def _possible(held: Iterable[Share], alignment: int) -> bool:
    return all(share.delta is not None and share.delta % alignment == 0 for share in held)


def _views(found: Iterable[tuple[Operation, tuple[Share, ...]]]) -> Views:
    inside: dict[SSAValue, Share] = {}
    ops: set[Operation] = set()
    for op, held in found:
        ops.add(op)
        inside.update((share.part, share) for share in held if in_tcm(share.part))
    return Views(inside, frozenset(ops))
