"""The targets of a run: the module as text, a report, or the packages in use."""

from __future__ import annotations

import contextvars
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, parse_spec
from xdsl.utils.target import Target

from ...dialects.diagnostics import HtpError, fail, listed
from ...dialects.faults.arguments import size_of
from ...dialects.text.printer import Handles, ModulePrinter, no_handles
from ...runtime.installed.environment import universe
from ...runtime.tools.flags import refuse_one_file, refuse_overwriting
from ..packages.loading import check_output, packages_of

if TYPE_CHECKING:
    from ...runtime.files.atomic import Parts
    from ..report.run import Recorder

MODULE, MEMORY, PASSES, STREAM = "mlir", "memory-report", "report", "stream-report"
ONNX = "onnx"
_OF_PACKAGES = ("cpp-package", "irdl", "pdl")
"""The targets whose text is about the packages in use, where no module is named."""


def target_of(flags: Namespace) -> ArgSpec:
    """Return the target; HtpError for one that is not known, and options that it does not take."""
    spec, known = parse_spec(flags.target), universe().all_targets
    if spec.name not in known:
        problem = f"argument -t/--target: invalid choice: '{spec.name}'"
        raise fail("htp-opt", problem, listed(spec.name, list(known)))
    made(spec)
    if flags.output_file and spec.name == "cpp-package":
        check_output(flags.output_file, flags.package)
    if flags.split_input_file and writes_model(flags, spec):
        problem = "one file holds one model, and --split-input-file makes several"
        raise fail("-t onnx", problem, "leave one of them out")
    _check_resources(flags, spec.name)
    return spec


def made(spec: ArgSpec) -> Target:
    """Make a target; HtpError for options that it does not take."""
    try:
        return universe().all_targets[spec.name]().from_spec(spec)
    except ValueError as error:
        raise fail(f"target '{spec.name}'", str(error), "write -t name{option=value}") from error


def writes_model(flags: Namespace, target: ArgSpec) -> bool:
    """Tell whether the output is an ONNX model, not text."""
    return target.name == ONNX and Path(flags.output_file or "-").suffix.lower() == ".onnx"


def onnx_files(
    flags: Namespace, target: ArgSpec, module: ModuleOp
) -> tuple[dict[str | Path, Parts], Callable[[], None]]:
    """Return the files of an ONNX model, and what prints a line that says what changed."""
    from ..interop.targets import OnnxTarget, saved_onnx

    chosen = made(target)
    assert isinstance(chosen, OnnxTarget)
    result = saved_onnx(module, floats=bool(chosen.encodings), opset=chosen.opset)
    external = size_of(f"-t {ONNX}", "external", chosen.external)
    files = result.files(Path(flags.output_file), external, chosen.encodings)
    return files, partial(print, result, file=sys.stderr)


def _check_resources(flags: Namespace, target: str) -> None:
    """HtpError where another flag says that there is no text that could have handles."""
    flag = "--resources"
    if flags.resources is None:
        if flags.resources_above is not None:
            raise fail(f"{flag}-above", "there is no file to write", f"give {flag} FILE too")
        return
    problems = {
        f"target '{target}' writes no module as text": target != MODULE,
        "it keeps the data that --elide-constants leaves out": flags.elide_constants is not None,
        "one file goes with one module, and --split-input-file prints several": (
            flags.split_input_file
        ),
    }
    for problem, holds in problems.items():
        if holds:
            raise fail(flag, problem, "leave one of them out")
    refuse_overwriting({flag: flags.resources}, [flags.input_file])
    if flags.output_file:
        refuse_one_file(flags.output_file, flags.resources)


def is_of_packages(flags: Namespace, target: ArgSpec) -> bool:
    """Tell whether the text is about the packages in use, and no module is read."""
    return target.name in _OF_PACKAGES and not flags.input_file


