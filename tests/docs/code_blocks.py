"""The code blocks of a documentation page, run from top to bottom in one folder.

| block | what happens |
|---|---|
| `python` | runs in the page's one namespace |
| `sh` | each line runs, our tools in process; a leading `!` means that it must fail |
| `mlir` | its RUN lines run; without any, it is parsed and verified |
| `text` right after one of these | is the expected output; `...` stands for anything |
| any whose first line is a comment `file: NAME` | is saved under that name; python does not run |
| the same with `file: NAME, continued` | is added to the end of that file |

Other languages, and blocks without one, are left alone.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, replace
from doctest import ELLIPSIS, Example, OutputChecker
from io import StringIO
from pathlib import Path
from textwrap import dedent
from types import ModuleType

from htp_mlir.lowering.testing.programs import Programs
from htp_mlir.lowering.testing.runner import Suite, line_status, run_file, run_line
from htp_mlir.lowering.testing.syntax import RunLine, Substitutions, pipelines

from ..support.paths import ROOT
from ..support.roundtrip import parse

FENCED = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)[^\n`]*\n(?P<text>.*?)^ *```[ ]*$", re.M | re.S
)
_FILE = re.compile(r"(?:#|//) file: ([^\s,]+)(, continued)?\n")
IN_PROCESS = Programs(external=frozenset(["lit", "pytest", "mlir-opt-22"]))
"""Our programs in this process."""
_TARGET = re.compile(r"^([\w-]+):", re.M)


class BlockError(Exception):
    """A block that does not do what the page says."""


@dataclass(frozen=True)
class Block:
    """A fenced block; `line` is that of its first line of text, `expected` its stated output."""

    language: str
    text: str
    line: int
    expected: str | None = None


def blocks(page: str) -> list[Block]:
    """The blocks of a page, each with the output that is stated right after it."""
    read: list[Block] = []
    end = 0
    for match in FENCED.finditer(page):
        line = page.count("\n", 0, match.start("text")) + 1
        block = Block(match["language"], dedent(match["text"]), line)
        follows = bool(read) and not page[end : match.start()].strip()
        if block.language == "text" and follows and read[-1].language in _RUNNERS:
            read[-1] = replace(read[-1], expected=block.text)
        else:
            read.append(block)
        end = match.end()
    return read


@dataclass(frozen=True)
class Page:
    """A page at work: its file, the namespace of its python blocks, and the programs it may run."""

    path: Path
    namespace: ModuleType
    programs: Programs


def is_run(block: Block) -> bool:
    """Tell whether a block is run, or saved as a file that others read."""
    return block.language in _RUNNERS or _FILE.match(block.text) is not None


def run_page(path: Path, folder: Path, programs: Programs = IN_PROCESS) -> None:
    """Run a page's blocks in a folder from which the repository's docs/ can be reached.

    BlockError names the line of the first block that fails or prints something else.
    """
    (folder / "docs").symlink_to(ROOT / "docs")
    namespace = ModuleType(f"page_{path.stem.lower().replace('-', '_')}")
    sys.modules[namespace.__name__] = namespace
    try:
        with chdir(folder):
            for block in blocks(path.read_text(encoding="utf-8")):
                _run(block, Page(path, namespace, programs))
    finally:
        del sys.modules[namespace.__name__]


def _run(block: Block, page: Page) -> None:
    where = f"{page.path.name}:{block.line}"
    saved = _FILE.match(block.text)
    if saved is not None:
        Path(saved[1]).parent.mkdir(parents=True, exist_ok=True)
        with Path(saved[1]).open("a" if saved[2] else "w", encoding="utf-8") as file:
            file.write(block.text)
    runner = None if saved and block.language == "python" else _RUNNERS.get(block.language)
    if runner is None:
        return
    try:
        printed = runner(block, page)
    except Exception as error:
        raise BlockError(f"{where}: {type(error).__name__}: {error}") from error
    if block.expected is not None:
        _compare(block.expected, printed, where)


def _compare(expected: str, printed: str, where: str) -> None:
    want, got = f"{expected.strip()}\n", f"{printed.strip()}\n"
    checker = OutputChecker()
    if not checker.check_output(want, got, ELLIPSIS):
        difference = checker.output_difference(Example("", want), got, ELLIPSIS)
        raise BlockError(f"{where}: prints something else\n{difference}")


def _python(block: Block, page: Page) -> str:
    code = compile("\n" * (block.line - 1) + block.text, page.path, "exec")
    out = StringIO()
    with redirect_stdout(out):
        exec(code, vars(page.namespace))
    return out.getvalue()


def _mlir(block: Block, page: Page) -> str:
    if "RUN:" not in block.text:
        parse(block.text)
        return ""
    source = Path(f"line_{block.line}.mlir").absolute()
    source.write_text(block.text, encoding="utf-8")
    run_file(source)
    return ""


def _shell(block: Block, page: Page) -> str:
    return "".join(_command(line, page.programs) for line in _lines(block.text))


def _lines(text: str) -> Iterator[str]:
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()


def _command(line: str, programs: Programs) -> str:
    must_fail = line.startswith("! ")
    text = line.removeprefix("! ").replace("%", "%%")
    (first, *_) = pipelines(text)[0].stages
    if first.program in _NOT_RUN.keys() - programs.external:
        _NOT_RUN[first.program](first.words[1:])
        return ""
    stages = run_line(RunLine(text, 1), Suite(programs), Substitutions(Path("%s"), Path("%t")))
    status, out = line_status(stages), stages[-1].outcome.out
    err = "".join(stage.outcome.err for stage in stages)
    if bool(status) is not must_fail:
        raise BlockError(f"exit status {status}: {line}\n{err}{out}")
    return out + err


def _script_exists(words: tuple[str, ...]) -> None:
    scripts = [word for word in words if word.endswith(".py")]
    missing = [word for word in scripts if not (ROOT / word).exists()]
    if missing:
        raise BlockError(f"there is no file {missing[0]}")


def _target_exists(words: tuple[str, ...]) -> None:
    known = _TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8"))
    unknown = [word for word in words if word not in known]
    if unknown:
        raise BlockError(f"the Makefile has no target {unknown[0]}")


def _anything(words: tuple[str, ...]) -> None:
    """Accepts every command line."""


def _make_writes(arguments: tuple[str, ...]) -> None:
    """Refuse a script to source that is not of the environment that make makes."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    folder, _, script = arguments[0].partition("/")
    if f"VENV := {folder}\n" not in makefile or script != "bin/activate":
        raise BlockError(f"make does not write '{arguments[0]}'")


_RUNNERS: dict[str, Callable[[Block, Page], str]] = {
    "python": _python,
    "mlir": _mlir,
    "sh": _shell,
}
_NOT_RUN: dict[str, Callable[[tuple[str, ...]], None]] = {
    "pip": _anything,
    "git": _anything,
    "cd": _anything,
    "python": _script_exists,
    "make": _target_exists,
    ".": _make_writes,
}
"""Programs that a page may name and a test does not run; what is looked at instead."""
