"""The kernels of a built package: the registered functions, bound to tensors of a session."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from signal import Signals

import numpy as np

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.locations import shown_path
from ....dialects.value import LayoutKind, Memory, Shape, TensorSpec
from ....runtime.kernel.kernel import BoundCall, Operand
from ....runtime.tensors.memory import SharedBytes, shared_bytes
from ....runtime.tensors.tensors import Bytes, ShapeParam, Tensor
from .build import BuildOptions, BuiltLibrary, Functions, build
from .compiler_errors import DEVICE
from .hexagon import HexagonRunner, build_program
from .worker import (
    ADDRESS,
    TENSOR,
    Caller,
    CallStatus,
    InProcess,
    KernelTask,
    KernelWorker,
    Reply,
    Tensors,
)

DTYPES = (
    *("", "QUInt8", "QUInt16", "QInt8", "QInt16", "QInt32", "Int32", "UInt8", "UInt16"),
    *("UInt32", "Int8", "Int16", "Float32", "Float16", "Int64", "Bool8"),
)
"""The names of dtypes in the order of the enum in `device/dtypes.h`."""
_LAYOUTS = {LayoutKind.FLAT: 0, LayoutKind.CROUTON: 1}
SHAPE_RECORD = 2
"""The layout of a shape in a record."""
_STATES = "the run failed; states are as before"
_ALIGNED = 128
"""Bytes; tensors of their own begin at multiples of it, as a vector does."""
_LONGEST = 10_000_000
"""Seconds; the largest limit, of months."""
_PLACE = re.compile(r"^(.+):(\d+)(?: \(discriminator \d+\))?$", re.MULTILINE)
"""A line of addr2line: a file, and a number."""
LIMIT = 10.0
"""Seconds that one call of a kernel may take, unless the user says more."""


class OtherDims(HtpError):
    """An error for a kernel that sets other `dims`, by result, than its op's results have."""

    def __init__(self, dims: Sequence[Shape], fault: Fault) -> None:
        super().__init__(fault)
        self.dims = dims


@dataclass(frozen=True)
class BuiltKernel:
    """A registered function: its op, name, place, and tensor classes by role."""

    index: int
    op: str
    function: str
    where: str
    has_body: bool
    has_cost: bool
    has_hook: bool
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    scratch: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """Equal for the registration that the reader of the text made of the same line."""
        name = re.match(r"\(?\s*([\w:]+)", self.function)
        return self.op, name[1] if name else "", (*self.outputs, *self.inputs, *self.scratch)


@dataclass(frozen=True)
class BuiltFunction:
    """A function that rules call; it gives a `condition` or a `shape`."""

    index: int
    name: str
    gives: str


