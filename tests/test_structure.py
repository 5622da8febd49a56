"""The arrows between the areas, checked by their import statements."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from .support.paths import ROOT

PACKAGE = "htp_mlir"

FOLDERS = ("dialects", "runtime", "lowering")

_KERNEL = "dialects runtime.functions runtime.tensors runtime.kernel"
_RULES = "dialects runtime rules.graph rules.tree rules.language rules.definition"
_OWN = "packages.def_package packages.compiled"
_PASSES = (
    "dialects runtime soc levels rules planner patterns conversion quantization packages passes"
)

MAY_IMPORT = {
    "dialects": "",
    "runtime.functions": "dialects",
    "runtime.tensors": "dialects runtime.functions",
    "runtime.kernel": "dialects runtime.functions runtime.tensors",
    "runtime.installed.plugins": "dialects",
    "runtime.installed.universe": "dialects runtime.installed.plugins",
    "runtime.kernels": _KERNEL,
    "runtime.installed.environment": (
        "dialects runtime.kernel runtime.kernels runtime.installed.plugins"
        " runtime.installed.universe"
    ),
    "runtime.files": "dialects runtime.functions",
    "runtime.program": f"{_KERNEL} runtime.installed.environment runtime.files",
    "runtime.memory_plan": "dialects runtime.files runtime.program",
    "runtime.session": f"{_KERNEL} runtime.program",
    "runtime.passes": "dialects",
    "runtime": "dialects runtime",
    "soc": "dialects runtime.installed.plugins",
    "levels": "dialects",
    "planner": "dialects",
    "rules.graph": "dialects runtime planner",
    "rules.tree": "dialects runtime rules.graph",
    "rules.language": "dialects runtime planner rules.graph rules.tree",
    "rules.definition": "dialects runtime rules.graph rules.tree rules.language",
    "rules.engine": _RULES,
    "rules.ask": f"{_RULES} rules.engine",
    "rules.soundness": f"{_RULES} rules.engine",
    "rules.lint": f"{_RULES} rules.engine rules.soundness",
    "rules": "dialects rules",
    "patterns": "dialects runtime planner rules",
    "conversion": "dialects runtime rules.graph",
    "importers.graph": "dialects",
    "importers.support": "dialects conversion importers.graph",
    "importers.onnx": "dialects runtime.functions importers.graph importers.support",
    "importers.aten": (
        "dialects runtime.functions conversion importers.graph importers.support importers.onnx"
    ),
    "importers": "importers",
    "quantization": "dialects runtime levels",
    "packages.cpp": "dialects",
    "packages.def_package": "dialects runtime rules packages.cpp",
    "packages.compiled": "dialects runtime packages.cpp",
    "packages": f"dialects runtime rules patterns conversion importers {_OWN}",
    "packages.migrate": "dialects runtime rules packages",
    "kernel_trials": "dialects runtime rules packages",
    "frontend.onnx.bodies": "dialects importers",
    "frontend.onnx.blocks": "dialects importers",
    "frontend.net": "dialects runtime.files importers",
    "frontend.onnx": "dialects runtime rules conversion importers packages frontend.onnx",
    "frontend.torch": "dialects runtime importers packages frontend.onnx",
    "frontend.pt2": "dialects runtime packages frontend.torch",
    "frontend": "frontend",
    "interop.irdl": "dialects runtime.installed.universe packages",
    "interop.pdl": "dialects rules packages interop.irdl",
    "passes": _PASSES,
    "interop.onnx": "dialects runtime conversion importers packages frontend quantization passes",
    "interop": "dialects packages frontend interop",
    "report": _PASSES,
    "plugins": "dialects runtime soc",
    "survey": f"{_PASSES} importers frontend report",
    "sweep": f"{_PASSES} report",
    "gui": "dialects runtime",
    "numerics": "dialects runtime",
    "reduction": "dialects runtime",
    "tools": f"{_PASSES} report kernel_trials survey plugins sweep gui numerics reduction interop",
    "testing": "dialects runtime",
    "lsp": f"{_PASSES} tools testing",
    "universe": "packages report interop",
    "api": "dialects runtime packages passes frontend interop",
    "__init__": "dialects frontend api",
}
"""For each area the areas that it may import from, besides itself; a name stands for its rooms too.

An area begins the names of its modules inside our package, or inside `lowering`; the longest one
counts. Rows only name what stands above them, so no circle can be.
"""


@cache
def imports_in(source: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The import statements of a file."""
    nodes = ast.walk(ast.parse(source))
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def imported_modules(source: str, module: str) -> Iterator[str]:
    """The absolute names of all modules that a module's import statements name."""
    for node in imports_in(source):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            yield from _imported_from(node, module)


