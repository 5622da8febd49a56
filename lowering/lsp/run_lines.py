"""RUN and CHECK lines in an editor: their faults, and what their words mean."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from contextvars import copy_context
from dataclasses import fields, replace
from functools import partial
from io import StringIO
from shutil import which

from filecheck.error import ParseError
from filecheck.ops import Capture, NumSubst, Subst
from filecheck.options import Options
from filecheck.parser import Parser, pattern_for_opts

from ...dialects.diagnostics import Fault, HtpError, Position, fail
from ...runtime.installed.environment import universe
from ...runtime.tools.pipeline import make_pipeline
from ..packages.packages import Packages
from ..packages.report_lines import rule_line
from ..testing.checks import filecheck_options
from ..testing.directives import (
    reject_unknown_directives,
    reject_unknown_keywords,
    reject_unread_prefixes,
    reject_unused_prefixes,
)
from ..testing.programs import FILECHECKS, Programs
from ..testing.syntax import RunLine, ShellCommand, pipelines, run_lines
from ..tools.htp import htp_parser
from ..tools.htp_opt import opt_parser
from ..tools.show import pass_lines

PARSERS: Mapping[str, Callable[[], ArgumentParser]] = {"htp-opt": opt_parser, "htp": htp_parser}
"""The programs whose words are known, with their parsers."""
IS_RUN = re.compile(r"^\s*(?://|;|#)\s*RUN:")
"""The beginning of a RUN line."""
QUOTED = re.compile(r"'([^']+)'")
"""A name in a message."""


def commands(text: str) -> Iterator[tuple[RunLine, ShellCommand]]:
    """Yield the commands of the RUN lines; HtpError for a line that cannot be read."""
    for line in run_lines(text):
        for pipeline in pipelines(line.text):
            yield from ((line, command) for command in pipeline.stages)


def run_line_faults(text: str, name: str) -> list[Fault]:
    """Return what is wrong in the RUN and CHECK lines of a text, with its places."""
    if "RUN:" not in text:
        return []
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines, 1) if IS_RUN.match(line)), 0)
    if not first:
        return []
    faults: list[Fault] = []
    for number, work in _work(lines, first):
        try:
            work()
        except HtpError as error:
            faults += [_placed(fault, lines, number, name) for fault in error.faults]
    return list(dict.fromkeys(faults))


def _work(lines: Sequence[str], first: int) -> Iterator[tuple[int, Callable[[], object]]]:
    """Yield checks that raise HtpError, and the line that each is about."""
    text, prefixes = "\n".join(lines), list[str]()
    try:
        every = list(commands(text))
    except HtpError as error:
        yield first, partial(_raise, error)
        return
    for line, command in every:
        if command.program not in FILECHECKS:
            yield line.line, partial(_check, command)
            continue
        try:
            own = _options(command).check_prefixes
        except HtpError as error:
            yield line.line, partial(_raise, error)
            continue
        prefixes = list(dict.fromkeys([*prefixes, *own]))
        yield from ((line.line, partial(reject_unused_prefixes, text, [each])) for each in own)
        yield first, partial(_check_variables, command, text)
    for number, each in enumerate(lines if prefixes else (), 1):
        if each.lstrip().startswith(("//", "#", ";")):
            yield number, partial(reject_unknown_keywords, each, prefixes)
            yield number, partial(reject_unread_prefixes, each, prefixes)
            yield number, partial(reject_unknown_directives, each, prefixes)


def _raise(error: HtpError) -> None:
    raise error


def _options(command: ShellCommand) -> Options:
    return filecheck_options(command.words[command.words.index(command.program) + 1 :])


def _check(command: ShellCommand) -> None:
    """Check a program, its flags and its passes; what stands behind `not` may be wrong."""
    program = command.program
    if program not in Programs().targets and which(program) is None:
        raise Programs().unknown(program)
    if program in PARSERS and command.words[0] == program:
        with redirect_stdout(StringIO()):
            flags = copy_context().run(_parsed, PARSERS[program](), command.words[1:])
        if not flags.startswith("@"):
            make_pipeline(universe().all_passes, flags)


def _parsed(parser: ArgumentParser, words: Sequence[str]) -> str:
    """Return the pipeline among a program's words; HtpError for words that it does not take."""
    try:
        return str(vars(parser.parse_args(words)).get("passes") or "")
    except SystemExit:
        return ""


def _check_variables(command: ShellCommand, text: str) -> None:
    """Raise HtpError for the first variable of CHECK lines that is used before it is set."""
    options = _options(command)
    known = set(options.variables)
    try:
        for op in Parser(options, StringIO(text), *pattern_for_opts(options)):
            for part in op.uops:
                if isinstance(part, Capture):
                    known.add(part.name)
                elif isinstance(part, Subst | NumSubst) and part.variable not in known:
                    problem = f"Variable {part.variable} referenced before assignment"
                    remedy = f"set it before, as [[{part.variable}:%.+]]"
                    raise fail(f"line {op.source_line}", problem, remedy)
    except ParseError as error:
        raise fail(f"line {error.line_no}", error.message, "correct the directive") from error


def _placed(fault: Fault, lines: Sequence[str], number: int, name: str) -> Fault:
    """Give a fault its place: a word that it quotes, in its line or in those that follow."""
    if own := re.fullmatch(r"line (\d+)", fault.where):
        number = max(int(own[1]), number)
    words = [*QUOTED.findall(fault.problem), *re.findall(r"Variable (\S+)", fault.problem)]
    for word in words:
        for at in range(number, min(number + 8, len(lines)) + 1):
            if (column := lines[at - 1].find(word)) >= 0:
                place = Position(name, at, column + 1)
                return replace(fault, where=str(place), place=place, width=len(word))
    line = lines[number - 1]
    place = Position(name, number, len(line) - len(line.lstrip()) + 1)
    return replace(fault, where=str(place), place=place, width=len(line.strip()))


def options_of(name: str) -> list[str]:
    """List the options of a pass, as a pipeline writes them."""
    kind = universe().all_passes[name]()
    return [
        each.name.replace("_", "-") for each in fields(kind) if each.init and each.name != "name"
    ]


def meaning(word: str, packages: Packages) -> list[str]:
    """Describe a word of a RUN line: a pass, an option of passes, a flag or a rule."""
    passes = universe().all_passes
    if word in passes:
        return [*pass_lines({word: passes[word]})][1:]
    own = [
        name for name in passes if name.startswith(("htp-", "qti-")) and word in options_of(name)
    ]
    if own:
        lines = [line for name in own for line in pass_lines({name: passes[name]})]
        return [line for line in lines if line.split()[0].rstrip(":") in (word, *own)]
    if word.startswith("-"):
        flags = [flag for flag in opt_parser()._actions if word in flag.option_strings]
        return [f"{', '.join(flag.option_strings)}  {flag.help}" for flag in flags]
    return [rule_line(rule) for rule in packages.rules.rules if rule.name == word]
