"""The driver behind `htp-opt`: xDSL's, with our passes, frontends and short errors."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import PassPipeline
from xdsl.utils.diagnostic import Diagnostic
from xdsl.xdsl_opt_main import xDSLOptMain

from ...dialects.diagnostics import fail
from ...runtime.environment import universe
from ...runtime.files.atomic import Parts, write_files
from ...runtime.passes.instrument import instrumented
from ...runtime.tools.errors import explain, report
from ...runtime.tools.flags.package_flags import packages_in_use
from ...runtime.tools.pipeline import make_pipeline
from ...runtime.tools.tool import version_format, write_text
from ...runtime.tools.usage import short_usage
from .expected import Expectations, expectations
from .flags.numerics_flags import check_numerics_flags, checking_numerics
from .flags.opt_flags import add_flags
from .flags.pass_flags import following_passes
from .flags.quantization_flags import calibrated, check_quantization_flags
from .flags.resource_flags import check_resource_flags
from .flags.rule_flags import looking_into_rules, with_formats
from .input import InputDriver
from .instruments.last_whole import LastWhole
from .instruments.verification import WholeModule
from .interruption import Interruption
from .modes import (
    check_package_output,
    check_target,
    memory_report,
    mode_of,
    module_text,
    pipeline_for,
    recorder_of,
    run_report,
    stream_report,
    target_of,
)
from .pieces import SEPARATOR, Piece, in_piece
from .support import tell_support
from .tile_plans import following_tiles, told_tiles

if TYPE_CHECKING:
    from ..report.run import Recorder

_NOT_TEXT = (".pdf", ".png", ".jpg", ".zip", ".npz", ".npy", ".onnx", ".pt2", ".safetensors")
_DESCRIPTION = "Import, rewrite, lower and check modules for the Hexagon Tensor Processor."


def drive(argv: Sequence[str]) -> None:
    """Run the driver; what its flags change for all of xDSL is put back afterwards."""
    check, coloured = Attribute.__post_init__, Diagnostic.colored
    try:
        HtpOpt(list(argv)).run()
    except KeyboardInterrupt as error:
        if not getattr(error, "__notes__", ()):
            error.add_note("outside the passes")
        raise
    finally:
        type.__setattr__(Attribute, "__post_init__", check)
        Diagnostic.colored = coloured


class _Collected(StringIO):
    """Output that is held back until the run has ended well."""

    def close(self) -> None:
        """Keep the text: the driver closes its output before we write it."""


class HtpOpt(InputDriver):
    """The driver: every flag of xdsl-opt, and those of `register_all_arguments`.

    A run that fails writes nothing and leaves the output file as it was, but for two pages that
    tell of the failure: a report on the passes, and a stream report on rates that contradict each
    other. Of an input in pieces, those that do not fail are still printed where there is no output
    file. A run that Ctrl-C ends writes the module as the last whole pass left it, in any target.
    """

    version_format: ClassVar[str] = version_format("htp-opt")

    def __init__(self, args: Sequence[str]) -> None:
        with short_usage(lambda: self._parser.format_help()):
            super().__init__(_DESCRIPTION, with_formats(args))
        self._recorder: Recorder | None = None
        self._interruption: Interruption | None = None
        if self.args.run_reproducer:
            from .instruments.crash import reproduce

            reproduce(self.args)
            self.setup_pipeline()
        self._environment = packages_in_use(self.args)
        self.ctx = self._environment.context()
        self.ctx.allow_unregistered = self.args.allow_unregistered_dialect
        if self.args.input_file == "-":
            self.args.input_file = None

    def run(self) -> None:
        check_target(self.args)
        self.pipeline = pipeline_for(self.args, self.pipeline)
        check_resource_flags(self.args)
        check_quantization_flags(self.args)
        check_numerics_flags(self.args)
        if self.args.support:
            tell_support(self.args, self.ctx, self.pipeline.passes)
            return
        if mode := mode_of(self.args):
            mode(self.args, self.ctx)
            return
        if self.args.dump_pass_pipeline:
            self._dump_pipeline()
            return
        check_package_output(self.args)
        self._expected: Sequence[Expectations] = ()
        pieces = self._expecting(self._pieces())
        self._afterwards: list[Callable[[], None]] = []
        self._files: dict[str | Path, Parts] = {}
        with looking_into_rules(self.args):
            texts = list(self._texts(pieces))
        text = SEPARATOR.join(text or "" for text in texts)
        if None in texts:
            # As mlir-opt does: what the other pieces became is printed, and no file is written.
            sys.stdout.write("" if self.args.output_file else text)
            sys.exit(1)
        self._write_output(text)
        if self._interruption:
            raise self._interruption.error
        for work in self._afterwards:
            work()

    def _texts(self, pieces: Sequence[Piece]) -> Iterator[str | None]:
        """Yield what the pieces become, up to one in which the run is interrupted."""
        for number in range(len(pieces)):
            yield self._run_piece(number, pieces)
            if self._interruption:
                break

    def _run_piece(self, number: int, pieces: Sequence[Piece]) -> str | None:
        """Run on one piece of the input; print the error of one of several and return None."""
        self._piece, self._source, self._output = pieces[number], None, _Collected()
        self._piece_number = number + 1 if len(pieces) > 1 else 0
        try:
            return (
                self._expected[number].check(self._run_once) if self._expected else self._run_once()
            )
        except Exception as error:
            if len(pieces) == 1:
                self._write_failure()
                raise
            told = in_piece(explain(error), number, len(pieces), self._piece[1])
            sys.stderr.write(report(error, told, self.args.debug))
            return None

    def _run_once(self) -> str:
        xDSLOptMain.run(self)
        return self._output.getvalue()

    def _expecting(self, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """Read the diagnostics that the pieces expect; where any does, they are compared."""
        if not self.args.verify_diagnostics or self._suffix() != "mlir":
            return pieces
        texts = [(stream.read(), offset) for stream, offset in pieces]
        name = self._input_name()
        read = [expectations(text.decode(errors="replace"), name, at) for text, at in texts]
        if any(each.members for each in read):
            self._expected = read
            self.args.verify_diagnostics = self.args.parsing_diagnostics = False
            self.setup_pipeline()
        return [(BytesIO(text), offset) for text, offset in texts]

    def _dump_pipeline(self) -> None:
        """Print the passes of the run for the level of the input file."""
        from .dump_pipeline import written_out

        module = None
        if self.args.input_file:
            self._piece = self._pieces()[0]
            with self._piece[0] as text:
                module = self.parse_chunk(text, self._suffix(), self._piece[1])
        write_text(self.args.output_file or "-", written_out(self.pipeline.passes, module))

    def _write_output(self, text: str) -> None:
        """Write the output and the files that go with it, all or none."""
        output = self.args.output_file or "-"
        if Path(output).suffix.lower() in _NOT_TEXT:
            raise fail("-o", f"'{output}' is not text by its name", "end it in .mlir or .html")
        if output == "-":
            write_files(self._files)
            write_text(output, text)
        else:
            write_files({**self._files, output: [text.encode()]})

    def _write_failure(self) -> None:
        """Write the page of a run in which a pass failed."""
        if self._recorder is None or not self._recorder.ending:
            return
        page = run_report(self.ctx, self._recorder, self._input_name(), ModuleOp([]))
        self._write_output(page)
        if self.args.output_file:
            print(f"note: {self.args.output_file} tells of the passes so far", file=sys.stderr)

    def prepare_output(self) -> IO[str]:
        return self._output

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        self._parser = arg_parser
        arg_parser.prog = "htp-opt"
        add_flags(arg_parser)

    def _check_roundtrip(self, module: ModuleOp) -> None:
        if self.args.verify_roundtrip:
            from .instruments.roundtrip import check_roundtrip

            check_roundtrip(self.ctx, module, self._input_name())

    def apply_passes(self, prog: ModuleOp) -> None:
        self._files |= calibrated(self.args, prog, self._environment.library)
        self._recorder = recorder_of(self.args)
        self._before = prog.clone() if target_of(self.args) == "memory-report" else None
        try:
            self._verify_input(prog)
            checks = not (self.args.disable_verify or self.args.verify_diagnostics)
            whole = WholeModule(self._input_name(), self.args.verify_each)
            known = self.available_passes.keys()
            self._check_roundtrip(prog)
            last_whole = LastWhole(prog)
            try:
                with (
                    instrumented(*filter(None, [self._recorder]), *[whole] * checks, last_whole),
                    following_passes(self.args, known, prog, self._piece_number),
                    checking_numerics(self.args, self.ctx, self._environment),
                    following_tiles(self.args) as tables,
                ):
                    super().apply_passes(prog)
            except KeyboardInterrupt as error:
                if self._expected:
                    raise
                output = self.args.output_file or "the output"
                self._interruption = Interruption(error, last_whole, output, self.args.plan)
                return
            self._check_roundtrip(prog)
            asked = self.args.rule_stats, self.args.explain_format, self.args.explain_tiles
            if self.pipeline.passes and "json" not in asked:
                self._warn(prog)
            self._files |= told_tiles(self.args, tables, prog)
            if self.args.plan:
                from ...runtime.memory_plan import write_plan
                from ..passes.allocation.certificate import memory_plan

                self._afterwards.append(partial(write_plan, self.args.plan, memory_plan(prog)))
        finally:
            if self.args.explain_kernels:
                from ...runtime.tools.choices import print_choices

                print_choices(prog, self._environment.library.kernels)

    def _warn(self, module: ModuleOp) -> None:
        """Print which ops run from main memory because they do not fit the TCM.

        JSON that goes to stderr is left alone.
        """
        from ..packages.loading import packages_of
        from ..passes.too_large import warnings

        for line in warnings(module, packages_of(self.ctx).tables):
            print(line, file=sys.stderr)

    def register_all_dialects(self) -> None:
        """Leave the context empty: that of the packages in use takes its place."""

    def register_all_passes(self) -> None:
        self.available_passes.update(universe().all_passes)

    def register_all_targets(self) -> None:
        self.available_targets.update(universe().all_targets)

    def setup_pipeline(self) -> None:
        self.pipeline = make_pipeline(self.available_passes, self.args.passes)
        if self.args.verify_diagnostics:
            # The driver prints what passes raise, as they raise it.
            self.pipeline = PassPipeline(self.pipeline.passes, self._verify_plainly)

    def _verify_plainly(self, before: object, module: ModuleOp, after: object) -> None:
        if not self.args.disable_verify:
            module.verify()

    def output_resulting_program(self, prog: ModuleOp) -> str:
        if self._interruption:
            return self._interruption.written(target_of(self.args), self._target_text, prog)
        return self._target_text(prog)

    def _target_text(self, prog: ModuleOp) -> str:
        """Return the module as the target writes it."""
        if self._before is not None:
            before = None if self._interruption else self._before
            return memory_report(self.args, self.ctx, self.pipeline, before, prog)
        if self._recorder is not None:
            return run_report(self.ctx, self._recorder, self._input_name(), prog)
        if target_of(self.args) == "stream-report":
            text, check = stream_report(self.args, self.ctx, prog)
            self._afterwards.append(check)
            return text
        if target_of(self.args) == "mlir":
            text, files = module_text(self.args, self.ctx, prog)
            self._files |= files
            return text
        return super().output_resulting_program(prog)
