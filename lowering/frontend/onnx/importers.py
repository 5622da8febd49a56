"""What an importer is."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue

from .context import NodeContext

Importer = Callable[[NodeContext], list[SSAValue]]
"""Builds the graph ops of one node and gives its outputs, as many as are asked for or more."""
