"""The ops of a float graph that f16 is too small or too coarse for, and the reason for each."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.qti_aisw import ConstOp, CustomOp
from ...dialects.qti_aisw.ops.elementwise import (
    Binary,
    ElementWiseDivideOp,
    ElementWiseMultiplyOp,
    ElementWiseSquaredDifferenceOp,
    Unary,
)
from ...dialects.qti_aisw.ops.movement import Movement
from ...dialects.qti_aisw.ops.optimisers import AdamOp
from ...dialects.qti_aisw.ops.quantize import CastOp
from ...dialects.qti_aisw.ops.reduce import Reduce, ReduceMeanOp, ReduceSumOp
from ...dialects.spec_of import spec_of
from ...dialects.value.dtypes import DType
from .forms import LARGEST_F16
from .groups import is_real

_SMALLEST = float(np.finfo(np.float16).smallest_normal)
"""The smallest number that f16 has with all its digits."""
_MANY = 4096
"""The elements from which on a sum may well be larger than f16 holds: 16 is then their mean."""


def reason_for_f32(op: Operation) -> str:
    """Return why an op has to be computed in f32; empty where f16 does."""
    if not any(map(is_real, (*op.operands, *op.results))):
        return ""
    return next(filter(None, (reason(op) for reason in _REASONS)), "")


def goes_on(op: Operation, kept: Collection[SSAValue]) -> bool:
    """Tell whether an op goes on in f32 behind values that are kept in it.

    So does an element-wise op, move or reduction that reads nothing else, constants apart, and the
    product or quotient of a value of the result's size, which may bring it back into f16's range.
    """
    if not isinstance(op, Unary | Binary | Movement | Reduce):
        return False
    values = [v for v in op.operands if is_real(v) and not isinstance(v.owner, ConstOp)]
    scaled = isinstance(op, ElementWiseMultiplyOp | ElementWiseDivideOp)
    size = spec_of(op.results[0]).elements
    large = any(v in kept and spec_of(v).elements == size for v in values)
    return bool(values) and (all(v in kept for v in values) or (scaled and large))


def _package(op: Operation) -> str:
    return "is of a package" if isinstance(op, CustomOp) else ""


def _training(op: Operation) -> str:
    return "adds steps to weights that f16 is too coarse for" if isinstance(op, AdamOp) else ""


def _cast(op: Operation) -> str:
    """Integers may be large, as positions and sums are, and an f32 behind f16 is there for that."""
    dtype = spec_of(op.operands[0]).dtype if isinstance(op, CastOp) else DType.Float32
    if dtype is DType.Float16:
        return "is f32 for its digits"
    return "is of integers of many digits" if dtype.is_integer and dtype.itemsize > 1 else ""


def _constant(op: Operation) -> str:
    """Negative numbers beyond f16 are masks, which its largest serves."""
    for value in filter(is_real, op.operands):
        if isinstance(value.owner, ConstOp) and value.owner.array.size:
            array = value.owner.array
            largest = float(np.max(array, initial=0.0, where=np.isfinite(array)))
            reach = float(np.abs(array).max())
            if largest > LARGEST_F16 or 0 < reach < _SMALLEST:
                return f"has a constant of {max(largest, reach):.3g}"
    return ""


def _sum(op: Operation) -> str:
    if not isinstance(op, ReduceSumOp | ReduceMeanOp):
        return ""
    count = spec_of(op.operands[0]).elements // max(1, spec_of(op.results[0]).elements)
    if isinstance(op, ReduceSumOp) and count >= _MANY:
        return f"sums {count} numbers"
    return "sums squares" if _is_square(op.operands[0].owner) else ""


def _square(op: Operation) -> str:
    uses = [use.operation for result in op.results for use in result.uses]
    summed = bool(uses) and all(isinstance(user, ReduceSumOp | ReduceMeanOp) for user in uses)
    return "makes squares, which are summed" if summed and _is_square(op) else ""


def _is_square(op: object) -> bool:
    if isinstance(op, ElementWiseMultiplyOp):
        return op.a is op.b
    return isinstance(op, ElementWiseSquaredDifferenceOp)


_REASONS: tuple[Callable[[Operation], str], ...] = (
    _package,
    _training,
    _cast,
    _constant,
    _sum,
    _square,
)
