"""Runs of RUN lines: conditions of a file, streams of commands, the message of a line that fails.

Conditions are those of `REQUIRES`, `UNSUPPORTED` and `XFAIL`: formulas of features.
"""

import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from ...dialects.diagnostics import fail
from ...runtime.tools.tool import ToolOutcome
from .directives import reject_unknown_keywords, reject_unread_prefixes
from .programs import FILECHECKS, Programs
from .syntax import RunLine, ShellCommand, ShellPipeline, Substitutions, pipelines, run_lines

_LINE = re.compile(r"^\s*(?://|;|#)\s*(REQUIRES|UNSUPPORTED|XFAIL):(.*)$")


@dataclass(frozen=True)
class Conditions:
    """The features that a file misses or is unsupported with, and whether it is to fail."""

    missing: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    must_fail: bool = False

    @property
    def skip_reason(self) -> str:
        """The reason why the file does not run here; empty where it runs."""
        if self.missing:
            return f"requires {', '.join(self.missing)}"
        return f"unsupported with {', '.join(self.unsupported)}" if self.unsupported else ""


def platform_features() -> frozenset[str]:
    """Return the feature that names the operating system, as `system-linux`."""
    return frozenset([f"system-{platform.system().lower()}"])


def conditions(text: str, features: Set[str]) -> Conditions:
    """Read a file's conditions; a comma divides several. HtpError for a malformed one."""
    formulas = list(_formulas(text))
    return Conditions(
        _which(formulas, "REQUIRES", features, wanted=False),
        _which(formulas, "UNSUPPORTED", features, wanted=True),
        bool(_which(formulas, "XFAIL", features, wanted=True)),
    )


def _which(
    formulas: Iterable[tuple[int, str, str]], keyword: str, features: Set[str], wanted: bool
) -> tuple[str, ...]:
    return tuple(
        formula
        for line, each, formula in formulas
        if each == keyword and _holds(formula, line, features) is wanted
    )