def _imported_from(node: ast.ImportFrom, module: str) -> Iterator[str]:
    if not node.level:
        yield node.module or ""
        return
    parts = module.split(".")[: -node.level]
    base = ".".join([*parts, *([node.module] if node.module else [])])
    yield from (f"{base}.{alias.name}" for alias in node.names)


def begins_with(name: str, area: str) -> bool:
    return name == area or name.startswith(f"{area}.")


def area_of(module: str) -> str:
    """The area of a module, by the name that imports give it; empty where there is none."""
    name = module.removeprefix(f"{PACKAGE}.").removeprefix("lowering.")
    return max((area for area in MAY_IMPORT if begins_with(name, area)), key=len, default="")


def faults(source: str, module: str) -> list[str]:
    """The imports of a module that go against an arrow, or name our package absolutely."""
    own = area_of(module)
    allowed = [
        area for area in MAY_IMPORT for name in MAY_IMPORT[own].split() if begins_with(area, name)
    ]
    names = [name for name in imported_modules(source, module) if name.split(".")[0] == PACKAGE]
    return [name for name in names if area_of(name) not in (own, *allowed)]


def module_name(path: Path) -> str:
    """The name that relative imports in a file start from."""
    return ".".join([PACKAGE, *path.relative_to(ROOT).with_suffix("").parts])


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_imports_follow_the_arrows(folder: str) -> None:
    paths = sources(folder)
    assert paths
    wrong = {
        str(path.relative_to(ROOT)): names
        for path in paths
        if (names := faults(path.read_text(encoding="utf-8"), module_name(path)))
    }
    assert wrong == {}


def test_every_area_stands_below_those_it_imports() -> None:
    areas = list(MAY_IMPORT)
    for index, area in enumerate(areas):
        for name in MAY_IMPORT[area].split():
            assert any(begins_with(above, name) for above in areas[: index + 1]), (area, name)
            assert not any(begins_with(below, name) for below in areas[index + 1 :]), (area, name)


@pytest.mark.parametrize(
    ("module", "statement", "allowed"),
    [
        ("htp_mlir.dialects.htp.base", "from ...runtime import session", False),
        ("htp_mlir.dialects.htp.base", "from ... import runtime", False),
        ("htp_mlir.dialects.htp.base", "import htp_mlir.lowering.api", False),
        ("htp_mlir.dialects.htp.base", "def f():\n    from ...lowering.api import lower", False),
        ("htp_mlir.dialects.htp.base", "from ..checks import require", True),
        ("htp_mlir.runtime.installed.environment", "from ...lowering import lower", False),
        ("htp_mlir.runtime.installed.environment", "from ...dialects import htp", True),
        ("htp_mlir.lowering.api", "from ..runtime import Session", True),
        ("htp_mlir.lowering.packages.package", "from ..passes.lower import Lower", False),
        ("htp_mlir.lowering.packages.package", "from ..importers.onnx import SETS", True),
        ("htp_mlir.lowering.packages.package", "from ..frontend.onnx import supported", False),
        ("htp_mlir.lowering.planner.tiling.chain", "from ...levels import Level", False),
    ],
)
def test_the_check_itself(module: str, statement: str, allowed: bool) -> None:
    assert (faults(statement, module) == []) is allowed


BOTH_WAYS = {
    "dialects/htp/ops": "the table of ops is above them, as is the base that authors of ops import",
    "dialects/qti_aisw/ops": "the same",
    "lowering/passes": "`lower` is public in the folder above, beside the levels",
    "lowering/planner/allocation/packing": "it packs the intervals of the folder above",
}
"""The folders that import from the one above and are imported by it, with the reason."""


@cache
def file_arrows() -> Mapping[str, frozenset[str]]:
    """For each of our modules those that it imports, by the names of both."""
    modules = {module_name(path): path for folder in FOLDERS for path in sources(folder)}
    own = {name.removesuffix(".__init__"): name for name in modules}
    arrows = {}
    for module, path in modules.items():
        names = list(imported_modules(path.read_text(encoding="utf-8"), module))
        ours = (own.get(name) or own.get(name.rpartition(".")[0]) for name in names)
        arrows[module] = frozenset(name for name in ours if name and name != module)
    return arrows


def folder_of(module: str) -> str:
    return "/".join(module.split(".")[1:-1])


def both_ways(arrows: Mapping[str, frozenset[str]]) -> set[str]:
    """The folders with an arrow to the folder above and one from there."""
    steps = {(folder_of(a), folder_of(b)) for a, targets in arrows.items() for b in targets}
    return {a for a, b in steps if (b, a) in steps and a.rpartition("/")[0] == b}


def in_circles(arrows: Mapping[str, frozenset[str]]) -> set[str]:
    """The modules from which imports lead back: those that are never free of what is left."""
    left = dict(arrows)
    while free := {name for name in left if not left.keys() & left[name]}:
        left = {name: targets for name, targets in left.items() if name not in free}
    targets = set[str]().union(*left.values())
    while free := left.keys() - targets:
        left = {name: left[name] for name in left if name not in free}
        targets = set[str]().union(*left.values())
    return set(left)


