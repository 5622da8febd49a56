"""The schema of each family of ops, also of those that move elements, and guesses for the others.

A guess is the schema of a native op with operands like theirs. Where it is wrong the op's own
verifier refuses the graph; another one is drawn next time. Of an op without such a verifier a rule
that breaks under one guess and keeps the numbers under another says that the first is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from xdsl.ir import Operation

from .....dialects.htp import NATIVE_OPS, NativeOp, StateReadOp
from .....dialects.htp.ops import attention, coded, copies, image, movement, norm, quantize, slices
from .....dialects.value import RANK, DType
from ..drawing.constraint_system import IntVar
from ..drawing.template import GraphTemplate, OpTemplate, Slot
from .common import QUARTER, Schema, axis, broadcast, ints, product, real, row
from .examples import exemplary, shown
from .related import follow, normalisation, param, related

_MERGES: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((0,), (1,), (2,), (3,)),
    ((), (0,), (1, 2), (3,)),
    ((), (), (0, 1, 2), (3,)),
    ((0,), (1,), (), (2, 3)),
    ((0,), (), (), (1, 2, 3)),
    ((), (), (), (0, 1, 2, 3)),
    ((0,), (2,), (1,), (3,)),
    ((0,), (3,), (1, 2), ()),
)
"""Dims of the operand whose product a dim of a Reshape's result is, by dim."""


def copy(template: GraphTemplate, op: OpTemplate) -> None:
    """Give the result all that the operand has."""
    template.like(op.operands[0], op.results[0])


