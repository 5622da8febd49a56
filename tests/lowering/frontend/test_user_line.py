"""The user's line in a trace of Python, whatever stands around it."""

from __future__ import annotations

import pytest
from htp_mlir.lowering.importers.graph.user_line import place, user_line
from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, StringAttr


def frame(file: str, line: int) -> str:
    return f'  File "{file}", line {line}, in forward\n    return x\n'


MAIN, NET = frame("main.py", 3), frame("/home/torch/net.py", 7)
INSTALLED = frame("/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", 134)
SOURCES = frame("/src/pytorch/torch/_ops.py", 9)


@pytest.mark.parametrize(
    ("trace", "line"),
    [
        ("", ""),
        (MAIN, "main.py:3"),
        (MAIN + NET, "/home/torch/net.py:7"),
        (MAIN + NET + INSTALLED + SOURCES, "/home/torch/net.py:7"),
        (SOURCES, "/src/pytorch/torch/_ops.py:9"),
    ],
)
def test_it_is_the_innermost_one_that_is_not_pytorchs(trace: str, line: str) -> None:
    assert user_line(trace) == line


def test_it_becomes_a_location_at_the_first_column() -> None:
    assert place("C:/net.py:7") == FileLineColLoc(StringAttr("C:/net.py"), IntAttr(7), IntAttr(1))
    assert place("") is UNKNOWN_LOC
