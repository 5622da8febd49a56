"""Building a C++ package: each source by the user's compiler, all together as one library.

Objects and libraries are cached by what goes into them: the texts of the source and of the files
that it includes, the headers here, the compiler and its flags.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.locations import shown_path
from ..cpp.code import ASSEMBLY
from ..cpp.kit import Kit, is_kit_header, qnn_names
from .compiler_errors import DEVICE, INTRINSIC, absent_in, faults_in, is_said, link_error
from .cut import cut

_BASE = (
    "-std=c++17",
    "-fPIC",
    "-g1",
    "-gdwarf-4",  # addr2line mistakes the files of later versions.
    "-w",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-ftabstop=1",  # The columns of errors count characters.
)
SANITIZE = ("-fsanitize=address,undefined", "-fno-omit-frame-pointer")
"""Options by which a kernel that leaves its memory ends with a report on standard error."""
BOUNDS = "-DHTP_BOUNDS"
"""The option by which an element beyond the memory of its tensor is an error."""
_UNDEFINED = re.compile(r"undefined reference to `([^']+)'|undefined symbol: (\S+)")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n\0]+)[>"]', re.MULTILINE)
_DIGEST = 16
"""Bytes; the length of the digest at the end of a file of the cache."""
TABLE = "htp_bodiless"
"""The symbol of the table of functions that are declared and have no body."""


Functions = Mapping[Path, Sequence[str]]
"""The functions of sources that rules call, by name."""


@dataclass(frozen=True)
class BuildOptions:
    """Flags of a build: macros (`NAME` or `NAME=VALUE`), folders of headers, options as `-O0`."""

    defines: tuple[str, ...] = ()
    include: tuple[Path, ...] = ()
    extra: tuple[str, ...] = ()

    @property
    def flags(self) -> list[str]:
        """The compiler's arguments for a source, but for its own folder and the headers here."""
        return [*_BASE, "-O2", *self.extra, *(f"-D{name}" for name in self.defines)]


@dataclass(frozen=True)
class BuiltLibrary:
    """A library, the program that runs it, and the faults of sources that are not part of it.

    `lacking` are faults of intrinsics, and of functions that nothing declares, without which the
    kernels that use them end when they run. Kernels that nothing declares are not registered.
    It is of Hexagon's own code, or of this machine's, where kernels end at assembly, too.
    """

    path: Path
    host: Path
    faults: tuple[Fault, ...] = ()
    lacking: tuple[Fault, ...] = ()
    hexagon: bool = False

    @property
    def absent(self) -> set[str]:
        """The names that are missing, and assembly where it does not run."""
        return absent_in(self.lacking) | (set() if self.hexagon else {ASSEMBLY})


@dataclass(frozen=True)
class _Object:
    """A compiled source, or why it does not compile."""

    path: Path | None
    faults: tuple[Fault, ...] = ()
    lacking: tuple[Fault, ...] = ()


def build(
    sources: Sequence[Path], options: BuildOptions, functions: Functions | None = None
) -> BuiltLibrary:
    """Compile the sources, in parallel, and link those that compile.

    `functions` that rules call are entered into the library's table beside the kernels.

    HtpError where there is no compiler, or no source compiles.
    """
    builder = user_compiler(options)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        called = functions or {}
        own = [pool.submit(builder.compiled, each, called.get(each, ())) for each in sources]
        core = pool.submit(builder.compiled, DEVICE / "library.cpp")
        host = pool.submit(builder.linked, [DEVICE / "host.cpp"], ["-ldl"])
        objects = [each.result() for each in own]
    faults = tuple(fault for each in objects for fault in each.faults)
    paths = [each.path for each in objects if each.path is not None]
    library = core.result().path
    if not paths or library is None:
        raise HtpError(*faults, *core.result().faults)
    lacking = tuple(fault for each in objects for fault in each.lacking)
    return BuiltLibrary(builder.library([*paths, library]), host.result(), faults, lacking)


