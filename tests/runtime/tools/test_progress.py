"""The line of progress: on terminals only, in one line, and gone at the end."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from typing import TextIO

import pytest
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime.tools.progress import progress, progress_on
from htp_mlir.runtime.tools.tool import run_tool


@contextmanager
def terminal(columns: int) -> Iterator[tuple[TextIO, int]]:
    """A terminal: the stream to write to, and the descriptor on which that can be read."""
    shown, written = pty.openpty()
    fcntl.ioctl(written, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with os.fdopen(written, "w") as stream:
        yield stream, shown
    os.close(shown)


def test_one_line_that_is_cut_and_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with terminal(columns=10) as (stream, shown):
        with progress_on(stream), progress() as show:
            show("rule 1")
            show("rule 2 of many")
        assert os.read(shown, 1000) == b"\r\x1b[Krule 1\r\x1b[Krule 2 of\r\x1b[K"


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_nothing_where_nobody_sees_it(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    pipe = StringIO()
    with progress_on(pipe), progress() as show:
        show("rule 1")
    assert pipe.getvalue() == ""
    with terminal(columns=80) as (stream, shown), progress_on(stream):
        with progress() as show:
            show("rule 1")
        stream.write("end")
        stream.flush()
        assert (os.read(shown, 1000) == b"end") is (term == "dumb")


def test_the_line_is_wiped_where_the_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with terminal(columns=80) as (stream, shown):
        with suppress(KeyError), progress_on(stream), progress() as show:
            show("rule 1")
            raise KeyError
        assert os.read(shown, 1000).endswith(b"rule 1\r\x1b[K")


@pytest.mark.parametrize("mode", ["--lint-rules", "--check-rules"])
def test_checks_of_rules_say_how_far_they_are(
    mode: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with terminal(columns=200) as (stream, shown):
        monkeypatch.setattr(sys, "stderr", stream)
        cases = ["--cases", "1"] * (mode == "--check-rules")
        status = run_tool(htp_opt.main.run_arguments, [mode, "--rule", "Relu", *cases])
        text = os.read(shown, 10_000).decode()
    assert status == 0
    assert "ing rule 1 of 3: Relu (" in text
    assert "ing rule 3 of 3: Relu (" in text
    assert text.endswith("\r\x1b[K")
    assert "\r" not in capsys.readouterr().out
