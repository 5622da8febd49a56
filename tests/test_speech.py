"""Docstrings and names keep to the plain speech that CONTRIBUTING.md asks for."""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from .support.paths import ROOT

FOLDERS = ("dialects", "runtime", "lowering")
ALL = (*FOLDERS, "package", "tests", "docs")
RIDDLES = re.compile(r"(What|Whether|How|Where|Why|Who)\b")
"""Beginnings of first lines that name no subject."""
NAMELESS = {"found", "held", "made", "given"}
"""Names that fit any value, so that they say nothing about one."""
_NAME = "|".join(sorted(NAMELESS))
ASSIGNED = re.compile(
    rf"^ *(?:for |with .* as )?(?:\w+, )*(?:{_NAME})(?:, \w+)*(?: = | in |:$).*", re.MULTILINE
)
"""Lines of a page's code that bind such a name; blocks of code need not be whole statements."""
BANNED = re.compile(r"\b(mends?|mended|so many|such a one|homely)\b", re.IGNORECASE)
DENSE = re.compile(
    r"\b(?<!there )(is|are) no (?!longer\b|more\b)\w+|\btold\b|\bstands? for\b"
    r"|\bin the place of\b|\btakes? the place of\b|\b(those|ones?) of them that\b"
    r"|\bas (it is|they are)(?! (\w+(ed|n|ly)|made|now|by)\b)",
    re.IGNORECASE,
)
"""Words that are read twice: say `is not a`, `said`, `represents`, `in place of`, `unchanged`."""
QUOTED = re.compile(r'^ *```.*?^ *```|`[^`\n]+`|"[^"\n]*"|^#.*?$', re.MULTILINE | re.DOTALL)
"""The parts of a page that are not prose: blocks, code, quotations, headings."""
NOT_YET = "lowering/planner"
"""The room whose docstrings may still have these words."""


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each docstring, those of constants included."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            continue
        for statement in node.body:
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield statement.lineno, text


def riddles(source: str) -> list[str]:
    """List the docstrings whose first line names no subject or that use a banned word."""
    return [
        f"{line}: {text.strip().splitlines()[0]}"
        for line, text in docstrings(ast.parse(source))
        if RIDDLES.match(text) or BANNED.search(text)
    ]


def nameless(source: str) -> list[str]:
    """List the places where a variable or a parameter has a name that fits any value."""
    places = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) if name in NAMELESS:
                places.append(f"{node.lineno}: {name}")
    return places


def dense(source: str) -> list[str]:
    """List the docstrings with words that are read twice."""
    texts = ((line, " ".join(text.split())) for line, text in docstrings(ast.parse(source)))
    return [f"{line}: {match[0]}" for line, text in texts if (match := DENSE.search(text))]


def sources(folders: Sequence[str]) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.slow
def test_docstrings_name_their_subject() -> None:
    faults = {str(path): riddles(path.read_text(encoding="utf-8")) for path in sources(FOLDERS)}
    assert {path: lines for path, lines in faults.items() if lines} == {}


@pytest.mark.slow
def test_docstrings_are_read_once() -> None:
    paths = {path.relative_to(ROOT).as_posix(): path for path in sources(FOLDERS)}
    faults = {
        name: dense(path.read_text(encoding="utf-8"))
        for name, path in paths.items()
        if not name.startswith(NOT_YET)
    }
    assert {name: lines for name, lines in faults.items() if lines} == {}


def test_pages_are_read_once() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    own = [page for page in pages if page.parent.name not in ("reference", "benchmarks")]
    prose = {page: " ".join(QUOTED.sub("", page.read_text("utf-8")).split()) for page in own}
    assert {page: match[0] for page, text in prose.items() if (match := DENSE.search(text))} == {}


@pytest.mark.parametrize(
    ("text", "faulty"),
    [
        ("What is no op.", True),
        ("The names that are\nno passes.", True),
        ("None where there is no file.", False),
        ("It is no longer there.", False),
        ("`*` stands for any letters.", True),
        ("The reason is told.", True),
        ("Other nodes stay as they are.", True),
        ("Elements move as they are stored.", False),
        ("Block ops in the place of others.", True),
    ],
)
def test_the_check_of_dense_words(text: str, faulty: bool) -> None:
    assert bool(dense(f'"""{text}"""')) is faulty


@pytest.mark.slow
def test_variables_have_names_of_their_own() -> None:
    faults = {str(path): nameless(path.read_text(encoding="utf-8")) for path in sources(ALL)}
    assert {path: names for path, names in faults.items() if names} == {}


def test_variables_of_pages_have_names_of_their_own() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    faults = {str(page): ASSIGNED.findall(page.read_text(encoding="utf-8")) for page in pages}
    assert {page: lines for page, lines in faults.items() if lines} == {}


@pytest.mark.parametrize(
    ("source", "faulty"),
    [
        ('"""What an op needs."""', True),
        ('"""The bytes that an op needs."""', False),
        ('N = 3\n"""How many tiles."""', True),
        ('def f():\n    """Mend the graph."""', True),
        ('def f():\n    """Fix the graph; whatever it is."""', False),
    ],
)
def test_the_check_of_docstrings(source: str, faulty: bool) -> None:
    assert bool(riddles(source)) is faulty


@pytest.mark.parametrize(("source", "faulty"), [("found = 1", True), ("op = 1", False)])
def test_the_check_of_names(source: str, faulty: bool) -> None:
    assert bool(nameless(source)) is faulty


@pytest.mark.parametrize(
    ("line", "faulty"),
    [
        ("found = run()", True),
        ("    wanted, made = run()", True),
        ("for held in ops:", True),
        ("self.made = {}", False),
        ("What is given in a file counts.", False),
    ],
)
def test_the_check_of_pages(line: str, faulty: bool) -> None:
    assert bool(ASSIGNED.search(line)) is faulty
