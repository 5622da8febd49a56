"""Readers of values in TCM, for scheduling and allocation."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf

from xdsl.ir import Operation, SSAValue

from ....dialects.htp import ConcatOp, SlicePadShapeOp, SliceShapeOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.htp.ops.movement import TransposeOp
from ....dialects.spec_of import spec_of
from ....dialects.value import CHUNK_BYTES, FLAT_DDR, Memory, TensorSpec
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
