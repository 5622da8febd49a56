"""A package as a program of Hexagon: built by clang, run by QEMU, one process a call.

There is no C++ library for the target. The headers of the user's own compiler serve, whose
templates need none; `device/hexagon.cpp` has what remains. A function that neither has ends the
kernel that calls it. A plugin of QEMU counts the packets of a kernel.
"""

import ctypes
import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from shutil import which
from signal import SIGABRT, SIGALRM

import numpy as np

from ....dialects.diagnostics import HtpError, fail
from ....runtime.tensors.memory import SharedBytes
from .build import (
    TABLE,
    BuildOptions,
    BuiltLibrary,
    Functions,
    SourceCompiler,
    bodiless,
    cached,
    compiler_path,
    is_intact,
    made_by,
    run_tool,
    temporary_folder,
    version,
)
from .compiler_errors import DEVICE, link_error
from .worker import (
    ADDRESS,
    GRACE,
    NO_LIMIT,
    REPLY,
    TENSOR,
    CallStatus,
    KernelTask,
    Reply,
    Tensors,
    loading_fault,
    reply_of,
)

_TARGET = (
    *("--target=hexagon-unknown-linux-musl", "-mcpu=hexagonv68", "-mhvx", "-mhvx-length=128b"),
    *("-nostdlibinc", "-Wno-c++11-narrowing", "-fno-threadsafe-statics", "-fno-pic"),
    "-mhvx-ieee-fp",
)
_OWN = ("library.cpp", "hexagon.cpp", "math.cpp")
"""The files that are part of each program."""
_UNDEFINED = re.compile(r"undefined symbol: (\S+)")
_PACKETS = re.compile(rb"packets (\d+)\n")
_UNDECODED = b"decode_packet"
"""The function of QEMU in which an assertion fails at an instruction that it does not know."""
_LARGEST = 2**31 - 1
"""Bytes; the largest tensor that a record may speak of."""
_CPU = ("-cpu", "v67")
_HEADER = struct.Struct("=III")


def build_program(
    sources: Sequence[Path], options: BuildOptions, functions: Functions
) -> BuiltLibrary:
    """Build a package as a program of Hexagon, with the plugin that counts in place of a host.

    HtpError where a tool is missing, or no source compiles.
    """
    linker, builder = _tool("ld.lld"), hexagon_compiler(options)
    objects = [builder.compiled(source, functions.get(source, ())) for source in sources]
    own = [builder.compiled(DEVICE / name) for name in _OWN]
    faults = tuple(fault for each in (*objects, *own) for fault in each.faults)
    paths = [each.path for each in (*objects, *own) if each.path is not None]
    if len(paths) <= len(own):
        raise HtpError(*faults)
    lacking = tuple(fault for each in objects for fault in each.lacking)
    host = SourceCompiler(compiler_path(), BuildOptions(), ())
    plugin = host.linked([DEVICE / "packets.cpp"], ["-shared"])
    return BuiltLibrary(_linked(builder, linker, paths), plugin, faults, lacking, hexagon=True)


def hexagon_compiler(options: BuildOptions) -> SourceCompiler:
    """Return clang with the options of the target; HtpError where it is missing."""
    chosen = replace(options, extra=(*options.extra, *_TARGET, *_headers(compiler_path())))
    return SourceCompiler(_tool("clang++"), chosen, (), "-idirafter")


def _linked(builder: SourceCompiler, linker: str, objects: Sequence[Path]) -> Path:
    """Link a program; what no object has ends it when it is called."""
    command = [linker, "-m", "hexagonelf", "-static", *map(str, objects)]
    target = cached("elf", builder.key([version(linker), *command], ()))
    if is_intact(target):
        return target
    with temporary_folder() as folder:
        trial = [*command, "--no-demangle", "--warn-unresolved-symbols", "-o", f"{folder}/trial"]
        names = sorted({*_UNDEFINED.findall(run_tool(trial))} - {TABLE})
        rest = folder / "rest.cpp"
        rest.write_text(bodiless(names), encoding="utf-8")
        table = builder.compiled(rest)
        if said := made_by(target, [*command, str(table.path), "-o", "{out}"]):
            raise link_error(said)
    return target


