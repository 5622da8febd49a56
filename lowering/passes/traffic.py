"""Traffic: bytes between main memory and the chip, read off IR of the native levels.

Every op reads its operands in main memory and writes its results there; scratch of its kernel
there is written and read. A view (a Reshape, a slice or a join in place, the wait for a copy)
moves nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.htp import ConstOp, NativeOp, ReshapeOp, StateOp, StateReadOp, StateWriteOp
from ...dialects.htp.in_place import is_in_place
from ...dialects.htp.ops.copies import (
    CopyOp,
    CopyWaitOp,
    FillOp,
    FillStartOp,
    FormatOp,
    MoveOp,
    SpillOp,
)
from ...dialects.htp.ops.slices import SlicePadShapeOp, SliceShapeOp, StridedSliceOp
from ...dialects.spec_of import spec_of
from ...dialects.value import Memory, TensorSpec
from ...runtime.program.boundary import inputs_of, main_function, outputs_of
from ..levels import is_tensor
from .placement.choose_places import source_of
from .placement.moves import SELECTED, passes_of


class TransferKind(Enum):
    """The purpose of a transfer; the value is the word in tables."""

    COPY_IN = "copied to TCM"
    COPY_OUT = "copied from TCM"
    SPILL = "spilled"
    FILL = "filled"
    PARTS = "read in parts"
    CONVERSION = "converted"
    STATE = "states"
    DIRECT = "ops in main memory"


@dataclass(frozen=True)
class Transfer:
    """The bytes that one op reads from main memory and writes to it, and those that are padding."""

    position: int
    op: Operation
    kind: TransferKind
    read: int
    written: int
    padding: int = 0

    @property
    def bytes(self) -> int:
        """Bytes read and written."""
        return self.read + self.written


@dataclass(frozen=True)
class Traffic:
    """The transfers of one inference, in the order of the ops."""

    transfers: tuple[Transfer, ...]

    @property
    def bytes(self) -> int:
        """All bytes read from main memory and written to it."""
        return sum(transfer.bytes for transfer in self.transfers)

    @property
    def conversions(self) -> tuple[int, int]:
        """The number of layout conversions, and the bytes of their results; without constants."""
        changes = [
            transfer
            for transfer in self.transfers
            if transfer.kind is TransferKind.CONVERSION
            if not isinstance(source_of(transfer.op), ConstOp)
        ]
        return len(changes), sum(spec_of(t.op.results[0]).nbytes for t in changes)

    def by_kind(self) -> Counter[TransferKind]:
        """Sum the bytes of each kind."""
        counted: Counter[TransferKind] = Counter()
        for transfer in self.transfers:
            counted[transfer.kind] += transfer.bytes
        return counted


Sizing = Callable[[TensorSpec], int]
"""The bytes of a tensor, by a way to count them."""


def traffic(module: ModuleOp) -> Traffic:
    """List the transfers of `@main`; a tensor without a place is in main memory."""
    ops = main_function(module).body.block.ops
    kinds = ((position, op, _kind(op)) for position, op in enumerate(ops))
    transfers = (_transfer(position, op, kind) for position, op, kind in kinds if kind)
    # A change of layout in TCM moves nothing, and is one all the same.
    kept = (t for t in transfers if t.bytes or t.kind is TransferKind.CONVERSION)
    return Traffic(tuple(kept))


def _transfer(position: int, op: Operation, kind: TransferKind) -> Transfer:
    read, written = _read(op, _padded), _written(op, _padded)
    plain = _read(op, _plain) + _written(op, _plain)
    return Transfer(position, op, kind, read, written, read + written - plain)


def least_traffic(module: ModuleOp) -> int:
    """Bound the bytes of any plan from below: inputs, used constants and outputs moved once.

    A state is moved twice, in and out. The module is of any level that has native ops.
    """
    function = main_function(module)
    constants = [op.out for op in function.body.block.ops if isinstance(op, ConstOp)]
    moved = [*inputs_of(function).values(), *constants]
    once = sum(_plain(spec_of(value)) for value in moved if value.first_use is not None)
    once += sum(_plain(spec_of(value)) for value in outputs_of(function).values())
    states = [op.spec.nbytes for op in module.body.block.ops if isinstance(op, StateOp)]
    return once + 2 * sum(states)


def _kind(op: Operation) -> TransferKind | None:
    """Return the purpose of an op's transfers; None for a view."""
    match op:
        case ReshapeOp() | CopyWaitOp():
            return None
        case StateReadOp() | StateWriteOp():
            return TransferKind.STATE
        case SpillOp():
            return TransferKind.SPILL
        case FillOp() | FillStartOp():
            return TransferKind.FILL
        case FormatOp():
            return TransferKind.CONVERSION
        case MoveOp() | CopyOp():
            return TransferKind.COPY_IN if _in_ddr(op.operands[0]) else TransferKind.COPY_OUT
        case NativeOp() if is_in_place(op):
            return None
        case SlicePadShapeOp() | SliceShapeOp() | StridedSliceOp() if _in_ddr(op.operands[0]):
            return TransferKind.PARTS
        case NativeOp():
            return TransferKind.DIRECT
        case _:
            return None


