"""The passes that fetch: what would leave TCM and come back is made again, and copies begin early.

A copy moves in front of the nearest op before it that computes, if its operand is there by then and
its bytes are free: double buffering.

Cost: O(copies * tensors in TCM): each copy is compared with all tensors at once, as arrays.
Example: of `a = Copy(x); b = Relu(a); c = Copy(y); d = Add(b, c)` the second copy starts in front
of the Relu, if no tensor that lives there has bytes of c, and is waited for where it was.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.htp import NATIVE_OPS
from ....dialects.htp.base import NativeOp, native
from ....dialects.htp.ops.copies import STARTS, CopyOp, CopyWaitOp
from ....dialects.spec_of import spec_of
from ....dialects.value import Memory, TensorSpec
from ...levels import bodies, note_graph, runs
from ...planner.allocation.residency import returning
from ...rules.graph.graph import OpTables
from .tcm import (
    NO_TABLES,
    bytes_from_ddr,
    ddr_source,
    from_ddr,
    in_tcm,
    spans,
    stated,
    wholes,
)
from .tcm_program import TcmPass, tcm_program


@dataclass(frozen=True)
class Refetch(TcmPass):
    """Copy from main memory again what was sliced, padded or converted from there.

    Several ops read such a tensor. Where it does not stay in TCM between two of them, saving it
    would move it twice, with its padding; so what makes it is written once more in front of the
    later one. `tcm-bytes` is the size of the TCM.
    """

    name = "htp-refetch"

    def run(self, module: ModuleOp, tables: OpTables) -> None:
        for block in bodies(module):
            refetch_block(block, self.tcm_bytes, self.alignment, tables)


def refetch_block(
    block: Block, tcm_bytes: int, alignment: int, tables: OpTables = NO_TABLES
) -> None:
    """Have the tensors of one block made again."""
    views = stated(block)
    viewed = {views.root(value)[0] for value in views.inside}

    def fetched(value: SSAValue) -> int | None:
        return None if value in viewed else bytes_from_ddr(value)

    program = tcm_program(block, views, tables, fetched)
    position = {op: at for at, op in enumerate(program.ops)}
    for name, at in returning(program.pinned(), tcm_bytes, alignment):
        value = program.values[name]
        if value not in viewed and ddr_source(value) is None and (chain := (*from_ddr(value),)):
            again = _cloned(chain, program.ops[at])
            program.values[name] = again
            for use in [*value.uses]:
                if position.get(use.operation, -1) >= at:
                    use.operation.operands[use.index] = again


def _cloned(chain: tuple[Operation, ...], reader: Operation) -> SSAValue:
    """Write ops once more in front of a reader; return what the last one makes."""
    block, now = reader.parent, dict[SSAValue, SSAValue]()
    for op in chain:
        copy = op.clone(now)
        now[op.results[0]] = copy.results[0]
        if block is not None:
            block.insert_op_before(copy, reader)
    return now[chain[-1].results[0]]


@dataclass(frozen=True)
class Prefetch(ModulePass):
    """Allocated level to allocated level: copies to TCM run while the op before them computes.

    A copy becomes a start in front of the nearest op before it that computes, and a wait where the
    copy was. It stays whole where its bytes of TCM are in use by then, or where its operand is not
    made yet.
    """

    name = "htp-prefetch"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_graph(op, self.name, placed=True)
        for block in bodies(op):
            prefetch(block)


def prefetch(block: Block) -> None:
    """Split the copies of one allocated function that can begin earlier."""
    position = {op: index for index, op in enumerate(block.ops)}
    occupancy = Occupancy(block)
    for copy, anchor in list(_candidates(block)):
        # Its operand is made in front of the anchor, or is an argument.
        maker = copy.operands[0].owner
        ready = not isinstance(maker, Operation) or position[maker] < position[anchor]
        if ready and occupancy.free(copy.results[0], position[anchor]):
            occupancy.extend(copy.results[0], position[anchor])
            _split(copy, anchor)


def _candidates(block: Block) -> Iterator[tuple[CopyOp, Operation]]:
    """The copies to TCM, each with the op in front of which it may begin."""
    computing: Operation | None = None
    for op in block.ops:
        if isinstance(op, CopyOp):
            if computing is not None and op.mnemonic() in STARTS:
                yield op, computing
        elif runs(op):
            computing = op


def _split(copy: CopyOp, anchor: Operation) -> None:
    source, result = copy.operands[0], copy.results[0]
    spec = spec_of(result)
    start = native(NATIVE_OPS[STARTS[copy.mnemonic()]], [source], spec)
    start.attributes.update(copy.attributes)
    wait = native(CopyWaitOp, [start.results[0]], spec)
    start.location = wait.location = copy.location
    Rewriter.insert_op(start, InsertPoint.before(anchor))
    Rewriter.replace_op(copy, wait)


class Occupancy:
    """The bytes of TCM in use at each position of an allocated block."""

    def __init__(self, block: Block) -> None:
        ops = list(block.ops)
        inside = wholes(ops)
        # A row per tensor with bytes of its own: value (None for scratch), spec, first, last op.
        rows: list[tuple[SSAValue | None, TensorSpec, int, int]] = [
            (value, spec_of(value), first, last)
            for value, (first, last) in spans(ops, inside).items()
            if value not in inside and in_tcm(value)
        ]
        for at, op in enumerate(ops):
            for spec in op.scratch_specs() if isinstance(op, NativeOp) else ():
                rows += [(None, spec, at, at)] if spec.memory is Memory.TCM else []
        # The rows with offsets, as one array per column.
        table = [
            (first, last, spec.place.offset, spec.place.offset + spec.nbytes)
            for _, spec, first, last in rows
            if spec.place is not None and spec.place.offset is not None
        ]
        placed = [value for value, spec, *_ in rows if spec.place and spec.place.offset is not None]
        self._index = {value: i for i, value in enumerate(placed) if value is not None}
        self._first, self._last, self._start, self._end = np.array(table, np.int64).reshape(-1, 4).T

    def free(self, value: SSAValue, position: int) -> bool:
        """Say whether a value's bytes are free from a position on until its own live interval."""
        own = self._index[value]
        # Those that live between the position and the value's own start, then those in its bytes.
        busy = (self._first < self._first[own]) & (self._last >= position)
        busy &= (self._start < self._end[own]) & (self._start[own] < self._end)
        return not bool(busy.any())

    def extend(self, value: SSAValue, position: int) -> None:
        """Let a value's live interval begin earlier."""
        own = self._index[value]
        self._first[own] = min(position, int(self._first[own]))