@dataclass(frozen=True)
class BuiltPackage:
    """A library with its kernels and functions; calls may take `limit` seconds each."""

    library: BuiltLibrary
    caller: Caller
    limit: float
    kernels: Mapping[tuple[str, str, tuple[str, ...]], BuiltKernel]
    functions: tuple[BuiltFunction, ...] = ()
    costs: dict[tuple[object, ...], float] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The sources that were not built, and the intrinsics without which kernels end."""
        return (*self.library.faults, *self.library.lacking)

    def binder(self, kernel: BuiltKernel) -> Callable[..., BoundCall]:
        """Return the function that binds a kernel to outputs, operands and scratch by name."""
        return partial(self._bind, kernel)

    def _bind(
        self, kernel: BuiltKernel, *tensors: Tensor | ShapeParam, **scratch: Tensor
    ) -> BoundCall:
        everything = [*tensors, *scratch.values()]
        staged = _staged(everything, self.caller.shares)
        count = len(kernel.outputs)
        written = [*staged[:count], *staged[len(tensors) :]]
        # What is constant is there at once, and stays.
        for pair in staged[count : len(tensors)]:
            if pair and pair.tensor.constant:
                pair.fill()
        read = [p for p in staged[count : len(tensors)] if p and not p.tensor.constant]
        records = _records(everything)

        def run() -> None:
            for pair in (*read, *written):
                if pair:
                    pair.fill()
            self._placed(records, everything, staged)
            call = records.copy()
            reply = self.caller.call(KernelTask.RUN, kernel.index, call, self.limit)
            for pair in written:
                if pair:
                    pair.take()
            self.check("the kernel", kernel.where, reply)
            dims = [tuple(map(int, each)) for each in call["dims"][:count]]
            for own, before in zip(dims, records["dims"][:count], strict=True):
                if own != tuple(before):
                    had = [" x ".join(map(str, each)) for each in (own, before)]
                    what = f"the kernel of {kernel.where} sets a result to {had[0]}, not {had[1]}"
                    raise OtherDims(dims, Fault("", what, "set those of the op's result"))

        return run

    def _placed(
        self,
        records: Tensors,
        tensors: Sequence[Tensor | ShapeParam],
        staged: Sequence[_Stage | None],
    ) -> None:
        """Write where tensors lie: it may be another process than at the last call."""
        for record, tensor, pair in zip(records, tensors, staged, strict=True):
            if isinstance(tensor, ShapeParam):
                record["memory"] = ADDRESS
                continue
            memory = tensor.bytes if pair is None else pair.memory
            shared = shared_bytes(memory) if self.caller.shares else None
            if shared is None:
                record["memory"], record["offset"] = ADDRESS, memory.ctypes.data
            else:
                record["memory"], record["offset"] = self.caller.number(shared[0]), shared[1]

    def cost(
        self, kernel: BuiltKernel, outputs: Sequence[TensorSpec], operands: Sequence[Operand]
    ) -> float:
        """Compute a cost by the package's function, once for tensors of the same kind."""
        records = _records([*outputs, *operands])
        key = (kernel.index, records.tobytes())
        if key not in self.costs:
            reply = self.caller.call(KernelTask.COST, kernel.index, records, self.limit)
            self.check("the kernel", kernel.where, reply, kernel.op)
            self.costs[key] = reply.value
        return self.costs[key]

    def scratch(
        self,
        kernel: BuiltKernel,
        names: Sequence[str],
        outputs: Sequence[TensorSpec],
        operands: Sequence[Operand],
    ) -> dict[str, tuple[int, ...]]:
        """Size the scratch of these names by the package's constructor hook."""
        unsized = np.zeros(len(kernel.scratch), TENSOR)
        unsized["dims"], unsized["memory"], unsized["nbytes"] = 1, ADDRESS, 2**62
        unsized["scale"] = 1
        tensors = _records([*outputs, *operands])
        records = np.concatenate([tensors, unsized])
        reply = self.caller.call(KernelTask.HOOK, kernel.index, records, self.limit)
        self.check("the kernel", kernel.where, reply, kernel.op)
        sizes = records["dims"][len(tensors) :]
        return {n: tuple(map(int, dims)) for n, dims in zip(names, sizes, strict=True)}

    def check(self, what: str, place: str, reply: Reply, where: str = "") -> None:
        """HtpError where a call failed: what happened, and at which line of the package."""
        if reply.status:
            line = source_line(self.library.path, reply.frames)
            problem = _problem(what, reply, line or place, self.limit)
            raise fail(where, problem, _remedy(reply))


def built(
    sources: Sequence[Path],
    options: BuildOptions,
    functions: Functions | None = None,
    *,
    in_process: bool = False,
    hexagon: bool = False,
    limit: float = LIMIT,
) -> BuiltPackage:
    """Build a package and read its table of kernels; HtpError where nothing can be built.

    With `hexagon` it is a program of Hexagon that QEMU runs.
    """
    if not 0 < limit <= _LONGEST:
        problem = f"a call of a kernel may take {limit:g} seconds"
        raise fail("the limit", problem, f"give more than 0, and at most {_LONGEST}")
    library = (build_program if hexagon else build)(sources, options, functions or {})
    caller: Caller
    if hexagon:
        caller = HexagonRunner(library.path, library.host)
    else:
        caller = InProcess(library.path) if in_process else KernelWorker(library.host, library.path)
    lines = [each.split("\t") for each in caller.table.splitlines()]
    rows = [_kernel(index, *line) for index, line in enumerate(lines) if line[0]]
    called = [BuiltFunction(at, *line[1:3]) for at, line in enumerate(lines) if not line[0]]
    return BuiltPackage(library, caller, limit, {row.key: row for row in rows}, tuple(called))


def _kernel(index: int, *fields: str) -> BuiltKernel:
    op, function, file, number, body, cost, hook, parameters = fields
    pairs = [each.split(" ", 1) for each in parameters.split(",") if each]
    outputs, inputs, scratch = (
        tuple(class_ for role, class_ in pairs if role == wanted)
        for wanted in ("out", "in", "scratch")
    )
    where = f"{shown_path(file)}:{number}"
    flags = (body == "1", cost == "1", hook == "1")
    return BuiltKernel(index, op, function, where, *flags, outputs, inputs, scratch)


