"""Every page's code blocks do what the page says, and its links lead somewhere."""

import re
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from ..support.paths import ROOT
from .code_blocks import FENCED, BlockError, blocks, is_run, run_page

DOCS = ROOT / "docs"
ELSEWHERE = {
    "reference/": "generated: the examples run where they are declared",
    "examples/": "run by the tests of these packages",
    "passes/first_pass.md": "installs a package: run by test_first_pass.py",
}
"""The pages of docs/, by how their names begin, whose blocks run elsewhere, and where that is."""
NOT_RUN = {
    "block_ops.md": ("text", "printed by an example that needs PyTorch"),
    "editors.md": ("json", "settings of editors"),
    "gui.md": ("console", "opens an app on the terminal"),
    "packages/scratch.md": ("cpp", "declarations that are only shown"),
    "quantisation.md": ("text", "lines of a report of a quantised model"),
    "streaming.md": ("console", "needs a microphone"),
    "text.md": ("text", "a line of a file"),
}
"""The pages of docs/ that have a block that is no command and nothing to read, and the reason."""
ALL = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
PAGES = [
    path
    for path in ALL
    if DOCS not in path.parents or not str(path.relative_to(DOCS)).startswith((*ELSEWHERE,))
]
LINKED = ALL
LONG = (
    *("README.md", "tour.md", "memory_report.md", "starting.md", "first_package.md", "testing.md"),
    *("sweeps.md", "cpp.md", "from_gru_to_htp.md", "checking_rules.md", "seeing.md"),
    *("following_passes.md", "quantisation.md", "pytorch.md"),
)
"""Pages that lint all rules, compile C++, lower a whole model or start many processes."""

NEEDS = re.compile(r"<!-- needs: ([\w+-]+) -->")
"""The comment of a page whose blocks need a package or a program that may be absent."""
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _case(page: Path) -> ParameterSet:
    """A page, with the needs that it states."""
    names = NEEDS.findall(page.read_text(encoding="utf-8"))
    return pytest.param(page, id=_name(page), marks=[pytest.mark.needs(name) for name in names])


@pytest.mark.one_per
@pytest.mark.parametrize("page", [_case(page) for page in PAGES if page.name not in LONG])
def test_blocks_do_what_the_page_says(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)


def test_pages_that_run_elsewhere_have_blocks() -> None:
    for name in ELSEWHERE:
        pages = [page for page in ALL if str(page).startswith(str(DOCS / name))]
        assert any(blocks(page.read_text(encoding="utf-8")) for page in pages), name


def test_every_block_runs_or_has_a_reason() -> None:
    idle = {
        str(page.relative_to(DOCS)): block.language
        for page in PAGES
        if DOCS in page.parents
        for block in blocks(page.read_text(encoding="utf-8"))
        if not is_run(block)
    }
    assert idle == {name: language for name, (language, _) in NOT_RUN.items()}
    for page in PAGES:
        text = FENCED.sub("", page.read_text(encoding="utf-8"))
        assert not re.search(r"^\n {4}(htp-|pip |python |make )", text, re.M), f"{page}: indented"


@pytest.mark.slow
@pytest.mark.parametrize("page", [_case(page) for page in PAGES if page.name in LONG])
def test_blocks_do_what_the_long_page_says(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)


TORCH = {"htp_mlir.lowering.frontend.torch"}
"""The modules that need PyTorch."""
PUBLIC = {
    "htp_mlir.dialects.htp",
    "htp_mlir.dialects.qti_aisw",
    "htp_mlir.lowering",
    "htp_mlir.lowering.frontend.onnx.blocks",
    "htp_mlir.lowering.packages",
    "htp_mlir.lowering.plugins",
    "htp_mlir.lowering.quantization",
    "htp_mlir.lowering.report.measured",
    "htp_mlir.lowering.report.run",
    "htp_mlir.lowering.rules",
    "htp_mlir.lowering.rules.lint",
    "htp_mlir.lowering.rules.soundness",
    "htp_mlir.lowering.sweep",
    "htp_mlir.lowering.testing",
    "htp_mlir.lowering.testing.strategies",
    "htp_mlir.runtime",
    "htp_mlir.runtime.passes",
}
"""The modules whose names users are to use."""
SHOWN = [
    *PAGES,
    *sorted((ROOT / "docs" / "passes").glob("*.md")),
    *sorted((ROOT / "docs" / "examples").glob("*_package/*.*")),
    ROOT / "lowering" / "packages" / "skeleton.py",
]
_IMPORT = re.compile(r"^(?:from|import) (htp_mlir[\w.]*)", re.MULTILINE)


