"""The page of public Python names: complete, with what each raises."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from textwrap import dedent
from types import ModuleType

import pytest

from .test_code_blocks import PUBLIC, TORCH

MODULES = [
    *sorted(PUBLIC),
    *(pytest.param(name, marks=pytest.mark.needs("torch")) for name in TORCH),
]
ERROR = re.compile(r"\b[A-Z]\w*(Error|Exception|Fault)\b")


@pytest.fixture(scope="module", name="python")
def _python(generator: ModuleType) -> ModuleType:
    module = generator.python_reference
    assert isinstance(module, ModuleType)
    return module


@pytest.fixture(scope="module", name="page")
def _page(generator: ModuleType) -> str:
    text = generator.page("python.md")
    assert isinstance(text, str)
    return text


@pytest.mark.slow
def test_every_public_module_has_a_section(generator: ModuleType, page: str) -> None:
    assert {*re.findall(r"^## `(.+)`$", page, re.MULTILINE)} == PUBLIC
    torch = (generator.FOLDER / generator.TORCH_PAGE).read_text(encoding="utf-8")
    assert {*re.findall(r"^## `(.+)`$", torch, re.MULTILINE)} == TORCH


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_in_the_reference(
    generator: ModuleType, python: ModuleType, page: str, module: str
) -> None:
    page += (generator.FOLDER / generator.TORCH_PAGE).read_text(encoding="utf-8")
    shown = {*re.findall(r"^### (\w+)$", page, re.MULTILINE), *python._ROW.findall(page)}
    shown |= {*python._ROW.findall(generator.page("rules.md"))}
    ops = {op.__name__ for op in (*generator.NATIVE_OPS.values(), *generator.MODULE_OPS)}
    names = {*python.public_names(import_module(module))}
    assert names
    assert names - shown - ops == set()


def functions(owner: object) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield a function, or the public methods of a class that have docstrings of their own."""
    if inspect.isfunction(owner):
        yield owner.__name__, owner
    elif isinstance(owner, type):
        for name, member in vars(owner).items():
            if name[0] != "_" and inspect.isfunction(member) and member.__doc__:
                yield f"{owner.__name__}.{name}", member


def raises(function: Callable[..., object]) -> bool:
    tree = ast.parse(dedent(inspect.getsource(function)))
    return any(isinstance(node, ast.Raise) and node.exc for node in ast.walk(tree))


@pytest.mark.parametrize("module", MODULES)
def test_what_a_function_raises_is_said(python: ModuleType, module: str) -> None:
    values = [
        getattr(import_module(module), name) for name in python.public_names(import_module(module))
    ]
    silent = [
        name
        for value in values
        for name, function in functions(value)
        if raises(function) and not ERROR.search(function.__doc__ or "")
    ]
    assert silent == []


@pytest.mark.slow
def test_what_is_raised_stands_apart_from_what_is_said(page: str) -> None:
    entry = page.split("### priority_of\n")[1].split("\n### ")[0]
    assert "priority_of(text: str) -> int" in entry
    assert "Parse `EARLY`, `EARLY+2`, `LATE-1` or `2001`.\n" in entry
    assert "Raises: HtpError for anything else.\n" in entry


@pytest.mark.slow
def test_attributes_and_properties_are_members(page: str) -> None:
    entry = page.split("### Session\n")[1].split("\n### ")[0]
    assert "- `outputs: Mapping[str, TensorSpec]`: The model's outputs by name." in entry
    assert "- `label: str`: The op as messages name it: `htp.Add 'node' (op 3)`." in page


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def bare(): pass", "bare"),
        ("class Bare: pass", "Bare"),
        ("from dataclasses import dataclass\n@dataclass\nclass Bare:\n    n: int", "Bare"),
    ],
)
def test_a_name_without_a_docstring_is_an_error(python: ModuleType, source: str, name: str) -> None:
    namespace: dict[str, object] = {"__name__": __name__}
    exec(source, namespace)
    with pytest.raises(ValueError, match=f"{name}: there is no docstring"):
        python._entry(python.Public(name, namespace[name]))


def test_an_assignment_without_a_docstring_is_an_error(python: ModuleType) -> None:
    with pytest.raises(ValueError, match="N: the assignment has no docstring"):
        python._entry(python.Public("N", 3, "N = 3"))
    assert python._entry(python.Public("N", 3, "N = 3", "Three.")).endswith("N = 3\n```\n\nThree.")


def test_long_signatures_have_a_line_for_each_parameter(python: ModuleType) -> None:
    def short(a: int, *, b: str = "x") -> None: ...
    def long(
        first: dict[str, list[int]], *others: str, last: tuple[int, ...] = (), **further: int
    ) -> str: ...

    assert python._signature("short", short) == "short(a: int, *, b: str = 'x') -> None"
    assert python._signature("long", long).splitlines() == [
        "long(",
        "    first: dict[str, list[int]],",
        "    *others: str,",
        "    last: tuple[int, ...] = (),",
        "    **further: int,",
        ") -> str",
    ]
