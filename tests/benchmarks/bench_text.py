"""Time and size of text with its constants inside, and beside it in a file.

`make bench-text` prints a table for ResNet-50; `--save FILE` puts it before the older ones in a
file. What is read is compared with what was written.
"""

import platform
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from htp_mlir.runtime import load_module, save_module
from models.vision import resnet
from report import run_benchmark
from xdsl.dialects.builtin import ModuleOp

HEADING = """# Text benchmark

What `make bench-text` printed, newest first: ResNet-50 at 224x224 at the graph level, written as
text with its constants inside, and with `--resources`. Seconds are of the processor, the least of
three; ratios compare the two rows of one run. Reading includes the check of the file's digest.
"""
REPEATS = 3


def seconds(call: Callable[[], object]) -> float:
    """The least processor time of a few calls."""

    def once() -> float:
        start = process_time()
        call()
        return process_time() - start

    return min(once() for _ in range(REPEATS))


def rows(module: ModuleOp, folder: Path) -> Iterator[tuple[str, float, int, int, float]]:
    """For each form: its name, seconds to write, bytes of text and file, seconds to read."""
    for name, file in (("inside", None), ("beside", folder / "w.safetensors")):
        text = folder / f"{name}.mlir"
        write = seconds(lambda text=text, file=file: save_module(module, text, resources=file))
        if not load_module(text).is_structurally_equivalent(module):
            sys.exit(f"{name}: what was read is not what was written")
        read = seconds(lambda text=text: load_module(text))
        yield name, write, text.stat().st_size, file.stat().st_size if file else 0, read


def report() -> str:
    """The section of this run."""
    with TemporaryDirectory() as folder:
        inside, beside = rows(resnet(), Path(folder))
    lines = [f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC", ""]
    lines += [f"Python {platform.python_version()}, xDSL {version('xdsl')}.", ""]
    lines += [
        "| constants | write, s | text, bytes | file, bytes | read, s |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {name} | {write:.2f} | {text:,} | {file:,} | {read:.2f} |"
        for name, write, text, file, read in (inside, beside)
    ]
    total = (inside[2] + inside[3]) / (beside[2] + beside[3])
    write, read = inside[1] / beside[1], inside[4] / beside[4]
    lines += [f"| ratio | {write:.1f} | {total:.1f} with the file | | {read:.1f} |"]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    run_benchmark("text", report, HEADING)
