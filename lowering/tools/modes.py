"""The modes of `htp-opt`: one function each, and the flags that ask for it."""

from __future__ import annotations

import contextvars
from argparse import Namespace
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline
from xdsl.utils.arg_spec import parse_spec

from ...dialects.diagnostics import fail
from ...runtime.environment import universe
from ...runtime.passes.run import Pipeline
from ...runtime.tools.tool import write_text
from .flags.check_flags import check_rules, checks_rules, refuse_idle

if TYPE_CHECKING:
    from ...dialects.text.printer import Handles
    from ...runtime.files.atomic import Parts
    from ..report.run import Recorder

Mode = Callable[[Namespace, Context], None]
"""A mode that reads no module: the flags, and the context of the packages in use."""

_OF_PACKAGES = ("cpp-package", "irdl", "pdl")
"""The targets whose text is about the packages in use."""


def mode_of(arguments: Namespace) -> Mode | None:
    """Return the mode that the flags ask for; None for a run of passes on a module."""
    refuse_idle(arguments)
    if arguments.show_op:
        return show_ops
    if arguments.list_passes:
        return list_passes
    if arguments.show_dialects:
        return show_dialects
    if arguments.show_plugins:
        return show_plugins
    if checks_rules(arguments):
        return check_rules
    if target_of(arguments) in _OF_PACKAGES and not arguments.input_file:
        return write_packages
    return None


def target_of(arguments: Namespace) -> str:
    """Return the name of the target."""
    return str(parse_spec(arguments.target).name)


def check_target(arguments: Namespace) -> None:
    """Refuse options that the target does not take before the passes run."""
    spec = parse_spec(arguments.target)
    target = universe().all_targets[spec.name]()
    try:
        target.from_spec(spec)
    except ValueError as error:
        raise fail(f"target '{spec.name}'", str(error), "write -t name{option=value}") from error


def show_ops(arguments: Namespace, ctx: Context) -> None:
    """Print everything that is registered for the ops of `--show-op`."""
    from ..packages.loading import packages_of
    from ..packages.lookup import registered

    ops = [registered(packages_of(ctx), name) for name in arguments.show_op]
    lines = [line for op in ops for line in op.lines()]
    write_text(arguments.output_file or "-", "\n".join(lines) + "\n")


def list_passes(arguments: Namespace, ctx: Context) -> None:
    """Print all passes with their options."""
    from .listing import pass_lines

    lines = pass_lines(universe().all_passes)
    write_text(arguments.output_file or "-", "\n".join(lines) + "\n")


def show_dialects(arguments: Namespace, ctx: Context) -> None:
    """Print all dialects of the packages in use."""
    from .listing import dialect_lines

    write_text(arguments.output_file or "-", "\n".join(dialect_lines(ctx)) + "\n")


def show_plugins(arguments: Namespace, ctx: Context) -> None:
    """Print what other distributions bring."""
    from .plugins import plugin_lines

    write_text(arguments.output_file or "-", "".join(f"{line}\n" for line in plugin_lines()))


def write_packages(arguments: Namespace, ctx: Context) -> None:
    """Write the text of a target that is about the packages in use, and about no module."""
    check_package_output(arguments)
    spec, text = parse_spec(arguments.target), StringIO()
    target = universe().all_targets[spec.name]()
    target.from_spec(spec).emit(ctx, ModuleOp([]), text)
    write_text(arguments.output_file or "-", text.getvalue())


def check_package_output(arguments: Namespace) -> None:
    """HtpError where C++ text of a package would be written over one of its sources."""
    from ..packages.loading import check_output

    if target_of(arguments) == "cpp-package" and arguments.output_file:
        check_output(arguments.output_file, arguments.package)


def pipeline_for(arguments: Namespace, pipeline: PassPipeline) -> PassPipeline:
    """Return the passes of a run, with those that its target asks for."""
    if target_of(arguments) != "memory-report":
        return pipeline
    from ..report.target import MemoryReport, with_io

    return Pipeline(with_io(MemoryReport.from_spec(parse_spec(arguments.target)), pipeline.passes))


def memory_report(
    arguments: Namespace,
    ctx: Context,
    passes: PassPipeline,
    before: ModuleOp | None,
    lowered: ModuleOp,
) -> str:
    """Report in the format of the file's name, with another plan beside this one.

    That plan is made of the module before the passes; without one it is not made.
    """
    from ..report.target import MemoryReport, plan_beside

    target = MemoryReport.from_spec(parse_spec(arguments.target))
    # In a context of its own: statistics and explanations are of the plan that is asked for.
    other = None
    if before is not None:
        steps = passes.passes
        other = contextvars.Context().run(plan_beside, ctx, before, steps, target.beside)
    return target.for_file(arguments.output_file).report(ctx, lowered, other)


def recorder_of(arguments: Namespace) -> Recorder | None:
    """Return what records the passes for a page about them; None for another target."""
    if target_of(arguments) != "report":
        return None
    from ..report.run import Recorder

    return Recorder()


def run_report(ctx: Context, recorder: Recorder, name: str, module: ModuleOp) -> str:
    """Return the page of a recorded run on the input of this name."""
    from ..packages.loading import packages_of
    from ..report.run import run_page

    return run_page(f"Lowering of {Path(name).name}", recorder, module, packages_of(ctx))


def stream_report(
    arguments: Namespace, ctx: Context, module: ModuleOp
) -> tuple[str, Callable[[], None]]:
    """Return the report's text, and a check that raises HtpError where rates contradict."""
    from ...dialects.diagnostics import HtpError
    from ..packages.loading import packages_of
    from ..report.stream.stream import stream_of
    from ..report.stream.target import StreamReport

    stream = stream_of(module, packages_of(ctx))

    def check() -> None:
        if stream.faults:
            raise HtpError(*stream.faults)

    return StreamReport.from_spec(parse_spec(arguments.target)).text(stream), check


def module_text(
    arguments: Namespace, ctx: Context, module: ModuleOp
) -> tuple[str, dict[str | Path, Parts]]:
    """Return the text in the form that the flags ask for, and the files that go with it."""
    from ...dialects.text.printer import no_handles
    from ...runtime.tools.reading.resources import ABOVE, Resources, path_from
    from ..report.elide import elided

    if not arguments.resources:
        limit = arguments.elide_constants
        handle_of = no_handles if limit is None else elided(limit)
        return _print(arguments, ctx, module, handle_of), {}
    above = arguments.resources_above
    constants = Resources.of(module, ABOVE if above is None else above)
    path = path_from(arguments.resources, arguments.output_file or "-")
    with constants.noted(module, path):
        text = _print(arguments, ctx, module, constants.names.get)
    return text, {arguments.resources: constants.parts}


def _print(arguments: Namespace, ctx: Context, module: ModuleOp, handle_of: Handles) -> str:
    from ...dialects.text.printer import ColouredPrinter, ModulePrinter

    text = StringIO()
    printer_class = ColouredPrinter if arguments.syntax_highlight else ModulePrinter
    printer = printer_class(
        text,
        print_generic_format=arguments.print_op_generic,
        print_properties_as_attributes=arguments.print_no_properties,
        print_debuginfo=arguments.print_debuginfo,
        handle_of=handle_of,
    )
    printer.print_module(module)
    printer.print_metadata(ctx.loaded_dialects)
    text.write("\n")
    return text.getvalue()
