"""Runs of passes with a question: rules, tiles, kernels, numbers, ranges, reports."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ....dialects.diagnostics import fail
from ....runtime.files.arrays import read_npz
from ....runtime.passes import instrumented
from ....runtime.program.placing import declared_tcm
from ....runtime.session.session import successive
from ....runtime.tools.choices import print_choices
from ...levels import Level
from ...numerics.check import NumericsCheck
from ...numerics.report import Reporter
from ...passes.checks.check_level import check_level
from ...passes.tiling.plan_table import PlanTable, table_json, table_text
from ...passes.tiling.plan_tiles import collecting_plans
from ...passes.traffic import traffic
from ...quantization import calibrate, correct_bias, equalize
from ...quantization.encodings import Encodings, encodings_text
from ...quantization.measure import Feeds, sensitivities, summary, with_f16
from ...quantization.quantize import quantize_in_place
from ..driver import Files, OptRun, drive, prepared
from ..htp_opt import opt_parser
from ..rule_reports import reporting

_DIFFERENCE = 50
"""The part of the planned bytes by which those that move may differ without a word."""


def _run(arguments: Namespace, **settings: object) -> OptRun:
    """Prepare a run with the flags of a command, and the defaults of those of `htp-opt`.

    A module in a file keeps the places that its ops come from.
    """
    defaults = vars(opt_parser().parse_args([]))
    defaults["print_debuginfo"] = vars(arguments).get("output_file") not in (None, "-")
    flags = Namespace(**{**defaults, **vars(arguments), **settings})
    # JSON that goes to stderr is left alone.
    is_json = "json" in (vars(flags).get("format"), vars(flags).get("explain_tiles"))
    return replace(prepared(flags), warns=not is_json)


def _asking(arguments: Namespace) -> tuple[OptRun, TextIO]:
    """Return a run that prints no module unless -o is given, and the stream for its answer."""
    is_printed = arguments.output_file is not None
    answer = sys.stderr if is_printed else sys.stdout
    return replace(_run(arguments), is_printed=is_printed), answer


def rule_stats(arguments: Namespace) -> None:
    """Print what each rule did in the run."""
    run, answer = _asking(arguments)
    with reporting(arguments.format, [], [], arguments.format, answer):
        drive(run)


def explain_rules(arguments: Namespace) -> None:
    """Print why rules fire at ops or not."""
    if not (arguments.rule or arguments.op):
        problem = "neither a rule nor an op is named"
        raise fail("htp rules explain", problem, "give --rule RULE[@OP] or --op OP")
    run, answer = _asking(arguments)
    with reporting(None, arguments.rule, arguments.op, arguments.format, answer):
        drive(run)


def check_numbers(arguments: Namespace) -> None:
    """Run the module after every pass and pass group, and compare the numbers with the first."""
    if not arguments.passes:
        problem = "runs the module after every pass, and -p names none"
        raise fail("htp numerics", problem, "add -p PIPELINE")
    run, answer = _asking(arguments)
    flags = [f"--package {name}" for name in arguments.package]
    flags += [f"--include {name}" for name in arguments.include]
    flags += [f"--defines {name}" for name in arguments.defines] + ["--build"] * arguments.build
    flags += ["--target hexagon"] * (arguments.machine == "hexagon")
    reporter = Reporter(Path(arguments.numerics_dir), flags)
    feeds = read_npz(arguments.input) if arguments.input else {}
    library, error = run.environment.library, reporter.error
    check = NumericsCheck(run.ctx, library, feeds, arguments.seed, arguments.tolerance, error)
    with instrumented(check):
        drive(run)
    print(check.summary(), file=answer)


def lower_model(arguments: Namespace) -> None:
    """Lower a model, and print or keep its tiles and kernels where flags ask for them."""
    options = {
        "soc": arguments.soc,
        "tcm-bytes": arguments.tcm_bytes,
        "level": arguments.level,
    }
    texts = [f"{name}={value}" for name, value in options.items() if value is not None]
    texts += [arguments.options] if arguments.options else []
    passes = arguments.passes
    if passes is not None and texts:
        raise fail("htp lower", f"-p says what runs, and {texts[0]} too", "give one of them")
    if passes is None:
        passes = f"htp-lower{{{' '.join(texts)}}}" if texts else "htp-lower"
    run = _run(arguments, passes=passes)

    @contextmanager
    def around(module: ModuleOp, files: Files) -> Iterator[None]:
        try:
            with _following_tiles(arguments, module, files):
                yield
        finally:
            if arguments.explain_kernels:
                print_choices(module, run.environment.library.kernels)

    drive(replace(run, around=around))


@contextmanager
def _following_tiles(arguments: Namespace, module: ModuleOp, files: Files) -> Iterator[None]:
    """Print and keep the tile plans of the passes inside the block, as the flags say."""
    if not (arguments.explain_tiles or arguments.save_tiles):
        yield
        return
    with collecting_plans() as tables:
        yield
    if not tables:
        flag = "--explain-tiles" if arguments.explain_tiles else "--save-tiles"
        raise fail(flag, "no pass planned tiles", "give -p htp-lower, without tiling=false")
    functions = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    # A function that came out better without tiles has no plan.
    plans = {function.sym_name.data: tables.get(function) for function in functions}
    if arguments.explain_tiles:
        lines = _lines(plans, module) if arguments.explain_tiles == "text" else [table_json(plans)]
        print(*lines, sep="\n", file=sys.stderr)
    if arguments.save_tiles:
        files[arguments.save_tiles] = [table_json(plans).encode()]


def _lines(plans: Mapping[str, PlanTable | None], module: ModuleOp) -> Iterator[str]:
    for name, table in plans.items():
        if table is None:
            yield f"{name}: no op is cut, without tiles fewer bytes move"
        else:
            yield from table_text(name, table)
    if declared_tcm(module) is not None:
        moved = traffic(module).bytes
        planned = sum(table.bytes for table in plans.values() if table)
        differs = planned and abs(moved - planned) * _DIFFERENCE > planned
        yield f"moved: {moved:,} bytes" + (f", planned {planned:,}" if differs else "")


def quantize_model(arguments: Namespace) -> None:
    """Quantise a model by its tensors' ranges on inputs, then run the passes."""
    run = _run(arguments)

    @contextmanager
    def around(module: ModuleOp, files: Files) -> Iterator[None]:
        _calibrate(arguments, run, module, files)
        yield

    drive(replace(run, around=around))


