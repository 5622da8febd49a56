"""The stream report as text: outputs, states, joins."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

from ..text import table
from .flow import Flow
from .joins import rate_text
from .stream import Stream, StreamState

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
