"""The user's code that a node of a model comes from: the line of Python, and the module."""

import re
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, IntAttr, LocationAttr, StringAttr

from ....dialects.locations import inside, named

_FRAME = re.compile(r'File "(.+?)", line (\d{1,9})')
_OURS = Path(__file__).parents[2] / "frontend" / "torch"
_LIBRARY = re.compile(
    r"-packages[/\\]torch[/\\]|[/\\]torch[/\\](nn[/\\]|_)|"
    r"htp_mlir[/\\]lowering[/\\]frontend[/\\]torch[/\\]|" + re.escape(str(_OURS))
)
"""In the path of a file of PyTorch, installed or in its sources, or of the block ops as modules.

A user may have a folder torch.
"""


@dataclass(frozen=True)
class UserPlace:
    """`file:line` of the user's Python, and the path of the module; each is empty if unknown."""

    line: str = ""
    module: str = ""

    def __str__(self) -> str:
        """Return the place for the end of a name: ` in encoder.gru at net.py:7`."""
        return inside(self.module) + (f" at {self.line}" if self.line else "")

    @property
    def location(self) -> LocationAttr:
        """The place as a location, at the first column."""
        file, _, number = self.line.rpartition(":")
        at = UNKNOWN_LOC
        if file:
            at = FileLineColLoc(StringAttr(file), IntAttr(int(number)), IntAttr(1))
        return named(self.module, at) if self.module else at


def user_line(trace: str) -> str:
    """Return `file:line` of the innermost frame of a trace that is the user's; else empty."""
    frames = _FRAME.findall(trace)
    own = [frame for frame in frames if not _LIBRARY.search(frame[0])]
    return ":".join((own or frames)[-1]) if frames else ""
