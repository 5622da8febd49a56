"""The allocation table of a module: what lies where in TCM, from which op to which."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.htp.base import NativeOp
from ...dialects.htp.copies import FillOp, ReasonedOp, SpillOp
from ...dialects.place import Memory
from ...dialects.spec import spec_of
from ..planner.certificate import Row
from .levels import bodies, mnemonic
from .tcm import in_tcm


def certificate(module: ModuleOp) -> tuple[Row, ...]:
    """One row per tensor in TCM of an allocated module, by its maker and that op's position.

    A tensor without an offset has the offset -1, which no check accepts.
    """
    return tuple(row for block in bodies(module) for row in _rows(list(block.ops)))


def _rows(ops: list[Operation]) -> Iterator[Row]:
    position = {op: index for index, op in enumerate(ops)}
    for index, op in enumerate(ops):
        for result in op.results:
            if in_tcm(result):
                place = spec_of(result).place
                offset = place.offset if place and place.offset is not None else -1
                last = max((position[use.operation] for use in result.uses), default=index)
                name = f"{mnemonic(op)}@{index}" + (f".{result.index}" if result.index else "")
                reason = _reason(op, result)
                yield Row(name, spec_of(result).nbytes, index, last, offset, reason)
        for number, spec in enumerate(op.scratch_specs() if isinstance(op, NativeOp) else ()):
            if spec.memory is Memory.TCM:
                offset = spec.place.offset if spec.place and spec.place.offset is not None else -1
                name = f"{mnemonic(op)}@{index}.scratch{number}"
                yield Row(name, spec.nbytes, index, index, offset, "scratch of its kernel")


def _reason(op: Operation, result: SSAValue) -> str:
    """Why a tensor came back, or why it left."""
    users = [use.operation for use in result.uses]
    moves = [move for move in (op, *users) if isinstance(move, (FillOp, SpillOp))]
    return "; ".join(move.reason for move in moves if isinstance(move, ReasonedOp))
