"""CHECK lines written from what the tools print, with the names of values captured."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...dialects.diagnostics import HtpError, fail
from ...runtime.tools.tool import ToolOutcome
from .checks import filecheck_options
from .directives import directive_of
from .programs import FILECHECKS, Programs
from .runner import PipelineError, Suite, line_status, read_text, run_file, run_line
from .syntax import Substitutions, run_lines

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
