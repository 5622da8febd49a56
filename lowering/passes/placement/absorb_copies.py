"""The pass that turns copies placed by rules into placement constraints of their ops."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes import BY_HAND
from ....dialects.faults.op_faults import fail_at
from ....dialects.htp import NativeOp, ReshapeOp, ShapeType
from ....dialects.htp.ops.copies import CopyOp, FormatOp, MoveOp
from ....dialects.spec_of import spec_of
from ....dialects.value import FLAT_DDR, Memory, Place
from ....runtime.kernel.library import KernelRegistry, dtype_of, place_of
from ...levels import bodies, note_graph
from ...packages.loading import packages_of
from .noted_places import note_places, noted_places
from .open_chains import mark_chains


@dataclass(frozen=True)
class AbsorbCopies(ModulePass):
    """Native level to native level, without the conversions and copies that rules placed.

    The ops beside them get the attribute `htp.by_hand` with the places that the copies led to. It
    is a placement constraint where an op's tensor properties say nothing. Where an op follows
    another without a copy, the tensor is where all kernels of an op without tensor properties want
    it, else where the other leaves it.
    """

    name = "htp-absorb-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        note_graph(op, self.name)
        packages = packages_of(ctx)
        for block in bodies(op):
            copies = [inner for inner in block.ops if isinstance(inner, CopyOp)]
            if copies:
                for inner in block.ops:
                    if isinstance(inner, NativeOp) and not isinstance(inner, CopyOp | ReshapeOp):
                        placed = inner.name in packages.properties
                        _mark(inner, None if placed else packages.kernels)
            for copy in copies:
                copy.results[0].replace_all_uses_with(copy.operands[0])
            for copy in reversed(copies):
                block.erase_op(copy)
            mark_chains(block)


def by_hand(op: Operation) -> tuple[Place | None, ...]:
    """Read the places that rules gave an op's operands, then its results."""
    return noted_places(op, BY_HAND, len(op.operands) + len(op.results))


def _mark(op: NativeOp, kernels: KernelRegistry | None) -> None:
    values = [*op.operands, *op.results]
    copied = [*map(_place_before, op.operands), *(_place_behind(op, r) for r in op.results)]
    wanted = kernel_places(op, kernels) if kernels else [None] * len(values)
    left = [*map(_left_at, op.operands), *[None] * len(op.results)]
    rows = zip(copied, wanted, left, strict=True)
    places = [next((place for place in row if place), None) for row in rows]
    note_places(op, BY_HAND, [None if place == FLAT_DDR else place for place in places])


def kernel_places(op: NativeOp, kernels: KernelRegistry) -> list[Place | None]:
    """Return where all kernels for the dtypes of an op want its operands, then its results.

    None where they differ, or take a tensor anywhere.
    """
    values = [*op.operands, *op.results]
    dtypes = [None if isinstance(v.type, ShapeType) else spec_of(v).dtype for v in values]
    rows: list[list[Place | None]] = []
    for kernel in kernels.kernels(op.name):
        slots = kernel.slots_for(len(op.operands))
        classes = [slot.takes for slot in (*(slots or ()), *kernel.outputs)]
        fits = (dtype_of(c) in (None, dtype) for c, dtype in zip(classes, dtypes, strict=False))
        if len(classes) == len(values) and all(fits):
            rows.append([place_of(class_) for class_ in classes])
    agreed = [set(column) for column in zip(*rows, strict=True)] or [set() for _ in values]
    return [next(iter(column)) if len(column) == 1 else None for column in agreed]


def _left_at(value: SSAValue) -> Place | None:
    """The place at which an op leaves a value, as the copies behind it tell."""
    owner = value.owner
    is_own = isinstance(owner, NativeOp) and not isinstance(owner, CopyOp | ReshapeOp)
    return _place_behind(owner, value) if is_own and isinstance(owner, NativeOp) else None


def _place_before(value: SSAValue) -> Place | None:
    """The place to which the copies before an operand lead; None without copies."""
    copy = value.owner
    if isinstance(copy, MoveOp):
        return copy.TARGET
    if isinstance(copy, FormatOp):
        before = _place_before(copy.operands[0])
        return Place(copy.LAYOUT, before.memory if before else Memory.DDR)
    return None


def _place_behind(op: NativeOp, result: SSAValue) -> Place | None:
    """The place from which the copies behind a result take it; HtpError where they differ."""
    copies = (use.operation for use in result.uses)
    sources = (copy.SOURCE for copy in copies if isinstance(copy, MoveOp))
    places = list(dict.fromkeys(place for place in sources if place.memory is Memory.TCM))
    if len(places) > 1:
        texts = " and ".join(sorted(f"{p.layout.value} in {p.memory.value}" for p in places))
        raise fail_at(op, f"rules copy its result from {texts}", "htp package migrate says which")
    return places[0] if places else None
