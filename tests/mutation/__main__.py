"""Faults of a script against the tests: which are killed, by what `make test` runs and by the rest.

`python -m tests.mutation --count 100 --seed 0`: each fault is written into a copy of the tree, and
the tests of its module run there until one fails. What `make test` does not notice is run against
the cases that it leaves out. The status is 1 where those notice a fault: it has lost a test.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random
from resource import RLIMIT_CPU, setrlimit
from tempfile import TemporaryDirectory

from ..support.paths import ROOT
from .faults import Fault, faults

PATTERNS = "tests/lowering/patterns"
AGREE = (f"{PATTERNS}/tiling.mlir", f"{PATTERNS}/test_rules_agree.py")
LINT = ("tests/lowering/rules/lint",)
SOUND = "tests/lowering/rules/soundness"
CHECKED = (f"{SOUND}/test_wrong_rules.py", f"{SOUND}/test_project_rules.py", "-k", "rong or fusion")
"""Faults of the check show in rules that are wrong, and in some that are sound."""

TESTS = {
    "lowering/patterns/tiling.py": (f"{PATTERNS}/sums.mlir", *AGREE, "-k", "tiling or sums"),
    "lowering/patterns/tile_table.py": (f"{PATTERNS}/test_tile_table.py", *AGREE, "-k", "til"),
    "lowering/patterns/places.py": (
        "tests/lowering/passes/tiling/test_resize.py",
        *AGREE,
        *("-k", "numbers_stay or tiling.py or qnn.py"),
    ),
    "lowering/patterns/conditions.py": (f"{PATTERNS}/test_guards.py", *AGREE),
    "lowering/rules/lint/__init__.py": LINT,
    "lowering/quantization/quantize.py": (
        "tests/lowering/quantization/test_stated.py",
        "tests/lowering/quantization/test_quantize.py",
        "tests/lowering/quantization/test_quantised_models.py",
    ),
    "lowering/rules/soundness/drawing/constraint_system.py": (
        f"{SOUND}/test_constraint_system.py",
        *CHECKED,
        *("-k", "constraint_system or rong or fusion"),
    ),
    "lowering/rules/soundness/search.py": (
        f"{SOUND}/test_guidance.py",
        f"{LINT[0]}/test_lint_sizes.py",
        *CHECKED,
        *("-k", "guidance or lint_sizes or rong or fusion"),
    ),
    "lowering/rules/soundness/run.py": (
        f"{SOUND}/test_compare.py",
        *CHECKED,
        *("-k", "test_compare or rong or fusion"),
    ),
}
"""Modules whose tests `make test` thins out, and the arguments of pytest that choose those tests.

The quick ones come first.
"""
FOLDERS = ("dialects", "runtime", "lowering", "package", "tests", "docs")
TIER, REST = "not exhaustive", "exhaustive"


def chosen(seed: int, count: int, only: Sequence[str] = ()) -> list[Fault]:
    """Faults spread evenly over the modules; of these, with `only`, those at a `PATH[:LINE]`."""
    random, share = Random(seed), -(-count // len(TESTS))
    drawn: list[Fault] = []
    for path in TESTS:
        each = [*faults(path, (ROOT / path).read_text(encoding="utf-8"))]
        drawn += random.sample(each, min(share, len(each)))
    if not only:
        return drawn[:count]
    return [
        fault
        for fault in drawn[:count]
        if any(f"{fault.path}:{fault.line}:".startswith(f"{place}:") for place in only)
    ]


def copy_of_the_tree(folder: Path) -> Path:
    """A copy that Python imports instead of the installed package."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    package = folder / "build" / "htp_mlir"
    package.mkdir(parents=True)
    for name in ("dialects", "runtime", "lowering"):
        (package / name).symlink_to(folder / name)
    (package / "__init__.py").symlink_to(folder / "package" / "__init__.py")
    return folder


def _write(path: Path, text: str) -> None:
    """Write a module at a time of its own, by which its bytecode is known."""
    time = path.stat().st_mtime + 1
    path.write_text(text, encoding="utf-8")
    os.utime(path, (time, time))


def is_killed(tree: Path, fault: Fault, marks: str, seconds: int) -> bool:
    """Run the tests of a fault's module; one that takes too long is killed, too."""
    path = tree / fault.path
    good = path.read_text(encoding="utf-8")
    _write(path, fault.text)
    words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", marks]
    try:
        done = subprocess.run(
            [sys.executable, *words, *TESTS[fault.path]],
            cwd=tree,
            env=os.environ | {"PYTHONPATH": str(tree / "build"), "PYTHONDONTWRITEBYTECODE": ""},
            preexec_fn=lambda: setrlimit(RLIMIT_CPU, (seconds, seconds)),
            capture_output=True,
            check=False,
        )
    finally:
        _write(path, good)
    # 5: no test was chosen.
    return done.returncode not in (0, 5)


def judged(tree: Path, fault: Fault, seconds: int) -> str:
    """Say what kills a fault."""
    if is_killed(tree, fault, TIER, seconds):
        return "make test"
    return "the rest alone" if is_killed(tree, fault, REST, seconds) else "nothing"


def main() -> int:
    """Judge the faults of a seed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=300, help="of one run, of a processor")
    words = "judge those of the faults that are at this place, killed ones named, too"
    parser.add_argument("--only", action="append", default=[], metavar="PATH[:LINE]", help=words)
    parser.add_argument("-j", type=int, default=2, help="faults at a time")
    args = parser.parse_args()
    killers: Counter[str] = Counter()
    with TemporaryDirectory() as folder, ThreadPoolExecutor(args.j) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(args.j):
            trees.put(copy_of_the_tree(Path(folder) / str(number)))

        def judge(fault: Fault) -> tuple[Fault, str]:
            tree = trees.get()
            try:
                return fault, judged(tree, fault, args.seconds)
            finally:
                trees.put(tree)

        for fault, killer in pool.map(judge, chosen(args.seed, args.count, args.only)):
            killers[killer] += 1
            if killer != "make test" or args.only:
                print(f"{killer}: {fault}", flush=True)
    print(", ".join(f"{count} killed by {killer}" for killer, count in killers.most_common()))
    return 1 if killers["the rest alone"] else 0


if __name__ == "__main__":
    sys.exit(main())
