"""The process that runs built kernels, and the same calls inside this process.

Requests and tensors are the structs of `device/interface.h`. The worker maps the memories of
sessions, so tensors are not copied. It ends with what a kernel breaks, and starts anew at the next
request; a call beyond its limit is ended by a signal, which tells at which line it was.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import struct
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from threading import Lock
from typing import Protocol
from weakref import WeakKeyDictionary, finalize

import numpy as np
from numpy.typing import NDArray

from ....dialects.diagnostics import HtpError, fail
from ....runtime.tensors.memory import SharedBytes

TENSOR = np.dtype(
    [
        ("offset", "u8"),
        ("nbytes", "u8"),
        ("dims", "u8", 4),
        ("memory", "u4"),
        ("dtype", "u4"),
        ("layout", "u4"),
        ("tcm", "u4"),
        ("scale", "f4"),
        ("zero", "i4"),
    ]
)
"""A tensor as `htp_tensor` has it."""
ADDRESS = 0xFFFFFFFF
"""The number of the memory that is the process's own addresses."""
REPLY = np.dtype(
    [("status", "i4"), ("frames", "u4"), ("value", "f8"), ("frame", "u8", 24), ("text", "S800")]
)
"""A reply as `htp_reply` has it."""
_HEAD = struct.Struct("=IIIIQ")
GRACE = 2.0
"""Seconds that a worker has to say where it was when it was ended."""
NO_LIMIT = 600.0
"""Seconds for a request that runs no kernel."""


class KernelTask(IntEnum):
    """The work of a call: run the kernel, compute its cost, size its scratch; apply a function."""

    RUN = 0
    COST = 1
    HOOK = 2
    APPLY = 3


class CallStatus(IntEnum):
    """The end of a call, beyond the codes that kernels return."""

    THREW = 1000
    NO_BODY = 1001
    LACKS = 1002
    SIGNAL = 1003
    LATE = 1004
    GONE = 1005


class _Request(IntEnum):
    LOAD = 0
    MAP = 1
    UNMAP = 2
    CALL = 3


@dataclass(frozen=True)
class Reply:
    """The answer to a call; `frames` are the addresses in the library where it was ended."""

    status: int
    value: float = 0.0
    text: str = ""
    frames: tuple[int, ...] = ()


Tensors = NDArray[np.void]


class Caller(Protocol):
    """A library that is ready to be called."""

    @property
    def table(self) -> str:
        """The registered kernels, a line each."""

    @property
    def shares(self) -> bool:
        """Tell whether tensors must lie in memory that another process maps."""

    def call(self, task: KernelTask, kernel: int, tensors: Tensors, limit: float) -> Reply:
        """Call a kernel; the dims in `tensors` are those that it leaves."""

    def number(self, memory: SharedBytes) -> int:
        """Return the number of a memory in the records of tensors."""


class InProcess:
    """A library in this process: quick, and a kernel that crashes ends all."""

    shares = False

    def __init__(self, path: Path) -> None:
        try:
            self._library = ctypes.CDLL(str(path))
        except OSError as error:
            raise fail(str(path), str(error), "fix the package") from error
        self._library.htp_kernels.restype = ctypes.c_char_p
        self.table: str = self._library.htp_kernels().decode()

    def call(self, task: KernelTask, kernel: int, tensors: Tensors, limit: float) -> Reply:
        """Call a kernel; there is no limit."""
        reply = np.zeros(1, REPLY)
        pointers = (ctypes.c_void_p(each.ctypes.data) for each in (tensors, reply))
        at, out = pointers
        self._library.htp_call(int(task), kernel, at, len(tensors), out)
        return reply_of(reply.tobytes())

    def number(self, memory: SharedBytes) -> int:
        """Return the number of this process's addresses."""
        return ADDRESS


