"""Faults of a script against the tests: which are killed, by what `make test` runs and by the rest.

`python -m tests.mutation --count 100 --seed 0`: each fault is written into a copy of the tree, and
the tests of its module run there until one fails. What `make test` does not notice is run against
the cases that it leaves out. The status is 1 where those notice a fault: it has lost a test.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory

from ..support.paths import ROOT
from .faults import Fault, faults

TESTS = {
    "lowering/patterns/tiling.py": ("tests/lowering/patterns/test_rules_agree.py",),
    "lowering/patterns/tile_table.py": (
        "tests/lowering/patterns/test_tile_table.py",
        "tests/lowering/patterns/test_rules_agree.py",
    ),
    "lowering/patterns/sums.py": ("tests/lowering/patterns/test_rules_agree.py",),
    "lowering/patterns/places.py": ("tests/lowering/patterns/test_rules_agree.py",),
    "lowering/patterns/conditions.py": (
        "tests/lowering/patterns/test_guards.py",
        "tests/lowering/patterns/test_rules_agree.py",
    ),
    "lowering/rules/lint/results.py": ("tests/lowering/rules/lint",),
    "lowering/rules/lint/sizes.py": ("tests/lowering/rules/lint",),
    "lowering/rules/soundness/drawing/constraint_system.py": (
        "tests/lowering/rules/soundness/test_constraint_system.py",
        "tests/lowering/rules/soundness/test_wrong_rules.py",
        "tests/lowering/rules/soundness/test_project_rules.py",
    ),
    "lowering/rules/soundness/search.py": (
        "tests/lowering/rules/soundness/test_wrong_rules.py",
        "tests/lowering/rules/soundness/test_project_rules.py",
    ),
    "lowering/rules/soundness/compare.py": (
        "tests/lowering/rules/soundness/test_wrong_rules.py",
        "tests/lowering/rules/soundness/test_project_rules.py",
    ),
}
"""Modules whose tests `make test` thins out, and those tests."""
FOLDERS = ("dialects", "runtime", "lowering", "package", "tests", "docs")
TIER, REST = "not exhaustive", "exhaustive"


def chosen(seed: int, count: int) -> list[Fault]:
    """Faults spread evenly over the modules."""
    random, share = Random(seed), -(-count // len(TESTS))
    drawn: list[Fault] = []
    for path in TESTS:
        each = [*faults(path, (ROOT / path).read_text(encoding="utf-8"))]
        drawn += random.sample(each, min(share, len(each)))
    return drawn[:count]


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


def is_killed(tree: Path, fault: Fault, marks: str, seconds: int) -> bool:
    """Run the tests of a fault's module; one that takes too long is killed, too."""
    path = tree / fault.path
    good = path.read_text(encoding="utf-8")
    path.write_text(fault.text, encoding="utf-8")
    words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", marks]
    try:
        done = subprocess.run(
            [sys.executable, *words, *TESTS[fault.path]],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree / "build"), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(good, encoding="utf-8")
    # 5: no test was chosen.
    return done.returncode not in (0, 5)


def judged(tree: Path, fault: Fault, seconds: int) -> str:
    """Say what kills a fault."""
    if is_killed(tree, fault, TIER, seconds):
        return "make test"
    return "the rest alone" if is_killed(tree, fault, REST, seconds) else "nothing"


def main() -> int:
    """Judge the faults of a seed, two at a time."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=900, help="of one run of the tests")
    args = parser.parse_args()
    killers: Counter[str] = Counter()
    with TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for name in "ab":
            trees.put(copy_of_the_tree(Path(folder) / name))

        def judge(fault: Fault) -> tuple[Fault, str]:
            tree = trees.get()
            try:
                return fault, judged(tree, fault, args.seconds)
            finally:
                trees.put(tree)

        for fault, killer in pool.map(judge, chosen(args.seed, args.count)):
            killers[killer] += 1
            if killer != "make test":
                print(f"{killer}: {fault}", flush=True)
    print(", ".join(f"{count} killed by {killer}" for killer, count in killers.most_common()))
    return 1 if killers["the rest alone"] else 0


if __name__ == "__main__":
    sys.exit(main())
