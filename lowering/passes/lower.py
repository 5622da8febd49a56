"""The pass that runs the path from any level down, and the passes of that path, in order.

Passes of the user's run at named points of it: `htp-fold:my-pass`, `native:a,b`.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from ...dialects.diagnostics import HtpError, did_you_mean, fail, listed
from ...runtime.passes import Instrument, instrumented, run_pass, run_passes
from ...runtime.tools.pipeline import passes_of
from ..levels import Level, level_of
from ..rules.graph.env import RELAXED
from ..soc import check_tcm_options, soc
from .allocation.allocate import Allocate
from .allocation.fetches import Prefetch, Refetch
from .allocation.schedule import Schedule
from .allocation.select_kernels import SelectKernels
from .checks.check_level import CheckLevel, Verification, reached_level
from .fold import Fold
from .graph.convert import BEFORE_CONVERSION, ConvertToHtp
from .graph.floats import Halve
from .graph.quantize import TakeEncodings
from .graph.raise_ops import Raise, RunRules
from .placement.absorb_copies import AbsorbCopies
from .placement.assign_places import AssignPlaces, RealisePlaces
from .placement.in_place import InPlace
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


@dataclass(frozen=True)
class Point:
    """A pass by its name, every time or the `nth` time that it runs, or the border of a level."""

    option: str
    name: str
    nth: int
    passes: tuple[ModulePass, ...]


def point(option: str, text: str) -> Point:
    """Read `NAME:PASSES` or `NAME#2:PASSES`, passes in brackets too; HtpError for another form."""
    place, mark, passes = text.partition(":")
    name, counted, nth = place.partition("#")
    if not mark or (counted and not (nth.isdecimal() and int(nth))):
        remedy = f"write {option}=htp-fold:my-pass, or {option}=htp-fold#2:my-pass"
        raise fail(f"htp-lower, {option}={text}", "names no point and pass", remedy)
    in_brackets = passes.startswith("[") and passes.endswith("]")
    return Point(option, name, int(nth or 0), passes_of(passes[1:-1] if in_brackets else passes))


def _points(option: str, texts: Sequence[str]) -> Iterator[Point]:
    """Read points; HtpError where a list of passes stands without brackets."""
    for text, last in zip(texts, (None, *texts), strict=False):
        if last and ":" in last and ":" not in text:
            where = f"htp-lower, {option}={last},{text}"
            name, _, passes = last.partition(":")
            remedy = f"write {option}={name}:[{passes},{text}]"
            raise fail(where, f"'{text}' names no point", remedy)
        yield point(option, text)


def with_points(
    steps: Sequence[ModulePass], before: Sequence[str], after: Sequence[str]
) -> tuple[ModulePass, ...]:
    """Put passes before and after others; HtpError where no pass is."""
    if not (before or after):
        return tuple(steps)
    points = [*_points("before", before), *_points("after", after)]
    editor = _Editor(points)
    edited = editor.edited(steps)
    for each in points:
        if each not in editor.used:
            raise _nowhere(each, editor.names)
    return edited


def _nowhere(each: Point, names: Counter[str]) -> HtpError:
    """Make the error for a point that the pipeline does not have."""
    where = f"htp-lower, {each.option}={each.name}"
    if each.name in names:
        return fail(where, f"runs {names[each.name]} times, not {each.nth}", "give a lower number")
    known = f"there are {', '.join(names)}"
    return fail(where, "is no point of this lowering", did_you_mean(each.name, names, known))


class _Editor:
    """A walk over a pipeline that counts the passes of each name."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._points = points
        self.names: Counter[str] = Counter()
        self.used: set[Point] = set()

    def edited(self, steps: Sequence[ModulePass]) -> tuple[ModulePass, ...]:
        return tuple(new for step in steps for new in self._step(step))

    def _step(self, step: ModulePass) -> Iterator[ModulePass]:
        name = step.level if isinstance(step, CheckLevel) else step.name
        self.names[name] += 1
        nth = self.names[name]
        here = [each for each in self._points if each.name == name and each.nth in (0, nth)]
        self.used.update(here)
        yield from (new for each in here if each.option == "before" for new in each.passes)
        yield step
        yield from (new for each in here if each.option == "after" for new in each.passes)


_FLOATS = ("f32", "f16")
Watcher = Callable[[ModulePass, ModuleOp], None]
"""Called after each pass, with the module as that pass left it."""


