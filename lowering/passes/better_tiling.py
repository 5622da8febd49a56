"""The pass that keeps the better of a module with tiles and one without."""

from __future__ import annotations

from dataclasses import dataclass
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
from .traffic import traffic


@dataclass(frozen=True)
class BetterTiling(ModulePass):
    """Native level to allocated level: with tiles, or without where that moves fewer bytes.

    The pipeline `tiles` cuts ops, and the pipeline `rest` lowers what it leaves. Where ops were
    cut, `whole` runs on a copy instead, and `rest` lowers that, too. The copy is taken where it is
    lowered without an error, no op of it runs from main memory for want of TCM, and it moves fewer
    bytes.
    """

    name = "htp-better-tiling"
    PIPELINES: ClassVar[tuple[str, ...]] = ("tiles", "rest", "whole")

    tiles: str
    rest: str
    whole: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        tiles, rest = passes_of(self.tiles), passes_of(self.rest)
        whole = op.clone()
        run_passes(ctx, op, tiles)
        is_cut = len(list(op.walk())) != len(list(whole.walk()))
        run_passes(ctx, op, rest)
        if not is_cut:
            return
        with trial():
            steps = (*passes_of(self.whole), *rest)
            is_better = _is_better(ctx, whole, steps, traffic(op).bytes)
        if is_better:
            op.body.detach_block(op.body.block)
            op.body.add_block(whole.body.detach_block(whole.body.block))


def _is_better(ctx: Context, whole: ModuleOp, steps: tuple[ModulePass, ...], limit: int) -> bool:
    """Lower native IR without tiles; false where it fails or moves `limit` bytes or more.

    An op that does not fit the TCM, and would run from main memory, is no better whatever it moves.
    Spills only add to the bytes of the placed level, so most modules are not allocated.
    """
    placed = CheckLevel(Level.PLACED.value)
    try:
        for step in steps:
            run_pass(ctx, whole, step)
            if step == placed:
                at_home = any(DEFAULT_PLACEMENT in op.attributes for op in whole.walk())
                if at_home or traffic(whole).bytes >= limit:
                    return False
    except HtpError:
        return False
    return traffic(whole).bytes < limit