def _read(op: Operation, size: Sizing) -> int:
    """Count the bytes that an op reads; a state's `init` is read after a reset only."""
    if isinstance(op, StateReadOp):
        return size(spec_of(op.out))
    reads = (_read_of(op, value, index, size) for index, value in _sources(op))
    return sum(reads) + _scratch(op, size)


def _scratch(op: Operation, size: Sizing) -> int:
    """Count the bytes of a kernel's scratch in main memory."""
    specs = op.scratch_specs() if isinstance(op, NativeOp) else ()
    return sum(size(spec) for spec in specs if spec.memory is Memory.DDR)


def _sources(op: Operation) -> Iterator[tuple[int, SSAValue]]:
    """List the operands in main memory with their positions, each value once."""
    seen: set[SSAValue] = set()
    for index, value in enumerate(op.operands):
        if value not in seen and _in_ddr(value):
            seen.add(value)
            yield index, value


def _read_of(op: Operation, value: SSAValue, index: int, size: Sizing) -> int:
    spec = spec_of(value)
    nbytes = size(spec)
    if isinstance(op, SlicePadShapeOp) and index == 0:
        return min(nbytes, size(_inside(op)))
    if SELECTED.get(op.name) == index:
        # The part lies as the whole does, however the op lays it down.
        parts = (spec_of(result) for result in op.results)
        like = (part.with_place(spec.place) if part.rank == spec.rank else part for part in parts)
        return min(nbytes, sum(map(size, like)))
    passes = passes_of(op)
    return nbytes * passes[index] if passes else nbytes


def _inside(op: SlicePadShapeOp) -> TensorSpec:
    """Describe the block of the input that a padded slice takes."""
    spec = spec_of(op.operands[0])
    begins = [a - b for a, b in zip(op.dims("start"), op.dims("pad_before"), strict=True)]
    taken = [
        max(0, min(begin + size, extent) - max(begin, 0))
        for begin, size, extent in zip(begins, op.dims("size"), spec.shape, strict=True)
    ]
    return spec.with_shape(tuple(taken))


def _written(op: Operation, size: Sizing) -> int:
    if isinstance(op, StateWriteOp):
        return size(spec_of(op.value))
    results = sum(size(spec_of(value)) for value in op.results if _in_ddr(value))
    return results + _scratch(op, size)


def _in_ddr(value: SSAValue) -> bool:
    return is_tensor(value) and spec_of(value).memory is Memory.DDR


def _padded(spec: TensorSpec) -> int:
    return spec.nbytes


def _plain(spec: TensorSpec) -> int:
    """Count the bytes of a tensor's elements, without padding."""
    return spec.elements * spec.dtype.itemsize
