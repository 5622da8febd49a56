"""The passes of the path from the graph level down, in order."""

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from ..levels import Level
from .allocation.allocate import Allocate
from .allocation.prefetch import Prefetch
from .allocation.refetch import Refetch
from .allocation.schedule import Schedule
from .allocation.select_kernels import SelectKernels
from .checks.check_level import CheckLevel
from .fold import Fold
from .graph.convert import BEFORE_CONVERSION, ConvertToHtp
from .graph.halve import Halve
from .graph.quantize import TakeEncodings
from .graph.raise_ops import Raise, RunRules
from .placement.absorb_copies import AbsorbCopies
from .placement.assign_places import AssignPlaces
from .placement.in_place import InPlace
from .placement.realise_places import RealisePlaces
from .tiling.plan_tiles import PlanTiles


@dataclass(frozen=True)
class LoweringSettings:
    """The goal of a lowering, the bytes of TCM, the graph options, and the freedoms it has.

    `halves` has what is computed in f32 computed in f16. `tiles` is the file of a tile plan; it is
    kept to, whatever moves fewer bytes.
    """

    goal: Level
    tcm_bytes: int
    options: str
    allow_reference: bool
    tiling: bool
    halves: bool
    tiles: str = ""


def steps(settings: LoweringSettings, start: Level) -> tuple[ModulePass, ...]:
    """Return the passes from a level to the goal; none where the goal is above the level."""
    levels = list(_STEPS)
    below = levels[levels.index(start) + 1 : levels.index(settings.goal) + 1]
    rest = [step for level in below for step in _level(level, settings)]
    border = CheckLevel(start.value)
    if settings.goal is Level.GRAPH or start not in (Level.GRAPH, Level.NATIVE):
        return (border, *rest)
    raising = (TakeEncodings(), Raise(settings.tcm_bytes), TakeEncodings())
    halves = (Halve(),) if settings.halves else ()
    conversion: tuple[ModulePass, ...] = (*raising, *halves, *BEFORE_CONVERSION, ConvertToHtp())
    if start is Level.NATIVE:
        conversion, rest = (), [*_level(Level.NATIVE, settings), *rest]
    early, fusing = _group("BEGIN", "EARLY-1", settings), _group("EARLY", "TILING-1", settings)
    head = (*conversion, early, *_tidy(), fusing, *_tidy())
    return (border, *head, *_tiles(settings), *rest)


def _level(level: Level, settings: LoweringSettings) -> tuple[ModulePass, ...]:
    return (*_STEPS[level](settings), CheckLevel(level.value))


def _tidy() -> tuple[ModulePass, ...]:
    return (Fold(), CommonSubexpressionElimination(), DeadCodeElimination())


def _group(first: str, last: str | None, settings: LoweringSettings, cut: bool = True) -> RunRules:
    return RunRules(first, last, settings.tcm_bytes, settings.options, cut)


def _tiles(settings: LoweringSettings) -> tuple[ModulePass, ...]:
    """Return the passes that cut ops; without tiling, ops that do not fit need not be cut."""
    rules = _group("TILING", "MIDDLE-1", settings, settings.tiling)
    if not settings.tiling:
        return (rules,)
    return (PlanTiles(settings.tcm_bytes, settings.tiles), rules, *_tidy())


def _to_native(settings: LoweringSettings) -> tuple[ModulePass, ...]:
    return (_group("MIDDLE", None, settings), AbsorbCopies(), *_tidy())


def _to_placed(settings: LoweringSettings) -> tuple[ModulePass, ...]:
    return (
        AssignPlaces(settings.tcm_bytes, settings.allow_reference or not settings.tiling),
        RealisePlaces(settings.tcm_bytes),
        CommonSubexpressionElimination(),
        DeadCodeElimination(),
        InPlace(),
    )


def _to_allocated(settings: LoweringSettings) -> tuple[ModulePass, ...]:
    return (
        Schedule(settings.tcm_bytes),
        Refetch(settings.tcm_bytes),
        Allocate(settings.tcm_bytes),
        Prefetch(),
        SelectKernels(),
    )


_STEPS: dict[Level, Callable[[LoweringSettings], tuple[ModulePass, ...]]] = {
    Level.GRAPH: lambda settings: (),
    Level.NATIVE: _to_native,
    Level.PLACED: _to_placed,
    Level.ALLOCATED: _to_allocated,
}
"""The passes that make each level out of the one before; tiles are cut before the first."""
