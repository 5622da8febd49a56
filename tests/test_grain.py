"""The grain of the code: how long files and functions are, how full folders, one class per name."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from .support.paths import ROOT

FOLDERS = ("dialects", "runtime", "lowering")

MOST_LINES = 400
"""Lines of one file; what grows beyond is parted by what it says."""

MOST_OF_FUNCTION = 40
"""Lines of one function, with its docstring."""


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def long_functions(source: str) -> list[str]:
    """The names of functions of more lines than one may have."""
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MOST_OF_FUNCTION
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_and_no_function_is_long(folder: str) -> None:
    for path in sources(folder):
        source = path.read_text(encoding="utf-8")
        assert len(source.splitlines()) <= MOST_LINES, path
        assert long_functions(source) == [], path


@pytest.mark.parametrize(("lines", "names"), [(39, []), (40, ["f"])])
def test_the_length_of_a_function_counts_its_head(lines: int, names: list[str]) -> None:
    assert long_functions("def f():\n" + "    pass\n" * lines) == names


MOST_MODULES = 18
"""Modules in one folder; what grows beyond is parted into rooms."""

FAMILIES = {"dialects/htp/ops", "dialects/qti_aisw/ops"}
"""Folders of ops, one module a family: as many as there are families."""


@pytest.mark.parametrize("folder", [*FOLDERS, "tests"])
def test_no_folder_is_crowded(folder: str) -> None:
    modules = [path for path in sources(folder) if path.name != "__init__.py"]
    rooms = Counter(path.parent.relative_to(ROOT).as_posix() for path in modules)
    assert {room for room, count in rooms.items() if count > MOST_MODULES} <= FAMILIES


TWO_MEANINGS = {
    "BufferMode": "the words of a graph op's param, and the numbers of a native op's",
    "Builder": "public in `packages` and in `rules`",
    "Direction": "the words of a graph op's param, and the recurrence of arrays",
    "MaskMode": "the words of a graph op's param, and the numbers of a native op's",
}
"""Names that stand for two classes, with the reason."""


def _class_names(folder: str) -> Iterator[str]:
    """The classes of a folder, without the ops of the dialects, many of which are in both."""
    paths = (
        path
        for path in sources(folder)
        if folder != "dialects" or "ops" not in path.relative_to(ROOT).parts
    )
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in paths)
    return (node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))


@pytest.mark.slow
def test_a_class_name_has_one_meaning() -> None:
    counts = Counter(name for folder in FOLDERS for name in _class_names(folder))
    assert {name for name, count in counts.items() if count > 1} == TWO_MEANINGS.keys()


def defined_twice(source: str) -> list[str]:
    """The functions and classes of a module that a later one of the same name replaces."""
    body = ast.parse(source).body
    names = (node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return [name for name, count in Counter(names).items() if count > 1]


@pytest.mark.slow
@pytest.mark.parametrize("folder", [*FOLDERS, "tests"])
def test_no_definition_replaces_another(folder: str) -> None:
    assert [path for path in sources(folder) if defined_twice(path.read_text("utf-8"))] == []


def test_a_second_definition_is_seen() -> None:
    assert defined_twice("def f(): ...\ndef g(): ...\ndef f(): ...") == ["f"]
