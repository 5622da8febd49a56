"""The line of progress: on terminals only, in one line, and gone at the end."""

import fcntl
import os
import pty
import struct
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from typing import TextIO

import pytest
from htp_mlir.lowering.tools import htp
from htp_mlir.runtime.tools.tool import progress, progress_on, run_tool, wipe_progress


def terminal(columns: int) -> tuple[TextIO, Callable[[], str]]:
    """A terminal: the stream to write to, and a function that closes it and gives what it got."""
    shown, written = pty.openpty()
    fcntl.ioctl(written, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    stream = os.fdopen(written, "w")

    def text() -> str:
        """Read before the terminal is closed: what is unread then is gone."""
        stream.write("\x04")
        stream.flush()
        parts = b""
        while not parts.endswith(b"\x04"):
            parts += os.read(shown, 10_000)
        stream.close()
        os.close(shown)
        return parts[:-1].decode()

    return stream, text


@pytest.fixture(autouse=True)
def _a_terminal_that_can_wipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")


def test_one_line_that_is_cut_and_wiped() -> None:
    stream, text = terminal(columns=10)
    with progress_on(stream), progress() as show:
        show("rule 1")
        show("rule 2 of many")
    assert text() == "\r\x1b[Krule 1\r\x1b[Krule 2 of\r\x1b[K"


def test_other_text_wipes_the_line_first() -> None:
    stream, text = terminal(columns=80)
    with progress_on(stream) as errors, progress() as show:
        print("before", file=errors)
        show("rule 1")
        print("told", file=errors)
        show("rule 2")
        wipe_progress()
        assert (errors.isatty(), errors.fileno()) == (True, stream.fileno())
    assert text() == ("before\r\n\r\x1b[Krule 1\r\x1b[Ktold\r\n\r\x1b[Krule 2\r\x1b[K\r\x1b[K")


def test_nothing_in_a_pipe() -> None:
    pipe = StringIO()
    with progress_on(pipe), progress() as show:
        show("rule 1")
    assert pipe.getvalue() == ""


def test_nothing_where_a_line_cannot_be_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    stream, text = terminal(columns=80)
    with progress_on(stream), progress() as show:
        show("rule 1")
    assert text() == ""


def test_the_line_is_wiped_where_the_work_fails() -> None:
    stream, text = terminal(columns=80)
    with suppress(KeyError), progress_on(stream), progress() as show:
        show("rule 1")
        raise KeyError
    assert text() == "\r\x1b[Krule 1\r\x1b[K"


@pytest.mark.parametrize("mode", ["lint", "check"])
def test_checks_of_rules_say_how_far_they_are(
    mode: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream, text = terminal(columns=200)
    monkeypatch.setattr(sys, "stderr", stream)
    cases = ["--cases", "1"] * (mode == "check")
    assert run_tool(htp.main.run_arguments, ["rules", mode, "--rule", "gelu", *cases]) == 0
    shown = text()
    assert "ing rule 1 of 2: gelu (" in shown
    assert "ing rule 2 of 2: gelu (" in shown
    assert shown.endswith("\r\x1b[K")
    assert "\r" not in capsys.readouterr().out
