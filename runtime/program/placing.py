"""Allocating the values of a program: constants, main memory, TCM."""

from __future__ import annotations

from operator import add

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.attributes import TCM_BYTES
from ...dialects.diagnostics import fail
from ...dialects.htp.base import NativeOp
from ...dialects.htp.in_place import Share, is_in_place, shares
from ...dialects.htp.ops.movement import ConcatOp
from ...dialects.htp.types import ShapeType
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.value.layout import round_up
from ...dialects.value.place import LayoutKind, Memory
from ...dialects.value.spec import TensorSpec
from ..tensors.memory import DDR_ALIGNMENT, MOST_BYTES, TCM_ALIGNMENT, Bump, outside, too_large
from ..tensors.tensors import Tensor
from .program import Allocation, BlockOf, Program, Region
from .reuse import reuse

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
        # Kernels are bound to memory that stays, so no graph op may write what one of them reads.
        self._in_arrays = not any(isinstance(op, NativeOp) for op in function.body.block.ops)

    def place(self, value: SSAValue, label: str) -> TensorSpec:
        """Give a value bytes of its own, or its part of the tensor into which it is written."""
        spec = tensor_spec(value, label)
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
        spec, at = tensor_spec(value, label), self._program.allocations[source]
        flat = spec.layout is at.spec.layout is LayoutKind.FLAT
        if not flat or spec.memory is not at.spec.memory:
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
        program.ddr_bytes = reuse(program, Region.DDR, 0, DDR_ALIGNMENT)
        end = reuse(program, Region.TCM, start, TCM_ALIGNMENT)
        program.tcm_bytes = max(self._declared or 0, self._planned, end)
        for at in program.allocations.values():
            if at.region is Region.TCM:
                self._check_declared(at)


def _wholes(function: FuncOp) -> dict[SSAValue, Share]:
    """The parts of Concats in place, which are written into the whole."""
    joins = [op for op in function.body.block.ops if isinstance(op, ConcatOp) and is_in_place(op)]
    return {share.part: share for op in joins for share in shares(op)}


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
