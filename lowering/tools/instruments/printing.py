"""IR between passes: its text, files of it, checks, and reproducers of crashes.

A reproducer is the module before the pass that failed, with the pipeline to run on it. The checks
of a whole module are its verifiers, and whether its text reads back.
"""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from fnmatch import fnmatchcase
from io import StringIO
from os.path import exists, normpath, relpath
from pathlib import Path
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import HtpError, did_you_mean, fail
from ....dialects.faults.op_faults import invalid
from ....dialects.text.printer import ModulePrinter, no_handles
from ....runtime.files.atomic import write_bytes
from ....runtime.files.budget import read_bytes
from ....runtime.passes import Instrument, passes_around
from ....runtime.passes.notation import with_files
from ....runtime.tools.pipeline import passes_of, text_of
from ....runtime.tools.source import LocatingParser
from ....runtime.tools.tool import wipe_progress
from ...packages.loading import source_of
from ...report.elide import elided


@dataclass(frozen=True)
class Selection:
    """Names of passes and of functions, with `*` for any letters; without any, all are meant.

    Constants of more than `limit` elements are left out of the text; `locations` are written on
    request, as --print-debuginfo writes them.
    """

    passes: Sequence[str] = ()
    functions: Sequence[str] = ()
    limit: int | None = None
    locations: bool = False

    def has(self, step: ModulePass) -> bool:
        """Tell whether a pass is meant."""
        return not self.passes or is_named(step.name, self.passes)

    def text(self, module: ModuleOp) -> str:
        """Print the module, or of it the functions that are meant."""
        ops: Iterable[Operation] = (module,)
        if self.functions:
            functions = (op for op in module.ops if isinstance(op, FuncOp))
            ops = (op for op in functions if is_named(op.sym_name.data, self.functions))
        stream = StringIO()
        handle_of = no_handles if self.limit is None else elided(self.limit)
        for op in ops:
            printer = ModulePrinter(stream, handle_of=handle_of, print_debuginfo=self.locations)
            printer.print_op(op)
            stream.write("\n")
        return stream.getvalue()


