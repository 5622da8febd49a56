"""RUN and CHECK lines in an editor: their faults, and what their words mean."""

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from contextvars import copy_context
from dataclasses import replace
from functools import cache, lru_cache, partial
from io import StringIO
from pathlib import Path
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
from ..testing.runner import Suite
from ..testing.syntax import IS_RUN, RunLine, ShellCommand, Substitutions, pipelines, run_lines
from ..tools.htp import htp_parser
from ..tools.htp_opt import opt_parser
from ..tools.show import option_lines, pass_lines

_PARSERS: Mapping[str, Callable[[], ArgumentParser]] = {
    "htp-opt": cache(opt_parser),
    "htp": cache(htp_parser),
}
"""The programs whose words are known, with their parsers."""
_NO_FLAGS = partial(ArgumentParser, add_help=False)
_LINE_CHECKS = (reject_unknown_keywords, reject_unread_prefixes, reject_unknown_directives)
QUOTED = re.compile(r"'([^']+)'")
"""A name in a message."""


def is_comment(line: str) -> bool:
    """Tell whether a line has a comment: no RUN or CHECK line is without one."""
    return "//" in line or line.lstrip().startswith(("#", ";"))


def commands(text: str, name: str) -> Iterator[tuple[RunLine, ShellCommand]]:
    """Yield the commands of the RUN lines of a file; HtpError for a line that cannot be read."""
    lines = run_lines(text)
    if not lines:
        return
    values = Substitutions(Path(), Path(), suite_of(Path(name).absolute().parent).substitutions)
    for line in lines:
        for pipeline in pipelines(values.in_line(line.text)):
            yield from ((line, command) for command in pipeline.stages)


# Few keystrokes change these lines.
@lru_cache(maxsize=8)
def run_line_faults(text: str, name: str) -> list[Fault]:
    """Return what is wrong in the RUN and CHECK lines of a text, with its places."""
    lines = text.split("\n") if "RUN:" in text else []
    faults, prefixes = list[Fault](), list[str]()
    first = next((at for at, each in enumerate(lines, 1) if IS_RUN.match(each)), 0)
    if not first:
        return []

    @contextmanager
    def noted(number: int) -> Iterator[None]:
        """Note the faults of a line."""
        try:
            yield
        except HtpError as error:
            faults.extend(_placed(fault, lines, number, name) for fault in error.faults)

    programs = suite_of(Path(name).absolute().parent).programs
    every: list[tuple[RunLine, ShellCommand]] = []
    with noted(first):
        every += commands(text, name)
    for line, command in every:
        with noted(line.line):
            if command.program not in FILECHECKS:
                _check(command, programs)
                continue
            at = command.words.index(command.program)
            options = filecheck_options(command.words[at + 1 :])
            prefixes += options.check_prefixes
            for each in options.check_prefixes:
                with noted(line.line):
                    reject_unused_prefixes(text, [each])
            for error in _variable_errors(options, text):
                with noted(first):
                    raise error
    for number, each in enumerate(lines if prefixes else (), 1):
        if each.lstrip().startswith(("//", "#", ";")):
            for check in _LINE_CHECKS:
                with noted(number):
                    check(each, prefixes)
    return list(dict.fromkeys(faults))


@cache
def suite_of(folder: Path) -> Suite:
    """Return what a folder's RUN lines may call, by the ini file of its project too."""
    import pytest

    from ..testing.settings import read_settings

    flags = ["--noconftest", "--assert=plain", "--capture=no"]
    try:
        return read_settings(pytest.Config.fromdictargs({}, [*flags, str(folder)])).suite
    except Exception:  # a file that pytest cannot read may raise anything
        return Suite()


def _check(command: ShellCommand, programs: Programs) -> None:
    """Check a program, its flags and its passes; what is behind `not` may be wrong."""
    program = command.program
    if program not in {*programs.targets, *programs.external} and which(program) is None:
        raise programs.unknown(program)
    if program in _PARSERS and command.words[0] == program:
        with redirect_stdout(StringIO()), suppress(SystemExit):
            parse = _PARSERS[program]().parse_args
            flags = vars(copy_context().run(parse, command.words[1:])).get("passes") or ""
            if not flags.startswith("@"):
                make_pipeline(universe().all_passes, flags)


def _variable_errors(options: Options, text: str) -> Iterator[HtpError]:
    """Yield the errors of CHECK lines: variables that nothing sets, and what cannot be read."""
    known = set(options.variables)
    try:
        for op in Parser(options, StringIO(text), *pattern_for_opts(options)):
            for part in op.uops:
                if isinstance(part, Capture):
                    known.add(part.name)
                elif isinstance(part, Subst | NumSubst) and part.variable not in known:
                    problem = f"Variable {part.variable} referenced before assignment"
                    remedy = f"set it before, as [[{part.variable}:%.+]]"
                    yield fail(f"line {op.source_line}", problem, remedy)
    except ParseError as error:
        yield fail(f"line {error.line_no}", error.message, "correct the directive")


def _placed(fault: Fault, lines: Sequence[str], number: int, name: str) -> Fault:
    """Give a fault its place: a word that it quotes, in its line or in those that follow."""
    if own := re.fullmatch(r"line (\d+)", fault.where):
        number = max(int(own[1]), number)
    near = range(number, min(number + 8, len(lines)) + 1)
    words = map("".join, re.findall(r"'([^']+)'|Variable (\S+)| (--[\w-]+)", fault.problem))
    places = ((word, each) for word in words for each in near if word in lines[each - 1])
    line, at = next(places, (lines[number - 1].strip(), number))
    place = Position(name, at, lines[at - 1].find(line) + 1)
    return replace(fault, where=str(place), place=place, width=len(line))


def verbs(parser: ArgumentParser) -> Mapping[str, ArgumentParser]:
    """Return the commands of a program with their parsers."""
    return next((a.choices for a in parser._actions if isinstance(a, _SubParsersAction)), {})


def parser_of(line: str) -> ArgumentParser:
    """Return what reads the flags of the last command of a line; for a foreign one, of none."""
    words = str(re.split(r"RUN:|[|;]|&&", line)[-1]).split() or [""]
    parser = _PARSERS.get(words[0], _NO_FLAGS)()
    for word in words[1:]:
        parser = verbs(parser).get(word, parser)
    return parser


def options_of(name: str) -> list[str]:
    """List the options of a pass, as a pipeline writes them; none of a pass that is not known."""
    kind = universe().all_passes.get(name)
    return [line.partition(" ")[0] for line in option_lines(kind())] if kind else []


def meaning(word: str, before: str, packages: Packages) -> list[str]:
    """Describe a word of a RUN line behind a text: a pass, an option of ours, a flag or a rule."""
    passes = universe().all_passes
    if word in passes:
        return [*pass_lines({word: passes[word]})][1:]
    if flag := parser_of(before)._option_string_actions.get(word):
        return [f"{', '.join(flag.option_strings)}  {flag.help}"]
    ours = [each for each in passes if each.startswith(("htp-", "qti-"))]
    own = {name: passes[name] for name in ours if word in options_of(name)}
    options = [line for line in pass_lines(own) if line.split()[0].rstrip(":") in (word, *own)]
    return options or [rule_line(rule) for rule in packages.rules.rules if rule.name == word]
