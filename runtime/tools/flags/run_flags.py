"""The flags of `htp-run`; nothing is imported that only a run needs."""

from __future__ import annotations

import argparse

from ...probe.flags import add_probe_flags
from ...streaming.flags import add_stream_flags
from ..completion import add_completion_flag
from ..tool import ToolParser, add_tool_flags
from .model_flags import add_model_flags
from .package_flags import add_package_flags
from .resource_flags import add_resources_from

_DESCRIPTION = "Run a model, of any level of the IR, on numpy in simulated memory."
_EXPLAIN = "print to stderr which kernel each native op gets, and why no other one"
STDIN = "-"


def run_parser() -> argparse.ArgumentParser:
    """Make the parser of the command line."""
    parser = ToolParser("htp-run", description=_DESCRIPTION)
    add = parser.add_argument
    add_tool_flags(parser)
    file = "a .mlir file or a model that a frontend reads; - or nothing: text on stdin"
    add("model", nargs="?", default=STDIN, help=file)
    add("-i", "--input", metavar="X.npz", help="the inputs by name; random ones without it")
    add("-o", "--output", metavar="Y.npz", help="where the outputs go; a summary without it")
    add_stream_flags(parser)
    add("--check", action="store_true", help="look for overlaps and stale or unwritten memory")
    add_probe_flags(parser)
    add("--verify-plan", metavar="F.csv", help="check that a plan holds for the model; no run")
    add("-p", "--passes", metavar="PIPELINE", help="passes to apply before running")
    add_package_flags(parser)
    add_resources_from(parser)
    add_model_flags(parser)
    add("--seed", type=_seed, default=0, help="for the random inputs")
    add("--threads", type=int, help="threads of the linear algebra library")
    add("--load-state", metavar="F.npz", help="start from these states")
    add("--save-state", metavar="F.npz", help="keep the states after the last inference")
    add("--explain-kernels", action="store_true", help=_EXPLAIN)
    add("--debug", action="store_true", help="show the traceback of an error")
    add_completion_flag(parser)
    return parser


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 on")
    return int(text)
