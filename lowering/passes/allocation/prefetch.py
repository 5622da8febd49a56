"""Copies to TCM that begin before the op in front of them, where the bytes are free by then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.htp import NATIVE_OPS
from ....dialects.htp.base import native
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.htp.ops.transfers import STARTS, CopyWaitOp
from ....dialects.value.spec import spec_of
from ...levels import bodies, runs
from .stays import Occupancy, stays


@dataclass(frozen=True)
class Prefetch(ModulePass):
    """Allocated level to allocated level: copies to TCM run while the op before them computes.

    A copy becomes a start in front of the nearest op before it that computes, and a wait where the
    copy was: double buffering. It stays whole where its bytes of TCM are in use by then, or where
    what it copies is not there yet.
    """

    name = "htp-prefetch"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in bodies(op):
            prefetch(block)


def prefetch(block: Block) -> None:
    """Split the copies of one allocated function that can begin earlier."""
    position = {op: index for index, op in enumerate(block.ops)}
    held = Occupancy(stays(block))
    for copy, anchor in list(_candidates(block)):
        made = copy.operands[0].owner
        ready = not isinstance(made, Operation) or position[made] < position[anchor]
        if ready and held.free(copy.results[0], position[anchor]):
            held.extend(copy.results[0], position[anchor])
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
    Rewriter.insert_op(start, InsertPoint.before(anchor))
    Rewriter.replace_op(copy, wait)
