"""The stream report as JSON for programs: all that the text says."""

from __future__ import annotations

import json
from math import isinf

from .flow import Flow
from .joins import Join
from .schedule import StreamSchedule
from .stream import Stream, StreamState


def as_json(stream: Stream) -> str:
    """Write one JSON object; null is a schedule or a latency that never comes, or all frames."""
    whole = {
        "outputs": {name: _flow(flow) for name, flow in stream.outputs.items()},
        "state_bytes": stream.state_bytes,
        "states": [_state(state) for state in stream.states],
        "joins": [_join(join) for join in stream.joins],
    }
    return f"{json.dumps(whole, indent=1)}\n"


def _flow(flow: Flow) -> dict[str, object]:
    inputs = {
        name: {
            "frames": None if isinf(window.frames) else int(window.frames),
            "whole": window.whole,
            "latency": flow.latency(name),
            "latency_full": flow.latency_full(name),
        }
        for name, window in flow.sees.items()
    }
    return {"runs": _schedule(flow.runs), "full": _schedule(flow.full), "inputs": inputs}


def _schedule(schedule: StreamSchedule | None) -> dict[str, int] | None:
    return {"first": schedule.first, "every": schedule.every} if schedule else None


def _state(state: StreamState) -> dict[str, object]:
    spec = state.spec
    shape, dtype = list(spec.shape), str(spec.dtype)
    return {
        "name": spec.name,
        "op": state.op,
        "shape": shape,
        "dtype": dtype,
        "bytes": state.nbytes,
    }


def _join(join: Join) -> dict[str, object]:
    operands = [{"waits_for": name, "runs": _schedule(runs)} for name, runs in join.operands]
    runs = _schedule(join.runs)
    return {"op": join.label, "operands": operands, "runs": runs, "loss": join.loss.value}
