"""The pass that lets numbers which only pass through f64 pass through their own type.

Connected components: values of f64 that ops move or compare with each other form a group. Where
all that enters a group are Casts from one type that f64 holds exactly, and constants that this type
holds, and all that leaves it are Casts and truth values, the group computes the same in that type.

Cost: linear in the uses of f64 values. Example: of `Cast(x to f64) -> Transpose -> Maximum(_, 0.0)
-> Cast(to f32)` with x of f32 the three values between the Casts are a group, which becomes f32.
"""

from collections.abc import Iterator

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ....dialects.qti_aisw.ops.const import ConstOp, const
from ....dialects.qti_aisw.ops.quantize import CastOp
from ....dialects.spec_of import spec_of, type_of
from ....dialects.value import DType
from ...levels import bodies, is_tensor

_HELD = (
    *(DType.Float32, DType.Float16, DType.Int32, DType.Int16, DType.Int8),
    *(DType.UInt32, DType.UInt16, DType.UInt8),
)
"""The types of HTP whose numbers f64 holds exactly."""

_EXACT = (
    *("Concat", "Split", "Gather", "Reshape", "Transpose", "StridedSlice", "Tile"),
    *("DepthToSpace", "SpaceToDepth", "ReduceMax", "ReduceMin", "ElementWiseSelect"),
    *("ElementWiseMaximum", "ElementWiseMinimum", "ElementWiseEqual", "ElementWiseNotEqual"),
    *("ElementWiseGreater", "ElementWiseGreaterEqual", "ElementWiseLess", "ElementWiseLessEqual"),
    *("Argmax", "Argmin"),
)
"""Ops that move, choose or compare elements and compute none."""


class Narrow(ModulePass):
    """Graph level to graph level: what only passes through f64 passes through its own type.

    A Cast to f64 and one back cancel each other, with what moves, chooses or compares elements in
    between. Arithmetic in f64 stays, as it may be there for its digits.
    """

    name = "qti-narrow"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in bodies(op):
            for group in [*_groups(block)]:
                dtype = _type_of(group)
                if dtype is not None:
                    _retype(group, dtype)


def _groups(block: Block) -> Iterator[list[SSAValue]]:
    """Yield the f64 values that exact ops connect."""
    values = [v for op in block.ops for v in (*op.operands, *op.results) if _is_wide(v)]
    seen: set[SSAValue] = set()
    for value in dict.fromkeys(values):
        # From one value on, all that exact ops connect with it.
        group, open_ = [], [value]
        while open_:
            one = open_.pop()
            if one in seen:
                continue
            seen.add(one)
            group.append(one)
            for op in (one.owner, *(use.operation for use in one.uses)):
                if _is_exact(op):
                    open_ += [v for v in (*op.operands, *op.results) if _is_wide(v)]
        if group:
            yield group


def _is_exact(op: Operation | Block) -> bool:
    return isinstance(op, Operation) and op.name.removeprefix("qti_aisw.") in _EXACT


def _is_wide(value: SSAValue) -> bool:
    return is_tensor(value) and spec_of(value).dtype is DType.Float64


def _type_of(group: list[SSAValue]) -> DType | None:
    """Return the type that all of a group may have instead; None where there is none."""
    casts = [value.owner for value in group if isinstance(value.owner, CastOp)]
    types = {spec_of(cast.operands[0]).dtype for cast in casts}
    dtype = next(iter(types)) if len(types) == 1 else None
    if dtype not in _HELD:
        return None
    fits = all(_may_be(value, dtype) for value in group)
    return dtype if fits else None


def _may_be(value: SSAValue, dtype: DType) -> bool:
    """Tell whether a value can have a type: by what makes it, and by what reads it."""
    users = (use.operation for use in value.uses)
    if not all(isinstance(op, CastOp) or _is_exact(op) for op in users):
        return False
    owner = value.owner
    if isinstance(owner, ConstOp):
        with np.errstate(all="ignore"):
            back = owner.array.astype(dtype.storage).astype(np.float64)
        return np.array_equal(back, owner.array, equal_nan=True)
    return isinstance(owner, CastOp) or _is_exact(owner)


def _retype(group: list[SSAValue], dtype: DType) -> None:
    """Give the values of a group another type; Casts from it to itself go."""
    users = {use.operation for value in group for use in value.uses}
    for value in group:
        owner = value.owner
        if isinstance(owner, ConstOp):
            other = const(owner.array.astype(dtype.storage), spec_of(value).with_dtype(dtype))
            Rewriter.replace_op(owner, other)
        elif isinstance(owner, CastOp):
            Rewriter.replace_op(owner, [], [owner.operands[0]])
        else:
            Rewriter.replace_value_with_new_type(value, type_of(spec_of(value).with_dtype(dtype)))
    for op in users:
        if isinstance(op, CastOp) and op.operands[0].type == op.results[0].type:
            Rewriter.replace_op(op, [], [op.operands[0]])
