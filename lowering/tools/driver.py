"""The driver behind `htp-opt`: pieces of input go through the passes and are written whole.

A run that fails writes nothing and leaves the output file as it was, but for two pages about
the failure: a report on the passes, and a stream report on rates that contradict each other. Of an
input in pieces, those that do not fail are still printed where there is no output file. A run that
Ctrl-C ends writes the module as the last whole pass left it, in any target.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import PassPipeline
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.exceptions import DiagnosticException, ParseError, ShrinkException

from ...runtime.files.atomic import Parts, write_files
from ...runtime.installed.environment import Environment, universe
from ...runtime.passes.run import Pipeline, instrumented
from ...runtime.tools.errors import explain, report
from ...runtime.tools.flags import packages_in_use
from ...runtime.tools.pipeline import make_pipeline
from ...runtime.tools.tool import encoded, write_text
from ..packages.loading import packages_of
from . import targets
from .expected import Expectations, expectations
from .following import following_passes
from .input import (
    SEPARATOR,
    InputPiece,
    Read,
    name_of,
    pieces_of,
    printed,
    read_piece,
    verify_input,
)
from .instruments.interruption import Interruption, LastWhole
from .instruments.printing import WholeModule, check_roundtrip

if TYPE_CHECKING:
    from ..report.run import Recorder

Files = dict[str | Path, Parts]
"""The content of the files that a run writes beside its output, by name."""
Around = Callable[[ModuleOp, Files], AbstractContextManager[None]]
"""The work of a command around the passes on a module; it may add files."""


def _nothing(module: ModuleOp, files: Files) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True)
class OptRun:
    """A run as the flags ask for it: passes, a target, packages, and work around the passes.

    The module is not written where `is_printed` is false, and nothing is said of ops that do not
    fit the TCM where `warns` is.
    """

    flags: Namespace
    pipeline: PassPipeline
    target: ArgSpec
    environment: Environment
    ctx: Context
    around: Around = _nothing
    is_printed: bool = True
    warns: bool = True


@dataclass(frozen=True)
class Written:
    """The outcome of a piece: its text, files beside it, and work that is left for the end."""

    text: str = ""
    files: Files = field(default_factory=Files)
    afterwards: list[Callable[[], None]] = field(default_factory=list)
    interruption: Interruption | None = None


def prepared(flags: Namespace) -> OptRun:
    """Read the passes and the target, and load the packages; HtpError for what does not fit."""
    if flags.run_reproducer:
        from .instruments.printing import reproduce

        reproduce(flags)
    target = targets.target_of(flags)
    pipeline = make_pipeline(universe().all_passes, flags.passes)
    pipeline = Pipeline(tuple(targets.passes_for(target, pipeline.passes)))
    environment = packages_in_use(flags)
    ctx = environment.context()
    ctx.allow_unregistered = flags.allow_unregistered_dialect
    if flags.input_file == "-":
        flags.input_file = None
    return OptRun(flags, pipeline, target, environment, ctx)


def drive(run: OptRun) -> None:
    """Do the run; what its flags change for all of xDSL is put back afterwards."""
    check, coloured = Attribute.__post_init__, Diagnostic.colored
    if run.flags.disable_verify:
        type.__setattr__(Attribute, "__post_init__", lambda self: None)
    Diagnostic.colored = run.flags.syntax_highlight or coloured
    try:
        if targets.is_of_packages(run.flags, run.target):
            text = targets.target_text(run.ctx, run.target, ModuleOp([]))
            write_text(run.flags.output_file or "-", text)
        elif run.flags.dump_pass_pipeline:
            _dump_pipeline(run)
        else:
            _run_pieces(run)
    except KeyboardInterrupt as error:
        if not getattr(error, "__notes__", ()):
            error.add_note("outside the passes")
        raise
    except ShrinkException:
        if not run.flags.shrink:
            raise
        print("Success, can shrink")
    finally:
        type.__setattr__(Attribute, "__post_init__", check)
        Diagnostic.colored = coloured


def _dump_pipeline(run: OptRun) -> None:
    """Print the passes of the run for the level of the input file."""
    from .show import written_out

    module = None
    if run.flags.input_file:
        module = read_piece(run.flags, run.ctx, pieces_of(run.flags)[0]).module
    write_text(run.flags.output_file or "-", written_out(run.pipeline.passes, module))


def _run_pieces(run: OptRun) -> None:
    pieces = pieces_of(run.flags)
    expected: Sequence[Expectations | None] = _expected(run, pieces)
    if any(each and each.members for each in expected):
        flags = {**vars(run.flags), "verify_diagnostics": False, "parsing_diagnostics": False}
        run = replace(run, flags=Namespace(**flags))
    else:
        expected = [None] * len(pieces)
    outcomes = list(_outcomes(run, pieces, expected))
    text = SEPARATOR.join(each.text if each else "" for each in outcomes)
    done = [each for each in outcomes if each is not None]
    if len(done) < len(outcomes):
        # As mlir-opt does: what the other pieces became is printed, and no file is written.
        sys.stdout.write("" if run.flags.output_file else text)
        sys.exit(1)
    _write(run, text, {name: parts for each in done for name, parts in each.files.items()})
    if done[-1].interruption:
        raise done[-1].interruption.error
    for each in done:
        for work in each.afterwards:
            work()
    if run.flags.shrink:
        print("Failure, can't shrink")
        sys.exit(1)


def _expected(run: OptRun, pieces: Sequence[InputPiece]) -> Sequence[Expectations]:
    """Read the diagnostics that the pieces expect, if they are to be compared."""
    if not run.flags.verify_diagnostics:
        return []
    name = name_of(run.flags)
    return [expectations(each.data.decode(errors="replace"), name, each.line) for each in pieces]


def _outcomes(
    run: OptRun, pieces: Sequence[InputPiece], expected: Sequence[Expectations | None]
) -> Iterator[Written | None]:
    """Yield what the pieces become, up to one in which the run is interrupted.

    The error of one of several is printed, and None stands in its place.
    """
    for piece, wanted in zip(pieces, expected, strict=True):
        work = partial(_outcome, run, piece, keeps=wanted is None)
        try:
            outcome = wanted.check(work, Written()) if wanted else work()
        except Exception as error:
            if not piece.place:
                raise
            as_json, explained = run.flags.diagnostics == "json", piece.fault(explain(error))
            sys.stderr.write(report(error, explained, run.flags.debug, as_json))
            yield None
            continue
        yield outcome
        if outcome.interruption:
            break


def _outcome(run: OptRun, piece: InputPiece, keeps: bool) -> Written:
    """Read a piece, run the passes and write it; with `keeps` an interrupt keeps what was done."""
    recorder = targets.recorder_of(run.target)
    try:
        read = read_piece(run.flags, run.ctx, piece)
        before = read.module.clone() if run.target.name == targets.MEMORY else None
        done = Written()
        try:
            with run.around(read.module, done.files):
                _apply(run, piece, read, recorder, keeps)
        except Interruption as error:
            done, before = replace(done, interruption=error), None
        return replace(done, text=_text(run, done, (before, read.module), recorder))
    except Exception as error:
        if recorder and recorder.ending and not piece.place:
            page = targets.run_report(run.ctx, recorder, name_of(run.flags), ModuleOp([]))
            _write(run, page, {})
            if output := run.flags.output_file:
                print(f"note: {output} tells of the passes so far", file=sys.stderr)
        if isinstance(error, ParseError | DiagnosticException) and printed(run.flags, error):
            return Written()
        raise


def _apply(
    run: OptRun, piece: InputPiece, read: Read, recorder: Recorder | None, keeps: bool
) -> None:
    """Run the passes; Interruption where Ctrl-C ends them and what was done is to be kept."""
    flags, module, name = run.flags, read.module, name_of(run.flags)
    verify_input(flags, read)
    if flags.verify_roundtrip:
        check_roundtrip(run.ctx, module, name)
    checks = [WholeModule(name, flags.verify_each)] * (
        not (flags.disable_verify or flags.verify_diagnostics)
    )
    last_whole = LastWhole(module)
    try:
        with (
            instrumented(*filter(None, [recorder]), *checks, last_whole),
            following_passes(flags, universe().all_passes.keys(), module, piece.place),
        ):
            _pipeline(run).apply(run.ctx, module)
    except KeyboardInterrupt as error:
        if not keeps:
            raise
        output = flags.output_file or "the output"
        raise Interruption(error, last_whole, output, flags.plan) from error
    if flags.verify_roundtrip:
        check_roundtrip(run.ctx, module, name)
    if run.pipeline.passes and run.warns:
        _warn(run, module)


def _pipeline(run: OptRun) -> PassPipeline:
    """Return the passes; errors of verifiers that are to be printed are raised plainly."""
    if not run.flags.verify_diagnostics:
        return run.pipeline

    def verify(before: object, module: ModuleOp, after: object) -> None:
        if not run.flags.disable_verify:
            module.verify()

    return PassPipeline(run.pipeline.passes, verify)


def _warn(run: OptRun, module: ModuleOp) -> None:
    """Print which ops run from main memory because they do not fit the TCM."""
    from ..passes.checks.check_level import warnings

    for line in warnings(module, packages_of(run.ctx).tables):
        print(line, file=sys.stderr)


def _text(
    run: OptRun,
    done: Written,
    modules: tuple[ModuleOp | None, ModuleOp],
    recorder: Recorder | None,
) -> str:
    """Write a module that went through the passes; note what else is to be written."""
    if run.flags.plan and not done.interruption:
        from ...runtime.memory_plan import write_plan
        from ..passes.allocation.certificate import memory_plan

        done.afterwards.append(partial(write_plan, run.flags.plan, memory_plan(modules[1])))
    if not run.is_printed:
        return ""

    def write(module: ModuleOp) -> str:
        """Write the module as the target does."""
        flags, ctx, target = run.flags, run.ctx, run.target
        if recorder is not None:
            return targets.run_report(ctx, recorder, name_of(flags), module)
        if target.name == targets.MEMORY:
            return targets.memory_report(flags, ctx, target, run.pipeline.passes, modules)
        if target.name == targets.STREAM:
            text, check = targets.stream_report(ctx, target, module)
            done.afterwards.append(check)
            return text
        if target.name == targets.MODULE:
            text, more = targets.module_text(flags, ctx, module)
            done.files.update(more)
            return text
        if targets.writes_model(flags, target):
            more, check = targets.onnx_files(flags, target, module)
            done.files.update(more)
            done.afterwards.append(check)
            return ""
        return targets.target_text(ctx, target, module)

    if done.interruption:
        return done.interruption.written(run.target.name, write, modules[1])
    return write(modules[1])


def _write(run: OptRun, text: str, files: Files) -> None:
    """Write the output and the files that go with it, all or none."""
    output = run.flags.output_file or "-"
    if Path(output) in files:
        write_files(files)
        return
    if output == "-":
        write_files(files)
        write_text(output, text)
    else:
        write_files({**files, output: encoded(output, text)})
