"""The level that each node of a model gets to, and why no further."""

from argparse import Namespace
from pathlib import Path

from xdsl.context import Context

from ....dialects.diagnostics import counted, fail
from ....dialects.faults.op_faults import STDIN_NAME
from ....runtime.files.budget import read_text
from ....runtime.installed.environment import universe
from ....runtime.tools.flags import STDIN, packages_in_use, parse_constants, parse_dims
from ....runtime.tools.loading import load_module, parse_module
from ....runtime.tools.pipeline import make_pipeline
from ....runtime.tools.tool import write_text
from ...levels import Level
from ...packages.loading import packages_of
from ...passes.checks.check_level import check_level
from ...passes.lower import Lower
from ...soc import soc
from ...survey.lowered import Imported, graph_itself, survey_net
from ...survey.survey import survey
from ...survey.text import as_json, as_text


def print_support(arguments: Namespace) -> None:
    """Print the survey; HtpError where a part of the model does not get to the level asked for."""
    ctx = packages_in_use(arguments).context()
    passes = make_pipeline(universe().all_passes, arguments.passes).passes
    lowers = [step for step in passes if isinstance(step, Lower)]
    if len(passes) > 1 or len(lowers) < len(passes):
        others = ", ".join(step.name for step in passes if not isinstance(step, Lower))
        problem = f"runs htp-lower alone, and -p names {others or 'it twice'}"
        raise fail("htp support", problem, "give -p 'htp-lower{...}', or no passes")
    config = lowers[0] if lowers else Lower()
    result = survey(_imported(arguments, ctx), ctx, config)
    name = arguments.input_file or STDIN_NAME
    written = as_json if arguments.format == "json" else as_text
    tcm_bytes = soc(config.soc).tcm_bytes if config.tcm_bytes is None else config.tcm_bytes
    title = f"{name} on {config.soc} with {tcm_bytes:,} bytes of TCM"
    write_text(arguments.output_file or "-", written(result, title))
    if not result.all_run:
        verb = "does" if result.short == 1 else "do"
        of = f"{result.short} of {counted(result.nodes, 'node')}"
        short = f"{of} {verb} not get to the {config.level} level"
        problem = short if result.short else f"does not get to the {config.level} level"
        raise fail(name, problem, "the table says why")


def _imported(arguments: Namespace, ctx: Context) -> Imported:
    dims, constants = parse_dims(arguments.dim), parse_constants(arguments.const)
    name = arguments.input_file
    if name and Path(name).suffix.lower() == ".onnx":
        from ...survey.onnx import survey_onnx

        return survey_onnx(Path(name), dims, constants, ctx)
    if name and Path(name).suffix.lower() == ".json":
        return survey_net(Path(name))
    if name and name != STDIN:
        resources = arguments.resources_from
        module = load_module(name, dims=dims, constants=constants, ctx=ctx, resources=resources)
    else:
        module = parse_module(read_text(), STDIN_NAME, ctx, arguments.resources_from)
    imported = graph_itself(module, packages_of(ctx).kernels)
    if imported.module is not None:
        check_level(imported.module, Level.GRAPH)
    return imported
