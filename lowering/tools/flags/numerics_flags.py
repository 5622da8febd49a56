"""The flags of `htp-opt` that look for the pass that changes the numbers."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from xdsl.context import Context

from ....dialects.diagnostics import fail
from ....runtime.environment import Environment
from ....runtime.passes.instrument import instrumented
from ....runtime.probe.flags import add_tolerance

_FLAG = "--check-numerics"
_FOLDER = "numerics"


def add_numerics_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add = parser.add_argument
    add(
        _FLAG,
        action="store_true",
        help="run the module after every pass and every pass group of rules, and compare with the "
        "first; name the pass, the firing of a rule and the op that first change the numbers, and "
        "write two small modules that show it",
    )
    add(
        "-i",
        "--input",
        metavar="X.npz",
        help="of --check-numerics: the inputs by name, or stacked along a leading axis for several "
        "inferences; random ones of --seed without it",
    )
    add(
        "--numerics-dir",
        metavar="DIR",
        help=f"of --check-numerics: the folder for the small modules, {_FOLDER} unless given",
    )
    add_tolerance(parser, _FLAG)


def check_numerics_flags(arguments: Namespace) -> None:
    """HtpError for a flag without a part in the run, and for a check without passes."""
    if arguments.check_numerics and not arguments.passes:
        raise fail(_FLAG, "runs the module after every pass, and -p names none", "add -p PIPELINE")
    for name in ("input", "numerics_dir", "tolerance"):
        if getattr(arguments, name) is not None and not arguments.check_numerics:
            flag = f"--{name.replace('_', '-')}"
            problem = "says how numbers are checked, and this run checks none"
            raise fail(flag, problem, f"add {_FLAG}, or leave it out")


@contextmanager
def checking_numerics(
    arguments: Namespace, ctx: Context, environment: Environment
) -> Iterator[None]:
    """Check the numbers behind the passes inside the block, if asked; print a line at its end."""
    if not arguments.check_numerics:
        yield
        return
    from ....runtime.files.arrays import read_npz
    from ...numerics.check import NumericsCheck
    from ...numerics.report import Reporter

    flags = [f"--package {name}" for name in arguments.package]
    flags += [f"--include {name}" for name in arguments.include]
    reporter = Reporter(Path(arguments.numerics_dir or _FOLDER), flags)
    feeds = read_npz(arguments.input) if arguments.input else {}
    seed = arguments.seed or 0
    check = NumericsCheck(
        ctx, environment.library, feeds, seed, arguments.tolerance, reporter.error
    )
    with instrumented(check):
        yield
    print(check.summary(), file=sys.stderr)