def _formulas(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _LINE.match(line):
            for formula in match[2].split(","):
                yield number, match[1], formula.strip()


def _holds(formula: str, line: int, features: Set[str]) -> bool:
    """Work a formula out, as lit does; HtpError for a malformed one."""
    from lit.BooleanExpression import BooleanExpression

    if formula == "*":
        return True
    try:
        return bool(BooleanExpression.evaluate(formula, features))
    except ValueError as error:
        reason = ", ".join(str(error).splitlines()[:-1])
        problem = f"'{formula}' is no condition: {reason}"
        raise fail(f"line {line}", problem, "join features by && || ! and brackets") from error


class PipelineError(Exception):
    """A RUN line whose commands did not end well."""


@dataclass(frozen=True)
class Suite:
    """The programs, features and substitutions of a project."""

    programs: Programs = field(default_factory=Programs)
    features: frozenset[str] = field(default_factory=platform_features)
    substitutions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stage:
    """A command that was run: its words with substitutions, its input and what it left."""

    words: tuple[str, ...]
    stdin: str
    outcome: ToolOutcome

    @property
    def program(self) -> str:
        """The program, or `not` where its status is turned over."""
        return self.words[0]


def run_file(path: Path, suite: Suite | None = None) -> None:
    """Run every RUN line of a file; PipelineError at the first that fails.

    Raises HtpError for a line that cannot be run and for a directive that means nothing.
    """
    suite = suite or Suite()
    lines = file_lines(path, suite)
    with TemporaryDirectory() as folder:
        values = Substitutions(path, Path(folder) / f"{path.name}.tmp", suite.substitutions)
        for index, line in enumerate(lines):
            stages = run_line(line, suite, values)
            if line_status(stages):
                raise PipelineError(_message(lines[: index + 1], stages, values))


def file_lines(path: Path, suite: Suite) -> list[RunLine]:
    """Return a file's RUN lines; HtpError where it has none or says what nobody reads."""
    text = read_text(path)
    lines = run_lines(text)
    if not lines:
        raise fail("the file", "has no RUN line", "write one, or move the file to a folder inputs")
    own = Substitutions(path, path, suite.substitutions)
    prefixes = [
        prefix
        for line in lines
        for pipeline in pipelines(own.in_line(line.text))
        for command in pipeline.stages
        if command.program in FILECHECKS
        for prefix in _prefixes(command)
    ]
    reject_unknown_keywords(text, prefixes)
    if prefixes:
        reject_unread_prefixes(text, prefixes)
    return lines


def _prefixes(command: ShellCommand) -> Sequence[str]:
    from .checks import filecheck_options

    start = command.words.index(command.program) + 1
    return filecheck_options(command.words[start:]).check_prefixes


def read_text(path: Path) -> str:
    """Return the text of a file; HtpError for one that is missing or no UTF-8.

    A mark of the byte order, as some editors write it in front, is not part of the text.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise fail(str(path), str(error.strerror), "check the path") from error
    except UnicodeDecodeError as error:
        raise fail(str(path), "is no UTF-8 text", "save it as UTF-8") from error


def run_line(line: RunLine, suite: Suite, values: Substitutions) -> list[Stage]:
    """Run a line's pipelines until one ends it; give the stages of the last that ran."""
    stages: list[Stage] = []
    for pipeline in pipelines(values.in_line(line.text)):
        failed = bool(line_status(stages))
        if pipeline.after == ";" or (pipeline.after == "||") is failed:
            stages = _run_pipeline(pipeline, suite, values)
    return stages


def line_status(stages: Sequence[Stage]) -> int:
    """Return the status of the first stage that failed, as with pipefail; 0 if none did."""
    return next((stage.outcome.status for stage in stages if stage.outcome.status), 0)


def _run_pipeline(pipeline: ShellPipeline, suite: Suite, values: Substitutions) -> list[Stage]:
    stages: list[Stage] = []
    text = ""
    for command in pipeline.stages:
        stages.append(run_command(command, text, suite.programs, values))
        text = stages[-1].outcome.out
    return stages


def run_command(
    command: ShellCommand, stdin: str, programs: Programs, values: Substitutions
) -> Stage:
    """Run one stage; each leading `not` turns the exit status over."""
    words = tuple(map(values.in_word, command.words))
    files = {stream: Path(values.in_word(name)) for stream, name in command.files.items()}
    negations = command.words.index(command.program)
    if "<" in files:
        stdin = read_text(files["<"])
    arguments = words[negations + 1 :]
    status, out, err = programs.run(words[negations], arguments, stdin, command.merge)
    if negations:
        status = int(bool(status) ^ bool(negations % 2))
    if command.merge:
        # filecheck, which writes to stderr only, keeps its streams apart.
        out, err = out + err, ""
    for stream, path in files.items():
        if stream != "<":
            with path.open("a" if stream.endswith(">>") else "w", encoding="utf-8") as file:
                file.write(err if stream.startswith("2") else out)
    out = "" if files.keys() & {">", ">>"} else out
    err = "" if files.keys() & {"2>", "2>>"} else err
    return Stage(words, stdin, ToolOutcome(status, out, err))


def _message(lines: Sequence[RunLine], stages: Sequence[Stage], values: Substitutions) -> str:
    """Write how the last line failed: its status, what it printed, the commands that repeat it."""
    first = next(stage for stage in stages if stage.outcome.status)
    err = "".join(stage.outcome.err for stage in stages)
    shown = Substitutions(values.source, Path(values.scratch.name), values.own)
    commands = [f"  {shown.in_word(shown.in_line(line.text))}\n" for line in lines]
    return (
        f"RUN: {lines[-1].text}\nexit status {first.outcome.status} of {first.program}\n"
        f"{err}{stages[-1].outcome.out}\nrepeat it with\n{''.join(commands)}"
    )
