"""The flags of `htp-opt` that follow the passes of a run."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ....dialects.diagnostics import fail
from ....runtime.passes.instrument import Instrument, instrumented
from ....runtime.tools.following import following

_SWITCHES = {
    "--list-passes": "print every pass with its options, and run nothing",
    "--show-dialects": "print every dialect, and run nothing",
    "--dump-pass-pipeline": "print the passes of -p, those inside htp-lower in its place, as a "
    "pipeline to edit and to run, for the level of the input file or for a graph; run nothing",
    "--print-ir-before-all": "print the IR to stderr before every pass",
    "--print-ir-after-all": "print the IR to stderr after every pass",
    "--print-ir-before-change": "print the IR before those passes that change it",
    "--print-ir-after-change": "print the IR after those passes that changed it",
    "--print-ir-diff": "print what changed in place of the IR after a pass; alone, after each "
    "that changed it",
    "--follow-passes": "print a line to stderr as each pass ends, with its time and the rules that "
    "fired; --time-passes and --rule-stats do so on a terminal",
    "--run-reproducer": "run the pipeline that the input file states, which --crash-reproducer "
    "wrote",
    "--verify-each": "verify the whole module after each pass, also after those inside htp-lower, "
    "which otherwise verifies what they changed",
    "--verify-roundtrip": "check that the module that was read, and the one after the passes, read "
    "back from their text, pretty and generic, as they were",
}
_FUNCTIONS = "--filter-functions"
_LISTS = {
    "--print-ir-before": "print the IR before these passes, also where they run inside htp-lower",
    "--print-ir-after": "print the IR after these passes",
    "--filter-passes": "print, compare and dump the IR at these passes only",
    _FUNCTIONS: "print, compare and dump these functions only",
}


def add_pass_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    for name, text in _SWITCHES.items():
        parser.add_argument(name, action="store_true", help=text)
    for name, text in _LISTS.items():
        kept = f"{text}; * stands for any letters"
        parser.add_argument(name, action="append", metavar="NAME,...", help=kept)
    parser.add_argument(
        "--dump-dir", metavar="DIR", help="write the IR after each pass to a file of this folder"
    )
    parser.add_argument(
        "--crash-reproducer",
        metavar="FILE",
        help="where a pass fails, write the IR before it to this file, with the pass to run on it",
    )


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
        on_terminal = sys.stderr.isatty() and (flags.time_passes or flags.rule_stats)
        if flags.follow_passes or on_terminal:
            from ..instruments.ending import Ending

            stack.enter_context(instrumented(Ending()))
        if flags.time_passes:
            from ..instruments.timing import Timing

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
    from ..instruments.unmet import Unmet, check_functions

    # Another piece may have the functions that one has not.
    functions = {_FUNCTIONS: asked[_FUNCTIONS]} if asked[_FUNCTIONS] and not piece else {}
    check_functions(functions, module)
    unmet = Unmet({flag: asked[flag] for flag in asked if flag != _FUNCTIONS}, functions)
    with instrumented(unmet):
        yield
    unmet.report()


def _asked(flags: Namespace, known: Collection[str]) -> dict[str, list[str]]:
    """List the names that each flag gives; HtpError for a pass that nobody knows."""
    from ..instruments.selection import names_of

    values = {flag: getattr(flags, flag[2:].replace("-", "_")) for flag in _LISTS}
    return {
        flag: names_of(flag, texts, None if flag == _FUNCTIONS else known)
        for flag, texts in values.items()
    }


def _of_text(
    flags: Namespace, asked: Mapping[str, Sequence[str]], piece: int
) -> Iterator[Instrument]:
    """Make the instruments that print modules."""
    from ..instruments.crash import CrashReproducer
    from ..instruments.dumping import Dumping
    from ..instruments.printing import BetweenPasses, Moment, Printing
    from ..instruments.selection import Selection

    passes, functions = asked["--filter-passes"], asked[_FUNCTIONS]
    selects = bool(passes or functions)
    selection = Selection(passes, functions, flags.elide_constants)
    before = Moment(
        asked["--print-ir-before"], flags.print_ir_before_all, flags.print_ir_before_change
    )
    names = asked["--print-ir-after"]
    alone = flags.print_ir_diff and not (names or flags.print_ir_after_all)
    after = Moment(names, flags.print_ir_after_all, flags.print_ir_after_change or alone)
    if selects and not (before or after or flags.print_between_passes or flags.dump_dir):
        flag = "--filter-passes" if passes else _FUNCTIONS
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
