"""The allocation table of a module: what lies where in TCM, from which op to which."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.htp.base import NativeOp
from ...dialects.htp.copies import FillOp, ReasonedOp, SpillOp
from ...dialects.place import Memory
from ...dialects.spec import spec_of
from ..planner.certificate import Row
from .levels import bodies, mnemonic
from .stays import stays, wholes
from .tcm import in_tcm


def certificate(module: ModuleOp) -> tuple[Row, ...]:
    """One row per tensor with bytes of its own in TCM, by its maker and that op's position.

    A tensor that others lie in is there from the first op that writes any of it to the last that
    reads any. One without an offset has the offset -1, which no check accepts.
    """
    return tuple(row for block in bodies(module) for row in _rows(block))


def _rows(block: Block) -> Iterator[Row]:
    ops = list(block.ops)
    held = {stay.value: stay for stay in stays(block) if stay.value is not None}
    inside = wholes(ops)
    for index, op in enumerate(ops):
        for result in op.results:
            if in_tcm(result) and result not in inside:
                stay = held.get(result)
                first, last, offset = (stay.first, stay.last, stay.offset) if stay else _nowhere(op)
                name = f"{mnemonic(op)}@{index}" + (f".{result.index}" if result.index else "")
                reason = _reason(op, result)
                yield Row(name, spec_of(result).nbytes, first, last, offset, reason)
        for number, spec in enumerate(op.scratch_specs() if isinstance(op, NativeOp) else ()):
            if spec.memory is Memory.TCM:
                offset = spec.place.offset if spec.place and spec.place.offset is not None else -1
                name = f"{mnemonic(op)}@{index}.scratch{number}"
                yield Row(name, spec.nbytes, index, index, offset, "scratch of its kernel")


def _nowhere(op: Operation) -> tuple[int, int, int]:
    """From the op that makes a tensor to the end of its function, at no offset."""
    ops = list(op.parent.ops) if op.parent else []
    return ops.index(op), len(ops), -1


def _reason(op: Operation, result: SSAValue) -> str:
    """Why a tensor came back, or why it left."""
    users = [use.operation for use in result.uses]
    moves = [move for move in (op, *users) if isinstance(move, (FillOp, SpillOp))]
    return "; ".join(move.reason for move in moves if isinstance(move, ReasonedOp))
