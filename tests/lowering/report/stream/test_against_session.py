"""The flows of random models against what their sessions do.

A model gathers and joins, and computes nothing: fed with their numbers, the frames that an output
sees stand in it, and a zero is a row that no frame brought.
"""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.report.stream.stream import Flow, StreamSchedule, stream_of
from htp_mlir.runtime import Session, parse_module

STEPS = 72
SEEDS = 60
MODES = ("BLOCKING", "BLOCKING", "NON_BLOCKING_LEFT", "NON_BLOCKING_RIGHT")

Seen = dict[int, np.ndarray]
"""What an output holds, by the inference in which it ran."""


def random_model(seed: int) -> str:
    """A model of one input whose every value is an output."""
    draw = random.Random(seed)
    rows, lines = [draw.choice((1, 1, 2))], []
    for index in range(1, draw.randint(4, 7)):
        one, other = draw.randrange(index), draw.randrange(index)
        if index > 2 and draw.random() < 0.5 and one != other:
            rows.append(rows[one] + rows[other])
            kinds = f"tensor<{rows[one]}xf32>, tensor<{rows[other]}xf32>"
            op = f"qti_aisw.Concat(%v{one}, %v{other}) {{axis = 0 : i64}} : ({kinds})"
        else:
            k, size = rows[one], draw.choice((1, 2, 2, 3, 3, 4))
            stride, padding = (
                draw.choice((size, draw.randint(1, size))),
                draw.choice((0, draw.randint(0, size))),
            )
            rows.append(size * k)
            params = (
                f"buffer_dim = 0 : i64, buffer_size = {size * k} : i64, stride = {stride * k} : "
                f"i64, buffer_padding = {padding * k} : i64, "
                f"mode = #qti_aisw.buffer_mode<{draw.choice(MODES)}>"
            )
            op = f"qti_aisw.Buffer(%v{one}) {{{params}}} : (tensor<{k}xf32>)"
        lines.append(f"  %v{index} = {op} -> tensor<{rows[-1]}xf32>")
    types = ", ".join(f"tensor<{n}xf32>" for n in rows)
    values = ", ".join(f"%v{n}" for n in range(len(rows)))
    first = f'%v0: tensor<{rows[0]}xf32> {{htp.name = "x"}}'
    body = "\n".join([*lines, f"  func.return {values} : {types}"])
    return f"func.func @main({first}) -> ({types}) {{\n{body}\n}}"


def observed(session: Session) -> dict[str, Seen]:
    """Run the frames 1, 2, ..., each made of its number."""
    seen: dict[str, Seen] = {name: {} for name in session.outputs}
    for step in range(1, STEPS + 1):
        frame = np.full(session.inputs["x"].shape, step, np.float32)
        for name, value in session.run({"x": frame}).items():
            if value is not None:
                seen[name][step] = value
    return seen


def inferences(schedule: StreamSchedule | None) -> list[int]:
    return list(range(schedule.first, STEPS + 1, schedule.every)) if schedule else []


def waits(seen: Seen) -> Iterator[int]:
    """How long each frame waited for the first value that sees it."""
    arrived = {int(frame): at for at, value in reversed(seen.items()) for frame in value if frame}
    yield from (at - frame for frame, at in arrived.items())


def check(flow: Flow, seen: Seen) -> None:
    full = {at: value for at, value in seen.items() if value.all()}
    assert list(seen) == inferences(flow.runs)
    assert list(full) == inferences(flow.full)
    if flow.runs is None:
        return
    window = flow.sees["x"]
    for at, value in seen.items():
        assert at == value.max()
        assert at - value[value > 0].min() + 1 <= window.frames
    frames = {int(frame) for value in seen.values() for frame in value}
    late = range(flow.runs.first, max(seen, default=0) + 1)
    assert all(frame in frames for frame in late) == window.whole or len(seen) < 3
    for latency, values in ((flow.latency("x"), seen), (flow.latency_full("x"), full)):
        if len(values) > 2:
            longest = max(waits(values))
            # Behind a loss the stated latency is a bound.
            assert longest == latency if window.whole else longest <= latency


@pytest.mark.one_per
@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_report_says_what_a_session_does(seed: int) -> None:
    module = parse_module(random_model(seed))
    seen = observed(Session(module, check=True))
    for name, flow in stream_of(module, installed()).outputs.items():
        check(flow, seen[name])
