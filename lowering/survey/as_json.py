"""The survey as JSON for programs: all that the table says, and more, with every name."""

from __future__ import annotations

import json

from .kernels import KernelUse
from .survey import Survey, SurveyRow


def as_json(survey: Survey, title: str) -> str:
    """Write the survey as one JSON object; `rows` holds the nodes of each op and way."""
    whole = {
        "survey": title,
        "runs": survey.all_run,
        "nodes": survey.nodes,
        "levels": survey.extents,
        "faults": [fault.line() for fault in survey.faults],
        "rows": [_row(row) for row in survey.rows],
    }
    return f"{json.dumps(whole, indent=1)}\n"


def _row(row: SurveyRow) -> dict[str, object]:
    way = row.way
    problem, remedy = way.reason
    domain, _, op = way.op.rpartition(".")
    return {
        "op": op,
        "domain": domain,
        "count": len(row.nodes),
        "nodes": list(row.nodes),
        "level": way.extent,
        "through": way.through or "importer",
        "becomes": list(way.becomes),
        "kernels": [_use(use) for use in way.kernels],
        "fused_into": [use.op for use in way.fused],
        "computed_in": list(way.types),
        "reason": problem,
        "remedy": remedy,
    }


def _use(use: KernelUse) -> dict[str, object]:
    return {
        "op": use.op,
        "kernel": use.kernel,
        "layout": use.layout.value,
        "memory": use.memory.value,
        "reference": use.is_reference,
    }
