"""The instruments that follow the passes of a run, as the flags of `htp-opt` ask for them."""

import sys
from argparse import Namespace
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from fnmatch import filter as matching
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ...dialects.diagnostics import Fault, fail, listed
from ...dialects.faults.notes import note
from ...runtime.passes import Instrument, instrumented
from ...runtime.tools.following import following
from .opt_flags import FILTER_FUNCTIONS, LISTS

_NO_FUNCTION = "no function has this name"


class Unmet(Instrument):
    """Keeps the names that a run meets, for a note on each other one that a flag gives.

    `passes` and `functions` are the names by flag.
    """

    def __init__(
        self, passes: Mapping[str, Sequence[str]], functions: Mapping[str, Sequence[str]]
    ) -> None:
        self._passes, self._functions = passes, functions
        self._met_passes: dict[str, None] = {}
        self._met_functions: dict[str, None] = {}

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self._met_passes[step.name] = None
        if self._functions:
            self._met_functions |= dict.fromkeys(_functions_of(module))

    def report(self) -> None:
        """Print the notes."""
        _note_unmet(self._passes, [*self._met_passes], "no pass of this name ran")
        _note_unmet(self._functions, [*self._met_functions], _NO_FUNCTION)


def _note_unmet(asked: Mapping[str, Sequence[str]], met: Sequence[str], problem: str) -> None:
    for flag, names in asked.items():
        for name in names:
            if not matching(met, name):
                note(Fault(f"{flag} '{name}'", problem, listed(name, met, "there are")))


def _functions_of(module: ModuleOp) -> list[str]:
    """List the names of the functions of a module."""
    return [op.sym_name.data for op in module.ops if isinstance(op, FuncOp)]


@contextmanager
def following_passes(
    flags: Namespace, known: Collection[str], module: ModuleOp, piece: int
) -> Iterator[None]:
    """Let what the flags ask for follow the passes inside the block; print reports at its end.

    `known` are the names of all passes, `piece` is the number of the piece of the input from 1 on,
    and 0 where it is not in pieces.
    """
    with ExitStack() as stack:
        stack.enter_context(following())
        on_terminal = sys.stderr.isatty() and flags.time_passes
        if flags.follow_passes or on_terminal:
            from .instruments.timing import Ending

            stack.enter_context(instrumented(Ending()))
        if flags.time_passes:
            from .instruments.timing import Timing

            timing = Timing()
            stack.callback(timing.report)
            stack.enter_context(instrumented(timing))
        asked = _asked(flags, known)
        stack.enter_context(instrumented(*_of_text(flags, asked, piece)))
        if any(asked.values()):
            stack.enter_context(_noting_unmet(asked, module, piece))
        yield


@contextmanager
def _noting_unmet(
    asked: Mapping[str, Sequence[str]], module: ModuleOp, piece: int
) -> Iterator[None]:
    """Refuse functions that a module has not; note at the end the names that no pass met."""
    # Another piece may have the functions that one has not.
    functions = (
        {FILTER_FUNCTIONS: asked[FILTER_FUNCTIONS]} if asked[FILTER_FUNCTIONS] and not piece else {}
    )
    known = _functions_of(module)
    for flag, names in functions.items():
        for name in names:
            # One with * may be that of a function to come.
            if "*" not in name and not matching(known, name):
                raise fail(f"{flag} '{name}'", _NO_FUNCTION, listed(name, known, "there are"))
    unmet = Unmet({flag: asked[flag] for flag in asked if flag != FILTER_FUNCTIONS}, functions)
    with instrumented(unmet):
        yield
    unmet.report()


def _asked(flags: Namespace, known: Collection[str]) -> dict[str, list[str]]:
    """List the names that each flag gives; HtpError for a pass that nobody knows."""
    from .instruments.printing import names_of

    values = {flag: getattr(flags, flag[2:].replace("-", "_")) for flag in LISTS}
    return {
        flag: names_of(flag, texts, None if flag == FILTER_FUNCTIONS else known)
        for flag, texts in values.items()
    }


def _of_text(
    flags: Namespace, asked: Mapping[str, Sequence[str]], piece: int
) -> Iterator[Instrument]:
    """Make the instruments that print modules."""
    from .instruments.printing import (
        BetweenPasses,
        CrashReproducer,
        Dumping,
        Moment,
        Printing,
        Selection,
    )

    passes, functions = asked["--filter-passes"], asked[FILTER_FUNCTIONS]
    selects = bool(passes or functions)
    selection = Selection(passes, functions, flags.elide_constants)
    before = Moment(
        asked["--print-ir-before"], flags.print_ir_before_all, flags.print_ir_before_change
    )
    names = asked["--print-ir-after"]
    alone = flags.print_ir_diff and not (names or flags.print_ir_after_all)
    after = Moment(names, flags.print_ir_after_all, flags.print_ir_after_change or alone)
    if selects and not (before or after or flags.print_between_passes or flags.dump_dir):
        flag = "--filter-passes" if passes else FILTER_FUNCTIONS
        remedy = "add --print-ir-after-all, --print-ir-diff or --dump-dir, or leave it out"
        raise fail(flag, "says what IR is shown, and this run shows none", remedy)
    if before or after:
        yield Printing(selection, before, after, flags.print_ir_diff)
    if flags.print_between_passes:
        yield BetweenPasses(selection)
    if flags.dump_dir:
        folder = Path(flags.dump_dir)
        yield Dumping(folder / f"piece-{piece}" if piece else folder, selection)
    if flags.crash_reproducer:
        yield CrashReproducer(flags.crash_reproducer, flags)