@dataclass(frozen=True)
class Lower(ModulePass):
    """Lower a module to `level` for a SoC; `tcm-bytes` overrides the SoC's TCM size.

    The module may be at any level above. `htp-opt -p htp-lower --dump-pass-pipeline` prints the
    passes that it runs, as a pipeline to edit; `before` and `after` put passes in front of others
    and behind them: `after=htp-fold:my-pass` behind each htp-fold, `after=htp-fold#2:my-pass`
    behind the second, `after=native:my-pass` behind the border of a level. Several passes, or
    one with options, stand in brackets: `after=native:[cse,htp-rules{last=QNN}]`. Points are joined
    by commas.

    `options` are graph options for the rules, `name=value` joined by `;`. After each pass what it
    changed is verified, dominance included; at each level its border is checked.
    `allow-reference` lets an op whose tensor properties no kernel serves run on its reference
    kernel, from flat DDR. So does an op that does not fit the TCM; of a package's ops it is
    allowed in the same way. With `tiling=false` no op is cut, and all of that is allowed. Where all
    ops fit whole, none is cut if that moves fewer bytes. `floats` is f32, or
    f16 to compute a graph in it as `qti-halve` does, with the graph option relaxed_precision_flag.
    `tiles` is a file with a tile plan of your own, for some nodes or for all, as htp-plan-tiles
    reads it.
    """

    name = "htp-lower"

    soc: str = "SM8650"
    tcm_bytes: int | None = None
    level: str = Level.ALLOCATED.value
    options: str = ""
    allow_reference: bool = False
    tiling: bool = True
    floats: str = "f32"
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    tiles: str = ""
    FILES: ClassVar[tuple[str, ...]] = ("tiles",)

    @property
    def tcm_size(self) -> int:
        """The size of the TCM in bytes; HtpError where it is none."""
        size = soc(self.soc).tcm_bytes if self.tcm_bytes is None else self.tcm_bytes
        check_tcm_options("htp-lower", size)
        return size

    def steps(self, start: Level) -> tuple[ModulePass, ...]:
        """Return the passes from a level down; HtpError where the level asked for is above it."""
        if self.tiles and not self.tiling:
            raise fail("htp-lower", "tiles are of no use without tiling", "leave one of them out")
        halves = self._halves(start)
        # The last of an option counts, so what is asked for comes behind.
        options = f"{RELAXED}=1;{self.options}" if halves else self.options
        settings = LoweringSettings(
            level_of(self.level),
            self.tcm_size,
            options,
            self.allow_reference,
            self.tiling,
            halves,
            self.tiles,
        )
        levels = list(Level)
        if levels.index(start) > levels.index(settings.goal):
            problem = f"is at the {start.value} level, below level={self.level}"
            raise fail("module", problem, f"ask htp-lower for level={start.value} or below")
        return with_points(steps(settings, start), self.before, self.after)

    def _halves(self, start: Level) -> bool:
        """Tell whether floats become f16; HtpError where they cannot, or where `floats` is none."""
        if self.floats not in _FLOATS:
            raise fail("htp-lower", f"floats is {self.floats}", listed(self.floats, _FLOATS))
        halves = self.floats == "f16"
        if halves and start is not Level.GRAPH:
            problem = f"floats=f16 is for graphs, and the module is at the {start.value} level"
            raise fail("htp-lower", problem, "leave it out, or lower the graph anew")
        return halves

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        start = reached_level(op)
        steps, own = self.steps(start), replace(self, before=(), after=()).steps(start)
        idle = _Idle({step.name for step in steps} - {step.name for step in own})
        there = op.clone() if start.value == self.level else None
        with instrumented(Verification(), first=True), instrumented(idle):
            run_passes(ctx, op, steps)
        op.verify()
        if there is not None and op.is_structurally_equivalent(there):
            print(f"warning: module: is at the {start.value} level already", file=sys.stderr)
            print("  htp-lower changed nothing: ask for a level below, or run it", file=sys.stderr)
        for name in sorted(idle.names):
            print(f"warning: pass '{name}' changed nothing where it was put", file=sys.stderr)
            print("  put it where its ops still are: -p 'htp-lower{before=...}'", file=sys.stderr)


def lower_module(
    ctx: Context, module: ModuleOp, config: Lower, watch: Watcher | None = None
) -> None:
    """Run the passes of every level down to the wanted one on a module, in place.

    `watch` is called after each pass.
    """
    with instrumented(*([_PassWatcher(watch)] if watch else [])):
        run_pass(ctx, module, config)


class _Idle(Instrument):
    """Finds which of some passes, by name, leave the module as it was each time that they run."""

    def __init__(self, names: set[str]) -> None:
        self.names = names
        self._copy = ModuleOp([])

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        if step.name in self.names:
            self._copy = module.clone()

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        if step.name in self.names and not module.is_structurally_equivalent(self._copy):
            self.names.discard(step.name)


class _PassWatcher(Instrument):
    """Calls a function after each pass that htp-lower runs."""

    def __init__(self, watch: Watcher) -> None:
        self._watch = watch

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        if not isinstance(step, Lower):
            self._watch(step, module)
