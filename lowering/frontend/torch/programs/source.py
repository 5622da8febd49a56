"""The line of Python that a node comes from."""

from __future__ import annotations

import re

from torch import fx

_FRAME = re.compile(r'File "(.+?)", line (\d+)')


def line_of(node: fx.Node) -> str:
    """Return `file:line` of the user's code; empty where PyTorch kept none."""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    own = [frame for frame in frames if "/torch/" not in frame[0]]
    return ":".join((own or frames)[-1]) if frames else ""
