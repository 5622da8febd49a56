"""Reproducers: the module before the pass that failed, with the pipeline to run on it."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from os.path import exists, normpath, relpath
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects.diagnostics import HtpError, fail
from ....runtime.files.atomic import write_bytes
from ....runtime.files.budget import read_bytes
from ....runtime.passes import Instrument
from ....runtime.passes.notation import with_files
from ....runtime.tools.pipeline import passes_of, text_of
from ...packages.loading import source_of
from .printing import Selection

_PIPELINE, _FLAGS = "// pipeline: ", "// flags: "
_KEPT = ("package", "include", "allow_unregistered_dialect", "verify_each")
"""The flags that change how a pass runs."""


class CrashReproducer(Instrument):
    """Writes the module before the innermost pass that failed, and that pass, to a file.

    The ops keep their places, so that the error that is repeated names those of the first input.
    Files of packages and of options are stated from the folder of the reproducer, and may move with
    it.
    """

    def __init__(self, path: str, flags: Namespace) -> None:
        self._path = path
        kept = {name: getattr(flags, name) for name in _KEPT if getattr(flags, name)}
        self._folder = Path(path).absolute().parent
        self._flags = _moved(kept, self._from_here)
        self._modules: list[ModuleOp] = []
        self._is_written = False

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self._modules.append(module.clone())

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self._modules.pop()

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        before = self._modules.pop()
        if self._is_written or not isinstance(error, Exception):
            return
        self._is_written = True
        lines = (
            f"// Run this with: htp-opt {Path(self._path).name} --run-reproducer",
            f"{_PIPELINE}{text_of([with_files(step, self._from_here)])}",
            f"{_FLAGS}{json.dumps(self._flags)}",
        )
        text = "\n".join([*lines, Selection(locations=True).text(before)])
        try:
            write_bytes(self._path, text.encode())
            said = f"{self._path} reproduces it with --run-reproducer"
        except HtpError as unwritten:
            # What the pass did wrong is the error to tell.
            said = f"no reproducer: {unwritten.faults[0].line()}"
        print(f"note: {said}", file=sys.stderr)

    def _from_here(self, name: str) -> str:
        return relpath(name, self._folder) if exists(name) else name


def reproduce(arguments: Namespace) -> None:
    """Set the pipeline and the flags that the input file states; HtpError where it states none."""
    flag, path = "--run-reproducer", arguments.input_file
    if not path or arguments.passes:
        problem = "the file states the passes" if path else "no file is named"
        raise fail(flag, problem, "write htp-opt FILE --run-reproducer, without -p")
    remedy = "name a file that --crash-reproducer wrote"
    try:
        lines = read_bytes(path).decode().splitlines()[:3]
    except UnicodeDecodeError as error:
        raise fail(str(path), "is no UTF-8 text", remedy) from error
    stated = {key: line for line in lines for key in (_PIPELINE, _FLAGS) if line.startswith(key)}
    if len(stated) < 2:
        raise fail(str(path), "states no pipeline and flags in its first lines", remedy)
    try:
        flags = json.loads(stated[_FLAGS].removeprefix(_FLAGS))
    except ValueError as error:
        raise fail(f"{path}:3", "is no JSON", "write the flags anew") from error
    if not isinstance(flags, dict) or not flags.keys() <= set(_KEPT):
        raise fail(f"{path}:3", "states other flags", f"known are {', '.join(_KEPT)}")
    folder = Path(path).parent

    def from_there(name: str) -> str:
        return normpath(folder / name) if exists(folder / name) else name

    vars(arguments).update(_moved(flags, from_there))
    steps = passes_of(stated[_PIPELINE].removeprefix(_PIPELINE))
    arguments.passes = text_of([with_files(step, from_there) for step in steps])


def _moved(flags: dict[str, Any], move: Callable[[str], str]) -> dict[str, Any]:
    """Return the flags after a change of each name of a file or folder in them."""
    named = [source_of(each) for each in flags.get("package", ())]
    packages = [str(replace(source, where=move(source.where))) for source in named]
    folders = [move(each) for each in flags.get("include", ())]
    lists = {"package": packages, "include": folders}
    return flags | {name: moved for name, moved in lists.items() if moved}