def test_a_folder_and_the_one_above_import_one_way() -> None:
    assert both_ways(file_arrows()) == BOTH_WAYS.keys()


def test_no_files_import_each_other_in_a_circle() -> None:
    assert not in_circles(file_arrows())


@pytest.mark.parametrize(
    ("arrows", "folders", "circle"),
    [
        ({"p.a.x": ["p.a.b.y"], "p.a.b.y": []}, set(), set()),
        ({"p.a.x": ["p.a.b.y"], "p.a.b.y": ["p.a.z"], "p.a.z": []}, {"a/b"}, set()),
        ({"p.a.x": ["p.a.y"], "p.a.y": ["p.a.z"], "p.a.z": ["p.a.y"]}, set(), {"p.a.y", "p.a.z"}),
    ],
)
def test_the_checks_of_both_ways(
    arrows: dict[str, list[str]], folders: set[str], circle: set[str]
) -> None:
    targets = {name: frozenset(names) for name, names in arrows.items()}
    assert both_ways(targets) == folders
    assert in_circles(targets) == circle


ENTRY_POINTS = {
    "htp_mlir.lowering.frontend.pt2",
    "htp_mlir.lowering.packages.target",
    "htp_mlir.lowering.passes.graph.check_backend",
    "htp_mlir.lowering.reduction.warm",
    "htp_mlir.lowering.report.graph.target",
    "htp_mlir.lowering.sweep.worker",
    "htp_mlir.lowering.testing.plugin",
    "htp_mlir.lowering.testing.strategies",
    "htp_mlir.lowering.tools.commands.encodings",
    "htp_mlir.lowering.tools.commands.gui",
    "htp_mlir.lowering.tools.commands.package",
    "htp_mlir.lowering.tools.commands.passes",
    "htp_mlir.lowering.tools.commands.reduce",
    "htp_mlir.lowering.tools.commands.support",
    "htp_mlir.lowering.tools.commands.sweep",
    "htp_mlir.lowering.universe",
    "htp_mlir.runtime.tools.run_model",
}
"""The modules that pyproject.toml, users or the lists of passes and targets name, and no import."""


SMALL = 60
"""Lines from which on a module that one other imports is a subject of its own."""

ONE_USE = {
    "dialects.text.lexer": "the lexer that Pygments loads",
    "lowering.importers.onnx.blocks": "one module a family of ops",
}
"""Smaller modules with one importer and no test, with the reason; those of ops are families."""


@pytest.mark.slow
def test_a_small_module_has_two_importers_or_a_test() -> None:
    arrows = file_arrows()
    importers = Counter(name for targets in arrows.values() for name in targets)
    tested = {
        name.removeprefix(f"{PACKAGE}.")
        for path in sources("tests")
        for node in imports_in(path.read_text(encoding="utf-8"))
        if isinstance(node, ast.ImportFrom) and not node.level and node.module
        for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
    }
    names = {
        name.removeprefix(f"{PACKAGE}.")
        for name, count in importers.items()
        if count == 1 and not name.endswith("__init__") and ".ops." not in name
    }
    texts = {name: (ROOT / f"{name.replace('.', '/')}.py").read_text("utf-8") for name in names}
    small = {name for name, text in texts.items() if len(text.splitlines()) < SMALL}
    assert small - tested == ONE_USE.keys()


@pytest.mark.slow
def test_every_module_is_imported() -> None:
    modules = {module_name(path): path for folder in FOLDERS for path in sources(folder)}
    names = {
        name
        for module, path in modules.items()
        for name in imported_modules(path.read_text(encoding="utf-8"), module)
    }
    read = names | {name.rpartition(".")[0] for name in names}
    own = {module for module, path in modules.items() if path.name != "__init__.py"}
    assert own - read == ENTRY_POINTS


@pytest.mark.parametrize("folder", FOLDERS)
def test_packages_import_their_own_relatively(folder: str) -> None:
    for path in sources(folder):
        for node in imports_in(path.read_text(encoding="utf-8")):
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").split(".")[0] != PACKAGE, path


def test_value_objects_know_no_ir() -> None:
    for path in sources("dialects/value"):
        names = list(imported_modules(path.read_text(encoding="utf-8"), module_name(path)))
        assert [name for name in names if name.split(".")[0] == "xdsl"] == [], path
        ours = [name for name in names if name.startswith(PACKAGE)]
        assert all(name.startswith(f"{PACKAGE}.dialects.value.") for name in ours), path


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
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
    names = {module_name(path.parent) for folder in FOLDERS for path in sources(folder)}
    assert set(listed["tool"]["setuptools"]["packages"]) == {PACKAGE, *names}
