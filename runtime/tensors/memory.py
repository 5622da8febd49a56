"""Simulated memory: byte arrays that tensors are views of."""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from math import prod
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from ...dialects.diagnostics import HtpError, fail
from ...dialects.value import Memory, round_up
from ..functions.support.arrays import Array
from .tensors import Bytes, S

DDR_ALIGNMENT = 64
"""Bytes; a cache line, so that no tensor in main memory shares one with another."""

TCM_ALIGNMENT = 2048
"""Bytes; the size of a crouton."""


MOST_BYTES = 2**62
"""No memory is as large; offsets up to here are exact in 64 bits."""


class SharedBytes(mmap.mmap):
    """Zeroed bytes, aligned to pages, that another process can map by their descriptor."""

    descriptor: int
    """The open file behind the bytes."""

    def __new__(cls, nbytes: int) -> SharedBytes:
        """Make bytes; OSError where there are none left."""
        # A file on a disk is reserved whole: a write into a hole of a full one ends the process.
        in_memory = hasattr(os, "memfd_create")
        with (
            os.fdopen(os.memfd_create("htp"), "r+b") if in_memory else tempfile.TemporaryFile()
        ) as file:
            file.truncate(max(nbytes, 1))
            if not in_memory:
                os.posix_fallocate(file.fileno(), 0, max(nbytes, 1))
            shared = super().__new__(cls, file.fileno(), max(nbytes, 1))
            shared.descriptor = os.dup(file.fileno())
        shared.on_end(partial(os.close, shared.descriptor))
        return shared

    def on_end(self, work: Callable[[], None]) -> None:
        """Do some work when nobody has these bytes any more."""
        finalize(self, work)

    def bytes(self) -> Bytes:
        """View the bytes as an array."""
        return np.frombuffer(self, np.uint8)


def shared_bytes(array: Array) -> tuple[SharedBytes, int] | None:
    """Find the shared bytes that an array lies in, and its offset there in bytes."""
    base: object = array
    while isinstance(base, np.ndarray | memoryview):
        base = base.base if isinstance(base, np.ndarray) else base.obj
    if not isinstance(base, SharedBytes):
        return None
    return base, array.ctypes.data - base.bytes().ctypes.data


class Arena:
    """The bytes of one memory; `shared` with other processes or not."""

    def __init__(self, memory: Memory, nbytes: int, shared: bool = False) -> None:
        self.memory = memory
        try:
            own = SharedBytes(nbytes).bytes()[:nbytes] if shared else None
            self.bytes = aligned_bytes(nbytes, TCM_ALIGNMENT) if own is None else own
        except (MemoryError, OSError) as error:
            raise too_large(memory, nbytes) from error

    def view(self, offset: int, nbytes: int, what: str) -> Bytes:
        """Take the bytes of a tensor; HtpError with its name where they are outside."""
        end = offset + nbytes
        if offset < 0 or end > self.bytes.size:
            raise outside(what, offset, end, self.memory, self.bytes.size)
        return self.bytes[offset:end]


class Bump:
    """Hands out addresses one after the other."""

    def __init__(self, start: int, alignment: int) -> None:
        self.end = start
        self._alignment = alignment

    def take(self, nbytes: int) -> int:
        """Take the address of the next `nbytes` bytes."""
        offset = round_up(self.end, self._alignment)
        self.end = offset + nbytes
        return offset


class Workspace:
    """Memory for what a step needs while it runs: each step uses the same bytes from the start on.

    It lends bytes that no tensor has at the step. What these do not hold lies in blocks that are
    at least as large as all before, so at most about twice what the neediest step takes of them.
    """

    def __init__(self) -> None:
        self._blocks: list[Bytes] = [np.empty(0, np.uint8)]
        self._taken: list[int] = []

    @contextmanager
    def step(self, lent: Bytes) -> Iterator[None]:
        """Give `working` memory from the first byte on, for the step that is bound inside."""
        self._blocks[0] = lent[-lent.ctypes.data % DDR_ALIGNMENT :]
        self._taken = [0] * len(self._blocks)
        token = _WORKSPACE.set(self)
        try:
            yield
        finally:
            _WORKSPACE.reset(token)

    def left(self) -> int:
        """Count the bytes that one block still has for the step."""
        taken = zip(self._blocks, self._taken, strict=True)
        return max(block.size - round_up(start, DDR_ALIGNMENT) for block, start in taken)

    def take(self, nbytes: int) -> Bytes:
        """Take the next bytes of the step, from the first block with as many left."""
        for index, block in enumerate(self._blocks):
            start = round_up(self._taken[index], DDR_ALIGNMENT)
            if start + nbytes <= block.size:
                self._taken[index] = start + nbytes
                return block[start : start + nbytes]
        total = sum(block.size for block in self._blocks[1:])
        self._blocks.append(aligned_bytes(max(nbytes, total), DDR_ALIGNMENT))
        self._taken.append(nbytes)
        return self._blocks[-1][:nbytes]


_WORKSPACE: ContextVar[Workspace | None] = ContextVar("workspace", default=None)


def working(shape: Sequence[int], dtype: type[S] | np.dtype[S]) -> NDArray[S]:
    """Make an array in the workspace under way; one of its own where there is none."""
    workspace = _WORKSPACE.get()
    if workspace is None:
        return np.empty(shape, dtype)
    return workspace.take(prod(shape) * np.dtype(dtype).itemsize).view(dtype).reshape(shape)


def fitting(count: int, nbytes: int) -> int:
    """Count the parts, of `nbytes` each, that fit what the workspace has: half or more of them."""
    workspace = _WORKSPACE.get()
    room = count if workspace is None else workspace.left() // max(1, nbytes)
    return min(count, max(room, -(-count // 2)))


def too_large(memory: Memory, nbytes: int) -> HtpError:
    """Make the error for a module that takes more of a memory than this machine has."""
    problem = f"the module takes {nbytes} bytes of it, this machine has less"
    return fail(memory.value, problem, "use smaller tensors or offsets")


def outside(what: str, offset: int, end: int, memory: Memory, size: int) -> HtpError:
    """Make the error for a tensor outside of its memory."""
    return fail(
        what,
        f"lies at bytes {offset} to {end}, the {memory.value} has {size}",
        "allocate again with the memory size that the module is run with",
    )


def aligned_bytes(nbytes: int, alignment: int) -> Bytes:
    """Zeroed bytes whose address is a multiple of `alignment`."""
    raw = np.zeros(nbytes + alignment, np.uint8)
    skip = -raw.ctypes.data % alignment
    return raw[skip : skip + nbytes]
