"""Completion scripts for shells, made by shtab from the flags of a tool."""

from __future__ import annotations

import argparse
import importlib.util
import re
from collections.abc import Sequence

from ...dialects.diagnostics import fail

FLAG = "--print-completion"
SHELLS = ("bash", "zsh", "tcsh")
_PASSES = ("passes", "filter_passes", "print_ir_before", "print_ir_after")
"""Flags whose values are names of passes, joined by commas."""
_FOLDER = re.compile(r"DIR$")
_FILE = re.compile(r"FILE|\.(npz|csv|json|safetensors|wav)$")
_POSITIONALS = ("input_file", "model", "output_file")
_BASH = """_htp_passes() {{
  local head="${{1%"${{1##*,}}"}}"
  compgen -P "$head" -W "{}" -- "${{1##*,}}"
}}"""
_ZSH = "_values -s , pass {}"


class _PrintCompletion(argparse.Action):
    """The flag that prints the script and ends the run."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        print(completion(parser, str(values)))
        parser.exit()


def add_completion_flag(parser: argparse.ArgumentParser) -> None:
    """Add the flag to a parser."""
    text = "print a completion script for this shell, and run nothing (extra 'completion')"
    parser.add_argument(FLAG, choices=SHELLS, action=_PrintCompletion, help=text)


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script that completes flags, files and names of passes; HtpError without shtab."""
    if importlib.util.find_spec("shtab") is None:
        raise fail(FLAG, "shtab is not installed", "pip install 'htp-mlir[completion]'")
    import shtab

    from ..environment import universe

    names = " ".join(sorted(universe().all_passes))
    passes = {"bash": "_htp_passes", "zsh": _ZSH.format(names)}
    for action in parser._actions:
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        if action.dest in _PASSES:
            vars(action)["complete"] = passes
        elif _FOLDER.search(metavar):
            vars(action)["complete"] = shtab.DIRECTORY
        elif _FILE.search(metavar) or action.dest in _POSITIONALS:
            vars(action)["complete"] = shtab.FILE
    preamble = _BASH.format(names) if shell == "bash" else ""
    script: str = shtab.complete(parser, shell, preamble=preamble)
    return script