def user_compiler(options: BuildOptions) -> SourceCompiler:
    """Return the user's compiler with the options of a build; HtpError where there is none."""
    return SourceCompiler(compiler_path(), options, Kit.among(options.include, ()).folders)


def compiler_path() -> str:
    """Return the user's compiler, of CXX or the system's; HtpError where there is none."""
    wanted = os.environ.get("CXX") or "c++"
    compiler = shutil.which(wanted) or (None if "CXX" in os.environ else shutil.which("g++"))
    if compiler is None:
        remedy = "install g++ or clang++, or name one in the environment variable CXX"
        raise fail("C++ compiler", f"'{wanted}' is not there", remedy)
    return compiler


def cache_folder() -> Path:
    """Return the folder of built files: `htp-mlir` below XDG_CACHE_HOME or ~/.cache."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "htp-mlir"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise fail(str(folder), error.strerror or str(error), "set XDG_CACHE_HOME") from error
    return folder


@dataclass(frozen=True)
class SourceCompiler:
    """A compiler with its flags; `kit` are folders of the device's own headers, not used here.

    Empty ones stand in for them. By `stand_ins` they come before those of the compiler itself:
    clang's are of Hexagon alone.
    """

    compiler: str
    options: BuildOptions
    kit: tuple[Path, ...]
    stand_ins: str = "-isystem"

    def compiled(self, source: Path, functions: Sequence[str] = ()) -> _Object:
        """Compile one source, once more without the intrinsics and functions that are missing.

        It is compiled without the bodies that are wrong, and the functions that rules call whose
        registration fails.
        """
        texts = dict(self._texts(source))
        own = source.parent != DEVICE
        forced = ["-include", str(DEVICE / "device.h")] if own else []
        folders = dict.fromkeys([source.parent, *self._folders])
        flags = [*self.options.flags, *forced, *(f"-I{path}" for path in folders)]
        whole = b"\n".join(texts.values()).decode("utf-8", "replace")
        flags += [f'-D{macro}="{name}"' for macro, name in qnn_names(whole).items()]
        first = done = self._compile(source, flags, texts, functions)
        lacking, every = list[Fault](), absent_in(done.faults)
        text = texts.get(source.resolve(), b"").decode("utf-8", "replace")
        inside = {fault.where for fault in cut(text, source, done.faults)[1]}
        apart = absent_in(fault for fault in done.faults if fault.where not in inside)
        known = {name for name in every if name.startswith(INTRINSIC)}
        for names in (every, apart | known, known):
            absent = [_stand_in(name, done.faults, texts) for name in sorted(names)]
            again = partial(self._compile, source, flags, texts, head=absent)
            there = again(functions) if names else done
            # The name may stand for what is no function, or be declared too late.
            if {*there.faults} <= {*done.faults}:
                lacking += [each for each in done.faults if absent_in([each]) & names]
                done = there
                break
        else:
            again = partial(self._compile, source, flags, texts)
        while done.path is None and (parts := cut(text, source, done.faults))[0] != text:
            text, named = parts
            lacking += [each for each in named if not is_said(each, lacking)]
            done = again(functions, text)
        while done.path is None and functions:
            wrong = _misfits(source, functions, done.faults)
            lacking += wrong.values()
            functions = [name for name in functions if wrong and name not in wrong]
            done = again(functions, text)
        return replace(done, lacking=tuple(lacking)) if done.path else first

    def linked(self, sources: Sequence[Path], extra: Sequence[str]) -> Path:
        """Link sources or objects to a program or, with -shared, a library; HtpError if not."""
        flags = [*self.options.flags, *extra]
        texts = [path.read_bytes() for path in (*sources, *DEVICE.glob("*.h"))]
        target = cached("link", self.key(flags, texts))
        command = [self.compiler, *flags[:-1], *map(str, sources), "-o", "{out}", flags[-1]]
        if said := made_by(target, command):
            raise link_error(said)
        return target

    def library(self, objects: Sequence[Path]) -> Path:
        """Link objects; functions that are declared and have no body go into a table."""
        shared = ["-shared", "-Wl,-Bsymbolic", "-ldl"]
        with temporary_folder() as folder:
            trial = folder / "trial.so"
            command = [self.compiler, *self.options.flags, *map(str, objects)]
            said = run_tool([*command, "-o", str(trial), *shared, "-Wl,-z,defs,--no-demangle"])
            names = {a or b for a, b in _UNDEFINED.findall(said)} - {TABLE}
            # Those of clang's sanitizers are in the program that loads the library.
            names = {name for name in names if not name.startswith(("__asan_", "__ubsan_"))}
            table = folder / "bodiless.cpp"
            table.write_text(bodiless(sorted(names)), encoding="utf-8")
            return self.linked([*objects, table], shared)

    def command_line(self, source: Path) -> str:
        """Return the command that compiles a source, for the user to see."""
        flags = [*self.options.flags, "-include", str(DEVICE / "device.h")]
        flags += [f"-I{folder}" for folder in (source.parent, *self._folders)]
        return " ".join([self.compiler, *flags, "-c", str(source)])

    @property
    def _folders(self) -> list[Path]:
        return [path for path in self.options.include if path.resolve() not in self.kit]

    def _texts(self, source: Path) -> Iterator[tuple[Path, bytes]]:
        """Yield the texts of a source and of the package's own files that it includes."""
        waiting, seen = [source], set[Path]()
        while waiting:
            path = waiting.pop().resolve()
            if path in seen or not path.is_file():
                continue
            seen.add(path)
            text = path.read_bytes()
            yield path, text
            for name in _INCLUDE.findall(text.decode("utf-8", "replace")):
                waiting += [folder / name for folder in (path.parent, *self._folders)]

    def key(self, flags: Sequence[str], texts: Iterable[bytes]) -> str:
        """Return a digest of the compiler, its flags and the texts."""
        parts = [version(self.compiler).encode(), *(flag.encode() for flag in flags), *texts]
        digest = blake2b(digest_size=16)
        for part in parts:
            digest.update(len(part).to_bytes(8, "little") + part)
        return digest.hexdigest()

    def _compile(
        self,
        source: Path,
        flags: Sequence[str],
        texts: Mapping[Path, bytes],
        functions: Sequence[str] = (),
        text: str = "",
        head: Sequence[str] = (),
    ) -> _Object:
        headers = [path.read_bytes() for path in sorted(DEVICE.glob("*.h"))]
        own = f'#line 1 "{source.resolve()}"\n{text}' if text else f'#include "{source.resolve()}"'
        whole = [*head, own, *map(_registered, functions), ""]
        key = [*flags, *whole]
        target = cached("o", self.key(key, [*texts.values(), *headers]))
        with temporary_folder() as folder:
            _write_kit(folder / "kit", texts.values())
            kit = [self.stand_ins, str(folder / "kit")]
            file = folder / "functions.cpp" if functions or text or head else source
            if file is not source:
                file.write_text("\n".join(whole), encoding="utf-8")
            command = [self.compiler, *flags, *kit, "-c", str(file), "-o", "{out}"]
            said = made_by(target, command)
        places = {*texts, *(Path(name).resolve() for name in functions)}
        return _Object(None if said else target, tuple(faults_in(source, places, said)))


