"""The line of Python that a node comes from."""

from __future__ import annotations

from torch import fx

from ...graph.user_line import user_line


def line_of(node: fx.Node) -> str:
    """Return `file:line` of the user's code; empty where PyTorch kept none."""
    return user_line(node.meta.get("stack_trace") or "")
