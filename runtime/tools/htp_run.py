"""`htp-run`: run a module of any level from the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ...dialects.diagnostics import fail
from ..environment import universe
from ..files.arrays import read_npz, write_npz
from ..memory_plan import check_plan, read_plan
from ..session.session import Session
from ..session.stream import run_stream
from .choices import print_choices
from .loading import load_module, parse_module, verify
from .package_flags import add_package_flags, packages_in_use
from .pipeline import make_pipeline
from .summary import random_inputs, summary
from .tool import Tool, ToolParser

_DESCRIPTION = "Run a model, of any level of the IR, on numpy in simulated memory."
_EXPLAIN = "print to stderr which kernel each native op gets, and why no other one"
_STDIN = "-"


def _run(argv: Sequence[str]) -> None:
    arguments = _parser().parse_args(argv)
    packages = packages_in_use(arguments)
    ctx = packages.context()
    dims = parse_dims(arguments.dim)
    if arguments.model == _STDIN:
        module = parse_module(sys.stdin.read(), "<stdin>", ctx)
    else:
        module = load_module(arguments.model, dims=dims, ctx=ctx)
    if arguments.passes:
        make_pipeline(universe().all_passes, arguments.passes).apply(ctx, module)
        verify(module, arguments.model)
    if arguments.verify_plan:
        sys.stdout.write(_plan_verdict(module, arguments.verify_plan))
        return
    if arguments.explain_kernels:
        print_choices(module, packages.library.kernels)
    session = Session(
        module, check=arguments.check, threads=arguments.threads, library=packages.library
    )
    if arguments.load_state:
        session.load_state(arguments.load_state)
    if arguments.input:
        inputs = read_npz(Path(arguments.input))
    else:
        inputs = random_inputs(session.inputs, arguments.seed, 1 if arguments.stream else None)
    if arguments.stream:
        outputs = run_stream(session, inputs)
    else:
        # An output that did not run is left out.
        outputs = {name: v for name, v in session.run(inputs).items() if v is not None}
    if arguments.output:
        write_npz(arguments.output, outputs)
    if arguments.save_state:
        session.save_state(arguments.save_state)
    if not arguments.output:
        sys.stdout.write(summary(outputs))


main = Tool(_run)
"""The command `htp-run`."""
run = main.run


def _parser() -> argparse.ArgumentParser:
    parser = ToolParser("htp-run", description=_DESCRIPTION)
    add = parser.add_argument
    file = "a .mlir file or a model that a frontend reads; - or nothing: text on stdin"
    add("model", nargs="?", default=_STDIN, help=file)
    add("-i", "--input", metavar="X.npz", help="the inputs by name; random ones without it")
    add("-o", "--output", metavar="Y.npz", help="where the outputs go; a summary without it")
    add("--stream", action="store_true", help="the leading axis of each input is inferences")
    add("--check", action="store_true", help="look for overlaps and stale or unwritten memory")
    add("--verify-plan", metavar="F.csv", help="check that a plan holds for the model; no run")
    add("-p", "--passes", metavar="PIPELINE", help="passes to apply before running")
    add_package_flags(parser)
    add("--dim", action="append", default=[], metavar="NAME=SIZE", help="fix a symbolic dim")
    add("--seed", type=_seed, default=0, help="for the random inputs")
    add("--threads", type=int, help="threads of the linear algebra library")
    add("--load-state", metavar="F.npz", help="start from these states")
    add("--save-state", metavar="F.npz", help="keep the states after the last inference")
    add("--explain-kernels", action="store_true", help=_EXPLAIN)
    add("--debug", action="store_true", help="show the traceback of an error")
    return parser


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 on")
    return int(text)


def parse_dims(texts: Sequence[str]) -> dict[str, int]:
    """`NAME=SIZE` texts as sizes by name; HtpError where one is something else."""
    dims: dict[str, int] = {}
    for text in texts:
        name, _, size = text.partition("=")
        if not (name and size.isdecimal()):
            raise fail("--dim", f"'{text}' is no NAME=SIZE", "write --dim batch=1")
        dims[name] = int(size)
    return dims


def _plan_verdict(module: ModuleOp, path: str) -> str:
    """One line about a plan that holds; HtpError with all that is wrong with one that does not."""
    plan = read_plan(path)
    check_plan(module, plan, path)
    return (
        f"{path}: holds; {len(plan.rows)} tensors, peak {plan.peak} of {plan.capacity} bytes, "
        f"at least {plan.bound}\n"
    )
