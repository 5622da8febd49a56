"""Readers of values in TCM, for scheduling and allocation."""

from collections.abc import Mapping
from math import inf

from xdsl.ir import Operation, SSAValue

from ....dialects.htp import ConcatOp, SlicePadShapeOp, SliceShapeOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.spec_of import spec_of
from ....dialects.value import CHUNK_BYTES, Memory
from ....runtime.kernel.library import KernelRegistry
from ...levels import is_tensor
from ...rules.graph.graph import OpTables
from ..placement.placement import described
from ..placement.properties import constraints_of

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


def copied(op: Operation, tables: OpTables) -> dict[SSAValue, int]:
    """Count the bytes of each copy from DDR that an op reads, whose original does as well.

    The op leaves its memory open, and a kernel that costs no more takes it from there, without
    scratch, which belongs to one kernel.
    """
    sources = {value: source for value in op.operands if (source := ddr_source(value)) is not None}
    if not sources or op.name not in tables.properties or tables.kernels.has_scratch(op.name):
        return {}
    wanted = constraints_of(tables.properties, op).operands
    tied = {value for value, place in zip(op.operands, wanted, strict=True) if place.memory}
    price = _price(op, tables, {})
    return {
        value: spec_of(source).nbytes
        for value, source in sources.items()
        if value not in tied and _price(op, tables, {value: source}) <= price
    }


def _price(op: Operation, tables: OpTables, changed: Mapping[SSAValue, SSAValue]) -> float:
    """Price the kernel of an op that reads `changed` values in place of its own; inf for none."""
    operands = [described(changed.get(value, value)) for value in op.operands]
    results = [spec_of(result) for result in op.results]
    price = tables.kernels.price(op.name, results, operands)
    return inf if price is None else price
