"""Loading of packages: from files and modules that the user names, and from what is installed.

C++ functions that rules call by name run as the build made them: constraints and shapes.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TypeVar

import numpy as np
from xdsl.context import Context

from ...dialects.diagnostics import CHECK_PATH, HtpError, fail
from ...dialects.faults.arguments import MANY, NUMBER, PATH, arguments
from ...dialects.faults.op_faults import described
from ...dialects.value import DType
from ...runtime.installed.environment import KERNELS, PACKAGES, RULES
from ...runtime.installed.plugins import loaded, optional
from ...runtime.kernel.declare import KernelSet
from ...runtime.tensors.memory import SharedBytes, shared_bytes
from ...runtime.tensors.tensors import Bytes
from ..rules import Node, RuleSet, Split
from ..rules.tree.expr import External
from .compiled.build import BuildOptions, Functions
from .compiled.kernels import DTYPES, LIMIT, SHAPE_RECORD, BuiltFunction, BuiltPackage
from .compiled.kernels import built as built_package
from .compiled.worker import ADDRESS, TENSOR, KernelTask, Tensors
from .def_package.loading import SUFFIXES, load_cpp, source_files
from .def_package.op_xml import SUFFIX
from .def_package.package import CppPackage, Summary
from .from_cpp import from_cpp
from .package import OpPackage
from .packages import PackageContext, Packages


def built_externals(built: BuiltPackage) -> list[External]:
    """Return the functions of a build as rules call them: with nodes, numbers, dims and slices."""
    return [External(each.name, partial(_call, built, each)) for each in built.functions]


def _call(
    built: BuiltPackage, function: BuiltFunction, *operands: object
) -> bool | tuple[int, ...]:
    """Call a function; HtpError where it fails, or takes other operands."""
    records = np.zeros(1 + len(operands), TENSOR)
    records["memory"], records["scale"] = ADDRESS, 1
    # The constants' bytes are there until the call is over.
    kept = [_describe(built, records[at : at + 1], op) for at, op in enumerate(operands, 1)]
    reply = built.caller.call(KernelTask.APPLY, function.index, records, built.limit)
    built.check(f"the function '{function.name}'", function.name, reply)
    kept.clear()
    if function.gives == "shape":
        return tuple(map(int, records[0]["dims"][: int(reply.value)]))
    return bool(reply.value)


def _describe(built: BuiltPackage, record: Tensors, operand: object) -> Bytes | None:
    """Write an operand into its record; return the bytes of a constant."""
    match operand:
        case Split():
            record["dims"] = operand.dim, operand.start, operand.size, operand.index
        case Node():
            return _describe_node(built, record, operand)
        case DType():
            record["offset"] = DTYPES.index(operand.name)
        case tuple():
            record["dims"] = _four(operand)
        case bool() | int() | float():
            record["offset"], record["scale"] = int(operand) % 2**64, operand
        case _:
            raise fail("built function", f"is given {operand!r}", "give it nodes and numbers")
    return None


def _describe_node(built: BuiltPackage, record: Tensors, node: Node) -> Bytes | None:
    record["dims"] = _four(node.shape)
    if node.is_shape:
        record["layout"] = SHAPE_RECORD
        return None
    spec, data = node.spec, node.constant
    record["dtype"] = DTYPES.index(spec.dtype.name) if spec.dtype.name in DTYPES else 0
    if spec.quant is not None:
        record["scale"], record["zero"] = spec.quant.scales[0], spec.quant.zero_points[0]
    if data is None:
        return None
    stored = np.ascontiguousarray(data).reshape(-1).view(np.uint8)
    memory = SharedBytes(stored.size).bytes()
    memory[:] = stored
    record["nbytes"], record["offset"] = stored.size, memory.ctypes.data
    if built.caller.shares and (shared := shared_bytes(memory)):
        record["memory"], record["offset"] = built.caller.number(shared[0]), shared[1]
    return memory


def _four(dims: Iterable[object]) -> tuple[int, ...]:
    """Return dims with ones in front, four in all."""
    own = tuple(int(str(dim)) for dim in dims)
    return (*(1,) * (4 - len(own)), *own)


def _package(name: str, value: object) -> OpPackage:
    if not isinstance(value, OpPackage):
        raise fail(f"package '{name}'", f"{value!r} is no OpPackage", "name an OpPackage")
    return value


def _rules(name: str, value: object) -> OpPackage:
    if not isinstance(value, RuleSet):
        raise fail(f"rules '{name}'", f"{value!r} is no table of rules", "name rules(...)")
    return OpPackage(_identifier(name), rules=value)


def _kernels(name: str, value: object) -> OpPackage:
    if not isinstance(value, KernelSet):
        raise fail(f"kernels '{name}'", f"{value!r} is no KernelSet", "name a KernelSet")
    # Not the name of the dialect that the kernels may be for.
    return OpPackage(f"{_identifier(name)}_kernels", kernels=tuple(value))


def _identifier(name: str) -> str:
    """Return the name of an entry point as that of a package."""
    return "".join(letter if letter.isalnum() else "_" for letter in name)


PLUGINS: Mapping[str, Callable[[str, object], OpPackage]] = {
    PACKAGES: _package,
    RULES: _rules,
    KERNELS: _kernels,
}
"""For each group of entry points, what makes a package of a name and a value."""


T = TypeVar("T")

VARIABLE = "PACKAGE"
"""The name under which a file or module holds its package."""
MAX_NOTES = 8
"""Lines about what was passed over in a C++ package; `htp package show` prints all."""


@dataclass(frozen=True)
class CppSettings:
    """Settings for C++ packages: headers and macros to read them by, and how they are built."""

    include: Sequence[Path] = ()
    defines: Sequence[str] = ()
    build: bool = False
    in_process: bool = False
    hexagon: bool = False
    kernel_limit: float = LIMIT
    options: Sequence[str] = ()

    @property
    def flags(self) -> BuildOptions:
        """The settings as a compiler takes them."""
        return BuildOptions(tuple(self.defines), tuple(self.include), tuple(self.options))


@arguments(sources=PATH, include=MANY, defines=MANY, kernel_limit=NUMBER, options=MANY)
def load_packages(
    *sources: str | Path,
    include: Iterable[str | Path] = (),
    defines: Iterable[str] = (),
    build: bool = False,
    in_process: bool = False,
    hexagon: bool = False,
    kernel_limit: float = LIMIT,
    options: Iterable[str] = (),
) -> Packages:
    """Return the package `htp`, the installed packages, and those of the sources.

    A source is one of `load_package`; C++ sources of one NAME are one package. `include` are
    folders with headers for C++ and `defines` macros, `NAME` or `NAME=VALUE`. With `build` the
    kernels of C++ packages are compiled and run, in a process beside this one unless `in_process`,
    for at most `kernel_limit` seconds a call; with `hexagon` they are compiled by clang for Hexagon
    and run under QEMU. `options` are further ones of the compiler, such as `-O0`. HtpError where a
    package cannot be loaded or does not fit the others; an op name in a rule that none of them has
    is a note on standard error.
    """
    parted = [source_of(source) for source in sources]
    groups = dict.fromkeys(source.group for source in parted)
    members = [[source for source in parted if source.group == group] for group in groups]
    folders = list(map(Path, include))
    settings = CppSettings(
        folders, list(defines), build, in_process, hexagon, kernel_limit, list(options)
    )
    loaded = [_load(own, settings) for own in members]
    packages = installed().extended(*loaded)
    for package in loaded:
        _note_unknown_ops(package, packages)
    return packages


@arguments(source=PATH, include=MANY)
def load_package(source: str | Path, include: Iterable[str | Path] = ()) -> OpPackage:
    """Return the package of a Python file or module, or of C++ text (a file, or a folder of files).

    `NAME=` before it says what a C++ package is called, whatever the text says, or which package
    of a Python file is meant. Python is imported, so its code runs. C++ is only read: what is
    passed over is a note on standard error, and the ops have no bodies (see `from_cpp` for those).
    """
    return _load([source_of(source)], CppSettings(list(map(Path, include))))


@dataclass(frozen=True)
class PackageSource:
    """A file, folder or module that holds a package, with the name that the user gives it."""

    where: str
    name: str | None = None

    @property
    def is_cpp(self) -> bool:
        """C++ text or op definitions, and not Python."""
        path = Path(self.where)
        return path.suffix in (*SUFFIXES, SUFFIX) or path.is_dir()

    @property
    def group(self) -> tuple[bool, str]:
        """Equal for sources that make one package."""
        named = self.is_cpp and self.name is not None
        return named, self.name if named and self.name else str(self)

    def __str__(self) -> str:
        return self.where if self.name is None else f"{self.name}={self.where}"


def source_of(source: str | Path) -> PackageSource:
    """`[NAME=]WHERE` as a source; a file may have `=` in its path. HtpError for an empty one."""
    name, mark, where = str(source).partition("=")
    named = bool(mark) and name.isidentifier() and not Path(source).exists()
    if not (where if named else source):
        raise fail(f"package '{source}'", "names no source", "name a file, a folder or a module")
    return PackageSource(where, name) if named else PackageSource(str(source))


def check_output(output: str | Path, sources: Iterable[str | Path]) -> None:
    """HtpError where C++ text would be written over a source, with all that it has besides."""
    path = Path(output).resolve()
    for source in sources:
        where = Path(source_of(source).where).resolve()
        if path == where or (path.exists() and path.is_relative_to(where)):
            problem = f"is of the package {source}, whose kernels would lose their bodies"
            raise fail(str(output), problem, "name another file with -o")


def _load(sources: Sequence[PackageSource], settings: CppSettings) -> OpPackage:
    first = sources[0]
    if first.is_cpp:
        paths = [Path(source.where) for source in sources]
        read, summary, built = read_and_built(paths, first.name, settings)
        package = from_cpp(read, built=built)
        refused = package.cpp.passed_over[len(read.passed_over) :] if package.cpp else ()
        faults = (*refused, *(built.faults[:MAX_NOTES] if built else ()))
        for line in (*summary.complaints(MAX_NOTES), *(fault.line() for fault in faults)):
            print(f"note: {line}", file=sys.stderr)
        return package
    return _package_in(_import(first.where), first)


def read_and_built(
    paths: Sequence[Path], name: str | None, settings: CppSettings
) -> tuple[CppPackage, Summary, BuiltPackage | None]:
    """Read a C++ package and build it where the settings say so.

    It is read once more with the functions of the build that its rules call.
    """
    load = partial(load_cpp, paths, include=settings.include, defines=settings.defines, name=name)
    read, summary = load()
    wanted = (settings.build or settings.hexagon) and compiled_files(paths)
    built = build_sources(paths, settings, read.called) if wanted else None
    if built and built.functions:
        read, summary = load(externals=built_externals(built))
    return read, summary, built


def compiled_files(paths: Sequence[Path]) -> list[Path]:
    """Return the sources of a package that a compiler takes: definitions of ops are none."""
    return [f for path in paths for f in source_files(path) if f.suffix in SUFFIXES]


def build_sources(
    paths: Sequence[Path], settings: CppSettings, functions: Functions
) -> BuiltPackage:
    """Build the sources of one C++ package, with the functions of them that rules call."""
    return built_package(
        compiled_files(paths),
        settings.flags,
        functions,
        in_process=settings.in_process,
        hexagon=settings.hexagon,
        limit=settings.kernel_limit,
    )


def _package_in(module: ModuleType, source: PackageSource) -> OpPackage:
    """Return the package of that name that a module holds, or the one under the usual variable."""
    packages = [value for value in vars(module).values() if isinstance(value, OpPackage)]
    chosen = getattr(module, VARIABLE, None)
    if source.name is not None:
        chosen = next((package for package in packages if package.name == source.name), None)
    if isinstance(chosen, OpPackage):
        return chosen
    if source.name is not None:
        known = ", ".join(dict.fromkeys(package.name for package in packages)) or "none"
        raise fail(source.where, f"holds no package named {source.name}", f"it holds {known}")
    remedy = f'write {VARIABLE} = op_package("Name", ops=[...], kernels=[...], rules=[...])'
    raise fail(source.where, f"holds no package under the name {VARIABLE}", remedy)


@cache
def installed() -> Packages:
    """Return the package `htp` and the packages that installed distributions offer.

    What cannot be loaded, or does not fit what came before it, is a warning.
    """
    packages = Packages()
    for group, make in PLUGINS.items():
        for each in loaded(group, make):
            with optional(each.plugin):
                packages = packages.extended(each.value)
    return packages


def packages_of(ctx: Context) -> Packages:
    """Return the packages that a pass works with: those of its context, else the installed ones."""
    return ctx.packages if isinstance(ctx, PackageContext) else installed()


def _note_unknown_ops(package: OpPackage, packages: Packages) -> None:
    """Print a note on the first op name that makes a rule useless, and the number of others."""
    unknown = packages.unknown_ops(package)
    for name in unknown[:1]:
        print(f"note: {name}", file=sys.stderr)
    if len(unknown) > 1:
        others = f"{len(unknown) - 1} more like it in package {package.name}"
        print(f"note: {others}; htp rules lint lists them", file=sys.stderr)


def _import(source: str) -> ModuleType:
    path = Path(source)
    if path.suffix == ".py":
        if not path.is_file():
            raise fail(source, "no such file", CHECK_PATH)
        return _guarded(source, lambda: _import_file(path))
    return _guarded(source, lambda: import_module(source))


def _import_file(path: Path) -> ModuleType:
    """Import a file, each time anew, under a name that no other file has."""
    path = path.resolve(strict=True)
    name = f"htp_package_{path.stem}_{blake2b(str(path).encode(), digest_size=6).hexdigest()}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _guarded(where: str, load: Callable[[], T]) -> T:
    """Import a user's code; whatever that raises becomes an error that names the code."""
    try:
        return load()
    except HtpError:
        raise
    except (Exception, SystemExit) as error:
        # If the error went through the file, the innermost line of it.
        path, frames = str(Path(where).resolve()), extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == path]
        if isinstance(error, SyntaxError) and error.filename == path:
            lines.append(error.lineno)
        line = f"{where}:{lines[-1]}" if lines else where
        problem = f"cannot be imported: {described(error)}"
        raise fail(line, problem, "fix it, or name another") from error
