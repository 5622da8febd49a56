"""Views in TCM: joins and slices that move no bytes, with the offsets of their parts.

A Concat is a view where each part is written into its place in the result, a slice where it is read
from its place in the input; `root` follows views of views up to the bytes.

Cost: linear in the ops; a step for each view above a value. Example: `s = Slice(c)` from byte 64 of
`c = Concat(a, b)`, where a has 64 bytes, lies in c at 64, as b does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from xdsl.ir import Block, Operation, SSAValue

from ....dialects.htp import ConcatOp, CopyWaitOp, NativeOp, ReshapeOp, SliceShapeOp
from ....dialects.htp.in_place import Share, is_in_place, shares
from ....dialects.htp.views import views
from .tcm import in_tcm


@dataclass(frozen=True)
class Views:
    """Values in TCM that share the bytes of others, and the ops that make them.

    Such an op runs no kernel and has no bytes of its own.
    """

    inside: Mapping[SSAValue, Share] = field(default_factory=dict)
    ops: frozenset[Operation] = frozenset()

    def root(self, value: SSAValue) -> tuple[SSAValue, int]:
        """Follow a view to the value with bytes of its own, and the offset in it."""
        offset = 0
        while value in self.inside:
            share = self.inside[value]
            value, offset = share.whole, offset + (share.delta or 0)
        return value, offset

    def can_follow(self, maker: Operation | Block) -> TypeGuard[ReshapeOp | SliceShapeOp]:
        """Say whether an op makes a view that it can make again of its whole in other bytes.

        Slices and Reshapes can; parts of a join are there before the whole, and a wait belongs to
        its start.
        """
        return maker in self.ops and isinstance(maker, (ReshapeOp, SliceShapeOp))

    def follows(self, value: SSAValue) -> bool:
        """Say whether a value can be viewed again wherever the value with bytes of its own lies."""
        while value in self.inside:
            if not self.can_follow(value.owner):
                return False
            value = self.inside[value].whole
        return True

    def joined(self, other: Views) -> Views:
        """Return the views of both."""
        return Views({**self.inside, **other.inside}, self.ops | other.ops)


def stated(block: Block) -> Views:
    """Read the views of the IR: waits, Reshapes, and ops marked as in place."""
    return _views((op, shared) for op in block.ops if (shared := views(op)))


def joins(block: Block, alignment: int) -> Views:
    """Find the Concats whose every part can be written into its place in the result."""
    return _views(_joins(block, alignment))


def slices(block: Block, alignment: int, taken: Views) -> Views:
    """Find the slices that can be read in their input, except those in `taken` views."""
    apart = (op for op in block.ops if isinstance(op, SliceShapeOp) and _apart(op))
    free = (op for op in apart if op.results[0] not in taken.inside)
    return _views((op, parts) for op in free if _aligned(parts := shares(op), alignment))


def _joins(block: Block, alignment: int) -> Iterator[tuple[Operation, tuple[Share, ...]]]:
    taken: set[SSAValue] = set()
    for op in block.ops:
        if not isinstance(op, ConcatOp) or not _apart(op):
            continue
        shared = shares(op)
        parts = {share.part for share in shared}
        free = len(parts) == len(shared) and not parts & taken and all(map(_writable, parts))
        if free and _aligned(shared, alignment):
            taken |= parts
            yield op, shared


def _apart(op: Operation) -> bool:
    """Tell whether an op in TCM is not in place yet."""
    return in_tcm(op.results[0]) and not is_in_place(op)


def _writable(part: SSAValue) -> bool:
    """Tell whether the op that makes a part may write it anywhere in TCM."""
    maker = part.owner
    if not isinstance(maker, NativeOp) or isinstance(maker, (ReshapeOp, CopyWaitOp)):
        return False
    return not is_in_place(maker)


def _aligned(parts: Iterable[Share], alignment: int) -> bool:
    return all(share.delta is not None and share.delta % alignment == 0 for share in parts)


def _views(shared: Iterable[tuple[Operation, tuple[Share, ...]]]) -> Views:
    inside: dict[SSAValue, Share] = {}
    ops: set[Operation] = set()
    for op, parts in shared:
        ops.add(op)
        inside.update((share.part, share) for share in parts if in_tcm(share.part))
    return Views(inside, frozenset(ops))
