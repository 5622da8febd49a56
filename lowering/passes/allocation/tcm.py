"""Readers of values in TCM, for scheduling and allocation."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ....dialects.htp import ConcatOp, SlicePadShapeOp, SliceShapeOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.spec_of import spec_of
from ....dialects.value.layout import CHUNK_BYTES
from ....dialects.value.place import Memory
from ...levels import is_tensor

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


def readable_in_ddr(op: Operation) -> dict[SSAValue, int]:
    """Count the bytes of each operand in TCM that an op could as well read in DDR.

    Ops that move blocks take them from either memory: of a slice that is the part it takes, as it
    lies there.
    """
    if isinstance(op, ConcatOp):
        return {part: spec_of(part).nbytes for part in op.parts if in_tcm(part)}
    if isinstance(op, (SliceShapeOp, SlicePadShapeOp)) and in_tcm(op.operands[0]):
        whole = spec_of(op.operands[0])
        part = spec_of(op.results[0]).with_place(whole.place)
        return {op.operands[0]: min(part.nbytes, whole.nbytes)}
    return {}
