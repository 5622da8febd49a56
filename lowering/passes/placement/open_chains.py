"""Tensors between ops that rules placed, where no copy is left on the way: they are open.

Rules take out pairs of copies that they match. What goes directly from one op placed by rules to
another is then where the kernels of both take it. An op of a package in the middle of such a chain
has no copy beside it at all; two walks along the block find those, linear in its operands.

Example: of three ops that each had a copy to TCM before it and one from TCM behind it, four copies
go. The first op notes its operand's place, the last its result's, and the one between is open.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, UnitAttr
from xdsl.ir import Block, Operation, OpResult, SSAValue, Use

from ....dialects.attributes import BY_HAND
from ....dialects.htp.base import NativeOp
from ....dialects.value import Place
from ...rules.graph.graph import DEFAULT_PACKAGE
from .noted_places import noted_places


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
