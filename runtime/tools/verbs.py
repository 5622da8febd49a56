"""Commands as tables: a program's verbs with their flags, its parser, help and completion."""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

from ...dialects.diagnostics import DEBUG, DIAGNOSTICS, did_you_mean, fail, listed
from .flags import READING, TEXTS, WRITTEN, FlagTable, entries, flags, refuse_overwriting
from .tool import VERSION_FLAGS, print_version, refuse_suffix

ROOT = __package__.partition(".")[0]
SHELLS = ("bash", "zsh", "tcsh")
COMPLETION = "--print-completion"
_SECONDS = "kernel-seconds"
_UNKNOWN = re.compile(r"unrecognized arguments: .*?(--[\w-]+)")
_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)")
_FLAG = re.compile(r"--[\w-]+")
_PASSES = ("passes", "filter_passes", "print_ir_before", "print_ir_after")
"""Flags whose values are names of passes, joined by commas."""
_FOLDER = re.compile(r"DIR$")
_FILE = re.compile(r"FILE|MODEL|OTHER|\.(npz|csv|json|safetensors|wav)$")
_BASH = """_htp_passes() {{
  local head="${{1%"${{1##*,}}"}}"
  compgen -P "$head" -W "{}" -- "${{1##*,}}"
}}"""
_ZSH = "_values -s , pass {}"


class ToolParser(argparse.ArgumentParser):
    """An argument parser whose errors are two lines like all others."""

    _flags_apart = False

    def error(self, message: str) -> NoReturn:
        """Raise the fault instead of printing the usage, with the flag or choice that was meant."""
        remedy = f"see {self.prog} --help"
        if unknown := _UNKNOWN.search(message):
            remedy = did_you_mean(unknown[1], _FLAG.findall(self.format_help()), remedy)
        elif choice := _CHOICE.search(message):
            message = message[: choice.end(1) + 1]
            remedy = listed(choice[1], [name.strip("' ") for name in choice[2].split(",")])
        raise fail(self.prog, message, remedy)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse flags and operands in any order; HtpError of the command that does not know one."""
        if self._subparsers or self._flags_apart:
            return super().parse_known_args(args, namespace)
        # Up to Python 3.11 the intermixed way calls this method in turn, and loses a `--`.
        parse = super().parse_known_args if "--" in args else self.parse_known_intermixed_args
        self._flags_apart = True
        try:
            arguments, rest = parse(args, namespace)
        finally:
            self._flags_apart = False
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return arguments, rest


class _Version(argparse.Action):
    """The flag that prints the versions and ends the run."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print_version(parser.prog)
        parser.exit()


class _Completion(argparse.Action):
    """The flag that prints the completion script of a shell and ends the run."""

    def __call__(
        self, parser: argparse.ArgumentParser, _: object, shell: object, *__: object
    ) -> NoReturn:
        print(completion(parser, str(shell)))
        parser.exit()


