"""The pass that keeps the best of a module with tiles, with others and without."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.attributes import DEFAULT_PLACEMENT
from ...dialects.diagnostics import HtpError
from ...runtime.passes.instrument import trial
from ...runtime.passes.run import run_pass, run_passes
from ..levels import Level
from .check_level import CheckLevel
from .nested import passes_of
from .traffic import least_traffic, traffic

Steps = tuple[ModulePass, ...]
MOST_OPS = 4000
"""Ops of a module after cutting, up to which it is worth while to try other cuts."""
ENOUGH = 1.02
"""Times the bytes that any plan moves, up to which no other cuts are tried."""
MORE = 2
"""Times as many ops as of the first cuts, beyond which other cuts are not lowered."""


@dataclass(frozen=True)
class BetterTiling(ModulePass):
    """Native level to allocated level: with tiles, or without where that moves fewer bytes.

    The pipeline `tiles` cuts ops, and the pipeline `rest` lowers what it leaves. Where
    more bytes move than have to, others run on a copy, which `rest` lowers, too: `whole` where ops
    were cut, and `estimated` where the module is small. Of pipelines whose first pass leaves equal
    modules, and that go on alike, one alone runs on. The copy is taken where it is lowered without
    an error, no op of it runs from main memory for want of TCM, and it moves fewer bytes.
    """

    name = "htp-better-tiling"
    PIPELINES: ClassVar[tuple[str, ...]] = ("tiles", "rest", "whole", "estimated")

    tiles: str
    rest: str
    whole: str = ""
    estimated: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        source, plans = op.clone(), _Plans(ctx, passes_of(self.rest))
        plans.cut(op, passes_of(self.tiles))
        others, most = self._others(source, op), MORE * _size(op)
        run_passes(ctx, op, plans.rest)
        for steps in map(passes_of, others):
            if traffic(op).bytes <= ENOUGH * least_traffic(op):
                return
            other = source.clone()
            with trial():
                is_better = plans.is_better(other, steps, most, traffic(op).bytes)
            if is_better:
                op.body.detach_block(op.body.block)
                op.body.add_block(other.body.detach_block(other.body.block))

    def _others(self, source: ModuleOp, cut: ModuleOp) -> list[str]:
        """The other pipelines that may move less than what came of the first."""
        is_cut = _size(cut) != _size(source)
        is_small = is_cut and _size(cut) <= MOST_OPS
        tried = (self.whole, is_cut), (self.estimated, is_small)
        return [steps for steps, pays in tried if steps and pays]


def _size(module: ModuleOp) -> int:
    """Count the ops of a module."""
    return sum(1 for _ in module.walk())


@dataclass(frozen=True)
class _Plans:
    """The plans so far, and the passes `rest` that lower a module whose ops are cut.

    A plan is a module as the first pass of a pipeline leaves it, with the passes that follow.
    """

    ctx: Context
    rest: Steps
    known: list[tuple[ModuleOp, Steps]] = field(default_factory=list[tuple[ModuleOp, Steps]])

    def cut(self, module: ModuleOp, steps: Steps) -> bool:
        """Run a pipeline that cuts ops; false, and only its first pass has run, at a known plan."""
        first, then = steps[:1], steps[1:]
        run_passes(self.ctx, module, first)
        if any(then == t and module.is_structurally_equivalent(each) for each, t in self.known):
            return False
        self.known.append((module.clone(), then))
        run_passes(self.ctx, module, then)
        return True

    def is_better(self, other: ModuleOp, cuts: Steps, most: int, limit: int) -> bool:
        """Cut and lower native IR; false where that fails, or moves `limit` bytes or more.

        So it does at a known plan, and where more than `most` ops come of the cuts: more tiles
        seldom move less. An op that does not fit the TCM, and would run from main memory, is no
        better whatever it moves. Spills only add to the bytes of the placed level, so most modules
        are not allocated.
        """
        placed = CheckLevel(Level.PLACED.value)
        try:
            if not self.cut(other, cuts) or _size(other) > most:
                return False
            for step in self.rest:
                run_pass(self.ctx, other, step)
                if step == placed:
                    at_home = any(DEFAULT_PLACEMENT in op.attributes for op in other.walk())
                    if at_home or traffic(other).bytes >= limit:
                        return False
        except HtpError:
            return False
        return traffic(other).bytes < limit
