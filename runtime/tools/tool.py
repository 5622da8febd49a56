"""Exit statuses, versions, progress and runs inside this process, for all command-line tools.

Nothing is imported here that a command without work to do can go without.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TextIO

from ...dialects.diagnostics import DEBUG, DIAGNOSTICS, fail, harmless, one_line
from ...dialects.version import VERSION
from ..files.atomic import Parts, write_files

Show = Callable[[str], None]
"""Shows a text in place of the last one; the empty text wipes the line, for other output."""

_WIPE = "\r\x1b[K"
_COLUMNS = 80
"""Width of a terminal that does not tell its own, in columns."""


class _Line:
    """The last line of a terminal."""

    def __init__(self, terminal: TextIO) -> None:
        self.terminal = terminal
        self._is_shown = False

    def show(self, text: str) -> None:
        """Show a text in place of the last one."""
        self._is_shown = bool(text)
        self.terminal.write(_WIPE + text[: _columns(self.terminal) - 1])
        self.terminal.flush()

    def wipe(self) -> None:
        """Wipe the line, if it shows anything."""
        if self._is_shown:
            self.show("")


class _Above(StringIO):
    """A terminal's stream for all other text, which wipes the line first."""

    def __init__(self, line: _Line) -> None:
        super().__init__()
        self._line = line

    def write(self, text: str) -> int:
        self._line.wipe()
        count = self._line.terminal.write(text)
        self._line.terminal.flush()
        return count

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._line.terminal.fileno()


_LINE: ContextVar[_Line | None] = ContextVar("progress", default=None)


@contextmanager
def progress_on(stream: TextIO) -> Iterator[TextIO]:
    """Show progress on a stream inside the block; give the stream for all other text on it."""
    can_wipe = stream.isatty() and os.environ.get("TERM") != "dumb"
    line = _Line(stream) if can_wipe else None
    token = _LINE.set(line)
    try:
        yield _Above(line) if line else stream
    finally:
        _LINE.reset(token)


@contextmanager
def progress() -> Iterator[Show]:
    """Give the function that shows progress; where nobody could see the line it does nothing."""
    line = _LINE.get()
    if line is None:
        yield lambda text: None
        return
    try:
        yield line.show
    finally:
        line.show("")


def wipe_progress() -> None:
    """Wipe the line before text on another stream of the same terminal."""
    if line := _LINE.get():
        line.wipe()


