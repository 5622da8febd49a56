"""The arrows between the folders, held by their import statements, and what an import costs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from .support.paths import ROOT

PACKAGE = "htp_mlir"

MAY_IMPORT = {
    "dialects": {"dialects"},
    "runtime": {"dialects", "runtime"},
    "lowering": {"dialects", "runtime", "lowering"},
}
"""For each folder the folders of ours that it may import."""


def imported_modules(source: str, module: str) -> Iterator[str]:
    """The absolute names of all modules that a module's import statements name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _imported_from(node, module)


def _imported_from(node: ast.ImportFrom, module: str) -> Iterator[str]:
    if not node.level:
        yield node.module or ""
        return
    parts = module.split(".")[: -node.level]
    base = ".".join([*parts, *([node.module] if node.module else [])])
    yield from (f"{base}.{alias.name}" for alias in node.names)


def faults(source: str, module: str) -> list[str]:
    """The imports of a module that go against an arrow, or name our package absolutely."""
    folder = module.split(".")[1]
    found = []
    for name in imported_modules(source, module):
        ours = name.split(".")
        if ours[0] == PACKAGE and (len(ours) < 2 or ours[1] not in MAY_IMPORT[folder]):
            found.append(name)
    return found


def module_name(path: Path) -> str:
    """The name that relative imports in a file start from."""
    return ".".join([PACKAGE, *path.relative_to(ROOT).with_suffix("").parts])


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_imports_follow_the_arrows(folder: str) -> None:
    paths = sources(folder)
    assert paths
    wrong = {
        str(path.relative_to(ROOT)): found
        for path in paths
        if (found := faults(path.read_text(encoding="utf-8"), module_name(path)))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("module", "statement", "allowed"),
    [
        ("htp_mlir.dialects.htp.base", "from ...runtime import session", False),
        ("htp_mlir.dialects.htp.base", "from ... import runtime", False),
        ("htp_mlir.dialects.htp.base", "import htp_mlir.lowering.api", False),
        ("htp_mlir.dialects.htp.base", "def f():\n    from ...lowering.api import lower", False),
        ("htp_mlir.dialects.htp.base", "from ..checks import require", True),
        ("htp_mlir.runtime.environment", "from ..lowering import lower", False),
        ("htp_mlir.runtime.environment", "from ..dialects import htp", True),
        ("htp_mlir.lowering.api", "from ..runtime import Session", True),
    ],
)
def test_the_check_itself(module: str, statement: str, allowed: bool) -> None:
    assert (faults(statement, module) == []) is allowed


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_packages_import_their_own_relatively(folder: str) -> None:
    for path in sources(folder):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").split(".")[0] != PACKAGE, path


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_no_star_imports(folder: str) -> None:
    for path in sources(folder):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert all(alias.name != "*" for alias in node.names), path


NEVER_IMPORTS = {
    "lowering.planner": r"(?!dialects\.value\.|lowering\.planner\.)",
    "lowering.passes.placement": r"lowering\.passes\.(tiling|allocation)\.",
    "lowering.passes.tiling": r"lowering\.passes\.allocation\.",
}
"""For each room the modules of ours that it must not import: the planner knows no IR."""


@pytest.mark.parametrize("room", NEVER_IMPORTS)
def test_rooms_import_nothing_above_them(room: str) -> None:
    never = re.compile(rf"{PACKAGE}\.{NEVER_IMPORTS[room]}")
    paths = sources(room.replace(".", "/"))
    assert paths
    for path in paths:
        source = path.read_text(encoding="utf-8")
        names = [n for n in imported_modules(source, module_name(path)) if n.startswith(PACKAGE)]
        assert [name for name in names if never.match(name)] == [], path


def test_every_folder_is_installed() -> None:
    """A package that pyproject.toml does not list is there in this folder, and in no wheel."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = {module_name(path.parent) for folder in MAY_IMPORT for path in sources(folder)}
    assert set(listed["tool"]["setuptools"]["packages"]) == found


HEAVY = ("onnx", "onnxruntime", "htp_mlir.lowering", "htp_mlir.runtime", "xdsl.transforms.")


def test_dialects_are_light_to_import() -> None:
    code = (
        "import sys\n"
        "from htp_mlir.dialects.universe import DIALECTS\n"
        "assert not [name for name in sys.modules if name.startswith('htp_mlir.dialects.htp')]\n"
        "names = [dialect().name for dialect in DIALECTS.all_dialects.values()]\n"
        "print(*names)\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, loaded = done.stdout.splitlines()
    assert names.split() == ["qti_aisw", "htp", "quant"]
    assert [module for module in loaded.split() if module.startswith(HEAVY)] == []
