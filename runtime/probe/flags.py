"""The flags of `htp-run` that keep and compare tensors, and the check that none is idle."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from math import isfinite, nan

from ...dialects.diagnostics import fail

_NPZ = ".npz"


def add_probe_flags(parser: ArgumentParser) -> None:
    """Add the flags to a parser."""
    add = parser.add_argument
    add(
        "--probe",
        metavar="FILE.npz",
        help="keep every tensor that is no constant, by the name of its node of the model, as real "
        "numbers",
    )
    add(
        "--compare",
        metavar="OTHER",
        help="run this model too, or read this file of --probe, and print how the tensors of each "
        "node differ, the worst first; the model may be such a file too. Exit status 1 where one "
        "differs by more than its dtype allows, or than --tolerance",
    )
    add_tolerance(parser, "--compare")


def add_tolerance(parser: ArgumentParser, of: str) -> None:
    """Add the flag for a tolerance other than those by dtype."""
    text = f"of {of}: the largest error that is no fault, relative to the tensor's largest value"
    parser.add_argument("--tolerance", metavar="REL", type=_tolerance, help=text)


def check_probe_flags(arguments: Namespace) -> None:
    """HtpError where a flag has no part in the run that the others ask for."""
    for flag, value in (("--probe", arguments.probe), ("--compare", arguments.compare)):
        for other in ("verify_plan", "stream"):
            asked = getattr(arguments, other)
            if value and asked:
                shown = f"--{other.replace('_', '-')}{' FILE' * (other == 'stream')}"
                problem = f"looks at the tensors of one run, and {shown} asks for something else"
                raise fail(flag, problem, "give one of them")
    if arguments.tolerance is not None and not arguments.compare:
        problem = "says how tensors are compared, and this run compares none"
        raise fail("--tolerance", problem, "add --compare OTHER, or leave it out")
    if is_recording(arguments.model) and not arguments.compare:
        remedy = "add --compare OTHER, or name a model"
        raise fail(arguments.model, "holds tensors, and nothing says what to do with them", remedy)


def is_recording(path: str) -> bool:
    """Tell whether a path is that of a file of tensors."""
    return path.lower().endswith(_NPZ)


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not isfinite(value) or value < 0:
        raise ArgumentTypeError(f"'{text}' is no number from 0 on")
    return value
