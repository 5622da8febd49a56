"""The memory report as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from .by_node import at_peak
from .plan import ModulePlan, OtherPlan
from .residencies import TensorResidency


def as_json(plan: ModulePlan, other: OtherPlan | None) -> str:
    """Write a plan; beside it is the other plan's totals and bytes by node."""
    content = {
        "tcm_bytes": plan.tcm_bytes,
        **_figures(plan),
        "peak": [_tensor(each) for each in at_peak(plan.residencies)],
        "too_large": [asdict(row) for row in plan.too_large],
        "tensors": [_tensor(each) for each in plan.residencies],
    }
    if other:
        figures = _figures(other.plan) if other.plan else {"fault": other.fault}
        content["beside"] = {"name": other.name, **figures}
    return json.dumps(content, indent=1) + "\n"


def _figures(plan: ModulePlan) -> dict[str, Any]:
    totals = asdict(plan.totals)
    totals["parts"] = {kind.value: size for kind, size in plan.totals.parts.items()}
    nodes = [
        {
            "node": row.node,
            "bytes": row.bytes,
            "parts": {kind.value: size for kind, size in row.parts.items()},
            "padding": row.padding,
            "reason": row.reason,
        }
        for row in plan.nodes
    ]
    return {"totals": totals, "nodes": nodes}


def _tensor(tensor: TensorResidency) -> dict[str, Any]:
    return {
        "name": tensor.name,
        "node": tensor.node,
        "bytes": tensor.bytes,
        "first": tensor.first,
        "last": tensor.last,
        "memory": tensor.memory.value,
        "layout": tensor.layout,
        "offset": tensor.offset,
        "role": tensor.role.value,
        "inside": tensor.inside,
        "why": tensor.why,
    }
