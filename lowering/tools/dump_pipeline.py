"""The mode of `htp-opt` that prints the passes of a run, those inside htp-lower too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...runtime.passes.notation import pipeline_text
from ..levels import Level, level_of
from ..passes.check_level import reached_level
from ..passes.lower import Lower


def written_out(passes: Sequence[ModulePass], module: ModuleOp | None) -> str:
    """Write a pipeline with the passes of htp-lower in its place, as text to edit and to run.

    Those are the passes for the level of the module, or of a graph where there is none.
    """
    level = Level.GRAPH if module is None else reached_level(module)
    return pipeline_text(list(_steps(passes, level))) + "\n"


def _steps(passes: Sequence[ModulePass], level: Level) -> Iterator[ModulePass]:
    for step in passes:
        if isinstance(step, Lower):
            yield from step.steps(level)
            level = level_of(step.level)
        else:
            yield step
