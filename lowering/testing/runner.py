"""Runs of RUN lines: conditions of a file, streams of commands, the message of a line that fails.

Conditions are those of `REQUIRES`, `UNSUPPORTED` and `XFAIL`: formulas of features.
CHECK lines may be written from what the tools print, with the names of values captured.
"""

import platform
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ...dialects.diagnostics import HtpError, fail
from ...runtime.tools.tool import ToolOutcome
from .checks import filecheck_options
from .directives import directive_of, reject_unknown_keywords, reject_unread_prefixes
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


_PIECE = re.compile(r"^\s*// -----.*$", re.MULTILINE)
_VALUE = re.compile(r"%([A-Za-z0-9_$.-]+)")
_FUNCTION = re.compile(r"^(\s*\"?func\.func\"?[^@]*@[\w$.-]+\()(.*)$")
_PLAIN = re.compile(r"^\s*(?:builtin\.module.*\{|\}.*|)$")
_SPECIAL = re.compile(r"\[{2,}|\{{2,}")
_WRITTEN = ("", "-NEXT", "-LABEL", "-SAME")
"""The kinds of directives that an update writes."""
_COMMENT = re.compile(r"^\s*//|^\s*$")


class _Unchecked(Programs):
    """Programs of which filecheck takes everything."""

    def run(
        self, name: str, arguments: Sequence[str], stdin: str, merge: bool = False
    ) -> ToolOutcome:
        """Run a program, unless it is filecheck."""
        if name in FILECHECKS:
            return ToolOutcome(0, "", "")
        return super().run(name, arguments, stdin, merge)


def update_file(path: Path, suite: Suite, folder: Path) -> bool:
    """Write new directives into a file that does not pass; tell whether it was changed.

    What passes stays as it is written. `folder` takes the scratch files. Raises PipelineError where
    what is before filecheck fails.
    """
    try:
        run_file(path, suite)
    except (HtpError, PipelineError):
        values = Substitutions(path, folder / f"{path.name}.tmp", suite.substitutions)
        before = read_text(path)
        text = updated(before, path, suite, values)
        begin = path.read_bytes()
        is_marked, has_returns = begin.startswith(BOM_UTF8), b"\r\n" in begin
        encoding = "utf-8-sig" if is_marked else "utf-8"
        path.write_text(text, encoding=encoding, newline="\r\n" if has_returns else "\n")
        return text != before
    return False


def updated(text: str, path: Path, suite: Suite, values: Substitutions) -> str:
    """Return a file's text with new directives for each `... | filecheck %s`."""
    unchecked = replace(suite, programs=_Unchecked(suite.programs.targets, suite.programs.external))
    for line in run_lines(text):
        *before, last = run_line(line, unchecked, values)
        if last.program not in FILECHECKS:
            continue
        if line_status(before):
            errors = "".join(stage.outcome.err for stage in before)
            raise PipelineError(f"RUN: {line.text}\nfails before filecheck\n{errors}")
        options = filecheck_options(last.words[1:])
        if Path(options.match_filename) == path:
            named = options.input_file != "-"
            output = read_text(Path(options.input_file)) if named else last.stdin
            if not output.strip():
                raise PipelineError(f"RUN: {line.text}\nfilecheck is given nothing to write down\n")
            _refuse_by_hand(text, options.check_prefixes[0])
            text = with_checks(text, output, options.check_prefixes[0], path)
    return text


def _refuse_by_hand(text: str, prefix: str) -> None:
    """Refuse to replace directives that no update writes: somebody thought about them."""
    for number, line in enumerate(text.split("\n"), start=1):
        name, kind = directive_of(line)
        if name == prefix and kind not in _WRITTEN:
            problem = f"'{prefix}{kind}' is written by hand, and an update would drop it"
            raise fail(f"line {number}", problem, "mend these lines by hand, or delete them first")


def with_checks(text: str, output: str, prefix: str, path: Path) -> str:
    """Return a file's text with directives of one prefix for an output, in place of those it has.

    Each goes to the piece of the file that it is of, or all to the last where the numbers of
    pieces differ.
    """
    pieces, outputs = _PIECE.split(text), _PIECE.split(output)
    marks = _PIECE.findall(text)
    if len(pieces) != len(outputs):
        outputs = [*[""] * (len(pieces) - 1), "\n".join(outputs)]
    new = [_piece(piece, each, prefix, path) for piece, each in zip(pieces, outputs, strict=True)]
    return new[0] + "".join(mark + piece for mark, piece in zip(marks, new[1:], strict=True))


def _piece(piece: str, output: str, prefix: str, path: Path) -> str:
    lines = piece.split("\n")
    old = [index for index, line in enumerate(lines) if directive_of(line)[0] == prefix]
    kept = [line for index, line in enumerate(lines) if index not in old]
    checks = list(directives(output, prefix, path))
    if old:
        place = old[0]
    else:
        place = next((i for i, line in enumerate(kept) if not _COMMENT.match(line)), len(kept))
        while place > 0 and not kept[place - 1].strip():
            place -= 1
        checks = ["", *checks] if checks and place else checks
    return "\n".join([*kept[:place], *checks, *kept[place:]])


def directives(output: str, prefix: str, path: Path) -> Iterator[str]:
    """Yield the directives for an output; names are captured once and used by name afterwards.

    A function is a label, and its names are its own; lines that only open or close are left out.
    """
    names: dict[str, str] = {}
    follows = False
    for line in output.split("\n"):
        function = _FUNCTION.match(line)
        if _PLAIN.match(line):
            follows = False
        elif function:
            names, follows = {}, True
            yield f"// {prefix}-LABEL: {_escaped(function[1].strip(), path)}"
            yield f"// {prefix}-SAME: {_captured(function[2], names, path)}"
        else:
            suffix = "-NEXT" if follows else ""
            yield f"// {prefix}{suffix}: {_captured(line.strip(), names, path)}"
            follows = True


def _captured(line: str, names: dict[str, str], path: Path) -> str:
    parts: list[str] = []
    end = 0
    for match in _VALUE.finditer(line):
        parts.append(_escaped(line[end : match.start()], path))
        parts.append(_variable(match[1], names))
        end = match.end()
    return "".join([*parts, _escaped(line[end:], path)])


def _variable(value: str, names: dict[str, str]) -> str:
    if value in names:
        return f"[[{names[value]}]]"
    word = re.sub(r"\W", "_", value).upper()
    base = f"V{word}" if word[0].isdigit() else word
    taken = set(names.values())
    name = next(each for each in _numbered(base) if each not in taken)
    names[value] = name
    return f"[[{name}:%.+]]"


def _numbered(base: str) -> Iterable[str]:
    yield base
    yield from (f"{base}_{number}" for number in range(2, 1 << 20))


def _escaped(text: str, path: Path) -> str:
    """Write a text so that filecheck takes it unchanged; the folder of the file may be any."""
    parts = text.split(f"{path.parent}/")
    return "{{.*}}".join(
        _SPECIAL.sub(lambda match: f"{{{{{re.escape(match[0])}}}}}", part) for part in parts
    )