def bit_cast(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw the dtypes of the operand and the result, which have as many bytes."""
    template.same_dims(op.operands[0], op.results[0])
    for slot in (op.operands[0], op.results[0]):
        template.dtype_in(slot, DType.Float32, DType.Int32)


def concat(template: GraphTemplate, op: OpTemplate) -> None:
    """Let parts differ on the axis only; there the result is their sum."""
    result, parts = op.results[0], op.operands[1:]
    chosen = axis(template, op.slot("axis"))
    for part in parts:
        template.same_encoding(result, part)
        for dim in range(RANK):
            if dim != chosen:
                result.dims[dim].join(part.dims[dim])
    template.total(result.dims[chosen], *(part.dims[chosen] for part in parts))


def reshape(template: GraphTemplate, op: OpTemplate) -> None:
    """Make dims of the result products of the operand's, or the other way round."""
    source, result = op.operands[0], op.results[0]
    template.same_encoding(source, result)
    merges = template.choices.pick(_MERGES)
    if template.choices.chance(40):
        source, result = result, source
    for dim, merged in enumerate(merges):
        product(template, result.dims[dim], *(source.dims[old] for old in merged))


def gather(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw indices within the axis."""
    source, indices, result = op.operands[0], op.slot("indices"), op.results[0]
    template.same_encoding(source, result)
    chosen = axis(template, op.slot("axis"))
    row(template, indices, result.dims[chosen])
    template.dtype_in(indices, DType.Int32, DType.Int64)
    indices.bounds = (0, source.dims[chosen])
    for dim in range(RANK):
        if dim != chosen:
            result.dims[dim].join(source.dims[dim])


def strided_slice(template: GraphTemplate, op: OpTemplate) -> None:
    """Take elements begin, begin + stride, ... before end."""
    source, result = op.operands[0], op.results[0]
    template.same_encoding(source, result)
    ranges: list[IntVar] = []
    for dim in range(RANK):
        begin, end = template.number(0, spread=4), template.number(1)
        stride = template.number(1, spread=1 if template.choices.chance(60) else 3)
        template.derive(end, [begin, stride, result.dims[dim]], lambda b, s, n: b + (n - 1) * s + 1)
        template.total(source.dims[dim], end, template.number(0, spread=3))
        ranges += [begin, end, stride]
    ints(template, op.slot("ranges"), *ranges, dims=(1, 1, RANK, 3))


def slice_shape(template: GraphTemplate, op: OpTemplate) -> None:
    """Take a block within the operand."""
    source, result = op.operands[0], op.results[0]
    template.same_encoding(source, result)
    template.dims_are(op.slot("size"), result.dims)
    for dim, start in enumerate(_spread(op.slot("start").dims, 4)):
        rest = template.number(0, spread=3)
        template.total(source.dims[dim], result.dims[dim], start, rest)


def slice_pad(template: GraphTemplate, op: OpTemplate) -> None:
    """Take a block that may be partly outside the operand."""
    source, result = op.operands[0], op.results[0]
    template.same_encoding(source, result)
    template.dims_are(op.slot("size"), result.dims)
    real(template, op.slot("value"), template.number(-8, 8, 12), QUARTER)
    _spread(op.slot("start").dims, 3)
    _spread(op.slot("pad_before").dims, 3)


def _spread(dims: Sequence[IntVar], spread: int) -> Sequence[IntVar]:
    """Have dims of a shape drawn near 0."""
    for dim in dims:
        dim.root.spread = min(spread, dim.root.spread)
    return dims


def state_read(template: GraphTemplate, op: OpTemplate) -> None:
    """Give the state its initial value's type, and one Bool8."""
    initial, reset = op.operands
    template.like(initial, op.results[0])
    template.dims_are(reset, (1, 1, 1, 1))
    template.dtype_in(reset, DType.Bool8)


SCHEMAS: dict[type[Operation], Schema] = {
    attention.AttentionOp: exemplary,
    coded.CodedFullyConnectedOp: exemplary,
    image.DepthToSpaceShapeOp: exemplary,
    image.ResizePlacesOp: exemplary,
    image.SpaceToDepthShapeOp: exemplary,
    quantize.BitCastOp: bit_cast,
    norm.NormOp: normalisation,
    movement.ConcatOp: concat,
    movement.GatherOp: gather,
    movement.ReshapeOp: reshape,
    slices.StridedSliceOp: strided_slice,
    slices.SliceShapeOp: slice_shape,
    slices.SlicePadShapeOp: slice_pad,
    copies.CopyOp: copy,
    StateReadOp: state_read,
}
"""By class of a family, where neither its access map nor `infer` says all that there is to say."""


@lru_cache(maxsize=1024)
def schema_of(op_class: type[Operation]) -> Schema:
    """Find the schema of an op; guess it from native ops like it where none is stated."""
    return stated(op_class) or _guess


def _guess(template: GraphTemplate, op: OpTemplate) -> None:
    """Apply one of the guesses for an op with its number of operands."""
    guess = template.choices.pick(_guesses(op.op_class, len(op.operands)))
    guess.apply(template, op)
    native = op.op_class
    if issubclass(native, NativeOp) and native.leaves_results_free():
        template.guesses.append(f"{native.name} as {guess.label}")


@lru_cache(maxsize=1024)
def _guesses(op_class: type[Operation], operands: int) -> tuple[Guess, ...]:
    return distinct(op_class, _similar(op_class, operands))


def stated(op_class: type[Operation]) -> Schema | None:
    """Find the schema of the nearest base class, or the one by access map or by example."""
    schema = next((SCHEMAS[base] for base in op_class.__mro__ if base in SCHEMAS), None)
    if schema is not None or not issubclass(op_class, NativeOp):
        return schema
    if op_class.ACCESS is not None:
        return related
    example = shown(op_class)
    return exemplary if example and len(example) == len(op_class.OPERANDS) else None


def _similar(op_class: type[Operation], operands: int) -> Iterator[Guess]:
    """List the native ops of the same signature, each with its schema."""
    if not issubclass(op_class, NativeOp):
        return
    wanted = signature(op_class, operands)
    for op in NATIVE_OPS.values():
        schema = stated(op)
        if schema is not None and signature(op, len(op.OPERANDS)) == wanted:
            yield Guess(schema, op, op.OPERANDS)


_ONE_DTYPE = 60
"""Chance in percent that all tensors have one dtype."""


@dataclass(frozen=True)
class Arity:
    """The number of results and operands, and the positions of shapes and params."""

    results: int
    operands: int
    shapes: tuple[int, ...]
    params: tuple[int, ...]


@dataclass(frozen=True)
class Guess:
    """The schema of a native op, by which another op is taken for one like it."""

    schema: Schema
    op: type[Operation]
    names: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The native op, or the schema, in words."""
        return self.op.name if self.names else self.schema.__name__

    def apply(self, template: GraphTemplate, op: OpTemplate) -> None:
        """State what holds, if the guess is right.

        Results that nothing verifies are of the dtype of the first tensor, unless a kernel says
        another one: a body that takes any tensors tells no wrong guess from a right one.
        """
        self.schema(template, replace(op, op_class=self.op, names=self.names or op.names))
        native = op.op_class
        if not issubclass(native, NativeOp) or not native.leaves_results_free():
            return
        tensors = [s for n, s in zip(op.names, op.operands, strict=True) if n not in native.PARAMS]
        first, *_ = [*(slot for slot in tensors if not slot.is_shape), *op.results]
        for result in op.results:
            allowed = result.element.root.allowed
            if allowed is None or len(allowed) > 1:
                template.same_dtype(result, first)


def distinct(op_class: type[Operation], similar: Iterable[Guess]) -> tuple[Guess, ...]:
    """Return the guesses to draw from, the simplest of which is `alike`."""
    guesses = {(guess.schema, guess.names): guess for guess in reversed(tuple(similar))}
    own = [Guess(alike, op_class), Guess(spread, op_class)]
    if issubclass(op_class, NativeOp) and not op_class.leaves_results_free():
        own.append(Guess(following, op_class))
    return (*own, *reversed(guesses.values()))


def alike(template: GraphTemplate, op: OpTemplate) -> None:
    """Give results and tensors one shape and dtype."""
    tensors = [*_tensors(template, op), *op.results]
    for slot in tensors[1:]:
        template.same_dims(tensors[0], slot)
        template.same_dtype(tensors[0], slot)


def spread(template: GraphTemplate, op: OpTemplate) -> None:
    """Give results the shape of the first tensor, to which the others are broadcast."""
    tensors = _tensors(template, op)
    for slot in op.results if tensors else ():
        template.same_dims(tensors[0], slot)
    if tensors[1:]:
        broadcast(template, tensors[0], range(RANK), *tensors[1:])


def following(template: GraphTemplate, op: OpTemplate) -> None:
    """Let the results follow from any tensors, as the op infers them."""
    tensors = _tensors(template, op)
    for slot in tensors[1:] if template.choices.chance(_ONE_DTYPE) else ():
        template.same_dtype(tensors[0], slot)
    follow(template, op)


def _tensors(template: GraphTemplate, op: OpTemplate) -> list[Slot]:
    """Return the tensors that an op takes, once its params are drawn."""
    native, tensors = op.op_class, list[Slot]()
    names = op.names or [""] * len(op.operands)
    for name, slot in zip(names, op.operands, strict=True):
        if issubclass(native, NativeOp) and name in native.PARAMS:
            param(template, slot, native.CONSTRAINTS[name], along=False, unit=QUARTER)
        elif not slot.is_shape:
            tensors.append(slot)
    return tensors


def signature(op: type[NativeOp], operands: int) -> Arity:
    """Read the signature of an op with this number of operands."""
    names = op.names_of(operands) or op.OPERANDS
    places = {name: place for place, name in enumerate(names)}
    shapes = tuple(sorted(places[name] for name in op.SHAPES if name in places))
    params = tuple(sorted(places[name] for name in op.PARAMS if name in places))
    return Arity(op.RESULTS, operands, shapes, params)
