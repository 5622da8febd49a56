"""Memory plans of the TCM: their file, and checks that share no code with the planner."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import gcd

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.diagnostics import Fault, HtpError
from ...dialects.htp import NativeOp
from ...dialects.htp.views import views
from ...dialects.value import CHUNK_BYTES, Memory, TensorSpec
from ..program.boundary import main_function, op_label
from ..program.placing import declared_tcm, tensor_spec
from .plan import Plan, PlanRow, plan_faults, read_plan, verify, write_plan


@dataclass
class _Seen:
    """A tensor in TCM: its live interval, and its position in the tensor that it is part of."""

    name: str
    spec: TensorSpec
    offset: int
    first: int
    last: int
    whole: SSAValue | None = None
    delta: int = 0


@dataclass
class Derived:
    """The rows of a function, and the tensors in TCM that have no offset yet."""

    rows: list[PlanRow] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)


def _derive(function: FuncOp) -> Derived:
    """Derive the tensors in TCM from the IR alone: offsets from the types, times from the uses.

    Ops count from 0 in their block. One walk over the ops in order; a use extends the live interval
    of the tensor and of each one that it is a part of. Cost: O(uses * depth of views). It shares no
    code with the allocator's own live intervals, so that a fault of those shows here.

    Example: `c = Concat(a, b)` in place at offset 0, read last by op 5, with a and b of 64 bytes:
    the rows of a and b lie inside c at 0 and 64; c lives from the first write to op 5.
    """
    ops = list(function.body.block.ops)
    seen = dict(_tensors(ops))
    # Parts and their wholes.
    for share in (share for op in ops for share in views(op)):
        if share.part in seen and share.whole in seen:
            seen[share.part].whole, seen[share.part].delta = share.whole, share.delta or 0
    # Live intervals.
    for index, op in enumerate(ops):
        for value in (*op.operands, *op.results):
            # The live interval of what an op overwrites ends in front of it.
            last = index - (isinstance(op, NativeOp) and value is op.overwritten)
            # The live interval of a tensor extends that of every tensor that it is part of.
            while value in seen:
                tensor = seen[value]
                tensor.first, tensor.last = min(tensor.first, index), max(tensor.last, last)
                value = tensor.whole
    # A row for each tensor, then for the scratch of each op.
    derived = Derived()
    for tensor in seen.values():
        _add(derived, tensor, seen)
    for index, op in enumerate(ops):
        for number, spec in enumerate(op.scratch_specs() if isinstance(op, NativeOp) else ()):
            if spec.memory is Memory.TCM:
                name = f"{_label(op, index)}.scratch{number}"
                _add(derived, _Seen(name, spec, _offset(spec), index, index), seen)
    return derived


def _tensors(ops: Iterable[Operation]) -> Iterator[tuple[SSAValue, _Seen]]:
    for index, op in enumerate(ops):
        for result in op.results:
            if isinstance(result.type, TensorType):
                spec = tensor_spec(result, op_label(op, index))
                if spec.memory is Memory.TCM:
                    name = _label(op, index) + (f".{result.index}" if result.index else "")
                    yield result, _Seen(name, spec, _offset(spec), index, index)


def _add(derived: Derived, tensor: _Seen, seen: dict[SSAValue, _Seen]) -> None:
    if tensor.offset < 0:
        derived.unplaced.append(tensor.name)
        return
    parent = seen[tensor.whole].name if tensor.whole is not None else ""
    size, span = tensor.spec.nbytes, (tensor.first, tensor.last)
    derived.rows.append(PlanRow(tensor.name, size, *span, tensor.offset, "", parent, tensor.delta))


def _label(op: Operation, index: int) -> str:
    return f"{op.name.removeprefix('htp.')}@{index}"


def _offset(spec: TensorSpec) -> int:
    place = spec.place
    return place.offset if place is not None and place.offset is not None else -1


_REMEDY = "make the plan and the module in one run of htp-opt"


def check_plan(module: ModuleOp, plan: Plan, where: str) -> None:
    """Raise HtpError with all that is wrong with a plan, or with it as the module's plan.

    The module's own offsets and times are read from its types and uses; a plan may keep a tensor
    longer than the module needs, never shorter. `where` names the plan in errors.
    """
    derived = _derive(main_function(module))
    faults = (*plan_faults(plan), *_differences(plan, derived, declared_tcm(module)))
    if faults:
        raise HtpError(*(Fault(where, problem, _REMEDY) for problem in faults))


def _differences(plan: Plan, derived: Derived, capacity: int | None) -> Iterator[str]:
    if capacity is not None and capacity != plan.capacity:
        yield f"is for {plan.capacity} bytes of TCM, the module for {capacity}"
    unit = gcd(*(row.offset for row in derived.rows if not row.inside))
    if unit and unit % CHUNK_BYTES == 0 and plan.alignment != CHUNK_BYTES:
        yield f"has tensors at multiples of {plan.alignment}, the module of {CHUNK_BYTES}"
    for name in derived.unplaced:
        yield f"{name}: has no offset in the module"
    planned = {row.tensor: row for row in plan.rows}
    needed = {row.tensor: row for row in derived.rows}
    for name in sorted(planned.keys() - needed.keys() - set(derived.unplaced)):
        yield f"{name}: is in the plan, but no tensor in TCM of the module"
    for name, row in needed.items():
        if name in planned:
            yield from _row_differences(planned[name], row)
        else:
            yield f"{name}: lies in TCM in the module and is missing in the plan"


def _row_differences(planned: PlanRow, needed: PlanRow) -> Iterator[str]:
    for what in ("bytes", "offset", "inside", "delta"):
        said, derived = getattr(planned, what), getattr(needed, what)
        if said != derived:
            yield f"{planned.tensor}: {what} is '{said}' in the plan, '{derived}' in the module"
    if planned.first > needed.first or planned.last < needed.last:
        times = f"ops {planned.first} to {planned.last}"
        yield (
            f"{planned.tensor}: is planned for {times}, "
            f"the module uses it from {needed.first} to {needed.last}"
        )


__all__ = ["Plan", "PlanRow", "check_plan", "read_plan", "verify", "write_plan"]
