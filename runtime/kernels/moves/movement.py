"""Ops that move or choose elements as they are stored, and Cast, BitCast, Quantize and Dequantize.

They serve every element type, in either memory.

Copies between memories, conversions between layouts and those of elements are for every tensor
class, the others for flat tensors. A copy moves bytes, padding included; of a block of a larger
tensor line by line. A conversion of layouts leaves the padding of a crouton as it was.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from math import prod

import numpy as np

from ....dialects.value import DType, LayoutKind, Memory, TensorSpec, integer_bounds
from ...functions.support.arrays import Array
from ...kernel.declare import KernelSet
from ...kernel.kernel import BoundCall, Call, Cost, Operand
from ...tensors.tensor_classes import (
    CLASSES,
    Int32Tensor,
    Int32Tensor_TCM,
    Int64Tensor,
    Int64Tensor_TCM,
)
from ...tensors.tensors import Tensor, TensorClass
from ..semantics.reference import by_semantics
from ..support.bands import read, written
from ..support.calls import bound_once, in_order, number_in, spans
from ..support.classes import FLATS, INTEGERS, PLACES, QUANTIZED, REALS, Stored, classes

_LAYOUTS = {LayoutKind.FLAT: "flat", LayoutKind.CROUTON: "crouton"}


def _copy(out: Tensor, inp: Tensor) -> BoundCall:
    if out.bytes.ndim == inp.bytes.ndim:
        return partial(np.copyto, out.bytes, inp.bytes)
    return partial(np.copyto, out.array, inp.array)


KERNELS = KernelSet()


def _declare(op: str, kind: str, key: TensorClass, out: TensorClass, inp: TensorClass) -> None:
    """Declare a kernel between two classes, named after the class that it is about."""
    functions: dict[str, Callable[[Tensor, Tensor], BoundCall]] = {
        "ForceFormat_Flat": lambda out, inp: inp.unpacker(out.array),
        "ForceFormat_Crouton": lambda out, inp: out.packer(inp.array),
    }
    function, name = functions.get(op, _copy), f"{kind}.{CLASSES[key].__name__}"
    KERNELS.add(
        op, function, {"out": CLASSES[out]}, {"inp": CLASSES[inp]}, name=name, cost=Cost.FAST
    )


for _key in CLASSES:
    if _key.layout is LayoutKind.FLAT:
        # A session runs a Reshape only where it is not a view.
        _declare("Reshape", "view", _key, _key, _key)
    if _key.memory is Memory.DDR:
        _tcm, _layout = replace(_key, memory=Memory.TCM), _LAYOUTS[_key.layout]
        for _op in (f"{_layout}_to_vtcm", f"{_layout}_to_vtcm.start", "Fill", "Fill.start"):
            _declare(_op, "copy", _key, _tcm, _key)
        for _op in (f"{_layout}_from_vtcm", "Spill"):
            _declare(_op, "copy", _key, _key, _tcm)
        _declare("Relocate", "copy", _key, _tcm, _tcm)
    if _key.layout is LayoutKind.CROUTON:
        _flat = replace(_key, layout=LayoutKind.FLAT)
        _declare("ForceFormat_Flat", "convert", _key, _flat, _key)
        _declare("ForceFormat_Crouton", "convert", _key, _key, _flat)


_BAND = 64
"""Elements of the last axis that a band takes: as many lines of the input stay in cache."""
_LEAST = 4096
"""Elements below which a band costs more than it saves."""


def _transposed(source: Array, perm: Sequence[int], target: Array) -> Iterator[Call]:
    """Calls that write axis perm[i] of the source to axis i of the target."""
    if not (source.flags.c_contiguous and target.flags.c_contiguous):
        yield partial(np.copyto, target, source.transpose(perm))
        return
    shape, order = merged(source.shape, perm)
    if not shape:
        yield partial(np.copyto, target.reshape(-1), source.reshape(-1))
        return
    view = source.reshape(shape).transpose(order)
    result = target.reshape(view.shape)
    for band in _bands(view.shape, order):
        yield partial(np.copyto, result[..., band], view[..., band])


def merged(shape: Sequence[int], perm: Sequence[int]) -> tuple[list[int], list[int]]:
    """Drop axes of 1 from a transposition, and join axes that stay together."""
    groups: list[list[int]] = []
    last = -1
    for axis in (axis for axis in perm if shape[axis] != 1):
        if groups and last < axis and prod(shape[last + 1 : axis]) == 1:
            groups[-1].append(axis)
        else:
            groups.append([axis])
        last = axis
    ordered = sorted(groups)
    extents = [prod(shape[axis] for axis in group) for group in ordered]
    return extents, [ordered.index(group) for group in groups]


def _bands(shape: Sequence[int], order: Sequence[int]) -> Iterator[slice]:
    if order[-1] == len(order) - 1:
        yield slice(None)
        return
    others = max(1, prod(shape[:-1]))
    yield from spans(shape[-1], max(_BAND, _LEAST // others))


Integers = Int32Tensor | Int32Tensor_TCM | Int64Tensor | Int64Tensor_TCM
"""Integers, flat, in either memory."""


@KERNELS.kernel("Transpose", cost=Cost.FAST)
def transpose(out: Stored, inp: Stored, perm: Int32Tensor) -> BoundCall:
    def bind() -> BoundCall:
        return in_order(_transposed(inp.array, perm.array.reshape(-1).tolist(), out.array))

    return bound_once([perm], bind)


@KERNELS.kernel("Gather", cost=Cost.FAST)
def gather(out: Stored, inp: Stored, indices: Integers, axis: Int32Tensor) -> BoundCall:
    """Indices are checked first; the reference says what is wrong with them."""
    refuse = by_semantics("Gather")([out], [inp, indices, axis])
    flat = indices.array.reshape(-1)
    positions = np.empty(flat.shape, np.intp)

    def bind() -> BoundCall:
        along = int(number_in(axis)) % inp.spec.rank
        extent = inp.shape[along]

        def run() -> None:
            np.copyto(positions, flat)
            if ((positions < -extent) | (positions >= extent)).any():
                refuse()
            np.take(inp.array, positions, along, out.array, mode="wrap")

        return run

    return bound_once([axis], bind)


@KERNELS.kernel("StridedSlice", cost=Cost.FAST)
def strided_slice(out: Stored, inp: Stored, ranges: Int32Tensor) -> BoundCall:
    def bind() -> BoundCall:
        taken = tuple(
            slice(begin, None if stride < 0 and end < 0 else end, stride)
            for begin, end, stride in ranges.array.reshape(-1, 3).tolist()
        )
        return partial(np.copyto, out.array, inp.array[taken])

    return bound_once([ranges], bind)


@KERNELS.kernel("Tile", cost=Cost.FAST)
def tile(out: Stored, inp: Stored, multiples: Int32Tensor) -> BoundCall:
    """Repeat each dim as often as the shapes tell."""
    times = [repeated // max(1, n) for repeated, n in zip(out.shape, inp.shape, strict=True)]
    split = list(chain.from_iterable(zip(times, inp.shape, strict=True)))
    once = list(chain.from_iterable((1, n) for n in inp.shape))
    return partial(np.copyto, out.array.reshape(split), inp.array.reshape(once))


@KERNELS.kernel("Select", cost=Cost.FAST)
@KERNELS.kernel("ElementWiseSelect", cost=Cost.FAST)
def select(out: Stored, cond: Tensor, a: Stored, b: Stored) -> BoundCall:
    """Choose real numbers from quantised tensors, unless all have one encoding."""
    if all(tensor.spec.same_encoding(out.spec) for tensor in (a, b)):
        return in_order(_chosen(out.array, cond, a.array, b.array))
    (left, first), (right, second), (result, after) = read(a), read(b), written(out)
    chosen = _chosen(result.array, cond, left.array, right.array)
    return in_order([*first, *second, *chosen, *after])


def _chosen(out: Array, cond: Tensor, a: Array, b: Array) -> list[Call]:
    chosen = np.empty(cond.shape, np.bool_)
    return [
        lambda: np.not_equal(cond.stored(), 0, chosen),
        partial(np.copyto, out, b),
        partial(np.copyto, out, a, where=chosen),
    ]


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
