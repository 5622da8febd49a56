"""The benchmark's results as markdown."""

import argparse
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from measure import Timing

BASE = "ORT-1"
PACKAGES = ("htp-mlir", "numpy", "onnxruntime", "onnx", "xdsl")
HEADING = """# Runtime benchmark

What `make bench` printed, newest first. Times are medians of many rounds in which all engines take
turns; compare ratios, not times, between runs. `htp-mlir-1` is the fully lowered module in
`Session` with one thread, `ORT-1` ONNX Runtime with one thread, `reference` the evaluator of the
`onnx` package. The error is the largest difference of htp-mlir's outputs from ONNX Runtime's,
relative to the largest magnitude of the output. Quartiles stand in brackets.
"""


@dataclass(frozen=True)
class Result:
    """One workload: timings and errors by engine, preparation by engine and stage."""

    title: str
    timings: dict[str, Timing]
    errors: dict[str, float]
    prepare: dict[str, dict[str, float]]


@dataclass(frozen=True)
class Failure:
    """A workload that could not be run, and why."""

    title: str
    reason: str


def section(results: Sequence[Result | Failure], engines: Sequence[str]) -> str:
    """Date, versions and the tables of one run of the benchmark."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    measured = [result for result in results if isinstance(result, Result)]
    failed = [result for result in results if isinstance(result, Failure)]
    parts = [
        f"## {now}",
        f"Python {platform.python_version()}, {versions}; {processor()}",
        f"Ratios to {BASE}, lower is better:",
        _ratios(measured, engines),
        "Preparation in milliseconds, best of three:",
        _preparation(measured),
        *(f"Not measured: {failure.title}: {failure.reason}" for failure in failed),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def save(path: Path, text: str) -> None:
    """Put a section in front of the older ones of the page."""
    put_in_front(path, text, HEADING)


def put_in_front(path: Path, text: str, heading: str) -> None:
    """Put a section in front of the older ones of a page; the page is made where there is none."""
    old = path.read_text(encoding="utf-8") if path.exists() else heading
    head, mark, sections = old.partition("\n## ")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{head.rstrip()}\n\n{text}{mark}{sections}", encoding="utf-8")


def run_benchmark(name: str, report: Callable[[], str], heading: str) -> None:
    """Print a benchmark's tables, and put them in front of a page where `--save` names one."""
    parser = argparse.ArgumentParser(description=f"Benchmark of {name}.")
    parser.add_argument("--save", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    section = report()
    print(section)
    if arguments.save:
        put_in_front(arguments.save, section, heading)


def _ratios(results: Sequence[Result], engines: Sequence[str]) -> str:
    others = [name for name in engines if name != BASE]
    rows = []
    for result in results:
        base = result.timings[BASE]
        ratios = [_ratio(result.timings[name], base) for name in others]
        error = max((e for name, e in result.errors.items() if "htp" in name), default=0.0)
        rows.append([result.title, f"{base.median * 1e3:.3g} ms", *ratios, f"{error:.1e}"])
    return table(["workload, f32", f"{BASE} median", *others, "error"], rows)


def _ratio(timing: Timing, base: Timing) -> str:
    low, middle, high = (t / base.median for t in (timing.low, timing.median, timing.high))
    return f"**{middle:.2f}** [{low:.2f}-{high:.2f}]"


def _preparation(results: Sequence[Result]) -> str:
    stages = ("import", "lower", "session")
    rows = []
    for result in results:
        ours = next((p for name, p in result.prepare.items() if "htp" in name), {})
        rows.append(
            [
                result.title,
                *(_milliseconds(ours.get(stage)) for stage in stages),
                _milliseconds(result.prepare[BASE]["session"]),
                str(result.timings[BASE].samples),
            ]
        )
    return table(["workload", *stages, "ORT session", "rounds"], rows)


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e3:.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def processor() -> str:
    """The number and the name of this machine's processors."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.machine()