def _stand_in(name: str, faults: Iterable[Fault], texts: Mapping[Path, bytes]) -> str:
    """Return the macro for a name that nothing declares: a call that ends, else a function."""
    place = next(fault.place for fault in faults if name in absent_in([fault]))
    lines = texts.get(Path(place.file).resolve(), b"").splitlines() if place else []
    line = lines[place.line - 1] if place and place.line <= len(lines) else b""
    # A kernel or a cost function is named where it is registered, and not called.
    if place and re.match(rb"\w++\s*+(?!\()", line[place.column - 1 :]):
        return f"#define {name} ::htp::undeclared"
    return f'#define {name}(...) (::htp::absent("{name}"))'


def _misfits(source: Path, functions: Sequence[str], faults: Sequence[Fault]) -> dict[str, Fault]:
    """Return the functions that rules call and that take or give other types, with their faults."""
    problems = {fault.where.removesuffix(":1"): fault.problem for fault in faults}
    wrong = "the function {} that rules call does not fit: {}"
    remedy = "take OpRef, dims and numbers, and return a bool or dims"
    return {
        name: Fault(shown_path(source), wrong.format(name, problems[name]), remedy)
        for name in functions
        if name in problems
    }


def _registered(function: str) -> str:
    """Write the line that enters a function into the table by the name that rules call it by."""
    return f'#line 1 "{function}"\nHTP_FUNCTION("{function}", ({function}))'


