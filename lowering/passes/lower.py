"""The path from the graph level down: the passes that make each level, and the pass of all."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from ...dialects.attributes import DEFAULT_PLACEMENT
from ...dialects.diagnostics import HtpError, fail
from ...runtime.tools.run_passes import running
from ..levels import Level, level_of
from ..soc import soc
from .allocation.allocate import Allocate
from .allocation.prefetch import Prefetch
from .allocation.schedule import Schedule
from .allocation.select_kernels import SelectKernels
from .check_level import check_level
from .convert import BEFORE_CONVERSION, ConvertToHtp
from .dominance import check_dominance
from .fold import Fold
from .placement.absorb_copies import AbsorbCopies
from .placement.assign_places import AssignPlaces
from .placement.in_place import InPlace
from .placement.realise_places import RealisePlaces
from .raise_ops import Raise
from .rules import RunRules
from .tiling.plan_tiles import PlanTiles
from .traffic import traffic
from .verifier import Verifier

Watcher = Callable[[ModulePass, ModuleOp], None]
"""Called after each pass, with the module as that pass left it."""


def _tidy() -> tuple[ModulePass, ...]:
    return (Fold(), CommonSubexpressionElimination(), DeadCodeElimination())


def _group(first: str, last: str | None, tcm_bytes: int, config: Lower) -> RunRules:
    return RunRules(first, last, tcm_bytes, config.options)


def _before_tiles(tcm_bytes: int, config: Lower) -> tuple[ModulePass, ...]:
    return (
        Raise(tcm_bytes),
        *BEFORE_CONVERSION,
        ConvertToHtp(),
        _group("BEGIN", "EARLY-1", tcm_bytes, config),
        *_tidy(),
        _group("EARLY", "TILING-1", tcm_bytes, config),
        *_tidy(),
    )


def _tiles(tcm_bytes: int, config: Lower) -> tuple[ModulePass, ...]:
    return (PlanTiles(tcm_bytes), _group("TILING", "MIDDLE-1", tcm_bytes, config), *_tidy())


def _to_native(tcm_bytes: int, config: Lower) -> tuple[ModulePass, ...]:
    return (
        _group("MIDDLE", None, tcm_bytes, config),
        AbsorbCopies(),
        *_tidy(),
    )


def _to_placed(tcm_bytes: int, config: Lower) -> tuple[ModulePass, ...]:
    return (
        AssignPlaces(tcm_bytes, config.allow_reference),
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
"""The passes that make each level out of the one before; tiles are cut before the first."""


@dataclass(frozen=True)
class Lower(ModulePass):
    """Lower a graph to `level` for a SoC; `tcm-bytes` overrides the SoC's TCM size.

    `options` are graph options for the rules, `name=value` joined by `;`. After each pass what it
    changed is verified, dominance included; at each level its border is checked.
    `allow-reference` lets an op whose tensor properties no kernel serves run on its reference
    kernel, from flat DDR. So does an op that does not fit the TCM; of a package's ops it is
    allowed in the same way. With `tiling=false` no op is cut, and all of that is allowed. Where all
    ops fit whole, an allocated module is not tiled, if that moves fewer bytes.
    """

    name = "htp-lower"

    soc: str = "SM8650"
    tcm_bytes: int | None = None
    level: str = Level.ALLOCATED.value
    options: str = ""
    allow_reference: bool = False
    tiling: bool = True

    @property
    def tcm_size(self) -> int:
        """The size of the TCM in bytes; HtpError where it is not above 0."""
        size = soc(self.soc).tcm_bytes if self.tcm_bytes is None else self.tcm_bytes
        if size <= 0:
            raise fail("htp-lower", f"tcm-bytes is {size}", "give a number of bytes above 0")
        return size

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_module(ctx, op, self)


def lower_module(
    ctx: Context, module: ModuleOp, config: Lower, watch: Watcher | None = None
) -> None:
    """Run the passes of every level down to the wanted one on a module, in place.

    Where the module without tiles is taken, `watch` is told of `htp-lower{tiling=false}` last.
    """
    size = config.tcm_size
    goal = level_of(config.level)
    check_level(module, Level.GRAPH)
    if goal is Level.GRAPH:
        return
    path = _Path(ctx, size, watch)
    path.run(module, _before_tiles(size, config))
    if not config.tiling:
        path.descend(module, replace(config, allow_reference=True), goal)
        return
    whole = module.clone()
    path.run(module, _tiles(size, config))
    is_cut = len(list(module.walk())) != len(list(whole.walk()))
    path.descend(module, config, goal)
    if goal is Level.ALLOCATED and is_cut:
        _keep_better(path, module, whole, config)


@dataclass(frozen=True)
class _Path:
    """A way down the levels for one TCM size: passes run, what they leave is checked."""

    ctx: Context
    tcm_bytes: int
    watch: Watcher | None = None
    verifier: Verifier = field(default_factory=Verifier)

    def run(self, module: ModuleOp, passes: Iterable[ModulePass]) -> None:
        for step in passes:
            with running(step.name):
                step.apply(self.ctx, module)
            self.verifier.check(module, step.name)
            check_dominance(module)
            self.tell(step, module)

    def tell(self, step: ModulePass, module: ModuleOp) -> None:
        if self.watch is not None:
            self.watch(step, module)

    def descend(
        self, module: ModuleOp, config: Lower, goal: Level, start: Level = Level.NATIVE
    ) -> None:
        """Make the levels from `start` to `goal`."""
        levels = list(_STEPS)
        for level in levels[levels.index(start) : levels.index(goal) + 1]:
            self.run(module, _STEPS[level](self.tcm_bytes, config))
            check_level(module, level)
        module.verify()


def _keep_better(path: _Path, module: ModuleOp, whole: ModuleOp, config: Lower) -> None:
    """Put the module without tiles in place of the tiled one, if it moves fewer bytes."""
    untiled = replace(config, tiling=False)
    limit = traffic(module).bytes
    # In a context of its own: statistics and explanations of rules are of the passes asked for.
    trial = _Path(path.ctx, path.tcm_bytes)
    if contextvars.Context().run(_is_better, trial, whole, untiled, limit):
        module.body.detach_block(module.body.block)
        module.body.add_block(whole.body.detach_block(whole.body.block))
        path.tell(untiled, module)


def _is_better(path: _Path, whole: ModuleOp, config: Lower, limit: int) -> bool:
    """Lower native IR without tiles; false where it fails or moves `limit` bytes or more.

    An op that does not fit the TCM, and would run from main memory, is no better whatever it moves.
    Spills only add to the bytes of the placed level, so most modules are not allocated.
    """
    try:
        path.descend(whole, config, Level.PLACED)
        at_home = any(DEFAULT_PLACEMENT in op.attributes for op in whole.walk())
        if at_home or traffic(whole).bytes >= limit:
            return False
        path.descend(whole, config, Level.ALLOCATED, start=Level.ALLOCATED)
    except HtpError:
        return False
    return traffic(whole).bytes < limit
