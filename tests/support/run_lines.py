"""RUN lines: finding them in a file and splitting them into commands."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

_RUN = re.compile(r"^\s*(?://|;|#)\s*RUN:(?P<command>.*)$")
_MERGE = "\0merge\0"


class RunLineError(Exception):
    """A RUN line that cannot be run in process, or a directive that means nothing."""


@dataclass(frozen=True)
class Command:
    """One stage of a pipeline: words, and whether its stderr joins its stdout."""

    words: tuple[str, ...]
    merge: bool = False

    @property
    def tool(self) -> str:
        """The program that runs, past any `not`."""
        return next((word for word in self.words if word != "not"), "not")


Pipeline = tuple[Command, ...]


def run_lines(text: str) -> list[str]:
    """The commands of a file, with lines that end in a backslash joined to the next."""
    found: list[str] = []
    open_line = False
    for line in text.splitlines():
        match = _RUN.match(line)
        if match is None:
            continue
        command = match["command"].strip()
        goes_on = command.endswith("\\")
        command = command.removesuffix("\\").strip()
        if open_line:
            found[-1] = f"{found[-1]} {command}"
        else:
            found.append(command)
        open_line = goes_on
    if open_line:
        raise RunLineError(f"the last RUN line ends in a backslash: {found[-1]}")
    return found


def pipeline(line: str, source: Path, scratch: Path) -> Pipeline:
    """Split a RUN line at its pipes.

    `%s` is the file, `%S` its folder, `%t` a scratch path, `%%` a percent sign.
    """
    lexer = shlex.shlex(line.replace("2>&1", _MERGE), posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    names = {"%s": str(source), "%S": str(source.parent), "%t": str(scratch), "%%": "%"}
    stages: list[list[str]] = [[]]
    for word in lexer:
        if word == "|":
            stages.append([])
        elif set(word) <= set("|&;<>()"):
            raise RunLineError(f"'{word}' cannot be run in process: {line}")
        else:
            stages[-1].append(_expand(word, names, line))
    return tuple(_command(stage, line) for stage in stages)


def _expand(word: str, names: dict[str, str], line: str) -> str:
    unknown = [mark for mark in re.findall(r"%.?", word) if mark not in names]
    if unknown:
        raise RunLineError(f"unknown substitution '{unknown[0]}': {line}")
    return re.sub("%.", lambda match: names[match[0]], word)


def _command(words: list[str], line: str) -> Command:
    command = Command(tuple(word for word in words if word != _MERGE), _MERGE in words)
    if not command.words or command.tool == "not":
        raise RunLineError(f"a stage of the pipeline names no program: {line}")
    return command
