"""The path from the graph level down: the passes that make each level, and the pass of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from ...dialects.diagnostics import fail
from ...runtime.tools.run_passes import running
from ..levels import Level, level_of
from ..soc import soc
from .allocation.allocate import Allocate
from .allocation.prefetch import Prefetch
from .allocation.schedule import Schedule
from .allocation.select_kernels import SelectKernels
from .check_level import check_level
from .convert import ConvertToHtp
from .dominance import check_dominance
from .fold import Fold
from .placement.absorb_copies import AbsorbCopies
from .placement.assign_places import AssignPlaces
from .placement.in_place import InPlace
from .placement.keep_home import KeepHome
from .placement.realise_places import RealisePlaces
from .rules import RunRules
from .tiling.plan_tiles import PlanTiles
from .verifier import Verifier

Watcher = Callable[[ModulePass, ModuleOp], None]
"""Called after each pass, with the module as that pass left it."""


def _tidy() -> tuple[ModulePass, ...]:
    return (Fold(), CommonSubexpressionElimination(), DeadCodeElimination())


def _to_native(tcm_bytes: int, config: Lower) -> tuple[ModulePass, ...]:
    def group(first: str, last: str | None) -> RunRules:
        return RunRules(first, last, tcm_bytes, config.options)

    tiles = (PlanTiles(tcm_bytes), group("TILING", "MIDDLE-1"), *_tidy())
    return (
        ConvertToHtp(),
        group("BEGIN", "EARLY-1"),
        *_tidy(),
        group("EARLY", "TILING-1"),
        *_tidy(),
        *(tiles if config.tiling else ()),
        group("MIDDLE", None),
        AbsorbCopies(),
        *_tidy(),
        *(() if config.tiling else (KeepHome(tcm_bytes),)),
    )


def _to_placed(tcm_bytes: int, config: Lower) -> tuple[ModulePass, ...]:
    return (
        AssignPlaces(tcm_bytes, config.allow_reference or not config.tiling),
        RealisePlaces(tcm_bytes),
        CommonSubexpressionElimination(),
        DeadCodeElimination(),
        InPlace(),
    )


def _to_allocated(tcm_bytes: int, config: Lower) -> tuple[ModulePass, ...]:
    return (Schedule(tcm_bytes), Allocate(tcm_bytes), Prefetch(), SelectKernels())


_STEPS: dict[Level, Callable[[int, Lower], tuple[ModulePass, ...]]] = {
    Level.NATIVE: _to_native,
    Level.PLACED: _to_placed,
    Level.ALLOCATED: _to_allocated,
}
"""The passes that make each level out of the one before."""


@dataclass(frozen=True)
class Lower(ModulePass):
    """Lower a graph to `level` for a SoC; `tcm-bytes` overrides the SoC's TCM size.

    `options` are graph options for the rules, `name=value` joined by `;`. After each pass what it
    changed is verified, dominance included; at each level its border is checked.
    `allow-reference` lets an op whose tensor properties no kernel serves run on its reference
    kernel, from flat DDR. With `tiling=false` so does every op that does not fit the TCM.
    """

    name = "htp-lower"

    soc: str = "SM8650"
    tcm_bytes: int | None = None
    level: str = Level.ALLOCATED.value
    options: str = ""
    allow_reference: bool = False
    tiling: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_module(ctx, op, self)


def lower_module(
    ctx: Context, module: ModuleOp, config: Lower, watch: Watcher | None = None
) -> None:
    """Run the passes of every level down to the wanted one on a module, in place."""
    size = soc(config.soc).tcm_bytes if config.tcm_bytes is None else config.tcm_bytes
    if size <= 0:
        raise fail("htp-lower", f"tcm-bytes is {size}", "give a number of bytes above 0")
    goal = level_of(config.level)
    check_level(module, Level.GRAPH)
    verifier = Verifier()
    for level, passes in _STEPS.items():
        if goal is Level.GRAPH:
            return
        for step in passes(size, config):
            with running(step.name):
                step.apply(ctx, module)
            verifier.check(module, step.name)
            check_dominance(module)
            if watch is not None:
                watch(step, module)
        check_level(module, level)
        if level is goal:
            module.verify()
            return
