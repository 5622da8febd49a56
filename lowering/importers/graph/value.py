"""The graph under import: an emitter of ops, and values in numpy's words.

A model's constants are there once each, and results are named after its values. Values are written
as `x * 2`, `x[:, 1:]`, `where(c, x, y)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects.locations import named, names_attr
from ....dialects.qti_aisw import GRAPH_OPS, ConstOp, GraphOp, const
from ....dialects.qti_aisw.base import Operand as OpOperand
from ....dialects.qti_aisw.base import build, custom_attr, ints_attr
from ....dialects.qti_aisw.ops.movement import ReshapeOp
from ....dialects.qti_aisw.ops.quantize import CastOp, DequantizeOp
from ....dialects.spec_of import Array, plain_element_type, spec_of
from ....dialects.value import DType, TensorSpec

_BY_NAME = {dtype.value[1]: dtype for dtype in DType if not dtype.is_quantized}
"""Dtype by the name of numpy's."""


class UnknownType(Exception):
    """A type that graph IR has no word for, named by the text."""


def spec_of_array(array: Array) -> TensorSpec:
    """Return the spec of a constant; UnknownType where its dtype is none of ours."""
    if array.dtype.name not in _BY_NAME:
        raise UnknownType(f"element type {array.dtype}")
    return TensorSpec(array.shape, _BY_NAME[array.dtype.name])


Param = Attribute | DType | bool | int | float | Sequence[int] | None


