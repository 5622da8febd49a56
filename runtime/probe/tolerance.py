"""The tolerance of a tensor: the coarsest of its dtype and of those that it is computed from."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ...dialects.value.dtypes import DType
from ...dialects.value.spec import TensorSpec
from ..program.program import Program

FLOATS = {DType.Float64: 1e-9, DType.Float32: 1e-5, DType.Float16: 4e-3, DType.BFloat16: 3e-2}
"""Largest error of a float that is not a fault, relative to the largest value of its tensor.

That is some 100 roundings of f32 and 4 of f16 and bf16 in one direction. Passes that compute sums
in another order, over the depth of a whole model, stay at a sixth of that and less.
"""
_STEPS = 2
"""Largest error of a quantised tensor that is not a fault, in steps of its encoding."""
_COARSE = 0.25
"""The tolerance of floats of 8 bits and less, relative to the largest value."""


def tolerance_of(spec: TensorSpec) -> float:
    """Return the tolerance of a tensor by its dtype, relative to its largest value."""
    if spec.dtype.is_quantized:
        levels = 1 << 8 * min(spec.dtype.itemsize, 2)
        return _STEPS / (levels - 1)
    return FLOATS.get(spec.dtype, _COARSE) if spec.dtype.is_float else 0.0


def tolerances(program: Program) -> dict[SSAValue, float]:
    """Return the tolerance of every value of a program that is not a constant."""
    known: dict[SSAValue, float] = {}
    for value, at in program.allocations.items():
        if value not in program.constants:
            owner = value.owner
            read = owner.operands if isinstance(owner, Operation) else ()
            known[value] = max(
                tolerance_of(at.spec), *(known.get(operand, 0.0) for operand in read), 0.0
            )
    return known
