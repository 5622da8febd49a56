"""The reduction of a module, by a command that fails on it."""

import sys
from argparse import Namespace
from pathlib import Path

from ....dialects.diagnostics import fail
from ....runtime.files.atomic import write_bytes
from ....runtime.tools.flags import packages_in_use, parse_constants, parse_dims
from ....runtime.tools.htp_run import run as htp_run
from ....runtime.tools.loading import load_module
from ....runtime.tools.tool import progress
from ...reduction.reduce import Best, Command, Progress, Reducer
from ..htp_opt import run as htp_opt

_REMEDY = "give the command that fails, --test FILE or behind --"


def run_reduce(arguments: Namespace) -> None:
    """Shrink the module; the smallest so far is in the output file at any time."""
    command = _command(arguments)
    ctx = packages_in_use(arguments).context()
    dims, constants = parse_dims(arguments.dim), parse_constants(arguments.const)
    module = load_module(arguments.model, dims=dims, constants=constants, ctx=ctx)
    output = arguments.output or f"{Path(arguments.model).stem}.reduced.mlir"

    def keep(best: Best) -> None:
        write_bytes(output, best.text.encode())

    with progress() as show:
        reducer = Reducer(module, command.fails, arguments.trials, keep, lambda s: show(_line(s)))
        before = reducer.best
        if not command.fails(before.text):
            matching = " with such output" if command.match else ""
            raise fail(arguments.model, f"the command does not fail on it{matching}", _REMEDY)
        keep(before)
        try:
            reducer.run()
        except KeyboardInterrupt:
            show("")
            print(f"interrupted; {_summary(reducer, before, output)}", file=sys.stderr)
            raise
    more = f"; --trials {arguments.trials} are used up" if reducer.is_out else ""
    print(f"{_summary(reducer, before, output)}{more}")


def _command(arguments: Namespace) -> Command:
    if bool(arguments.test) == bool(arguments.command):
        problem = "two commands are given" if arguments.test else "no command is given"
        raise fail("htp reduce", problem, _REMEDY)
    # As in a shell, a program of this folder needs no ./ in front.
    words = arguments.command or [str(Path(arguments.test).resolve())]
    from ..htp import run as htp

    tools = {"htp-opt": htp_opt, "htp-run": htp_run, "htp": htp}
    return Command(words, arguments.match, arguments.timeout, tools)


def _line(state: Progress) -> str:
    return f"trial {state.trials}, {state.ops} ops; {state.edit}"


def _summary(reducer: Reducer, before: Best, output: str) -> str:
    sizes = f"{before.ops} to {reducer.best.ops} ops"
    texts = f"{len(before.text):,} to {len(reducer.best.text):,} characters"
    return f"{output}: from {sizes}, {texts}, in {reducer.trials} trials"
