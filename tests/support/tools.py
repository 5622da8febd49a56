"""The programs of RUN lines as functions in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import Options, parse_argv_options
from filecheck.parser import Parser

from .directives import reject_unknown_directives
from .run_lines import Command, Pipeline, RunLineError


@dataclass(frozen=True)
class Outcome:
    """What a program left: its exit status and the two streams."""

    status: int
    out: str
    err: str


Tool = Callable[[Sequence[str], str], Outcome]


def _htp_opt(arguments: Sequence[str], stdin: str) -> Outcome:
    from htp_mlir.lowering.tools.htp_opt import run

    return Outcome(*run(list(arguments), stdin))


def _htp_run(arguments: Sequence[str], stdin: str) -> Outcome:
    from htp_mlir.runtime.tools.htp_run import run

    return Outcome(*run(list(arguments), stdin))


def _htp_package(arguments: Sequence[str], stdin: str) -> Outcome:
    from htp_mlir.lowering.tools.htp_package import run

    return Outcome(*run(list(arguments), stdin))


def _filecheck(arguments: Sequence[str], stdin: str) -> Outcome:
    options = filecheck_options(arguments)
    text = Path(options.match_filename).read_text(encoding="utf-8")
    reject_unknown_directives(text, options.check_prefixes)
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        matcher = Matcher(options, FInput("-", stdin), Parser.from_opts(options))
        status = matcher.run()
    return Outcome(status, out.getvalue(), err.getvalue())


def filecheck_options(arguments: Sequence[str]) -> Options:
    """The options of a filecheck command; RunLineError where it would not take them."""
    try:
        return parse_argv_options(["filecheck", *arguments])
    except RuntimeError as error:
        raise RunLineError(f"filecheck: {error}") from error


TOOLS: dict[str, Tool] = {
    "htp-opt": _htp_opt,
    "htp-run": _htp_run,
    "htp-package": _htp_package,
    "filecheck": _filecheck,
}


def run_command(command: Command, stdin: str, tools: dict[str, Tool] = TOOLS) -> Outcome:
    """Run one stage; each leading `not` turns the exit status over."""
    negations = command.words.index(command.tool)
    if command.tool not in tools:
        raise RunLineError(f"'{command.tool}' cannot be run in process; known: {', '.join(tools)}")
    outcome = tools[command.tool](command.words[negations + 1 :], stdin)
    failed = bool(outcome.status) ^ bool(negations % 2)
    status = int(failed) if negations else outcome.status
    if command.merge:
        return Outcome(status, outcome.out + outcome.err, "")
    return Outcome(status, outcome.out, outcome.err)


def run_pipeline(stages: Pipeline, tools: dict[str, Tool] = TOOLS) -> Outcome:
    """Run a pipeline, stage by stage; the first stage that fails decides the status."""
    status, text, errors = 0, "", ""
    for stage in stages:
        outcome = run_command(stage, text, tools)
        status, text = status or outcome.status, outcome.out
        errors += outcome.err
    return Outcome(status, text, errors)
