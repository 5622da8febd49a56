"""RUN lines as text: finding them, splitting them into commands of a shell, substitutions in them.

Substitutions are those that lit has for a file, and those of a project.
"""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...dialects.diagnostics import fail, listed
from ...dialects.value.limits import MAX_COMMAND

IS_RUN = re.compile(r"^\s*(?://|;|#)\s*RUN:(?P<command>.*)$")
"""A RUN line."""
_MARKS = {"2>&1": "\0merge", "2>>": "\0more", "2>": "\0err"}
"""Words that represent redirections of stderr: the lexer would take them apart."""
_STREAMS = re.compile(r"(?<!\S)(?:2>&1|2>>|2>)")
_CONTROL = ("&&", "||", ";")
_PUNCTUATION = set("|&;<>()")


@dataclass(frozen=True)
class RunLine:
    """The commands of a RUN line, and the line of the file where it begins."""

    text: str
    line: int


@dataclass(frozen=True)
class ShellCommand:
    """A stage of a pipeline: words, and where its streams come from and go to.

    `merge` joins stderr to stdout; `files` maps `<`, `>`, `>>`, `2>` and `2>>` to paths.
    """

    words: tuple[str, ...]
    merge: bool = False
    files: dict[str, str] = field(default_factory=dict)

    @property
    def program(self) -> str:
        """The program that runs, past any `not`."""
        return next((word for word in self.words if word != "not"), "not")


@dataclass(frozen=True)
class ShellPipeline:
    """The stages of a pipeline, and when it runs: after `&&`, `||` or `;`."""

    after: str
    stages: tuple[ShellCommand, ...]


def run_lines(text: str) -> list[RunLine]:
    """Return the RUN lines of a file; one that ends in a backslash goes on in the next.

    Raises HtpError where the last one ends in a backslash, and for one of absurd length.
    """
    lines: list[RunLine] = []
    goes_on = False
    for number, line in enumerate(text.split("\n"), start=1):
        match = IS_RUN.match(line)
        if match is None:
            continue
        command = match["command"].strip()
        part = command.removesuffix("\\").strip()
        if goes_on:
            lines[-1] = RunLine(f"{lines[-1].text} {part}", lines[-1].line)
        else:
            lines.append(RunLine(part, number))
        goes_on = command.endswith("\\")
        if (length := len(lines[-1].text)) > MAX_COMMAND:
            problem = f"the RUN line has {length:,} characters, at most {MAX_COMMAND:,} are taken"
            raise fail(f"line {lines[-1].line}", problem, "put the commands in a script")
    if goes_on:
        raise fail(f"line {number}", "the last RUN line ends in a backslash", "finish the command")
    return lines


def pipelines(line: str) -> tuple[ShellPipeline, ...]:
    """Split a line at `&&`, `||`, `;` and `|`.

    Raises HtpError for what is not a pipeline: stages without a program, open quotes, a subshell.
    """
    sequence: list[tuple[str, list[list[str]]]] = [("&&", [[]])]
    marked = _STREAMS.sub(lambda match: f"{_MARKS[match[0]]} ", line)
    lexer = shlex.shlex(marked, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError as error:
        raise fail(line, str(error).lower(), "close the quotation") from error
    for word in words:
        if word in _CONTROL:
            sequence.append((word, [[]]))
        elif word == "|":
            sequence[-1][1].append([])
        else:
            sequence[-1][1][-1].append(word)
    return tuple(
        ShellPipeline(after, tuple(_command(stage, line) for stage in stages))
        for after, stages in sequence
    )


def _command(words: Sequence[str], line: str) -> ShellCommand:
    merge, kept, files = False, list[str](), dict[str, str]()
    streams = {"<": "<", ">": ">", ">>": ">>", _MARKS["2>"]: "2>", _MARKS["2>>"]: "2>>"}
    rest = iter(words)
    for word in rest:
        if word == _MARKS["2>&1"]:
            merge = True
        elif word in streams:
            files[streams[word]] = next(rest, "")
        elif set(word) <= _PUNCTUATION:
            raise fail(line, f"'{word}' cannot be run in process", "use | && || ; < > >> 2> 2>&1")
        else:
            kept.append(word)
    command = ShellCommand(tuple(kept), merge, files)
    if command.program == "not":
        raise fail(line, "a stage of the pipeline names no program", "write one between the pipes")
    if not all(files.values()):
        raise fail(line, "a redirection names no file", "write one behind it")
    return command


@dataclass(frozen=True)
class Substitutions:
    """The values of one file: its path, a scratch path that may be written, a project's own."""

    source: Path
    scratch: Path
    own: Mapping[str, str] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, str]:
        """The words that represent something, as lit has them."""
        paths = {
            "%s": self.source,
            "%S": self.source.parent,
            "%p": self.source.parent,
            "%t": self.scratch,
        }
        slashed = {f"%/{name[1]}": path.as_posix() for name, path in paths.items()}
        return {
            **{name: str(path) for name, path in paths.items()},
            **slashed,
            "%{s:basename}": self.source.name,
            "%{s:stem}": self.source.stem,
            "%{t:stem}": self.scratch.stem,
            "%basename_t": self.scratch.stem,
            "%{pathsep}": os.pathsep,
            "%%": "%",
        }

    def in_line(self, line: str) -> str:
        """Put in the project's own: their values may be several words."""
        if not self.own:
            return line
        longest = sorted(map(re.escape, self.own), key=len, reverse=True)
        return re.sub("|".join(["%%", *longest]), lambda m: self.own.get(m[0], m[0]), line)

    def in_word(self, word: str) -> str:
        """Put in what lit has; HtpError for any other `%`."""
        values = self.values
        longest = sorted(map(re.escape, values), key=len, reverse=True)
        pattern = re.compile("|".join([*longest, r"%\{[^}]*\}?", "%.?"]))
        for mark in pattern.findall(word):
            if mark not in values:
                remedy = f"write %% for a percent sign; {listed(mark, [*values, *self.own])}"
                raise fail(word, f"unknown substitution '{mark}'", remedy)
        return pattern.sub(lambda match: values[match[0]], word)