class KernelWorker:
    """A library in a process of its own."""

    shares = True

    def __init__(self, host: Path, library: Path) -> None:
        self._host, self._path = host, library
        self._lock = Lock()
        self._process: _HostProcess | None = None
        self.table = ""
        self._started()

    def call(self, task: KernelTask, kernel: int, tensors: Tensors, limit: float) -> Reply:
        """Call a kernel, and end it where it takes more seconds than the limit."""
        head = _HEAD.pack(_Request.CALL, 0, kernel, len(tensors), int(task))
        with self._lock:
            process = self._started()
            try:
                process.socket.settimeout(limit)
                process.socket.sendall(head + tensors.tobytes())
                reply = reply_of(process.receive(REPLY.itemsize))
                if reply.status != CallStatus.SIGNAL:
                    after = np.frombuffer(process.receive(tensors.nbytes), TENSOR)
                    tensors["dims"] = after["dims"]
                    return reply
            except TimeoutError:
                reply = process.interrupted()
            except OSError:
                reply = Reply(CallStatus.GONE)
            process.end()
            self._process = None
            return reply

    def number(self, memory: SharedBytes) -> int:
        """Map a memory in the worker, once, and return its number."""
        with self._lock:
            return self._started().number(memory)

    def _started(self) -> _HostProcess:
        """Return the process; start one where there is none, or it is the parent's of a fork."""
        process = self._process
        if process is not None and process.owner == os.getpid():
            return process
        self._process = process = _HostProcess(self._host)
        finalize(self, process.end)
        path = str(self._path).encode()
        process.socket.settimeout(NO_LIMIT)
        try:
            process.socket.sendall(_HEAD.pack(_Request.LOAD, 0, 0, 0, len(path)) + path)
            reply = reply_of(process.receive(REPLY.itemsize))
            text = process.receive(int(reply.value)) if reply.status == 0 else b""
        except OSError:
            reply = Reply(CallStatus.GONE, text="the process ends while it loads the library")
        if reply.status:
            process.end()
            self._process = None
            raise loading_fault(reply)
        self.table = text.decode("utf-8", "replace")
        return process


@dataclass
class _HostProcess:
    """One run of the host program, with what it has mapped."""

    host: Path
    owner: int = field(default_factory=os.getpid)
    numbers: WeakKeyDictionary[SharedBytes, int] = field(default_factory=WeakKeyDictionary)
    count: int = 0

    def __post_init__(self) -> None:
        self.socket, other = socket.socketpair()
        with other:
            fd = other.fileno()
            command = [str(self.host), str(fd)]
            self.process = subprocess.Popen(
                command, pass_fds=[fd], stdin=subprocess.DEVNULL, process_group=0
            )

    def number(self, memory: SharedBytes) -> int:
        """Map a memory, once."""
        if memory not in self.numbers:
            number, self.count = self.count, self.count + 1
            head = _HEAD.pack(_Request.MAP, 0, number, 0, len(memory))
            with suppress(OSError):
                socket.send_fds(self.socket, [head], [memory.descriptor])
            self.numbers[memory] = number
            memory.on_end(self._unmapper(number))
        return self.numbers[memory]

    def _unmapper(self, number: int) -> Callable[[], None]:
        connection = self.socket

        def unmap() -> None:
            with suppress(OSError):
                connection.sendall(_HEAD.pack(_Request.UNMAP, 0, number, 0, 0))

        return unmap

    def receive(self, count: int) -> bytes:
        """Receive this number of bytes; ConnectionError where the other side has ended."""
        parts = bytearray()
        while len(parts) < count:
            part = self.socket.recv(count - len(parts))
            if not part:
                raise ConnectionError
            parts += part
        return bytes(parts)

    def interrupted(self) -> Reply:
        """Let the process say where it is, and return that."""
        self.process.send_signal(signal.SIGALRM)
        self.socket.settimeout(GRACE)
        try:
            reply = reply_of(self.receive(REPLY.itemsize))
        except OSError:
            return Reply(CallStatus.LATE)
        return Reply(CallStatus.LATE, frames=reply.frames)

    def end(self) -> None:
        """End the process and those that kernels began; one of a parent stays."""
        self.socket.close()
        if self.owner == os.getpid() and self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def loading_fault(reply: Reply) -> HtpError:
    """Make the error for a package that ends while it loads."""
    remedy = "fix the variables that the sources define, which are made at loading"
    return fail("built package", reply.text or "a signal while it loads", remedy)


def reply_of(data: bytes) -> Reply:
    """Read a reply from its bytes."""
    reply = np.frombuffer(data, REPLY)[0]
    frames = tuple(int(each) for each in reply["frame"][: int(reply["frames"])])
    text = bytes(reply["text"]).decode("utf-8", "replace")
    return Reply(int(reply["status"]), float(reply["value"]), text, frames)
