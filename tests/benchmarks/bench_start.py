"""What the first steps cost: `python tests/benchmarks/bench_start.py`. Prints markdown tables.

The programs of this environment are started by turns, with `--version` and with `--help`. With
`--sizes` the environments of `pip install .`, `make demo` and `make test` are made anew in a
temporary folder, which takes minutes and a package index.
"""

import argparse
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
PROGRAMS = ("xdsl-opt", "htp-opt", "htp-run", "htp")
"""The programs, that to compare with first."""
FLAGS = ("--version", "--help")
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "*.egg-info", "__pycache__", ".*_cache")
HEADING = """# First steps benchmark

What `make bench-start` printed, newest first: how long the programs take to start, and how large
the environments are. Times are processor time of a whole process, medians of runs by turns; compare
ratios, not times, between runs. Sizes are those of `du -sm`, pip and compiled modules included;
seconds are processor time too.
"""


def spent() -> float:
    """The processor time of all children that have ended, in seconds."""
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds(command: Sequence[str | Path]) -> float:
    """The processor time of one run of a command, in seconds."""
    before = spent()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return spent() - before


def starts(runs: int) -> Iterator[list[str]]:
    """A row per flag and program: its median time, also beside that of the first program."""
    samples: dict[tuple[str, str], list[float]] = {}
    for turn in range(runs):
        shift = turn % len(PROGRAMS)
        for flag in FLAGS:
            for program in (*PROGRAMS[shift:], *PROGRAMS[:shift]):
                samples.setdefault((program, flag), []).append(seconds([BIN / program, flag]))
    for flag in FLAGS:
        first = median(samples[PROGRAMS[0], flag])
        for program in PROGRAMS:
            taken = median(samples[program, flag])
            yield [f"`{program} {flag}`", f"{taken * 1e3:.0f}", f"{taken / first:.2f}"]


def sizes(folder: Path) -> Iterator[list[str]]:
    """A row per environment, each made in the folder from a copy of the project."""
    project = shutil.copytree(ROOT, folder / "project", ignore=LEFT_OUT)
    make = ["make", "-C", project, f"PYTHON={sys.executable}"]
    bare = folder / "bare"
    commands: dict[str, tuple[Path, list[list[str | Path]]]] = {
        "pip install .": (
            bare,
            [[sys.executable, "-m", "venv", bare], [bare / "bin/pip", "install", "-q", project]],
        ),
        **{
            f"make {target}": (
                folder / target,
                [[*make, f"VENV={folder / target}", folder / stamp]],
            )
            for target, stamp in (("demo", "demo/.demo"), ("test", "test/.ready"))
        },
    }
    for name, (environment, steps) in commands.items():
        taken = sum(map(seconds, steps))
        counted = subprocess.run(
            ["du", "-sm", environment], capture_output=True, text=True, check=True
        )
        yield [f"`{name}`", counted.stdout.split()[0], f"{taken:.0f}"]


def table(head: list[str], rows: Iterator[list[str]]) -> str:
    """A markdown table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *rows])


def section(runs: int, with_sizes: bool) -> str:
    """The tables of one run."""
    parts = [
        f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"htp-mlir {version('htp-mlir')}, Python {platform.python_version()}, "
        f"xdsl {version('xdsl')}, numpy {version('numpy')}; {runs} starts of each.",
        table(["start", "ms", "beside xdsl-opt"], starts(runs)),
    ]
    if with_sizes:
        with TemporaryDirectory() as folder:
            parts.append(table(["environment", "MB", "seconds to make"], sizes(Path(folder))))
    return "\n\n".join(parts)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--sizes", action="store_true", help="make the environments too")
    parser.add_argument("--save", type=Path, help="put the tables into a page too")
    options = parser.parse_args()
    text = section(options.runs, options.sizes)
    print(text)
    if options.save:
        older = options.save.read_text(encoding="utf-8") if options.save.exists() else HEADING
        options.save.write_text(
            f"{HEADING}\n{text}\n{older.removeprefix(HEADING)}", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