def _calibrate(arguments: Namespace, run: OptRun, module: ModuleOp, files: Files) -> None:
    """Quantise a module in place as the flags say."""
    check_level(module, Level.GRAPH)
    library, feeds = run.environment.library, successive(read_npz(arguments.inputs))
    if "equalize" in arguments.improve:
        equalize(module)
    encodings = calibrate(
        module,
        feeds,
        method=arguments.calibration_method,
        activations=arguments.activations,
        library=library,
    )
    encodings, halves = _with_floats(arguments, run, module, encodings, feeds)
    text = encodings_text(encodings, "1.0.0")
    exact = module.clone()
    if "bias" in arguments.improve:
        correct_bias(module, feeds, library)
    quantize_in_place(module, encodings)
    print(summary(exact, module, feeds, halves, library), file=sys.stderr)
    if arguments.save_encodings:
        files[arguments.save_encodings] = [text.encode()]


def _with_floats(
    arguments: Namespace, run: OptRun, module: ModuleOp, encodings: Encodings, feeds: Feeds
) -> tuple[Encodings, Sequence[str]]:
    """Print how sensitive ops are, and put in f16 those that have to be, as the flags say."""
    library = run.environment.library
    if arguments.sensitivity:
        for row in sensitivities(module, encodings, feeds, library):
            print(f"{row.ratio:8.1f} dB  {row.op} '{row.tensor}'", file=sys.stderr)
    if arguments.least_ratio is None:
        return encodings, []
    mixed, rows = with_f16(module, encodings, feeds, arguments.least_ratio, library)
    for row in rows:
        print(f"f16: {row.op} '{row.tensor}'", file=sys.stderr)
    return mixed, [row.tensor for row in rows]


def report_memory(arguments: Namespace) -> None:
    """Write the report on the memory of a lowered model."""
    options = {name: getattr(arguments, name) for name in ("format", "io", "beside")}
    texts = [f'{name}="{value}"' for name, value in options.items() if value]
    drive(
        _run(arguments, target=f"memory-report{{{' '.join(texts)}}}" if texts else "memory-report")
    )


def report_measured(arguments: Namespace) -> None:
    """Write the plan of a model beside what a device counted."""
    options = f'summary="{arguments.summary}" format={arguments.format}'
    drive(_run(arguments, target=f"measured-report{{{options}}}"))


def report_passes(arguments: Namespace) -> None:
    """Write the page on a whole lowering."""
    drive(_run(arguments, target="report"))


def report_stream(arguments: Namespace) -> None:
    """Write the report on the rates of a streaming model."""
    drive(_run(arguments, target=f"stream-report{{format={arguments.format}}}"))
