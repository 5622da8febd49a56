"""Likeness of spans of ops: what segments of them cost and move is found once for those alike.

Cost: linear in the reads of a span, for each span that is asked for.

Example: in twelve equal layers, each as the one before it, the spans from one residual sum to the
next are alike, but for the last, whose result is not read by a layer behind it.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

from .program import TileProgram, TilingOp

Span = tuple[int, int]
"""The first op, and the one behind the last."""


@dataclass
class Likeness:
    """The kinds of spans of a program, of whose tensors `resident` stay in TCM."""

    program: TileProgram
    resident: frozenset[int]
    _kinds: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    _spans: dict[Span, int] = field(default_factory=dict[Span, int])

    def share(self) -> None:
        """Have ops that are alike share what was computed on one of them."""
        first = dict[int, TilingOp]()
        for at, op in enumerate(self.program.ops):
            like = first.setdefault(self.kind(at, at + 1), op)
            vars(op).update(known=like.known)
            for operand, other in zip(op.operands, like.operands, strict=True):
                vars(operand).update(blocks=other.blocks)

    def kind(self, start: int, end: int) -> int:
        """Number a span by all that its cost depends on, beside what else is in TCM meanwhile."""
        if (start, end) not in self._spans:
            self._spans[start, end] = self._numbered(self._wired(start, end))
        return self._spans[start, end]

    def _numbered(self, likeness: Hashable) -> int:
        return self._kinds.setdefault(likeness, len(self._kinds))

    def _wired(self, start: int, end: int) -> Hashable:
        """Describe a span by its ops, the tensors that join them, and which are read behind it."""
        numbers = dict[int, int]()
        ops = [
            (kind, *[numbers.setdefault(number, len(numbers)) for number in tensors])
            for kind, tensors in self._ops[start:end]
        ]
        last = self.program.last_read
        return (*ops,), (*[last.get(number, -1) >= end for number in numbers],)

    @cached_property
    def _ops(self) -> list[tuple[int, tuple[int, ...]]]:
        """The kind of each op on its own, and its tensors."""
        return [
            (self._numbered(self._described(op)), (*[o.tensor for o in op.operands], *op.results))
            for op in self.program.ops
        ]

    def _described(self, op: TilingOp) -> Hashable:
        operands = (
            (self._tensor(o.tensor), *o.maps.items(), o.in_tcm, o.chunk, o.passes, o.overwritable)
            for o in op.operands
        )
        parts = (*[operand.part for operand in op.operands],)
        results = (*map(self._tensor, op.results),)
        own = op.name, op.cuts, op.in_tcm, op.moves_only, op.summed, op.scratch, op.params
        return *own, results, (*operands,), parts

    def _tensor(self, number: int) -> Hashable:
        return self.program.tensors[number], number in self.resident
