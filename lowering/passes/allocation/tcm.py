"""Values in TCM: their live intervals, what reads them, and the views among them.

One walk over the ops in order: each use extends the interval of the value, and of every value whose
bytes it is a view of. Cost: O(uses * depth of views).

Example: `a = Neg(x); b = Reshape(a); c = Relu(b)`: b is a view of a, so its use by the third op
extends both: a lives from 0 to 2, b from 1 to 2.

A Concat is a view where each part is written into its place in the result, a slice where it is read
from its place in the input; `root` follows views of views up to the bytes.

Cost: linear in the ops; a step for each view above a value. Example: `s = Slice(c)` from byte 64 of
`c = Concat(a, b)`, where a has 64 bytes, lies in c at 64, as b does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import TypeGuard

from xdsl.ir import Block, Operation, SSAValue

from ....dialects.htp import (
    ConcatOp,
    CopyWaitOp,
    NativeOp,
    ReshapeOp,
    SlicePadShapeOp,
    SliceShapeOp,
)
from ....dialects.htp.in_place import Share, is_in_place, shares
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.htp.ops.movement import TransposeOp
from ....dialects.htp.views import views
from ....dialects.spec_of import spec_of
from ....dialects.value import CHUNK_BYTES, FLAT_DDR, Memory, TensorSpec
from ....runtime.kernel.library import KernelRegistry
from ...levels import is_tensor
from ...rules.graph.graph import OpTables
from ..placement.placement import described
from ..placement.properties import constraints_of


def wholes(ops: Iterable[Operation]) -> Mapping[SSAValue, SSAValue]:
    """Map each value that is a view to the value whose bytes it is a part of.

    Parts that are joined in place are views of the result; slices in place, Reshapes and the
    results of waits are views of their input.
    """
    return {share.part: share.whole for op in ops for share in views(op)}


def root(value: SSAValue, inside: Mapping[SSAValue, SSAValue]) -> SSAValue:
    """Follow a view to the value with bytes of its own; that is itself where it has them."""
    while value in inside:
        value = inside[value]
    return value


def spans(
    ops: Iterable[Operation], inside: Mapping[SSAValue, SSAValue]
) -> Mapping[SSAValue, tuple[int, int]]:
    """Find the positions of the first and last op that uses a value or a view of it.

    What an op overwrites ends in front of it.
    """
    ends: dict[SSAValue, tuple[int, int]] = {}
    for index, op in enumerate(ops):
        overwritten = op.overwritten if isinstance(op, NativeOp) else None
        for used in (*op.operands, *op.results):
            end = index - (used is overwritten)
            value: SSAValue | None = used
            while value is not None:
                first, last = ends.get(value, (index, end))
                ends[value] = first, max(last, end)
                value = inside.get(value)
    return ends


NO_TABLES = OpTables({}, KernelRegistry([]))
TCM_ALIGNMENT = CHUNK_BYTES
"""Bytes of which each offset in TCM is a multiple."""


def in_tcm(value: SSAValue) -> bool:
    """Say whether a value is a tensor in TCM."""
    return is_tensor(value) and spec_of(value).memory is Memory.TCM


def tcm_bytes_of(value: SSAValue) -> int:
    """Count the bytes that a value takes in TCM; 0 for one that is elsewhere."""
    return spec_of(value).nbytes if in_tcm(value) else 0


def ddr_source(value: SSAValue) -> SSAValue | None:
    """Find the value in DDR that a value in TCM is a plain copy of, if it is one."""
    source = value.owner.operands[0] if isinstance(value.owner, CopyOp) else None
    return None if source is None or in_tcm(source) else source


def copied_bytes(value: SSAValue) -> int | None:
    """Count the bytes of a value in TCM that is a plain copy of one in DDR; None for others."""
    return spec_of(value).nbytes if ddr_source(value) is not None else None


def from_ddr(value: SSAValue) -> Iterator[Operation]:
    """List the ops that make a value in TCM of what lies in DDR, if moves alone do."""
    op = value.owner
    if not isinstance(op, CopyOp | SliceShapeOp | SlicePadShapeOp | TransposeOp):
        return
    data = op.operands[0]
    if in_tcm(data):
        before = (*from_ddr(data),)
        if not before or len([*data.uses]) > 1:
            return
        yield from before
    elif not is_tensor(data) or isinstance(op, TransposeOp):
        # Of all that is turned, readers take parts once it is saved.
        return
    yield op


def bytes_from_ddr(value: SSAValue) -> int | None:
    """Count the bytes, without padding, that moves alone read in DDR for a value in TCM, if any."""
    first = next(from_ddr(value), None)
    if first is None:
        return None
    data, result = spec_of(first.operands[0]), spec_of(first.results[0])
    return min(data.nbytes, result.with_place(data.place).nbytes)


def readable_in_ddr(op: Operation, tables: OpTables) -> dict[SSAValue, int]:
    """Count the bytes of each operand in TCM that an op could as well read in DDR.

    Ops that move blocks take them from either memory: of a slice that is the part it takes, as it
    lies there. Others take all of an operand whose memory they leave open, where a kernel that
    costs no more does, without scratch, which belongs to one kernel.
    """
    if isinstance(op, ConcatOp):
        return {part: spec_of(part).nbytes for part in op.parts if in_tcm(part)}
    if isinstance(op, (SliceShapeOp, SlicePadShapeOp)) and in_tcm(op.operands[0]):
        whole = spec_of(op.operands[0])
        part = spec_of(op.results[0]).with_place(whole.place)
        return {op.operands[0]: min(part.nbytes, whole.nbytes)}
    if op.name not in tables.properties or tables.kernels.has_scratch(op.name):
        return {}
    wanted = constraints_of(tables.properties, op).operands
    tied = {value for value, place in zip(op.operands, wanted, strict=True) if place.memory}
    inside = {
        value: ddr_spec(value) for value in op.operands if in_tcm(value) and value not in tied
    }
    price = _price(op, tables, {}) if inside else 0
    return {
        value: outside.nbytes
        for value, outside in inside.items()
        if _price(op, tables, {value: outside}) <= price
    }


def ddr_spec(value: SSAValue) -> TensorSpec:
    """Describe what a value in TCM is a copy of in DDR, or will be once it is saved."""
    source = ddr_source(value)
    spec = spec_of(value if source is None else source)
    return spec.with_place(replace(spec.place or FLAT_DDR, memory=Memory.DDR, offset=None))


def _price(op: Operation, tables: OpTables, changed: Mapping[SSAValue, TensorSpec]) -> float:
    """Price the kernel of an op that reads `changed` operands in place of its own; inf for none."""
    operands = [changed.get(value) or described(value) for value in op.operands]
    results = [spec_of(result) for result in op.results]
    price = tables.kernels.price(op.name, results, operands)
    return inf if price is None else price


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


def slices(block: Block, taken: Views) -> Views:
    """Find the slices that can be read in their input, except those in `taken` views."""
    apart = (op for op in block.ops if isinstance(op, SliceShapeOp) and _apart(op))
    free = (op for op in apart if op.results[0] not in taken.inside)
    return _views((op, (s,)) for op in free for s in shares(op) if s.delta is not None)


def _joins(block: Block, alignment: int) -> Iterator[tuple[Operation, tuple[Share, ...]]]:
    taken: set[SSAValue] = set()
    for op in block.ops:
        if not isinstance(op, ConcatOp) or not _apart(op):
            continue
        shared = shares(op)
        parts = {share.part for share in shared}
        free = len(parts) == len(shared) and not parts & taken and all(map(_writable, parts))
        if free and all(s.delta is not None and s.delta % alignment == 0 for s in shared):
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


def _views(shared: Iterable[tuple[Operation, tuple[Share, ...]]]) -> Views:
    inside: dict[SSAValue, Share] = {}
    ops: set[Operation] = set()
    for op, parts in shared:
        ops.add(op)
        inside.update((share.part, share) for share in parts if in_tcm(share.part))
    return Views(inside, frozenset(ops))
