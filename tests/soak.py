"""`python -m tests.soak`: sessions of one program in threads, for a long time.

It promises that each inference gives the bytes of a session that runs alone, state included, and
that memory is flat: what the process holds grows by less than 16 MiB after the first tenth.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import load_module, lower
from htp_mlir.runtime import Session, parse_module
from htp_mlir.runtime.program.preparation import prepare
from htp_mlir.runtime.program.program import Program

from .support.paths import SPOTTER_MODEL

PERIOD = 50
"""Inferences from one reset to the next."""
GROWTH = 16
"""MiB."""
LEVELS = ("graph", "allocated")
WINDOW = """func.func @main(%frame: tensor<1x1x1x40xf32> {htp.name = "frame"},
    %reset: tensor<i1> {htp.name = "reset"}) -> tensor<1x4x1xf32> {
  %0 = qti_aisw.Buffer(%frame, reset = %reset) {buffer_dim = 1 : i64, buffer_size = 4 : i64,
    mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>} :
    (tensor<1x1x1x40xf32>, tensor<i1>) -> tensor<1x4x1x40xf32>
  %1 = qti_aisw.ReduceSum(%0) {axes = array<i64: 3>} : (tensor<1x4x1x40xf32>) -> tensor<1x4x1xf32>
  func.return %1 : tensor<1x4x1xf32>
}
"""
PROGRAMS = {
    "spotter": partial(load_module, SPOTTER_MODEL),
    "window": partial(parse_module, WINDOW),
}
"""The keyword spotter, and the sums of the last four frames, which take little time."""

Outputs = dict[str, Array | None]


def feeds() -> list[dict[str, Array]]:
    """The inputs of one period."""
    random = np.random.default_rng(7)
    frames = random.standard_normal((PERIOD, 1, 1, 1, 40)).astype(np.float32)
    return [
        {"frame": frame, "reset": np.asarray(step == 0, np.bool_)}
        for step, frame in enumerate(frames)
    ]


def periods(program: Program, count: int, expected: Sequence[Outputs]) -> int:
    """Run a session of its own; return how many outputs differ from those expected."""
    session, wrong = Session(program), 0
    for _ in range(count):
        for inputs, wanted in zip(feeds(), expected, strict=True):
            outputs = session.run(inputs)
            wrong += sum(not np.array_equal(outputs[name], wanted[name]) for name in wanted)
    return wrong


def resident() -> float:
    """The memory that the process holds, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / (1 << 20)


def soak(program: Program, inferences: int, sessions: int = 8) -> tuple[int, float]:
    """Run the inferences; return the outputs that differ, and the growth after a tenth in MiB."""
    alone = Session(program)
    expected = [alone.run(inputs) for inputs in feeds()]
    each = max(10, inferences // sessions // PERIOD)
    with ThreadPoolExecutor(sessions) as pool:

        def run(count: int) -> int:
            futures = [pool.submit(periods, program, count, expected) for _ in range(sessions)]
            return sum(future.result() for future in futures)

        wrong = run(each // 10)
        before = resident()
        wrong += run(each - each // 10)
        return wrong, resident() - before


def _main() -> int:
    parser = argparse.ArgumentParser("tests.soak", description=__doc__)
    parser.add_argument("--inferences", type=int, default=100_000)
    parser.add_argument("--sessions", type=int, default=8)
    parser.add_argument("--level", choices=LEVELS, help="one level; without it both")
    parser.add_argument("--program", choices=PROGRAMS, default="spotter")
    arguments = parser.parse_args()
    graph, failed = PROGRAMS[arguments.program](), False
    for level in [arguments.level] if arguments.level else LEVELS:
        program = prepare(graph if level == "graph" else lower(graph, level=level))
        begin = perf_counter()
        wrong, growth = soak(program, arguments.inferences, arguments.sessions)
        seconds = perf_counter() - begin
        print(
            f"{level}: {wrong} outputs differ, memory grew by {growth:.1f} MiB, {seconds:.0f} s",
            flush=True,
        )
        failed = failed or wrong > 0 or growth > GROWTH
    return int(failed)


if __name__ == "__main__":
    sys.exit(_main())
