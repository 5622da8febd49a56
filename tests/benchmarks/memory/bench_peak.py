"""The memory that a run takes beside that of the values that live at one step.

`make bench-peak` prints the table; `--save FILE` puts it before the older ones in a file.
"""

import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial

import numpy as np
from htp_mlir.dialects.text.constant import Constant
from htp_mlir.lowering import lower
from htp_mlir.runtime import Session
from htp_mlir.runtime.program.placing import live_intervals, peak_live
from htp_mlir.runtime.program.preparation import prepare
from htp_mlir.runtime.program.program import Program, Region
from models.images import residual_tower, upscaler
from models.sequence import transformer, video_transformer
from models.vision import mobilenet, resnet, unet
from report import run_benchmark
from xdsl.dialects.builtin import ModuleOp

HEADING = """# Peak memory benchmark

What `make bench-peak` printed, newest first, in MB of 10^6 bytes. `all values` is what all tensors
take together, constants aside, `live` the largest sum of those still to be read at one step, and
`memories` what the session's simulated memories have for them: at the graph level nearly nothing,
as values are arrays of a run there. `peak` is the most that Python and numpy had allocated for the
session and its run, by tracemalloc, so packed weights, memory of kernels and Python's own objects
are in it; inputs of the caller and the module are not. `lowering` is the peak of the lowering to
the native level in the same way, `weights` the bytes of the graph's constants.
"""
COLUMNS = (
    *("model", "level", "weights", "all values", "live", "memories", "of live", "peak", "of live"),
    "lowering",
)

MODELS: dict[str, Callable[[], ModuleOp]] = {
    "MobileNetV2 224": mobilenet,
    "ResNet-50 224": resnet,
    "U-Net 224": unet,
    "residual tower 256": residual_tower,
    "upscaler 560x960": upscaler,
    "transformer, 512 tokens, 4 layers": partial(transformer, 512, 4, 384, 6),
    "video transformer, 6272 patches": video_transformer,
}


def live_bytes(program: Program) -> tuple[int, int]:
    """The bytes of all tensors, and the most of them that are still to be read at one step."""
    regions = (Region.RUN, Region.DDR, Region.TCM)
    lives = [life for region in regions for life in live_intervals(program, region)]
    return sum(life.nbytes for life in lives), peak_live(lives, 1)


def run_peak(program: Program) -> int:
    """The most bytes that are allocated for a session and one run of it."""
    inputs = program.inputs.items()
    specs = {name: program.allocations[value].spec for name, value in inputs}
    feeds = {name: np.zeros(spec.shape, spec.dtype.storage) for name, spec in specs.items()}
    tracemalloc.start()
    Session(program).run(feeds)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def rows() -> Iterator[list[str]]:
    """A row for each model and level."""
    for name, make in MODELS.items():
        graph = make()
        weights = sum(op.array.nbytes for op in graph.walk() if isinstance(op, Constant))
        tracemalloc.start()
        native = lower(graph, level="native")
        lowering = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        for level, module in (("graph", graph), ("native", native)):
            program = prepare(module)
            every, live = live_bytes(program)
            memories, most = program.ddr_bytes + program.tcm_bytes, run_peak(program)
            numbers = (weights, every, live, memories, memories / live, most, most / live)
            shown = [f"{n / 1e6:.1f}" if isinstance(n, int) else f"{n:.2f}" for n in numbers]
            yield [name, level, *shown, f"{lowering / 1e6:.1f}" if level == "native" else ""]


def report() -> str:
    """The section of this run."""
    lines = [COLUMNS, ["---"] * len(COLUMNS), *rows()]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC\n\n{table}\n"


if __name__ == "__main__":
    run_benchmark("peak memory", report, HEADING)
