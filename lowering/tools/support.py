"""The mode of `htp-opt` that tells of each node of a model how far down the levels it gets."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.passes import ModulePass

from ...dialects.diagnostics import fail
from ...dialects.faults.source_lines import STDIN_NAME
from ...runtime.tools.flags.model_flags import parse_constants, parse_dims
from ...runtime.tools.tool import write_text
from .flags.rule_flags import FORMATS, SUPPORT

if TYPE_CHECKING:
    from ..passes.lower import Lower
    from ..survey.imported import Imported


_OTHERS = (
    *("plan", "split_input_file", "resources", "explain", "explain_kernels", "rule_stats"),
    *("show_op", "check_rules", "lint_rules", "calibrate", "explain_op", "dump_pass_pipeline"),
    *("time_passes", "dump_dir", "crash_reproducer", "verify_roundtrip", "print_ir_diff"),
    *("check_numerics", "explain_tiles", "save_tiles"),
    *(
        f"print_ir_{when}{which}"
        for when in ("before", "after")
        for which in ("", "_all", "_change")
    ),
)
"""The flags that ask for another output."""


def add_support_flag(parser: ArgumentParser) -> None:
    """Add the flag to a parser."""
    parser.add_argument(
        SUPPORT,
        choices=FORMATS,
        help="print how far each op of the model gets, on which kernels, and why no further, as "
        "text unless =json; -p 'htp-lower{...}' says for what. Exit status 1 where any falls short",
    )


def tell_support(arguments: Namespace, ctx: Context, passes: Sequence[ModulePass]) -> None:
    """Print the survey; HtpError where a part of the model does not get to the level asked for."""
    from ..soc import soc
    from ..survey.as_json import as_json
    from ..survey.survey import survey
    from ..survey.text import as_text

    config = _config(arguments, passes)
    result = survey(_imported(arguments, ctx), ctx, config)
    name = arguments.input_file or STDIN_NAME
    written = as_json if arguments.support == "json" else as_text
    tcm_bytes = soc(config.soc).tcm_bytes if config.tcm_bytes is None else config.tcm_bytes
    title = f"{name} on {config.soc} with {tcm_bytes:,} bytes of TCM"
    write_text(arguments.output_file or "-", written(result, title))
    if not result.all_run:
        short = f"{result.short} of {result.nodes} nodes do not get to the {config.level} level"
        problem = short if result.short else f"does not get to the {config.level} level"
        raise fail(name, problem, "the table says why")


def _config(arguments: Namespace, passes: Sequence[ModulePass]) -> Lower:
    from ..passes.lower import Lower

    asked = [f"--{name.replace('_', '-')}" for name in _OTHERS if getattr(arguments, name)]
    if asked or arguments.target != "mlir":
        flag = (*asked, "-t")[0]
        raise fail(SUPPORT, f"prints a table, and {flag} asks for something else", "give one")
    others = [step.name for step in passes if not isinstance(step, Lower)]
    if others or len(passes) > 1:
        problem = f"runs htp-lower alone, and -p names {', '.join(others) or 'it twice'}"
        raise fail(SUPPORT, problem, "give -p 'htp-lower{...}', or no passes")
    return next((step for step in passes if isinstance(step, Lower)), Lower())


def _imported(arguments: Namespace, ctx: Context) -> Imported:
    from ...runtime.tools.reading.loading import load_module, parse_module
    from ..levels import Level
    from ..passes.check_level import check_level
    from ..survey.imported import graph_itself

    dims, constants = parse_dims(arguments.dim), parse_constants(arguments.const)
    name, suffix = arguments.input_file, arguments.frontend
    if name and (suffix or Path(name).suffix.lower().lstrip(".")) == "onnx":
        from ..survey.onnx import survey_onnx

        return survey_onnx(Path(name), dims, constants, ctx)
    if name:
        resources = arguments.resources_from
        module = load_module(name, dims=dims, constants=constants, ctx=ctx, resources=resources)
    else:
        module = parse_module(sys.stdin.read(), STDIN_NAME, ctx, arguments.resources_from)
    check_level(module, Level.GRAPH)
    return graph_itself(module)