def _columns(stream: TextIO) -> int:
    """Return the width of a terminal; a line that is longer would leave its first part behind."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or _COLUMNS
    except OSError:
        return _COLUMNS


Main = Callable[[Sequence[str]], None]
_UNFINISHED = "no output was written; reports and dumps tell of what was done"
VERSION_FLAGS = ("-v", "--version")
_INTERRUPTED_STATUS = 130
"""The status of a process that Ctrl-C ended, as shells know it."""


class ToolOutcome(NamedTuple):
    """The exit status of a tool and its two streams."""

    status: int
    out: str
    err: str


def print_version(name: str) -> None:
    """Print the versions of a tool and of xDSL."""
    from xdsl import __version__

    print(f"{name} {VERSION}, xdsl {__version__}")


_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")


class _Terminal(TextIOWrapper):
    """A terminal that takes no commands but colours: names in a file may hold others."""

    def write(self, text: str) -> int:
        parts = _COLOUR.split(text)
        super().write("".join(p if n % 2 else harmless(p) for n, p in enumerate(parts)))
        return len(text)


@dataclass(frozen=True)
class Tool:
    """A command: to call it is to run it on this process's arguments and to exit.

    It answers `--version` itself, so that the answer costs no import of what the command does.
    """

    name: str
    work: Main

    def run_arguments(self, argv: Sequence[str]) -> None:
        """Do what the arguments ask for."""
        if any(flag in argv for flag in VERSION_FLAGS):
            print_version(self.name)
        else:
            self.work(argv)

    def __call__(self) -> None:
        out = sys.stdout
        if isinstance(out, TextIOWrapper):
            # In a pipe too, what both streams say stays in order.
            out.reconfigure(line_buffering=True)
            if out.isatty():
                sys.stdout = _Terminal(out.buffer, out.encoding, out.errors, None, True)
        sys.exit(run_tool(self.run_arguments, sys.argv[1:]))

    def run(self, argv: Sequence[str], stdin: str | bytes = "") -> ToolOutcome:
        """Run the command in this process: exit status, stdout and stderr."""
        return run_in_process(self.run_arguments, argv, stdin)


def _wants_json(argv: Sequence[str]) -> bool:
    return f"{DIAGNOSTICS}=json" in argv or (DIAGNOSTICS, "json") in pairwise(argv)


@contextmanager
def _json_notes() -> Iterator[None]:
    """Print notes as JSON."""
    from ...dialects.faults.notes import notes_to
    from .errors import record

    with notes_to(lambda fault: print(record(fault, "note"), end="", file=sys.stderr)):
        yield


def run_tool(main: Main, argv: Sequence[str]) -> int:
    """Run a tool's main function; give its exit status: 0, or 1 with two lines on stderr.

    After Ctrl-C it is 130, and the two lines say where the run was and what it left. `--debug`
    among the arguments shows the traceback, `--diagnostics=json` prints each fault as JSON.
    """
    as_json = _wants_json(argv)
    try:
        with (
            progress_on(sys.stderr) as errors,
            redirect_stderr(errors),
            _json_notes() if as_json else nullcontext(),
        ):
            copy_context().run(main, argv)
        return 0
    except SystemExit as stop:
        if isinstance(stop.code, str):
            print(one_line(stop.code), file=sys.stderr)
        return int(stop.code not in (None, 0))
    except BrokenPipeError:
        return _quiet()
    except KeyboardInterrupt as error:
        # Of a run that Ctrl-C ends by design nothing is noted.
        where, *left = getattr(error, "__notes__", ()) or ("",)
        if where:
            print(f"interrupted {where}\n  {left[0] if left else _UNFINISHED}", file=sys.stderr)
        return _INTERRUPTED_STATUS
    except BaseException as error:
        from .errors import explain, report

        sys.stderr.write(report(error, explain(error), DEBUG in argv, as_json))
        return 1


def run_in_process(main: Main, argv: Sequence[str], stdin: str | bytes = "") -> ToolOutcome:
    """Run a tool's main function on its own streams; for tests."""
    out, err = StringIO(), StringIO()
    with ExitStack() as stack:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        source = TextIOWrapper(BytesIO(data), encoding="utf-8")
        stack.enter_context(_stdin(source))
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        status = run_tool(main, argv)
    return ToolOutcome(status, out.getvalue(), err.getvalue())


@contextmanager
def _stdin(source: TextIO) -> Iterator[None]:
    before, sys.stdin = sys.stdin, source
    try:
        yield
    finally:
        sys.stdin = before


_NOT_TEXT = (".pdf", ".png", ".jpg", ".zip", ".npz", ".npy", ".onnx", ".pt2", ".safetensors")

_PAGES = (".html", ".htm", ".svg")
_PART = 2**20


def encoded(path: str | Path, text: str) -> Parts:
    """Return the bytes of a text for a file, in parts.

    HtpError where its name is that of another format.
    """
    refuse_suffix("-o", path, ".txt, .mlir or .html")
    # A browser would run what names in a text say.
    if Path(path).suffix.lower() in _PAGES and not text.startswith(("<!doctype", "<svg")):
        raise fail("-o", f"'{path}' is a page by its name, not text", "end it in .txt or .mlir")
    return (text[at : at + _PART].encode() for at in range(0, len(text), _PART))


def refuse_suffix(flag: str, path: str | Path, suffixes: str) -> None:
    """HtpError where a file of text, by the flag that names it, has the name of another format."""
    if Path(path).suffix.lower() in _NOT_TEXT:
        raise fail(flag, f"'{path}' is not text by its name", f"end it in {suffixes}")


def write_text(path: str | Path, text: str) -> None:
    """Write a file whole or not at all; `-` is stdout."""
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        write_files({path: encoded(path, text)})


def _quiet() -> int:
    """End after the reader of stdout has gone: nothing more is to be written."""
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(sink)
    return 1
