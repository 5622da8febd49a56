"""Allocating the values of a program: constants, main memory, TCM; and their live intervals.

No two values share bytes at one time. Two intervals (allocation, first step, last step) conflict
where both their steps and their bytes overlap: bytes 0 to 64 in steps 1 to 3 and bytes 32 to 96 in
steps 3 to 5 do. A sweep over the steps compares each interval with those still alive: O(n * alive).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import add

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.attributes import TCM_BYTES
from ...dialects.diagnostics import Fault, HtpError, fail
from ...dialects.htp import ConcatOp, NativeOp, ReshapeOp, ShapeType
from ...dialects.htp.in_place import Share, is_in_place, shares
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.text.constant import Constant
from ...dialects.value import LayoutKind, Memory, TensorSpec, round_up
from ..tensors.memory import DDR_ALIGNMENT, MOST_BYTES, TCM_ALIGNMENT, Bump, outside, too_large
from ..tensors.tensors import Tensor
from .program import SESSION, Allocation, BlockOf, KernelStep, LoadStep, Program, Region


@dataclass(frozen=True, slots=True)
class Interval:
    """A tensor's steps, from the one that writes it to the last that reads it.

    Inputs are written before the first step, and outputs read after the last. Scratch, which is not
    a value, lives for one step.
    """

    value: SSAValue | None
    allocation: Allocation
    first: int
    last: int

    @property
    def nbytes(self) -> int:
        """The bytes that the tensor takes."""
        return self.allocation.end - self.allocation.offset

    def meets(self, other: Interval) -> bool:
        """Tell whether the two share a byte at one time."""
        in_time = self.first <= other.last and other.first <= self.last
        return in_time and self.allocation.meets(other.allocation)


def live_intervals(program: Program, region: Region) -> list[Interval]:
    """List the live intervals of all tensors in a memory, in order of their first step."""
    first: dict[SSAValue, int] = {}
    last: dict[SSAValue, int] = {}
    for value in program.inputs.values():
        first[value] = last[value] = -1
    for index, step in enumerate(program.steps):
        for value in step.writes:
            first.setdefault(program.origin(value), index)
        for value in (*step.writes, *step.reads):
            # What is overwritten ends in front of the step.
            end = index - (isinstance(step, KernelStep) and value is step.overwrites)
            origin = program.origin(value)
            last[origin] = max(last.get(origin, end), end)
    last.update({program.origin(v): len(program.steps) for v in program.outputs.values()})
    for step in program.steps:
        if isinstance(step, LoadStep) and step.resident:
            first[step.writes[0]], last[step.writes[0]] = -1, len(program.steps)
    intervals = [Interval(v, program.allocations[v], first[v], last[v]) for v in first]
    for index, step in enumerate(program.steps):
        intervals += [Interval(None, scratch, index, index) for scratch in step.scratch]
    there = [interval for interval in intervals if interval.allocation.region is region]
    return sorted(there, key=lambda interval: interval.first)


def spare_bytes(program: Program) -> Iterator[slice]:
    """Find for each step the longest run of main memory in which no tensor lives at it.

    Example: of 20 bytes, where tensors at 0 to 8 and at 12 to 16 live, 16 to 20 or 8 to 12.
    """
    coming = live_intervals(program, Region.DDR)[::-1]
    alive: list[Interval] = []
    for index in range(len(program.steps)):
        alive = [life for life in alive if life.last >= index]
        while coming and coming[-1].first <= index:
            alive.append(coming.pop())
        taken = sorted((life.allocation.offset, life.allocation.end) for life in alive)
        ends = [0, *accumulate((end for _, end in taken), max)]
        begins = [*(begin for begin, _ in taken), program.ddr_bytes]
        yield max(map(slice, ends, begins), key=lambda run: run.stop - run.start)


def last_uses(program: Program, *regions: Region) -> dict[int, list[SSAValue]]:
    """List the tensors of these memories that are dead after a step, by the step's index.

    One that is overwritten is read once more: it is in none of the lists.
    """
    overwritten = {
        program.origin(step.overwrites)
        for step in program.steps
        if isinstance(step, KernelStep) and step.overwrites is not None
    }
    ending: dict[int, list[SSAValue]] = {}
    for interval in (life for region in regions for life in live_intervals(program, region)):
        if interval.value is not None and interval.value not in overwritten:
            ending.setdefault(interval.last, []).append(interval.value)
    return ending


def require_disjoint(program: Program) -> None:
    """Raise HtpError that names each pair of tensors that overlap in time and address."""
    faults: list[Fault] = []
    for region in SESSION:
        alive: list[Interval] = []
        for interval in live_intervals(program, region):
            alive = [other for other in alive if other.last >= interval.first]
            faults += [_fault(other, interval) for other in alive if other.meets(interval)]
            alive.append(interval)
    if faults:
        raise HtpError(*faults)


def _fault(one: Interval, other: Interval) -> Fault:
    first, second = one.allocation, other.allocation
    start, end = max(first.offset, second.offset), min(first.end, second.end)
    shared = f"{first.region.name} bytes {start} to {end}"
    problem = f"lies on {first.label}, which is still to be read: {shared}"
    return Fault(second.label, problem, "allocate again")


_ROUNDS = 4
"""Rounds for each order; one takes n numpy operations on n numbers."""


def _reuse(program: Program, region: Region, start: int, alignment: int) -> int:
    """Move the tensors from `start` on to bytes that others no longer need; return the new end."""
    lives = [life for life in live_intervals(program, region) if life.allocation.offset >= start]
    lives.sort(key=lambda life: (life.allocation.offset, life.nbytes))
    olds = [life.allocation.offset for life in lives]
    news = packed(lives, alignment)

    def moved(at: Allocation) -> Allocation:
        if at.region is not region or at.offset < start or not lives:
            return at
        block = max(0, bisect_right(olds, at.offset) - 1)
        return replace(at, offset=start + news[block] + at.offset - olds[block])

    program.allocations.update({v: moved(at) for v, at in program.allocations.items()})
    for index, step in enumerate(program.steps):
        if isinstance(step, KernelStep) and step.scratch:
            program.steps[index] = replace(step, scratch=tuple(map(moved, step.scratch)))
    return max(
        (start + new + life.nbytes for new, life in zip(news, lives, strict=True)), default=0
    )


def packed(lives: Sequence[Interval], alignment: int) -> list[int]:
    """Find offsets, multiples of `alignment`, that keep tensors alive together apart.

    Greedy: the tensor of the most bytes times steps first, then by bytes alone; each takes the
    lowest gap between the tensors placed before it that are alive with it. As long as
    the tensors take more than live together, those that end highest go first in another round.

    Example: A (8 bytes, steps 0-1), B (4, 1-2), C (8, 2-3). A takes 0, C 0 as well, and B 8: 16
    bytes with gaps to spare, where one after the other takes 20.
    """
    sizes = [round_up(life.nbytes, alignment) for life in lives]
    areas = [life.nbytes * (life.last - life.first + 1) for life in lives]
    tried: list[tuple[int, list[int]]] = []
    bound = peak_live(lives, alignment)
    for weights in (areas, [life.nbytes for life in lives]):
        order = sorted(range(len(lives)), key=lambda n: (-weights[n], lives[n].first))
        for _ in range(_ROUNDS):
            offsets = _placed(lives, sizes, order)
            ends = [at + size for at, size in zip(offsets, sizes, strict=True)]
            top = max(ends, default=0)
            if top == bound:
                return offsets
            tried.append((top, offsets))
            order.sort(key=lambda n: ends[n] < top)
    return min(tried)[1]


def peak_live(lives: Sequence[Interval], alignment: int) -> int:
    """Sum the bytes of the tensors that live at one step, at the step where they are most."""
    changes: dict[int, int] = {}
    for life in lives:
        nbytes = round_up(life.nbytes, alignment)
        changes[life.first] = changes.get(life.first, 0) + nbytes
        changes[life.last + 1] = changes.get(life.last + 1, 0) - nbytes
    most = now = 0
    for step in sorted(changes):
        now += changes[step]
        most = max(most, now)
    return most


def _placed(lives: Sequence[Interval], sizes: Sequence[int], order: Sequence[int]) -> list[int]:
    first = np.array([life.first for life in lives], np.int64)
    last = np.array([life.last for life in lives], np.int64)
    starts, ends = np.zeros_like(first), np.zeros_like(first)
    placed = np.zeros(len(lives), bool)
    for index in order:
        life = lives[index]
        near = np.flatnonzero(placed & (first <= life.last) & (last >= life.first))
        near = near[np.argsort(starts[near], kind="stable")]
        # A gap begins where all tensors so far have ended, and ends where the next one starts.
        begins = np.concatenate(([0], np.maximum.accumulate(ends[near])))
        fits = starts[near] - begins[:-1] >= sizes[index]
        starts[index] = begins[int(np.argmax(fits)) if fits.any() else -1]
        ends[index] = starts[index] + sizes[index]
        placed[index] = True
    return [int(start) for start in starts]


"""The module attribute that says for how many bytes of TCM the module was allocated."""


class Allocator:
    """Gives each value an allocation.

    A tensor in TCM is at its type's offset; before allocation it gets the next free bytes of a
    TCM that grows with it. Tensors in main memory always get bytes of their own.
    """

    def __init__(self, module: ModuleOp, function: FuncOp, program: Program) -> None:
        self._program = program
        self._declared = declared_tcm(module)
        self._ddr = Bump(0, DDR_ALIGNMENT)
        self._planned = _end_of_offsets(function)
        self._tcm = Bump(self._planned, TCM_ALIGNMENT)
        self._wholes = _wholes(function)
        self._views = dict(_views_of(self._wholes))
        # Kernels are bound to memory that stays, so no graph op may write what one of them reads.
        without_kernel = (GraphOp, Constant, ReturnOp)
        self._in_arrays = all(isinstance(op, without_kernel) for op in function.body.block.ops)

    def place(self, value: SSAValue, label: str) -> TensorSpec:
        """Give a value bytes of its own, or its part of the tensor into which it is written."""
        spec = tensor_spec(value, label)
        if view := self._views.get(value):
            self.place(view, label)
            if self.alias(value, view, label):
                return spec
        if value in self._wholes:
            share = self._wholes[value]
            if share.whole not in self._program.allocations:
                self.place(share.whole, label)
            self.share(share, label)
            return spec
        flat = spec.layout is LayoutKind.FLAT and spec.memory is Memory.DDR
        if self._in_arrays and flat and isinstance(value.owner, GraphOp | Block):
            at = Allocation(spec, Region.RUN, 0, label)
        else:
            at = self.allocate(spec, label)
        self._program.allocations[value] = at
        return spec

    def allocate(self, spec: TensorSpec, label: str) -> Allocation:
        """Take bytes for a tensor: those that its offset names, else the next free ones."""
        offset = spec.place.offset if spec.place else None
        if spec.memory is Memory.DDR:
            return Allocation(spec, Region.DDR, self._ddr.take(spec.nbytes), label)
        taken = self._tcm.take(spec.nbytes) if offset is None else offset
        at = Allocation(spec, Region.TCM, taken, label)
        if offset is not None:
            self._check_declared(at)
        return at

    def _check_declared(self, at: Allocation) -> None:
        if self._declared is not None and at.end > self._declared:
            raise outside(at.label, at.offset, at.end, Memory.TCM, self._declared)

    def place_constant(self, value: SSAValue, source: Tensor, label: str) -> None:
        """Record a constant; only one in TCM takes memory of the session."""
        self._program.constants[value] = source
        if source.spec.memory is Memory.TCM:
            self.place(value, label)
        else:
            self._program.allocations[value] = Allocation(source.spec, Region.CONSTANT, 0, label)

    def alias(self, value: SSAValue, source: SSAValue, label: str) -> bool:
        """Let a value share the bytes of another; False where its type says otherwise."""
        if value in self._program.allocations:
            return self._program.aliases.get(source) is value
        spec, at = tensor_spec(value, label), self._program.allocations[source]
        flat = spec.layout is at.spec.layout is LayoutKind.FLAT
        if not flat or spec.memory is not at.spec.memory or at.within:
            return False
        wanted = spec.place.offset if spec.place else None
        if spec.memory is Memory.TCM and wanted not in (None, at.offset):
            return False
        self._program.allocations[value] = Allocation(spec, at.region, at.offset, label)
        self._program.aliases[value] = source
        return True

    def share(self, share: Share, label: str) -> None:
        """Let a part of a tensor share the bytes that it has in the whole."""
        whole, delta = self._program.allocations[share.whole], share.delta
        around, is_block = whole.within, share.strided or whole.within is not None
        if delta is None and not is_block:
            problem = "does not lie in one run of the bytes of the tensor it is part of"
            raise fail(label, problem, "leave out htp.in_place")
        spec = tensor_spec(share.part, label)
        # A block of a block is one of the tensor around both.
        start = tuple(map(add, around.start, share.start)) if around else share.start
        block = BlockOf(around.whole if around else whole.spec, start) if is_block else None
        offset = whole.offset + (0 if block else delta or 0)
        at = Allocation(spec, whole.region, offset, label, block)
        self._program.allocations[share.part] = at
        self._program.aliases[share.part] = share.whole

    def finish(self) -> None:
        """Check the sizes of the memories; HtpError where no machine has as much."""
        for memory, bump in ((Memory.DDR, self._ddr), (Memory.TCM, self._tcm)):
            if bump.end > MOST_BYTES:
                raise too_large(memory, bump.end)

    def share_over_time(self) -> None:
        """Move tensors without a stated offset together, and fix the sizes of the memories."""
        program, start = self._program, round_up(self._planned, TCM_ALIGNMENT)
        program.ddr_bytes = _reuse(program, Region.DDR, 0, DDR_ALIGNMENT)
        end = _reuse(program, Region.TCM, start, TCM_ALIGNMENT)
        program.tcm_bytes = max(self._declared or 0, self._planned, end)
        for at in program.allocations.values():
            if at.region is Region.TCM:
                self._check_declared(at)


def _wholes(function: FuncOp) -> dict[SSAValue, Share]:
    """The parts of Concats in place, which are written into the whole."""
    joins = [op for op in function.body.block.ops if isinstance(op, ConcatOp) and is_in_place(op)]
    return {share.part: share for op in joins for share in shares(op)}


def _views_of(parts: Iterable[SSAValue]) -> Iterator[tuple[SSAValue, SSAValue]]:
    """List what Reshapes read, with what they give, where that is a part of a join in place."""
    for part in parts:
        while isinstance(view := part.owner, ReshapeOp) and view.in_.has_one_use():
            yield view.in_, part
            part = view.in_


def tensor_spec(value: SSAValue, label: str) -> TensorSpec:
    """Read the spec of a value; HtpError for an unknown element type or shape."""
    try:
        return spec_of(value)
    except VerifyException as error:
        raise fail(label, str(error), "give it a type that is taken") from error


def scratch_specs(op: Operation, label: str) -> tuple[TensorSpec, ...]:
    """Read the scratch of an allocated op; HtpError where it is not a list of tensor types."""
    try:
        return op.scratch_specs() if isinstance(op, NativeOp) else ()
    except VerifyException as error:
        raise fail(label, str(error), "give it a type that is taken") from error


def declared_tcm(module: ModuleOp) -> int | None:
    """Read the module's TCM size in bytes, if stated; HtpError for another text."""
    size = module.attributes.get(TCM_BYTES)
    if size is None:
        return None
    if not isinstance(size, IntegerAttr) or size.value.data < 0:
        remedy = f"write {TCM_BYTES} = 8388608 : i64 for 8 MiB"
        raise fail("module", f"attribute {TCM_BYTES} is {size}, no number of bytes", remedy)
    return size.value.data


def _end_of_offsets(function: FuncOp) -> int:
    """The first byte of TCM after all tensors whose types carry an offset, scratch included."""
    end = 0
    for op in function.body.block.ops:
        tensors = [value for value in op.results if not isinstance(value.type, ShapeType)]
        specs = [tensor_spec(value, op.name) for value in tensors]
        for spec in (*specs, *scratch_specs(op, op.name)):
            if spec.place is not None and spec.place.offset is not None:
                end = max(end, spec.place.offset + spec.nbytes)
    return end