@cache
def version(compiler: str) -> str:
    """Return what a compiler says of itself."""
    return run_tool([compiler, "--version"])


def run_tool(command: Sequence[str]) -> str:
    """Run a compiler or a linker; return what it says, its errors in English."""
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", env=environment
    )
    return done.stdout + done.stderr


def cached(kind: str, key: str) -> Path:
    """Return the file of the cache that has what was made of a key's parts."""
    return cache_folder() / f"{key}.{kind}"


def made_by(target: Path, command: Sequence[str]) -> str:
    """Make a file, whole or not at all, unless it is there as it was made; return the errors."""
    if is_intact(target):
        return ""
    with temporary_folder(target.parent) as folder:
        out = folder / "out"
        said = run_tool([part.replace("{out}", str(out)) for part in command])
        if not out.exists():
            return said or "the compiler makes no file"
        digest = _digest(out.read_bytes())
        with out.open("ab") as file:
            file.write(digest)
        os.replace(out, target)
    return ""


@contextmanager
def temporary_folder(beside: Path | None = None) -> Iterator[Path]:
    """Make a folder for a while, in one of the cache or of the system.

    HtpError for a file that cannot be written in there, or moved from there.
    """
    try:
        with TemporaryDirectory(dir=beside) as name:
            yield Path(name)
    except OSError as error:
        where = error.filename2 or error.filename or beside or "temporary folder"
        remedy = "make room for it, or set TMPDIR and XDG_CACHE_HOME"
        raise fail(str(where), error.strerror or str(error), remedy) from error


def is_intact(target: Path) -> bool:
    """Tell whether a file of the cache ends with the digest of what is before it.

    Linkers and loaders ignore what follows the end of an object.
    """
    content = target.read_bytes() if target.is_file() else b""
    return content[-_DIGEST:] == _digest(content[:-_DIGEST])


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()


def _write_kit(folder: Path, texts: Iterable[bytes]) -> None:
    """Write empty files for the device's headers into a folder: device.h has it all."""
    folder.mkdir()
    for text in texts:
        for name in _INCLUDE.findall(text.decode("utf-8", "replace")):
            if is_kit_header(name, language=False) and ".." not in name:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).touch()


def bodiless(names: Sequence[str]) -> str:
    """Write the table of functions without a body, each as one that ends its kernel by name."""
    # A line of a file that is not the user's: what called it is named.
    lines = [f'#line 1 "{DEVICE}/bodiless"', 'extern "C" void htp_none(const char *);']
    for index, name in enumerate(names):
        lines.append(f'extern "C" void htp_none{index}() __asm__("{name}");')
        lines.append(f'extern "C" void htp_none{index}() {{ htp_none("{name}"); }}')
    rows = "".join(f"(void *)htp_none{index}, " for index in range(len(names)))
    lines.append(f'extern "C" void *const {TABLE}[];')
    lines.append(f'extern "C" void *const {TABLE}[] = {{{rows}nullptr}};')
    return "\n".join(lines) + "\n"
