"""Op packages read from C++ source text, with a summary of what was passed over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.faults.arguments import MANY, PATHS, TEXT, arguments
from ....dialects.locations import shown_path
from ...rules import ParamOrder, Rule, RuleSet, TensorProperties
from ...rules.language.shape_functions import LIBRARY
from ...rules.tree.expr import External, nth_place
from ..cpp.calls import BOILERPLATE, DECLARATIONS, MacroCall, begun, find_calls, listed
from ..cpp.code import read_code
from ..cpp.kit import Kit, is_kit_header
from ..cpp.tokens import NotUnderstood, Tokens
from .declarations import (
    Around,
    called_in,
    read_axis_params,
    read_param_order,
    read_properties,
    read_rule,
)
from .declared import OpDeclaration, read_op
from .language import VOCABULARY, octal_notes
from .op_xml import SUFFIX, disagreements, read_definitions, with_definitions
from .package import KERNEL_MACROS, CppPackage, KernelSignature, Summary, read_hook, read_kernel

if TYPE_CHECKING:
    from ..cpp.preprocess import Unit

_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w, .]*\))?(=.*)?", re.DOTALL)
SUFFIXES = (".cpp", ".cc", ".cxx")
_MAX_SHOWN = 40
"""Characters that a message shows of what is not a name."""
_MOST_ENTRIES = 10_000
"""Files and folders in a folder that is read as a package."""
_NEWER = ("qhpi_", "QHPI_")
"""The begins of the names of the newer plug-in interface."""
_RESERVED = VOCABULARY.union(DECLARATIONS, BOILERPLATE)


@arguments(paths=PATHS, name=TEXT, include=MANY, defines=MANY)
def load_cpp(
    paths: str | Path | Iterable[str | Path],
    *,
    name: str | None = None,
    include: Iterable[str | Path] = (),
    externals: Sequence[External] = (),
    defines: Iterable[str] = (),
) -> tuple[CppPackage, Summary]:
    """Read an op package from files, or from the source files below folders; XML defines ops.

    The package is called `name`, which replaces what THIS_PKG_NAME is defined as; without it, by
    that, else as the first path. Included files are taken from the folders of the paths and from
    `include` only. `externals` are the Python sides of functions that rules call; `defines` are
    macros, `NAME` or `NAME=VALUE`. Nothing that is read is executed. HtpError where a path is not a
    source text; whatever else is not understood is in the summary.
    """
    named = [Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
    roots = [path for path in named if path.suffix != SUFFIX]
    definitions = [read_definitions(path) for path in named if path.suffix == SUFFIX]
    read = _ReadUnits({external.name: external for external in externals}, name)
    if roots or not definitions:
        for unit in _in_order(_units(roots, include, read, defines)):
            read.add(unit)
    own = name or read.name or next((each.package for each in definitions), "")
    read.skipped += [fault for each in definitions for fault in each.passed_over]
    text = read.package(_named(own, named))
    read.notes += [note for each in definitions for note in each.notes]
    read.notes += disagreements(text, definitions)
    package = with_definitions(text, definitions)
    return package, read.summary(package)


def _units(
    roots: Sequence[Path],
    include: Iterable[str | Path],
    read: _ReadUnits,
    defines: Iterable[str],
) -> list[Unit]:
    """Preprocess the files of a package; what cannot be read is noted where it is not named."""
    if find_spec("pcpp") is None:
        raise fail("C++ packages", "pcpp is not installed", "pip install 'htp-mlir[cpp]'")
    from ..cpp.preprocess import preprocess

    files = [file for path in roots for file in source_files(path)]
    folders = _folders([*roots, *files], include)
    kit = Kit.among(folders, [file.resolve() for file in files])
    units: list[Unit] = []
    macros = list(defines)
    for macro in macros:
        if not _MACRO.fullmatch(macro):
            raise fail(f"macro '{macro}'", "has no name in C++", "write NAME or NAME=VALUE")
    for file in files:
        try:
            unit = preprocess(file, folders, _RESERVED.__contains__, read.chosen_name, kit, macros)
        except HtpError as error:
            if file in roots:
                raise
            read.skipped += error.faults
            continue
        own = (token.text for token in unit.tokens if token.file == shown_path(file))
        if any(text.startswith(_NEWER) for text in own):
            remedy = "give the sources of DEF_PACKAGE_OP, or op definitions in XML alone"
            raise fail(shown_path(file), "is written for QHPI, which is not read", remedy)
        units.append(replace(unit, source=file))
    return units


def _in_order(units: Sequence[Unit]) -> list[Unit]:
    """Order files as an interface file registers their ops; others follow in their own order."""
    order = {name: at for at, name in enumerate(n for unit in units for n in listed(unit.tokens))}

    def place(unit: Unit) -> int:
        places = (order[name] for name in begun(unit.tokens) if name in order)
        return min(places, default=len(order))

    return sorted(units, key=place)


def source_files(path: Path) -> list[Path]:
    """Return a file, or the source files below a folder; HtpError where it holds none."""
    if not path.is_dir():
        return [path]
    entries = list(islice(path.rglob("*"), _MOST_ENTRIES + 1))
    if len(entries) > _MOST_ENTRIES:
        problem = f"holds more than {_MOST_ENTRIES} files and folders"
        raise fail(shown_path(path), problem, "name the folder of one package")
    files = sorted(file for file in entries if file.suffix in SUFFIXES and file.is_file())
    if not files:
        raise fail(shown_path(path), "holds no C++ source file", f"{', '.join(SUFFIXES)} are read")
    return files


def _folders(paths: Iterable[Path], include: Iterable[str | Path]) -> list[Path]:
    own = [path if path.is_dir() else path.parent for path in paths]
    include_folders = list(map(Path, include))
    for folder in include_folders:
        if not folder.is_dir():
            raise fail(
                shown_path(folder), "is no folder for included files", "name one with headers"
            )
    return list(dict.fromkeys(folder.resolve() for folder in (*own, *include_folders)))


def _named(name: str | None, paths: Sequence[Path]) -> str:
    if not paths:
        raise fail("C++ package", "no file is given", "name a file or a folder")
    stem = "".join(c if c.isalnum() else "_" for c in paths[0].resolve().stem)
    name = name or stem
    if not name.isidentifier():
        shown = name if len(name) <= _MAX_SHOWN else f"{name[:_MAX_SHOWN]}..."
        raise fail(f"package '{shown}'", "this is no name", "give it one of letters, digits and _")
    return name


@dataclass
class _ReadUnits:
    """The declarations that have been read so far, unit by unit."""

    externals: Mapping[str, External]
    chosen_name: str | None = None
    name: str | None = None
    rules: list[Rule] = field(default_factory=list)
    kernels: dict[tuple[str, str], KernelSignature] = field(default_factory=dict)
    properties: dict[str, TensorProperties] = field(default_factory=dict)
    orders: dict[str, ParamOrder] = field(default_factory=dict)
    axes: list[str] = field(default_factory=list)
    hooks: dict[str, str] = field(default_factory=dict)
    skipped: list[Fault] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    notes: list[Fault] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)
    ops: dict[str, OpDeclaration] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)
    called: dict[Path, tuple[str, ...]] = field(default_factory=dict)
    seen: set[tuple[object, ...]] = field(default_factory=set)

    def add(self, unit: Unit) -> None:
        """Everything that a unit declares and no unit before it did."""
        self.name = self.name or unit.package
        self.skipped += unit.faults
        self.declared.update(unit.declared)
        self.missing += [path for path in unit.missing if path not in self.missing]
        lacking = not all(map(is_kit_header, unit.missing))
        scanned = find_calls(self._renamed(unit), lacking)
        self.skipped += [fault.fault for fault in scanned.faults]
        code = read_code(scanned.code)
        self.listed += code.listed_ops
        names = dict.fromkeys(name for call in scanned.calls for name in called_in(call))
        known = [n for n in names if n.partition("<")[0].rpartition("::")[2] in code.functions]
        self.called[unit.source] = tuple(n for n in known if n not in LIBRARY)
        around = Around(code, self.chosen_name or "", self.externals, unit.names, self.declared)
        for call in scanned.calls:
            if call.key not in self.seen:
                self._take(call, around)
        self.seen.update(call.key for call in scanned.calls)
        for where, text in unit.ops.items():
            self._take_op(where, text)

    def _take_op(self, where: str, text: str) -> None:
        """Add an op that a comment declares, once; what cannot be read is passed over."""
        if (where, text) in self.seen:
            return
        self.seen.add((where, text))
        try:
            op = read_op(text)
        except HtpError as error:
            problems = ((f"{f.where}: {f.problem}", f.remedy) for f in error.faults)
            self.skipped += [Fault(where, *each) for each in problems]
            return
        if self.ops.setdefault(op.op, op) != op:
            self.skipped.append(Fault(where, f"op {op.op} is declared twice", "keep one"))

    def _renamed(self, unit: Unit) -> Tokens:
        """Return the tokens; where the caller names the package, its own `Old::Op` follow."""
        if self.chosen_name is None or unit.package in (None, self.chosen_name):
            return unit.tokens
        old, new = f'"{unit.package}::', f'"{self.chosen_name}::'
        return [
            replace(token, text=token.text.replace(old, new, 1))
            if token.text.startswith(old)
            else token
            for token in unit.tokens
        ]

    def package(self, name: str) -> CppPackage:
        """Return the package of all units."""
        named = tuple(replace(rule, package=rule.package or name) for rule in self.rules)
        signatures = self.kernels.values()
        kernels = [replace(k, hook=self.hooks.get(k.instance, "")) for k in signatures]
        return CppPackage(
            name,
            tuple(kernels),
            tuple(self.properties.values()),
            tuple(self.orders.values()),
            # A rule carries its own function where that has a name of the library.
            RuleSet(named, externals={**self.externals, **LIBRARY}),
            tuple(dict.fromkeys(self.axes)),
            tuple(self.ops.values()),
            tuple(dict.fromkeys(self.listed)),
            tuple(self.skipped),
            self.called,
        )

    def summary(self, package: CppPackage) -> Summary:
        """Return the number of declarations of each kind, and what was passed over."""
        counts: dict[str, Sized] = {
            "ops": package.ops,
            "rules": self.rules,
            "kernels": self.kernels,
            "tensor properties": self.properties,
            "param orders": package.param_orders,
            "axis params": self.axes,
            "constructor hooks": self.hooks,
            "passed over": self.skipped,
        }
        rows = tuple((kind, len(declarations)) for kind, declarations in counts.items())
        return Summary(rows, tuple(self.skipped), tuple(self.missing), tuple(self.notes))

    def _take(self, call: MacroCall, around: Around) -> None:
        where = nth_place(call.token.where, call.nth)
        self.notes += [note for part in call.args for note in octal_notes(part)]
        try:
            self._declare(call, around)
        except NotUnderstood as error:
            first = error.fault.where == call.token.where
            self.skipped.append(replace(error.fault, where=where) if first else error.fault)
        except HtpError as error:
            self.skipped += [Fault(where, f.problem, f.remedy) for f in error.faults]
        except RecursionError:
            self.skipped.append(Fault(where, "is nested too deeply", "simplify it"))

    def _declare(self, call: MacroCall, around: Around) -> None:
        """Add a declaration; NotUnderstood for one that contradicts an earlier one."""
        match call.name:
            case "DEF_TENSOR_PROPERTIES":
                row = read_properties(call, around)
                if self.properties.setdefault(row.op, row) is not row:
                    problem = f"tensor properties of {row.op} are declared twice"
                    raise NotUnderstood(call.token, problem)
            case "DEF_PACKAGE_PARAM_ORDER":
                order = read_param_order(call, around.code)
                if self.orders.setdefault(order.op, order) != order:
                    problem = f"another param order of {order.op} differs"
                    raise NotUnderstood(call.token, problem)
            case "LIST_PACKAGE_AXIS_PARAMS":
                self.axes += read_axis_params(call, around)
            case "CTOR_OPHOOK":
                instance, hook = read_hook(call, around.code)
                self.hooks[instance] = hook
            case name if name in KERNEL_MACROS:
                kernel = read_kernel(call, around.code)
                if self.kernels.setdefault((kernel.op, kernel.instance), kernel) is not kernel:
                    problem = f"{kernel.instance} is registered twice for {kernel.op}"
                    raise NotUnderstood(call.token, problem, "the first registration holds")
            case _:
                self.rules.append(read_rule(call, around))