class Emitter:
    """The block under construction, the model's values by name, and its constants."""

    def __init__(self, block: Block, constants: dict[str, Array], used: frozenset[str]) -> None:
        self.block = block
        self.constants = constants
        self.used = used
        self.values: dict[str, SSAValue | None] = {}
        self.location: LocationAttr = UNKNOWN_LOC
        """The origin of the ops that follow: the node at hand."""
        self.names: dict[SSAValue, list[str]] = {}
        """The model's names of each constant, arranged in another way or not."""
        self._made: dict[tuple[TensorSpec, bytes], SSAValue] = {}

    def value(self, name: str) -> SSAValue | None:
        """Return the model's value of this name; None where its maker has a fault."""
        return self.values[name] if name in self.values else self.constant(name)

    def constant(self, name: str) -> SSAValue:
        """Return the model's constant of this name."""
        value = self.values.get(name)
        if value is None:
            value = self.values[name] = hinted(self.const(self.constants[name]), name)
            self.names.setdefault(value, []).append(name)
        return value

    def forget(self, name: str) -> None:
        """Drop a constant that nothing reads any more, and its op where that has no use."""
        self.constants.pop(name, None)
        value = self.values.get(name)
        if value is None or value.uses or not isinstance(value.owner, ConstOp):
            return
        if sum(other is value for other in self.values.values()) == 1:
            self._made = {key: other for key, other in self._made.items() if other is not value}
            del self.values[name]
            self.block.erase_op(op := value.owner)
            # The op is in cycles and waits for the collector, its data need not.
            op.properties.clear()

    def add(self, op: Operation) -> Sequence[SSAValue]:
        """Append an op of the node at hand."""
        op.location = self.location
        self.block.add_op(op)
        return op.results

    def const(self, array: Array) -> SSAValue:
        """Return a constant with this data; equal constants are one op."""
        spec = spec_of_array(array)
        data = np.ascontiguousarray(array)
        key = (spec, blake2b(data.reshape(-1).view(np.uint8).data, digest_size=16).digest())
        if key not in self._made:
            (self._made[key],) = self.add(const(data, spec))
        return self._made[key]

    def emit(
        self, name: str, operands: Sequence[OpOperand], params: Mapping[str, Param]
    ) -> list[SSAValue]:
        """Return a new graph op by its mnemonic; a param that is None is left to its default."""
        properties = {key: attribute_of(v) for key, v in params.items() if v is not None}
        return list(self.add(build(GRAPH_OPS[name], operands, properties)))

    def reshape(self, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        """Return the value under another shape; a constant is reshaped at once."""
        while spec_of(value).shape != shape and isinstance(value.owner, ReshapeOp):
            value = value.owner.operands[0]
        if spec_of(value).shape == shape:
            return value
        if isinstance(value.owner, ConstOp) and prod(shape) == spec_of(value).elements:
            return self._arranged(self.const(value.owner.array.reshape(shape)), value)
        return self.emit("Reshape", [value], {"shape": shape})[0]

    def _arranged(self, value: SSAValue, source: SSAValue) -> SSAValue:
        """Return a constant that has the name of the one that it is arranged from."""
        if source in self.names:
            self.names.setdefault(value, self.names[source])
        return value

    def transpose(self, value: SSAValue, perm: tuple[int, ...]) -> SSAValue:
        """Return the value with its dims in another order; a constant is transposed at once."""
        if perm == tuple(range(len(perm))):
            return value
        if sorted(perm) == list(range(spec_of(value).rank)):
            if isinstance(value.owner, ConstOp):
                return self._arranged(self.const(value.owner.array.transpose(perm)), value)
            if (stored := stored_constant(value)) is not None:
                data = stored.array.transpose(perm)
                turned = self.add(const(data, spec_of(stored.out).transposed(perm)))
                return self.emit("Dequantize", turned, {})[0]
        return self.emit("Transpose", [value], {"perm": perm})[0]


def stored_constant(value: SSAValue) -> ConstOp | None:
    """Return the constant that a value is the reals of; None where it is none."""
    stored = value.owner.inp.owner if isinstance(value.owner, DequantizeOp) else None
    return stored if isinstance(stored, ConstOp) else None


def attribute_of(value: Param) -> Attribute:
    """Return a Python value as the property that graph ops keep it in."""
    match value:
        case Attribute():
            return value
        case DType():
            return plain_element_type(value)
        case None:
            raise TypeError("None is no param")
        case bool() | int() | float():
            return custom_attr(value)
        case _:
            return ints_attr(value)


def hinted(value: SSAValue, name: str) -> SSAValue:
    """Return the value, with a hint near the model's name for the printer.

    Numbers at its end are left to the printer, which makes equal hints different by such numbers.
    """
    hint = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    hint = re.sub(r"(_\d+)+$", "", hint)
    if hint and not hint[0].isdigit() and value.name_hint is None:
        value.name_hint = hint
    return value


Named = tuple[str, SSAValue]


def main_function(
    block: Block, inputs: Sequence[str], results: Sequence[Named], model: str
) -> FuncOp:
    """Return `@main` with the names of its arguments and results, located at the model."""
    values = [value for _, value in results]
    block.add_op(end := ReturnOp(*values))
    end.location = named(model)
    function = FuncOp(
        "main",
        ([arg.type for arg in block.args], [value.type for value in values]),
        Region(block),
        arg_attrs=names_attr(inputs),
        res_attrs=names_attr([name for name, _ in results]),
    )
    function.location = end.location
    return function


def unread(
    values: Mapping[str, SSAValue | None], read: Collection[str], outputs: Sequence[SSAValue]
) -> list[Named]:
    """List the results of graph ops that nodes read by name, and no op does: faulty nodes' own."""
    named = [(name, v) for name, v in values.items() if v is not None and name in read]
    idle = [(name, v) for name, v in named if isinstance(v.owner, GraphOp) and not v.uses]
    return [(name, value) for name, value in idle if value not in outputs]


def module_of(function: FuncOp) -> ModuleOp:
    """Return the module of a model, at the place of its function."""
    module = ModuleOp([function])
    module.location = function.location
    return module


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
        """Return the value in a dtype; itself where it has it, or the i32 that it is the i64 of."""
        maker = self.ssa.owner
        if self.dtype is DType.Int64 and dtype is DType.Int32 and isinstance(maker, CastOp):
            narrow = Value(maker.inp, self.emitter)
            if narrow.dtype is dtype:
                return narrow
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
