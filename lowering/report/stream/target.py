"""The output target `stream-report`: rates, latencies and states of a model with Buffers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import isinf
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ....dialects.diagnostics import fail, listed
from ...packages.loading import packages_of
from ..text import table
from .stream import Flow, Join, Stream, StreamSchedule, StreamState, rate_text, stream_of


def as_json(stream: Stream) -> str:
    """Write one JSON object; null is a schedule or a latency that never comes, or all frames."""
    whole = {
        "outputs": {name: _flow_of(flow) for name, flow in stream.outputs.items()},
        "state_bytes": stream.state_bytes,
        "states": [_state_of(state) for state in stream.states],
        "joins": [_join(join) for join in stream.joins],
    }
    return f"{json.dumps(whole, indent=1)}\n"


def _flow_of(flow: Flow) -> dict[str, object]:
    inputs = {
        name: {
            "frames": None if isinf(window.frames) else int(window.frames),
            "whole": window.whole,
            "latency": flow.latency(name),
            "latency_full": flow.latency_full(name),
        }
        for name, window in flow.sees.items()
    }
    return {"runs": _schedule_of(flow.runs), "full": _schedule_of(flow.full), "inputs": inputs}


def _schedule_of(schedule: StreamSchedule | None) -> dict[str, int] | None:
    return {"first": schedule.first, "every": schedule.every} if schedule else None


def _state_of(state: StreamState) -> dict[str, object]:
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
    operands = [{"waits_for": name, "runs": _schedule_of(runs)} for name, runs in join.operands]
    runs = _schedule_of(join.runs)
    return {"op": join.label, "operands": operands, "runs": runs, "loss": join.loss.value}


_OUTPUTS = ("output", "runs", "full", "input", "frames seen", "latency", "to a full one")
_STATES = ("state", "of", "type", "bytes")


def as_text(stream: Stream) -> str:
    """Write the report; latencies are in frames, schedules count inferences from 1."""
    rows = [row for name, flow in stream.outputs.items() for row in _outputs(name, flow)]
    lines = table([_OUTPUTS, *rows], right={5, 6})
    lines += ["", f"{stream.state_bytes:,} bytes of state"]
    if stream.states:
        lines += table([_STATES, *map(_state, stream.states)], right={3})
    lines += ["", *(f"{join.label}: {join.text()}" for join in stream.joins)]
    lines += [] if stream.joins else ["no op joins different rates"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _outputs(name: str, flow: Flow) -> Iterator[tuple[str, ...]]:
    """Write a row per input that an output sees, one without where it sees none."""
    rates = (flow.runs, flow.full)
    runs, full = (rate_text(schedule) if schedule else "never" for schedule in rates)
    for source, window in flow.sees.items():
        latencies = (flow.latency(source), flow.latency_full(source))
        waits = ("-" if wait is None else str(wait) for wait in latencies)
        frames = "all" if isinf(window.frames) else f"{window.frames:.0f}"
        seen = frames if window.whole else f"{frames}, misses some"
        yield (name, runs, full, source, seen, *waits)
    if not flow.sees:
        yield (name, runs, full, "-", "-", "-", "-")


def _state(state: StreamState) -> tuple[str, ...]:
    shape = "x".join(map(str, state.spec.shape)) or "scalar"
    return (state.spec.name, state.op, f"{shape} {state.spec.dtype}", f"{state.nbytes:,}")


TARGET = "stream-report"
_WRITERS = {"text": as_text, "json": as_json}


@dataclass(frozen=True)
class StreamReport(Target):
    """Tell of each output when it runs and how long a frame waits for it, as `text` or `json`.

    The module is at the graph level. HtpError for another level or format.
    Example: `htp-opt model.onnx -t stream-report`
    """

    name = TARGET

    format: str = "text"

    def __post_init__(self) -> None:
        if self.format not in _WRITERS:
            known = listed(self.format, tuple(_WRITERS))
            raise fail(TARGET, f"format '{self.format}' is not known", known)

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(self.text(stream_of(module, packages_of(ctx))))

    def text(self, stream: Stream) -> str:
        """Write a report that was made already."""
        return _WRITERS[self.format](stream)
