"""Cast, BitCast, Quantize and Dequantize between tensors of any layout in any memory."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from ....dialects.value import DType, TensorSpec, integer_bounds
from ...functions.support.arrays import Array
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Call, Cost, Operand
from ...tensors.tensors import Tensor
from ..support.calls import in_order
from ..support.classes import FLATS, INTEGERS, PLACES, QUANTIZED, REALS, classes
from ..support.reals import read, written

_FLOATS = (DType.Float32, DType.Float16)
_NUMBERS = (*_FLOATS, *INTEGERS)
_PLAIN = (*_NUMBERS, DType.Bool8)


def _cost(outputs: Sequence[TensorSpec], operands: Sequence[Operand]) -> float:
    """Cheap unless a change of layout is hidden in it."""
    alike = isinstance(operands[0], TensorSpec) and operands[0].layout is outputs[0].layout
    return Cost.FAST.value if alike else Cost.SNAIL.value


def through_reals(out: Tensor, inp: Tensor) -> BoundCall:
    """Convert by way of real numbers, which are rounded or quantised once."""
    (source, before), (target, after) = read(inp), written(out)
    return in_order([*before, partial(np.copyto, target.array, source.array), *after])


def to_integers(out: Tensor, inp: Tensor) -> BoundCall:
    """Floats truncate and saturate, NaN is 0; integers wrap."""
    if not inp.spec.dtype.is_float:
        return partial(np.copyto, out.array, inp.array, casting="unsafe")
    return in_order(_truncated(out.array, inp.array))


def _truncated(out: Array, source: Array) -> Iterator[Call]:
    """In f64, whose numbers stop short of the largest 64-bit one: that is set by hand."""
    low, high = integer_bounds(out.dtype)
    whole, nothing = np.empty(source.shape, np.float64), np.empty(source.shape, np.bool_)
    beyond = np.empty(source.shape, np.bool_)
    zero = np.zeros((), np.float64)
    yield partial(np.trunc, source, whole, dtype=np.float64)
    yield partial(np.isnan, whole, nothing)
    yield partial(np.greater_equal, whole, np.float64(high), beyond)
    yield partial(np.copyto, whole, zero, where=nothing)
    yield partial(np.copyto, whole, zero, where=beyond)
    yield partial(np.maximum, whole, np.float64(low), out=whole)
    yield partial(np.copyto, out, whole, casting="unsafe")
    yield partial(np.copyto, out, np.array(high, out.dtype), where=beyond)


def same_bits(out: Tensor, inp: Tensor) -> BoundCall:
    """Copy the bits into a tensor of another dtype."""
    return partial(np.copyto, out.array, inp.array.view(out.array.dtype))


KERNELS = KernelSet()

for _op, _name, _function, _outputs, _inputs in (
    ("Quantize", "quantized", through_reals, classes(QUANTIZED, *PLACES), classes(REALS, *PLACES)),
    ("Dequantize", "real", through_reals, classes(_FLOATS, *PLACES), classes(QUANTIZED, *PLACES)),
    (
        "Cast",
        "rounded",
        through_reals,
        classes(_FLOATS, *PLACES),
        classes((*_FLOATS, DType.Int32), *PLACES),
    ),
    (
        "Cast",
        "whole",
        to_integers,
        classes(INTEGERS, *FLATS),
        classes((*_FLOATS, *INTEGERS), *FLATS),
    ),
    (
        "Cast",
        "from_integers",
        through_reals,
        classes(_FLOATS, *FLATS),
        classes((DType.Int64,), *FLATS),
    ),
    ("BitCast", "bits", same_bits, classes(_NUMBERS, *FLATS), classes(_PLAIN, *FLATS)),
):
    KERNELS.add(_op, _function, {"out": _outputs}, {"inp": _inputs}, name=_name, cost=_cost)
