"""The allocation table of a module: each tensor in TCM with its offset and live interval."""

from collections.abc import Iterator
from math import gcd

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.diagnostics import fail
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.copies import ReasonedOp
from ....dialects.spec_of import spec_of
from ....dialects.value import Memory, TensorSpec
from ....runtime.memory_plan import Plan, PlanRow
from ....runtime.memory_plan.plan import plan_of_rows
from ....runtime.program.boundary import main_function
from ....runtime.program.placing import declared_tcm
from ...levels import bodies, mnemonic
from .tcm import TCM_ALIGNMENT, in_tcm, spans, stated, wholes


def memory_plan(module: ModuleOp) -> Plan:
    """Read the plan of a module's main function; HtpError where it is not allocated.

    Its alignment is the largest one, up to the 2,048 bytes of a chunk, that all offsets have.
    """
    capacity = declared_tcm(module)
    if capacity is None:
        raise fail("memory plan", "the module is not allocated", "run htp-lower or htp-allocate")
    rows = tuple(_rows(main_function(module).body.block))
    alignment = gcd(TCM_ALIGNMENT, *(row.offset for row in rows if not row.inside))
    return plan_of_rows(rows, capacity, alignment)


def certificate(module: ModuleOp) -> tuple[PlanRow, ...]:
    """List a row per tensor in TCM, named after its maker and that op's position.

    A tensor with views is alive from the first op that writes any of it to the last that reads
    any. One without an offset has the offset -1, which no check accepts.
    """
    return tuple(row for block in bodies(module) for row in _rows(block))


def _rows(block: Block) -> Iterator[PlanRow]:
    ops = list(block.ops)
    inside = stated(block).inside
    times = spans(ops, wholes(ops))
    names = dict(_names(ops))
    for value, name in names.items():
        share = inside.get(value)
        within = (names[share.whole], share.delta or 0) if share else ("", 0)
        spec, around = spec_of(value), (value.owner, *(use.operation for use in value.uses))
        reason = "; ".join(op.reason for op in around if isinstance(op, ReasonedOp))
        yield PlanRow(name, spec.nbytes, *times[value], _offset(spec), reason, *within)
    for index, op in enumerate(ops):
        for number, spec in enumerate(op.scratch_specs() if isinstance(op, NativeOp) else ()):
            if spec.memory is Memory.TCM:
                name = f"{mnemonic(op)}@{index}.scratch{number}"
                reason = "scratch of its kernel"
                yield PlanRow(name, spec.nbytes, index, index, _offset(spec), reason)


def _names(ops: list[Operation]) -> Iterator[tuple[SSAValue, str]]:
    for index, op in enumerate(ops):
        for result in op.results:
            if in_tcm(result):
                yield result, f"{mnemonic(op)}@{index}" + (f".{result.index}" * bool(result.index))


def _offset(spec: TensorSpec) -> int:
    return spec.place.offset if spec.place and spec.place.offset is not None else -1
