"""Pipelines of installed passes as text, on lines of their own or on one."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.passes import ModulePass

from ...runtime.installed.environment import universe
from ...runtime.passes.notation import pipeline_text, plain
from ...runtime.tools.pipeline import make_pipeline


def passes_of(text: str) -> tuple[ModulePass, ...]:
    """Read a pipeline of installed passes; HtpError where it cannot be read."""
    return make_pipeline(universe().all_passes, text).passes


def text_of(steps: Sequence[ModulePass]) -> str:
    """Write passes as a pipeline on one line, for an option."""
    return plain(pipeline_text(steps))