def target_text(ctx: Context, target: ArgSpec, module: ModuleOp) -> str:
    """Return what a target writes of a module."""
    text = StringIO()
    made(target).emit(ctx, module, text)
    return text.getvalue()


def passes_for(target: ArgSpec, passes: Sequence[ModulePass]) -> Sequence[ModulePass]:
    """Return the passes of a run, with those that its target asks for."""
    if target.name != MEMORY:
        return passes
    from ..report.target import MemoryReport, with_io

    return with_io(MemoryReport.from_spec(target), passes)


def recorder_of(target: ArgSpec) -> Recorder | None:
    """Return what records the passes for a page about them; None for another target."""
    if target.name != PASSES:
        return None
    from ..report.run import Recorder

    return Recorder()


def memory_report(
    flags: Namespace,
    ctx: Context,
    target: ArgSpec,
    passes: Sequence[ModulePass],
    modules: tuple[ModuleOp | None, ModuleOp],
) -> str:
    """Report on the second module in the format of the file's name, beside another plan.

    The other plan is made of the first module, which is that before the passes, if it is there.
    """
    from ..report.target import MemoryReport, plan_beside

    (before, lowered), report, other = modules, MemoryReport.from_spec(target), None
    if before is not None:
        # In a context of its own: statistics and explanations are of the plan that is asked for.
        other = contextvars.Context().run(plan_beside, ctx, before, passes, report.beside)
    return report.for_file(flags.output_file).report(ctx, lowered, other)


def run_report(ctx: Context, recorder: Recorder, name: str, module: ModuleOp) -> str:
    """Return the page of a recorded run on the input of this name."""
    from ..report.run import run_page

    return run_page(f"Lowering of {Path(name).name}", recorder, module, packages_of(ctx))


def stream_report(
    ctx: Context, target: ArgSpec, module: ModuleOp
) -> tuple[str, Callable[[], None]]:
    """Return the report's text, and a check that raises HtpError where rates contradict."""
    from ..report.stream.stream import stream_of
    from ..report.stream.target import StreamReport

    stream = stream_of(module, packages_of(ctx))

    def check() -> None:
        if stream.faults:
            raise HtpError(*stream.faults)

    return StreamReport.from_spec(target).text(stream), check


def module_text(
    flags: Namespace, ctx: Context, module: ModuleOp
) -> tuple[str, dict[str | Path, Parts]]:
    """Return the text in the form that the flags ask for, and the files that go with it."""
    from ...runtime.tools.loading import ABOVE, Resources, path_from
    from ..report.elide import elided

    if not flags.resources:
        limit = flags.elide_constants
        return _print(flags, ctx, module, no_handles if limit is None else elided(limit)), {}
    above = flags.resources_above
    constants = Resources.of(module, ABOVE if above is None else above)
    with constants.noted(module, path_from(flags.resources, flags.output_file or "-")):
        text = _print(flags, ctx, module, constants.names.get)
    return text, {flags.resources: constants.parts}


def _print(flags: Namespace, ctx: Context, module: ModuleOp, handle_of: Handles) -> str:
    text = StringIO()
    printer = ModulePrinter(
        text,
        print_generic_format=flags.print_op_generic,
        print_properties_as_attributes=flags.print_no_properties,
        print_debuginfo=flags.print_debuginfo,
        handle_of=handle_of,
    )
    printer.print_module(module)
    printer.print_metadata(ctx.loaded_dialects)
    text.write("\n")
    return _coloured(text.getvalue()) if flags.syntax_highlight else text.getvalue()


def _coloured(text: str) -> str:
    """Colour a text for terminals; HtpError without Pygments."""
    if find_spec("pygments") is None:
        remedy = "pip install 'htp-mlir[highlight]'"
        raise fail("--syntax-highlight", "pygments is not installed", remedy)
    from pygments import highlight
    from pygments.formatters import TerminalFormatter

    from ...dialects.text.lexer import MlirLexer

    return str(highlight(text, MlirLexer(), TerminalFormatter()))