def is_named(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether a name is one of these, where `*` represents any letters."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def names_of(flag: str, texts: Sequence[str] | None, known: Iterable[str] | None) -> list[str]:
    """Split the comma-separated names that a flag gives; HtpError for one that is not `known`."""
    names = [name.strip() for text in texts or () for name in text.split(",")]
    if known is None:
        return names
    known = sorted(known)
    for name in names:
        if not any(fnmatchcase(one, name) for one in known):
            remedy = did_you_mean(name, known, "htp show pass lists them")
            raise fail(f"{flag} '{name}'", "there is no such pass", remedy)
    return names


@dataclass(frozen=True)
class Moment:
    """The passes before or after which the IR is printed: those of these names, all, or changes."""

    names: Sequence[str] = ()
    always: bool = False
    on_change: bool = False

    def wants(self, step: ModulePass) -> bool:
        """Tell whether the IR is printed at a pass, changed or not."""
        return self.always or is_named(step.name, self.names)

    def __bool__(self) -> bool:
        return bool(self.names) or self.always or self.on_change


@dataclass
class Printing(Instrument):
    """Prints the IR before and after passes to stderr; `as_diff` prints what a pass changed."""

    selection: Selection
    before_: Moment
    after_: Moment
    as_diff: bool = False
    _texts: list[str] = field(default_factory=list)

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        self._texts.append(self.selection.text(module) if self.selection.has(step) else "")
        if self.selection.has(step) and self.before_.wants(step):
            _show("Before", self._texts[-1])

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        old = self._texts.pop()
        if not self.selection.has(step):
            return
        new = self.selection.text(module)
        changed = old != new
        if changed and self.before_.on_change and not self.before_.wants(step):
            _show("Before", old)
        if self.after_.wants(step) or (changed and self.after_.on_change):
            _show("After", _difference(old, new) if self.as_diff else new)

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        self._texts.pop()


def _show(when: str, text: str) -> None:
    around = passes_around()
    path = " > ".join(step.name for step in around)
    print(f"// -----// IR Dump {when} {path} //----- //\n{text}", file=sys.stderr)


def _difference(old: str, new: str) -> str:
    lines = unified_diff(old.splitlines(), new.splitlines(), "before", "after", lineterm="")
    return "\n".join(lines) + "\n" if old != new else ""


class BetweenPasses(Instrument):
    """Prints the IR between the passes of the command line to stdout, as xdsl-opt does."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._last = ""

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        if len(passes_around()) == 1 and self._last:
            wipe_progress()
            print(f"IR after {self._last}:\n{self._selection.text(module)}\n\n\n")

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        if len(passes_around()) == 1:
            self._last = step.name


class Dumping(Instrument):
    """Writes `02.04-htp-fold.mlir`: the module behind the fourth pass inside the second.

    `00-input.mlir` is the module before all passes. HtpError where the folder holds anything.
    """

    def __init__(self, folder: Path, selection: Selection) -> None:
        self._folder = folder
        self._selection = selection
        self._numbers = [0]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_empty = not any(folder.iterdir())
        except OSError as error:
            raise fail(str(folder), error.strerror or str(error), "name a new folder") from error
        if not is_empty:
            raise fail(str(folder), "is not empty", "name a new folder, or clear this one")

    def before(self, step: ModulePass, module: ModuleOp) -> None:
        if self._numbers == [0]:
            self._write("00-input", module)
        self._numbers[-1] += 1
        self._numbers.append(0)

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        self._numbers.pop()
        if self._selection.has(step):
            number = ".".join(f"{each:02}" for each in self._numbers)
            self._write(f"{number}-{step.name}", module)

    def failed(self, step: ModulePass, module: ModuleOp, error: BaseException) -> None:
        self._numbers.pop()

    def _write(self, name: str, module: ModuleOp) -> None:
        write_bytes(self._folder / f"{name}.mlir", self._selection.text(module).encode())


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


INVALID = "correct the module, or the passes before"


class WholeModule(Instrument):
    """Verifies all of the module after each pass of the command line; HtpError names the pass.

    With `each` it does so after each pass inside another too, also of those on a trial copy.
    """

    hears_trials: ClassVar[bool] = True

    def __init__(self, name: str, each: bool) -> None:
        self._name = name
        self._each = each

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        if not self._each and len(passes_around()) > 1:
            return
        try:
            module.verify()
        except VerifyException as error:
            raise invalid(error, self._name, INVALID, step.name) from error


_FORMS = {"pretty": False, "generic": True}


def check_roundtrip(ctx: Context, module: ModuleOp, name: str) -> None:
    """Print a module in both forms, read each back, and compare; HtpError names what differs.

    The order of an op's attributes has no meaning, and each form has its own.
    """
    expected = _sorted_text(module.clone())
    for form, generic in _FORMS.items():
        text = _text(module, generic)
        try:
            again = _sorted_text(LocatingParser(ctx, text, f"{name}, {form} form").module())
        except HtpError as error:
            first = error.faults[0]
            problem = f"its {form} form does not read back: {first.line()}"
            raise fail(name, problem, "fix the format of that op") from error
        if again != expected:
            lines = zip(expected.splitlines(), again.splitlines(), strict=False)
            old, new = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
            problem = f"its {form} form reads back as `{new.strip()}`, not `{old.strip()}`"
            raise fail(name, problem, "fix the format of that op")


def _sorted_text(module: ModuleOp) -> str:
    """Return the generic form, for which the attributes of each op are put in order."""
    for op in module.walk():
        op.properties = dict(sorted(op.properties.items()))
        op.attributes = dict(sorted(op.attributes.items()))
    return _text(module, generic=True)


def _text(module: ModuleOp, generic: bool) -> str:
    stream = StringIO()
    ModulePrinter(stream, print_generic_format=generic, print_debuginfo=False).print_op(module)
    return stream.getvalue()
