"""The pass that turns copies placed by rules into placement constraints of their ops.

Tensors between such ops, where no copy is left on the way, are open.
Rules take out pairs of copies that they match. What goes directly from one op placed by rules to
another is then where the kernels of both take it. An op of a package in the middle of such a chain
has no copy beside it at all; two walks along the block find those, linear in its operands.

Example: of three ops that each had a copy to TCM before it and one from TCM behind it, four copies
go. The first op notes its operand's place, the last its result's, and the one between is open.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, OpResult, SSAValue, Use
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
from ...rules.graph.graph import DEFAULT_PACKAGE
from .placement import note_places, noted_places


def goes_directly(value: SSAValue) -> bool:
    """Tell whether a value goes from one op placed by rules to another, with no copy on the way."""
    source = value.owner
    if not isinstance(source, Operation) or BY_HAND not in source.attributes:
        return False
    return _left_open(value) and any(
        BY_HAND in use.operation.attributes and _taken_open(use) for use in value.uses
    )


def mark_chains(block: Block) -> None:
    """Note no place on ops of packages between ops placed by rules, which leaves them open."""
    placed = {op for op in block.ops if BY_HAND in op.attributes}
    ops = [
        op
        for op in block.ops
        if isinstance(op, NativeOp) and not op.name.startswith(f"{DEFAULT_PACKAGE}.")
    ]
    behind, before = set(placed), set(placed)
    for op in ops:
        if any(value.owner in behind and _left_open(value) for value in op.operands):
            behind.add(op)
    for op in reversed(ops):
        uses = (use for result in op.results for use in result.uses)
        if any(use.operation in before and _taken_open(use) for use in uses):
            before.add(op)
    for op in ops:
        if op in behind & before and op not in placed:
            op.attributes[BY_HAND] = ArrayAttr([UnitAttr()] * len(_noted(op)))


def _left_open(value: SSAValue) -> bool:
    """Tell whether the op that makes a value notes no place for it."""
    source = value.owner
    if not isinstance(value, OpResult) or not isinstance(source, Operation):
        return False
    return _noted(source)[len(source.operands) + value.index] is None


def _taken_open(use: Use) -> bool:
    return _noted(use.operation)[use.index] is None


def _noted(op: Operation) -> Sequence[Place | None]:
    return noted_places(op, BY_HAND, len(op.operands) + len(op.results))


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