@dataclass(frozen=True)
class _Stage:
    """A tensor whose bytes are copied to others before a call, and back after it."""

    tensor: Tensor
    memory: Bytes

    def fill(self) -> None:
        """Copy the tensor's bytes."""
        np.copyto(self._array(), self.tensor.array)

    def take(self) -> None:
        """Copy them back."""
        np.copyto(self.tensor.array, self._array())

    def _array(self) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
        return self.memory.view(self.tensor.array.dtype).reshape(self.tensor.array.shape)


def _staged(tensors: Iterable[Tensor | ShapeParam], shares: bool) -> list[_Stage | None]:
    """Find the tensors that a call cannot use where they lie, and give them bytes."""

    def usable(tensor: Tensor | ShapeParam) -> bool:
        if isinstance(tensor, ShapeParam):
            return True
        near = not shares or shared_bytes(tensor.bytes) is not None
        return near and tensor.array.flags.c_contiguous and type(tensor.array) is np.ndarray

    sizes = [0 if usable(t) or isinstance(t, ShapeParam) else t.array.nbytes for t in tensors]
    ends = np.cumsum([-(-size // _ALIGNED) * _ALIGNED for size in sizes])
    total = int(ends[-1]) if sizes else 0
    memory = SharedBytes(total).bytes() if total else np.empty(0, np.uint8)
    stages: list[_Stage | None] = []
    for tensor, size, end in zip(tensors, sizes, ends, strict=True):
        start = int(end) - -(-size // _ALIGNED) * _ALIGNED
        part = memory[start : start + size]
        stages.append(_Stage(tensor, part) if size and isinstance(tensor, Tensor) else None)
    return stages


def _records(tensors: Sequence[Tensor | TensorSpec | ShapeParam]) -> Tensors:
    """Describe tensors as `htp_tensor` does, but for where they lie."""
    records = np.zeros(len(tensors), TENSOR)
    records["scale"] = 1
    for record, tensor in zip(records, tensors, strict=True):
        record["memory"] = ADDRESS
        if isinstance(tensor, ShapeParam):
            record["dims"], record["layout"] = tensor.dims, SHAPE_RECORD
            continue
        spec = tensor.spec if isinstance(tensor, Tensor) else tensor
        if spec.layout not in _LAYOUTS or spec.dtype.name not in DTYPES:
            problem = f"a tensor of {spec.dtype.name}, {spec.layout.value}, has no C++ class"
            raise fail("built kernel", problem, "give it flat tensors, or croutons")
        record["dims"], record["layout"] = spec.shape, _LAYOUTS[spec.layout]
        record["dtype"], record["nbytes"] = DTYPES.index(spec.dtype.name), spec.nbytes
        record["tcm"] = spec.memory is Memory.TCM
        if spec.quant is not None:
            if len(spec.quant.scales) > 1:
                problem = "a tensor has an encoding for each channel"
                raise fail("built kernel", problem, "kernels in C++ see one scale and offset")
            record["scale"] = spec.quant.scales[0]
            record["zero"] = spec.quant.zero_points[0]
    return records


def _problem(what: str, reply: Reply, place: str, limit: float) -> str:
    match reply.status:
        case CallStatus.SIGNAL:
            return f"{what} crashes at {place}: {Signals(int(reply.value)).name}"
        case CallStatus.LATE:
            return f"{what} runs for more than {limit:g} seconds, and is at {place}"
        case CallStatus.GONE:
            return f"the process of {what} of {place} ended"
        case CallStatus.THREW:
            return f"{what} of {place} throws: {reply.text}"
        case CallStatus.LACKS:
            return f"{what} of {place} cannot go on: {reply.text}"
        case CallStatus.NO_BODY:
            return f"the function of {place} is declared and has no body"
        case status:
            said = f": {reply.text}" if reply.text else ""
            return f"{what} of {place} returns {status}{said}"


def _remedy(reply: Reply) -> str:
    remedies = {
        int(CallStatus.LATE): "end its loop, or give more time: --limit kernel-seconds=N",
        int(CallStatus.NO_BODY): "add the source that has it",
        int(CallStatus.LACKS): f"write it without, or add it to {DEVICE}",
    }
    return remedies.get(reply.status, f"fix the kernel; {_STATES}")


def source_line(library: Path, frames: Sequence[int]) -> str:
    """Return the innermost line of the package's own sources among addresses, if any is known."""
    program = shutil.which("addr2line")
    if program is None or not frames:
        return ""
    command = [program, "-i", "-e", str(library), *map(hex, frames)]
    done = subprocess.run(command, capture_output=True, text=True)
    for file, number in _PLACE.findall(done.stdout):
        own = Path(file).is_absolute() and DEVICE.resolve() not in Path(file).resolve().parents
        if own and not file.startswith("/usr/"):
            return f"{shown_path(file)}:{number}"
    return ""
