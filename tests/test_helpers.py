"""A private function earns its name: one that is short and called once is part of its caller."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from .support.paths import ROOT

FOLDERS = ("dialects", "runtime", "lowering")
SHORT = 5
"""The most lines of a body that is no function of its own."""
LONG = 25
"""The most lines of a function."""
DEEP = 3
"""The most levels of statements inside a function."""

_NESTS = (ast.For, ast.If, ast.While, ast.With, ast.Try, ast.Match)
_INLINE = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
_OTHER_TIME = (ast.BoolOp, ast.IfExp, ast.While)
"""Parts that evaluate a call at some times or several times, where statements cannot stand."""

Parents = Mapping[ast.AST, ast.AST]


def names(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield each use of a name, imports included, with its node."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name, node


def body(function: ast.FunctionDef) -> list[ast.stmt]:
    """The statements behind the docstring."""
    return function.body[ast.get_docstring(function) is not None :]


def lines(statements: Sequence[ast.stmt]) -> int:
    return (statements[-1].end_lineno or 0) - statements[0].lineno + 1


def levels(node: ast.AST) -> int:
    inner = max((levels(child) for child in ast.iter_child_nodes(node)), default=0)
    return inner + isinstance(node, _NESTS)


def path_to_caller(node: ast.AST, parents: Parents) -> list[ast.AST]:
    """The nodes around a node, from inside, up to the function that it is in."""
    path = []
    while node in parents and not isinstance(node, ast.FunctionDef):
        node = parents[node]
        path.append(node)
    return path


def fits_in(function: ast.FunctionDef, use: ast.AST, parents: Parents) -> bool:
    """Tell whether a function could be a paragraph of the one that calls it.

    Not so one that is a value, a generator that is collected, one that returns early, or
    statements where an expression must stand; nor one that makes its caller long or deep.
    """
    call, *around = path_to_caller(use, parents)
    if not (isinstance(call, ast.Call) and call.func is use and around):
        return False
    caller, paragraph = around[-1], body(function)
    if not isinstance(caller, ast.FunctionDef) or caller is function:
        return False
    if lines([caller]) + lines(paragraph) - 1 > LONG:
        return False
    inner = list(ast.walk(function))
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in inner):
        bare = isinstance(around[0], ast.YieldFrom)
    else:
        ends = [node for node in inner if isinstance(node, ast.Return)]
        bare = isinstance(around[0], ast.Return) or set(ends) <= {paragraph[-1]}
    if lines(paragraph) == 1 and isinstance(paragraph[0], ast.Return):
        return True
    squeezed = any(isinstance(node, (*_INLINE, *_OTHER_TIME)) for node in around)
    outer = sum(isinstance(node, _NESTS) for node in around)
    return bare and not squeezed and outer + max(map(levels, paragraph)) <= DEEP


def small(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the private functions with short bodies that neither decorators nor types need."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_"):
            narrows = node.returns is not None and "TypeGuard" in ast.unparse(node.returns)
            special = node.name.endswith("__") or node.decorator_list or narrows
            if not special and lines(body(node)) <= SHORT:
                yield node


def unearned(trees: Mapping[str, ast.Module], tests: Sequence[ast.Module] = ()) -> list[str]:
    """List the helpers that are called once, from where they would fit in."""
    shared = set(named_in_tests(tests))
    uses = {path: list(names(tree)) for path, tree in trees.items()}
    imported = Counter(name for each in uses.values() for name, node in each if is_import(node))
    defined = Counter(
        node.name
        for tree in trees.values()
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        for node in owner.body
        if isinstance(node, ast.FunctionDef)
    )
    faults = []
    for path, tree in trees.items():
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for function in small(tree):
            name = function.name
            places = [node for each, node in uses[path] if each == name]
            known = imported[name] or name in shared or defined[name] > 1
            if len(places) == 1 and not known and fits_in(function, places[0], parents):
                faults.append(f"{path}: {name}")
    return faults


def named_in_tests(tests: Sequence[ast.Module]) -> Iterator[str]:
    """Yield the names that tests import, or replace by `monkeypatch.setattr`."""
    for tree in tests:
        for node in ast.walk(tree):
            match node:
                case ast.alias(name=name) | ast.Constant(value=str(name)):
                    yield name


def is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.alias)


@pytest.mark.slow
def test_every_helper_earns_its_name() -> None:
    trees = {
        str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"))
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
    }
    tests = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "tests").rglob("*.py")]
    assert unearned(trees, tests) == []


HELPER = "def _half(x):\n    y = x / 2\n    return y\n"


@pytest.mark.parametrize(
    ("source", "faulty"),
    [
        (HELPER + "def f(x):\n    return _half(x) + 1", True),
        (HELPER + "def f(x):\n    return _half(x) + _half(1)", False),
        (HELPER + "def f(x):\n    return map(_half, x)", False),
        (HELPER + "def f(x):\n    return [_half(y) for y in x]", False),
        (HELPER + "def f(x):\n    return x and _half(x)", False),
        ("def _one():\n    return 1\n" + "def f(x):\n    return x and _one()", True),
        ("@cache\n" + HELPER + "def f(x):\n    return _half(x)", False),
        (HELPER + "def f(x):\n" + "    x += 1\n" * 23 + "    return _half(x)", False),
        ("def _sign(x):\n    if x:\n        return 1\n    return 0\nf = lambda x: _sign(x)", False),
        (
            "def _sign(x):\n    if x:\n        return 1\n    return 0\n"
            "def f(x):\n    return _sign(x)",
            True,
        ),
        (
            "def _sign(x):\n    if x:\n        return 1\n    return 0\n"
            "def f(x):\n    y = _sign(x)\n    return y",
            False,
        ),
        ("def _all(x):\n    yield from x\ndef f(x):\n    return list(_all(x))", False),
        ("def _all(x):\n    yield from x\ndef f(x):\n    yield from _all(x)", True),
    ],
)
def test_the_check_of_helpers(source: str, faulty: bool) -> None:
    assert bool(unearned({"here.py": ast.parse(source)})) is faulty


def test_a_helper_of_several_modules_or_classes_stays() -> None:
    helper = ast.parse(HELPER + "def f(x):\n    return _half(x)")
    other = ast.parse("from here import _half")
    assert unearned({"here.py": helper, "there.py": other}) == []
    assert unearned({"here.py": helper}, [other]) == []
    assert unearned({"here.py": helper}, [ast.parse('setattr(here, "_half", abs)')]) == []
    method = (
        "class {}:\n"
        "    def _n(self):\n        return 1\n"
        "    def f(self):\n        return self._n()\n"
    )
    assert unearned({"here.py": ast.parse(method.format("A"))}) == ["here.py: _n"]
    assert unearned({"here.py": ast.parse(method.format("A") + method.format("B"))}) == []
