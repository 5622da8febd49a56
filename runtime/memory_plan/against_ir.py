"""Checking that a plan is the plan of a module."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import Fault, HtpError
from ...dialects.value.layout import CHUNK_BYTES
from ..program.boundary import main_function
from ..program.placing import declared_tcm
from .derive import Derived, derive
from .plan import Plan, PlanRow, plan_faults

_REMEDY = "make the plan and the module in one run of htp-opt"


def check_plan(module: ModuleOp, plan: Plan, where: str) -> None:
    """Raise HtpError with all that is wrong with a plan, or with it as the module's plan.

    The module's own offsets and times are read from its types and uses; a plan may keep a tensor
    longer than the module needs, never shorter. `where` names the plan in errors.
    """
    derived = derive(main_function(module))
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