@pytest.mark.parametrize("page", SHOWN, ids=_name)
def test_only_public_modules_are_imported(page: Path) -> None:
    assert {*_IMPORT.findall(page.read_text(encoding="utf-8"))} - PUBLIC - TORCH == set()


def test_what_the_commands_of_the_readme_leave_behind_is_ignored_by_git() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = "\n".join(block.text for block in blocks(page) if block.language == "sh")
    left = {*re.findall(r"-o ([\w.]+)", commands)}
    assert {"lowered.mlir", "memory.html"} <= left
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    assert [name for name in left if f"/{name}" not in ignored] == []


@pytest.mark.parametrize("page", LINKED, ids=_name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = _LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_a_page_is_marked_with_what_it_needs() -> None:
    (mark,) = _case(DOCS / "pytorch.md").marks
    assert (mark.name, mark.args) == ("needs", ("torch",))
    assert not _case(DOCS / "text.md").marks


def _run(text: str, folder: Path) -> None:
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    run_page(page, folder)


def test_a_text_block_belongs_to_the_block_before_it() -> None:
    page = "a\n```python\nx\n```\n\n```text\n1\n```\nwords\n```text\n2\n```\n"
    first, second = blocks(page)
    assert (first.language, first.text, first.line, first.expected) == ("python", "x\n", 3, "1\n")
    assert (second.language, second.expected) == ("text", None)


GOOD = {
    "one namespace": "```python\nx = 1\n```\n```python\nprint(x)\n```\n```text\n1\n```\n",
    "ellipsis": "```python\nprint('took 3 ms')\n```\n```text\ntook ... ms\n```\n",
    "in a list": "- so:\n  ```python\n  print(1)\n  ```\n  ```text\n  1\n  ```\n",
    "saved": "```python\n# file: made.py\n1 / 0\n```\n```python\nwith open('made.py'): pass\n```\n",
    "continued": (
        "```python\n# file: made.py\nx = 1\n```\n"
        "```python\n# file: made.py, continued\nassert x == 1\ny = 2\n```\n"
        "```python\nimport runpy\nprint(runpy.run_path('made.py')['y'])\n```\n```text\n2\n```\n"
    ),
    "docs in reach": "```python\nopen('docs/generate_reference.py').close()\n```\n",
    "module": "```mlir\nfunc.func @main() {\n  func.return\n}\n```\n",
    "command": "```sh\n# in the repository\npip install x\nmake test\n. .venv/bin/activate\n```\n",
    "other language": "```cpp\nnot run\n```\n",
}
BAD = {
    "exception": ("```python\n\n1 / 0\n```\n", "page.md:2: ZeroDivisionError"),
    "output": ("```python\nprint(1)\n```\n```text\n2\n```\n", "page.md:2: prints something else"),
    "module": ("```mlir\nfunc.func @main() {\n```\n", "page.md:2: ParseError"),
    "program": ("```sh\nhtp-otp x.mlir\n```\n", "'htp-otp' cannot be run in process"),
    "script": ("```sh\npython docs/gone.py\n```\n", "there is no file docs/gone.py"),
    "environment": ("```sh\n. env/bin/activate\n```\n", "make does not write 'env/bin/activate'"),
    "target": ("```sh\nmake gone\n```\n", "the Makefile has no target gone"),
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD.keys())
def test_good_page_passes(text: str, tmp_path: Path) -> None:
    _run(text, tmp_path)


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD.keys())
def test_bad_page_fails(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BlockError, match=re.escape(message)):
        _run(text, tmp_path)