@cache
def _tool(name: str) -> str:
    """Find a program by its name, else the newest by its name and a version; HtpError for none."""
    folders = [Path(folder) for folder in os.get_exec_path()]
    versions = {
        int(path.name.rpartition("-")[2]): str(path)
        for folder in folders
        for path in folder.glob(f"{name}-*")
        if path.name.removeprefix(f"{name}-").isdigit()
    }
    tool = which(name) or (versions[max(versions)] if versions else None)
    if tool is None:
        remedy = "install clang, lld and qemu-user: apt-get install clang-22 lld-22 qemu-user"
        raise fail("Hexagon", f"'{name}' is not there", remedy)
    return tool


def _headers(compiler: str) -> Iterator[str]:
    """Yield the options by which the headers of the user's compiler are found."""
    said = run_tool([compiler, "-E", "-x", "c++", "-v", os.devnull])
    listed = said.partition("#include <...>")[2].partition("End of search")[0]
    # As clang++ writes it, the folder of C++ is some levels above one of the compiler's own.
    own = [os.path.normpath(line.strip()) for line in listed.splitlines() if line[:2] == " /"]
    for folder in (*own, str(DEVICE / "hexagon")):
        if "/lib/gcc" not in folder and "/lib/clang" not in folder:
            yield from ("-isystem", folder)


@dataclass
class HexagonRunner:
    """A program of Hexagon that is ready to be called; `packets` has the count of each call."""

    program: Path
    plugin: Path
    packets: list[int] = field(default_factory=list)
    shares = False

    def __post_init__(self) -> None:
        self._qemu = _tool("qemu-hexagon")
        done, late = self._run(_HEADER.pack(0, 2**32 - 1, 0), NO_LIMIT)
        if late or done.returncode:
            raise loading_fault(_ended(done, late))
        self.table: str = done.stdout.decode()

    def call(self, task: KernelTask, kernel: int, tensors: Tensors, limit: float) -> Reply:
        """Run one call in a process of its own, and take back what it writes."""
        records = tensors.copy()
        if task is KernelTask.RUN:
            records["memory"] = np.where(records["offset"] == 0, ADDRESS, 0)
        records["nbytes"] = np.minimum(records["nbytes"], _LARGEST)
        sent = [each for each in records if each["memory"] != ADDRESS]
        data = [ctypes.string_at(int(each["offset"]), int(each["nbytes"])) for each in sent]
        head = _HEADER.pack(int(task), kernel, len(records))
        done, late = self._run(head + records.tobytes() + b"".join(data), limit)
        if late or done.returncode:
            return _ended(done, late)
        self.packets += map(int, _PACKETS.findall(done.stderr))
        at = REPLY.itemsize
        after = np.frombuffer(done.stdout[at : at + records.nbytes], TENSOR)
        tensors["dims"] = after["dims"]
        at += records.nbytes
        for each in sent:
            size = int(each["nbytes"])
            ctypes.memmove(int(each["offset"]), done.stdout[at : at + size], size)
            at += size
        return reply_of(done.stdout[: REPLY.itemsize])

    def number(self, memory: SharedBytes) -> int:
        """Return the number of this process's addresses."""
        return ADDRESS

    def _run(self, request: bytes, limit: float) -> tuple[subprocess.CompletedProcess[bytes], bool]:
        """Run the program, and tell whether it was ended at the limit; then it says where it is."""
        command = [self._qemu, *_CPU, "-plugin", str(self.plugin), str(self.program)]
        pipe, late = subprocess.PIPE, False
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
            try:
                said = process.communicate(request, limit)
            except subprocess.TimeoutExpired:
                late = True
                process.send_signal(SIGALRM)
                with suppress(subprocess.TimeoutExpired):
                    process.communicate(timeout=GRACE)
                process.kill()
                said = process.communicate()
        if _UNDECODED not in said[1]:
            sys.stderr.write(_PACKETS.sub(b"", said[1]).decode("utf-8", "replace"))
        return subprocess.CompletedProcess(command, process.returncode, *said), late


def _ended(done: subprocess.CompletedProcess[bytes], late: bool) -> Reply:
    """Read why a program ended before its end."""
    if len(done.stdout) == REPLY.itemsize:
        reply = reply_of(done.stdout)
        return replace(reply, status=CallStatus.LATE) if late else reply
    if late:
        return Reply(CallStatus.LATE)
    if _UNDECODED in done.stderr:
        problem = "this QEMU does not know an instruction of it, such as those of qf32 and qf16"
        return Reply(CallStatus.LACKS, text=problem)
    code = done.returncode
    return Reply(CallStatus.SIGNAL, value=float(-code if code < 0 else SIGABRT))
