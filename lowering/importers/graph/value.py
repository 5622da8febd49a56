"""A value of the graph under import, in numpy's words: `x * 2`, `x[:, 1:]`, `where(c, x, y)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.dense import Array
from ....dialects.qti_aisw.ops.const import ConstOp
from ....dialects.spec_of import spec_of
from ....dialects.value import DType, TensorSpec
from .emitter import Emitter, Param

Number = bool | int | float


def _unary(name: str) -> Callable[[Value], Value]:
    def method(self: Value) -> Value:
        return self.op(name)

    method.__doc__ = f"Append {name}."
    return method


def _binary(name: str) -> Callable[[Value, Operand], Value]:
    def method(self: Value, other: Operand) -> Value:
        return self.op(name, other)

    method.__doc__ = f"Append {name}."
    return method


def _reflected(name: str) -> Callable[[Value, Number | Array], Value]:
    return lambda x, y: x.like(y).op(name, x)


@dataclass(frozen=True, eq=False)
class Value:
    """A tensor of the graph, and the emitter of the ops that read it.

    Its source is a value of the IR, or the name of a constant of the model. A number, or an array
    of numbers, takes the dtype of the value that it meets.
    """

    source: SSAValue | str
    emitter: Emitter

    __array_ufunc__: ClassVar[None] = None
    """Leaves `array + value` to the value, too."""

    @cached_property
    def ssa(self) -> SSAValue:
        """The value in the IR; a constant of the model becomes an op when it is asked for."""
        if isinstance(self.source, str):
            return self.emitter.constant(self.source)
        return self.source

    @property
    def spec(self) -> TensorSpec:
        """The spec of the value."""
        return spec_of(self.ssa)

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the dims."""
        return self.spec.shape

    @property
    def rank(self) -> int:
        """The number of dims."""
        return self.spec.rank

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self.spec.dtype

    @property
    def array(self) -> Array | None:
        """The data of a constant; None for what is computed."""
        return self.ssa.owner.array if isinstance(self.ssa.owner, ConstOp) else None

    # ops

    def op(self, name: str, *others: Operand | None, **params: Param) -> Value:
        """Append a graph op whose first operand this is; a param that is None has its default."""
        (result,) = self.ops(name, *others, **params)
        return result

    def ops(self, name: str, *others: Operand | None, **params: Param) -> list[Value]:
        """Append a graph op of several results."""
        rest = [None if other is None else self.like(other).ssa for other in others]
        results = self.emitter.emit(name, [self.ssa, *rest], params)
        return [Value(result, self.emitter) for result in results]

    def const(self, array: Array) -> Value:
        """Return a constant of the array's own dtype; equal ones are one op."""
        return Value(self.emitter.const(array), self.emitter)

    def like(self, operand: Operand) -> Value:
        """Return numbers as a constant of this dtype; a value itself."""
        if isinstance(operand, Value):
            return operand
        return self.const(np.asarray(operand, self.dtype.storage))

    # arithmetic

    __add__, __radd__ = _binary("ElementWiseAdd"), _reflected("ElementWiseAdd")
    __sub__, __rsub__ = _binary("ElementWiseSubtract"), _reflected("ElementWiseSubtract")
    __mul__, __rmul__ = _binary("ElementWiseMultiply"), _reflected("ElementWiseMultiply")
    __truediv__, __rtruediv__ = _binary("ElementWiseDivide"), _reflected("ElementWiseDivide")
    __pow__, __rpow__ = _binary("ElementWisePower"), _reflected("ElementWisePower")
    __mod__ = _binary("ElementWiseMod")
    __matmul__ = _binary("MatMul")
    __lt__, __le__ = _binary("ElementWiseLess"), _binary("ElementWiseLessEqual")
    __gt__, __ge__ = _binary("ElementWiseGreater"), _binary("ElementWiseGreaterEqual")
    __and__, __or__ = _binary("ElementWiseAnd"), _binary("ElementWiseOr")
    equal, not_equal = _binary("ElementWiseEqual"), _binary("ElementWiseNotEqual")
    maximum, minimum = _binary("ElementWiseMaximum"), _binary("ElementWiseMinimum")
    abs, sign = _unary("ElementWiseAbs"), _unary("ElementWiseSign")
    floor, ceil = _unary("ElementWiseFloor"), _unary("ElementWiseCeil")
    round, reciprocal = _unary("ElementWiseRound"), _unary("ElementWiseReciprocal")
    exp, log = _unary("ElementWiseExp"), _unary("ElementWiseLog")
    sin, cos, atan = _unary("ElementWiseSin"), _unary("ElementWiseCos"), _unary("ElementWiseAtan")
    sqrt, rsqrt = _unary("ElementWiseSquareRoot"), _unary("ElementWiseRsqrt")
    softplus, sigmoid, tanh = _unary("ElementWiseSoftplus"), _unary("Sigmoid"), _unary("Tanh")

    def clip(self, low: float, high: float) -> Value:
        """Draw floats in to a range."""
        return self.op("ReluMinMax", min_value=float(low), max_value=float(high))

    def reduce(self, kind: str, axes: Sequence[int], *, keep: bool = True) -> Value:
        """Reduce over axes by Sum, Mean, Max, Min or Prod."""
        return self.op(f"Reduce{kind}", axes=tuple(axes), keep_dims=keep)

    # movement

    def cast(self, dtype: DType) -> Value:
        """Return the value in a dtype; itself where it has it."""
        return self if self.dtype is dtype else self.op("Cast", to=dtype)

    def reshape(self, *dims: int) -> Value:
        """Return the value under another shape; itself where the shape is the same."""
        return Value(self.emitter.reshape(self.ssa, dims), self.emitter)

    def transpose(self, *order: int) -> Value:
        """Return the value with its dims in another order; itself where the order is the same."""
        return Value(self.emitter.transpose(self.ssa, order), self.emitter)

    def gather(self, indices: Value | Array, axis: int = 0) -> Value:
        """Take elements of an axis by their numbers."""
        places = indices if isinstance(indices, Value) else self.const(indices)
        return self.op("Gather", places, axis=axis)

    def __getitem__(self, cuts: slice | tuple[slice, ...]) -> Value:
        """Cut as numpy does, by slices; a constant is cut at once."""
        cuts = cuts if isinstance(cuts, tuple) else (cuts,)
        cuts = (*cuts, *[slice(None)] * (self.rank - len(cuts)))
        ranges = [cut.indices(size) for cut, size in zip(cuts, self.shape, strict=True)]
        if ranges == [(0, size, 1) for size in self.shape]:
            return self
        if self.array is not None:
            return self.const(self.array[cuts])
        return self.op("StridedSlice", ranges=[number for cut in ranges for number in cut])

    def cut(self, axis: int, begin: int | None, end: int | None, step: int = 1) -> Value:
        """Cut one axis as numpy does."""
        return self[(*[slice(None)] * axis, slice(begin, end, step))]


Operand = Value | Number | Array


def where(condition: Value | Array, x: Operand, y: Operand) -> Value:
    """Choose x where the condition holds, else y; TypeError where neither of the two is a value."""
    chosen = x if isinstance(x, Value) else y
    if not isinstance(chosen, Value):
        raise TypeError("neither x nor y is a value")
    condition = condition if isinstance(condition, Value) else chosen.const(condition)
    return condition.op("ElementWiseSelect", chosen.like(x), chosen.like(y))


def concat(parts: Sequence[Value], axis: int) -> Value:
    """Join values along a dim; constants are joined at once."""
    first, *rest = parts
    arrays = [part.array for part in parts if part.array is not None]
    if not rest:
        return first
    if len(arrays) == len(parts):
        return first.const(np.concatenate(arrays, axis))
    return joined(parts, axis)


def joined(parts: Sequence[Value], axis: int) -> Value:
    """Append a Concat of values."""
    emitter = parts[0].emitter
    (result,) = emitter.emit("Concat", [[part.ssa for part in parts]], {"axis": axis})
    return Value(result, emitter)