class _Limit(argparse.Action):
    """The flag that changes what inputs and kernels may take, for the run under way."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        text: object,
        *others: object,
    ) -> None:
        from ..files.budget import BYTES, budget

        name, _, value = str(text).partition("=")
        if name == BYTES and value.isdecimal():
            budget.set(int(value))
        elif name == _SECONDS and re.fullmatch(r"\d+(\.\d+)?", value):
            namespace.kernel_limit = float(value)
        else:
            parser.error(f"argument --limit: '{text}' is not {BYTES}=N or {_SECONDS}=N")


class _RandomWeights(argparse.Action):
    """The flag that lets modules run whose weights were not at hand."""

    def __call__(self, *_: object) -> None:
        from ..program.preparation import random_weights

        random_weights.set(True)


_OF_ALL = flags(
    f"""
    {DEBUG}  show the traceback of an error
    --random-weights  run a converter's graph whose weights are not beside it on random ones
    {DIAGNOSTICS} {{text,json}}  print errors and notes to stderr as JSON objects, one a line; text
        unless json is given
    --limit NAME=N  input-bytes, what reading an input file may take beyond its size, 2^30 unless
        given; or {_SECONDS}, what one call of a C++ package's kernel may take, 10 unless given
    """,
    random_weights={"action": _RandomWeights, "nargs": 0},
    diagnostics={"default": "text"},
    limit={"action": _Limit, "dest": argparse.SUPPRESS},
)
_OF_PROGRAMS = flags(
    f"""
    {" ".join(VERSION_FLAGS)}  print our version and that of xDSL
    {COMPLETION} {{{",".join(SHELLS)}}}  print a completion script for this shell, and run nothing
        (extra 'completion')
    """,
    version={"action": _Version, "nargs": 0},
    print_completion={"action": _Completion},
)


@dataclass(frozen=True)
class Verb:
    """A job of a program: its name of one or two words, its help, its flags, and what does it.

    `work` is `module:function` inside our package, so that a command imports what it needs alone.
    The function gets the arguments.
    """

    name: str
    text: str
    flags: FlagTable
    work: str

    @property
    def sentence(self) -> str:
        """The text as a sentence."""
        return f"{self.text[:1].upper()}{self.text[1:]}."

    def run(self, arguments: argparse.Namespace) -> None:
        """Do the job; HtpError for a file to write that it reads, or whose name is of no text."""
        words = {word for spellings in self.flags for word in spellings.split()}
        names = {flag: flag[2:].replace("-", "_") for flag in WRITTEN if flag in words}
        values = vars(arguments)
        # States may go on in one file.
        read = values.keys() - {*names.values(), "load_state"}
        written = {WRITTEN[flag]: values[name] for flag, name in names.items()}
        refuse_overwriting(written, map(values.get, read))
        for flag, suffix in TEXTS.items():
            refuse_suffix(flag, values.get(names.get(flag, "")) or "", suffix)
        module, _, function = self.work.partition(":")
        getattr(import_module(f"{ROOT}.{module}"), function)(arguments)


def verbs_of(texts: str, rows: Mapping[str, tuple[str, Sequence[FlagTable]]]) -> tuple[Verb, ...]:
    """Make commands of a table of their help; `rows` has by name what does each, and its flags."""
    joined = {
        name: {k: row for table in tables for k, row in table.items()}
        for name, (_, tables) in rows.items()
    }
    return tuple(Verb(name, said, joined[name], rows[name][0]) for name, said in entries(texts))


def add_flags(parser: argparse.ArgumentParser, table: FlagTable, of_program: bool = False) -> None:
    """Add the flags of a table, in its order, and those of all commands."""
    if table and parser.usage is None:
        parser.usage = " ".join(["%(prog)s [OPTION...]", *_needed(table)])
    shared = {spellings: row for spellings, row in table.items() if spellings in READING}
    groups = {
        "": {spellings: row for spellings, row in table.items() if spellings not in shared},
        "of packages and models": shared,
        "of every command": {**_OF_ALL, **_OF_PROGRAMS} if of_program else _OF_ALL,
    }
    for title, rows in groups.items():
        adder = parser.add_argument_group(title) if title else parser
        for spellings, settings in rows.items():
            adder.add_argument(*spellings.split(), **settings)


def _needed(table: FlagTable) -> Iterator[str]:
    """Yield the operands, and the flags that must be given, as the usage has them."""
    for name, settings in table.items():
        word, nargs = str(settings.get("metavar", name)), settings.get("nargs", "")
        if settings.get("required"):
            yield f"{name} {word}"
        elif not name.startswith("-"):
            forms = {"?": f"[{word}]", "*": f"[{word}...]", "+": f"{word}..."}
            yield forms.get(nargs, word)


def program_parser(
    name: str, description: str, verbs: Iterable[Verb], rooms: Mapping[str, str]
) -> ToolParser:
    """Make the parser of a program; `rooms` has the help for each first word of two."""
    parser = ToolParser(name, description=description)
    add_flags(parser, {}, of_program=True)
    commands = _commands(parser)
    inner = {"": commands}
    for verb in verbs:
        room, _, word = verb.name.rpartition(" ")
        if room not in inner:
            inner[room] = _commands(commands.add_parser(room, help=rooms[room]))
        own = inner[room].add_parser(word, help=verb.text, description=verb.sentence)
        add_flags(own, verb.flags)
        own.set_defaults(verb=verb)
    return parser


def _commands(parser: ToolParser) -> argparse._SubParsersAction[ToolParser]:
    return parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=ToolParser
    )


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script that completes commands, flags, files, passes; HtpError without shtab."""
    if importlib.util.find_spec("shtab") is None:
        raise fail(COMPLETION, "shtab is not installed", "pip install 'htp-mlir[completion]'")
    import shtab

    from ..installed.environment import universe

    names = " ".join(sorted(universe().all_passes))
    passes = {"bash": "_htp_passes", "zsh": _ZSH.format(names)}
    for action in _actions(parser):
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        if action.dest in _PASSES:
            vars(action)["complete"] = passes
        elif _FOLDER.search(metavar):
            vars(action)["complete"] = shtab.DIRECTORY
        elif _FILE.search(metavar):
            vars(action)["complete"] = shtab.FILE
    preamble = _BASH.format(names) if shell == "bash" else ""
    script: str = shtab.complete(parser, shell, preamble=preamble)
    return script


def _actions(parser: argparse.ArgumentParser) -> Iterable[argparse.Action]:
    """Yield the flags of a parser and of the parsers of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _actions(inner)


@dataclass(frozen=True)
class MovedFlag:
    """An old flag's new place: a command, and its flag; a value without a flag is an operand.

    `default` is the value of a bare flag whose value may be left out. With `valued` the flag moved
    only where it has a value.
    """

    verb: str
    flag: str = ""
    default: str = ""
    valued: bool = False

    def words(self, value: str) -> list[str]:
        """Write the flag anew."""
        value = value or self.default
        word = f"{self.flag}={value}" if self.flag and value else self.flag or value
        return [word] if word else []


def moved(tool: str, argv: Sequence[str], moves: Mapping[str, MovedFlag]) -> list[str] | None:
    """Return the arguments of `htp` that old flags mean, and print the new spelling to stderr.

    None where there is no old flag; HtpError where two ask for two commands.
    """
    old: dict[str, MovedFlag] = {}
    words: list[str] = []
    last: list[str] = []
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        move = moves.get(name)
        if move and move.valued and not value:
            value = rest.pop(0) if rest and re.fullmatch("-|[^-].*", rest[0]) else ""
        if move is None or (move.valued and not value):
            words.append(word)
            continue
        old[name] = move
        (last if move.valued and not move.flag else words).extend(move.words(value))
    if not old:
        return None
    verbs = list(dict.fromkeys(move.verb for move in old.values()))
    if len(verbs) > 1:
        names, commands = " and ".join(old), ", then htp ".join(verbs)
        raise fail(tool, f"{names} are {len(verbs)} commands now", f"run htp {commands}")
    flag, move = next(iter(old.items()))
    note_move(f"{tool} {flag}", f"htp {move.verb} {'' if move.default else move.flag}".strip())
    return [*verbs[0].split(), *words, *last]


def note_move(old: str, new: str) -> None:
    """Print the new spelling of a command to stderr."""
    print(f"note: {old} is now `{new}`; the next release knows that alone", file=sys.stderr)
