"""Ops that move elements or write to places. Source: QNN op definitions of the same names."""

from itertools import pairwise
from typing import ClassVar

from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from ...spec_of import require, text
from ...value import Kind, TensorSpec
from ...value.spec import ranges_of
from ..base import GraphOp, float_def, int_def, ints, ints_def
from ..guards import axis_of, counted, has_shape, same_count, same_encoding, tensor

REDUCTIONS = ("none", "add", "mul", "max", "min")
"""The reductions in the order of their numbers; QNN's end at the maximum."""


@irdl_op_definition
class ScatterNdOp(GraphOp):
    """The data with `updates` put, or joined, at the tuples of coordinates `indices`.

    `reduction` is 0 for none, of equal tuples the last one counts, 1 add, 2 multiply, 3 maximum,
    4 minimum. A negative coordinate counts from the end.

    Constraints: (C1) indices are i32 or i64; (C2) updates and the result have inp's element type
    and quantisation; (C3) reduction is from 0 to 4; (C4) the last dim of indices is from 1 to inp's
    rank; (C5) updates have the shape of indices without the last dim, then inp's dims that no
    coordinate names.

    Example: `%y = qti_aisw.ScatterNd(%x, %i, %u) {reduction = 1 : i64} :
    (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>`
    """

    name = "qti_aisw.ScatterNd"
    KEEPS_ENCODING: ClassVar[bool] = True

    inp = operand_def()
    indices = operand_def()
    updates = operand_def()
    reduction = int_def(0)
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data, updates = tensor(self, "inp", self.inp), tensor(self, "updates", self.updates)
        indices = tensor(self, "indices", self.indices, Kind.INDEX)
        same_encoding(self, "updates", updates, data)
        code = self.reduction.value.data
        message = f"param 'reduction' is {code}, it must be from 0 to {len(REDUCTIONS) - 1}"
        require(0 <= code < len(REDUCTIONS), self, message)
        width = indices.shape[-1] if indices.shape else 0
        message = f"operand 'indices' holds tuples of {width}, the data has rank {data.rank}"
        require(0 < width <= data.rank, self, message)
        has_shape(self, "updates", updates, (*indices.shape[:-1], *data.shape[width:]))
        return (data,)


class Movement(GraphOp):
    """One tensor in; its elements come out with their encoding."""

    KEEPS_ENCODING: ClassVar[bool] = True

    inp = operand_def()
    out = result_def()

    traits = traits_def(Pure())


@irdl_op_definition
class ConcatOp(GraphOp):
    """The parts one after another along `axis`; all have one element type.

    Constraints: (C1) there is at least one part; (C2) all parts have one element type and
    quantisation, which the result has; (C3) axis is from -rank to rank - 1; (C4) the parts have one
    rank and differ in the extent of the axis only.

    Example: `%y = qti_aisw.Concat(%a, %b) {axis = 3 : i64} :
    (tensor<1x8x8x4xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x6xf32>`
    """

    name = "qti_aisw.Concat"
    KEEPS_ENCODING: ClassVar[bool] = True

    ins = var_operand_def()
    axis = int_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        require(len(self.ins) > 0, self, "has no operands, at least one is needed")
        parts = [tensor(self, f"ins[{i}]", part) for i, part in enumerate(self.ins)]
        first = parts[0]
        axis = axis_of(self, self.axis.value.data, first.rank)
        for index, part in enumerate(parts):
            name = f"ins[{index}]"
            same_encoding(self, name, part, first)
            message = f"operand '{name}' is {text(part.shape)}, the first {text(first.shape)}"
            fits = part.rank == first.rank and _without(part, axis) == _without(first, axis)
            require(fits, self, f"{message}; they may differ in dim {axis} only")
        total = sum(part.shape[axis] for part in parts)
        return (first.with_shape((*first.shape[:axis], total, *first.shape[axis + 1 :])),)


@irdl_op_definition
class SplitOp(GraphOp):
    """Cuts the data along `axis`; `split_index` holds where each part but the first begins.

    Constraints: (C1) axis is from -rank to rank - 1; (C2) split_index rises, above 0 and below the
    extent of the axis; (C3) there is one result more than places in split_index, each with inp's
    element type and quantisation.

    Example: `%y, %z = qti_aisw.Split(%x) {axis = 3 : i64, split_index = array<i64: 4>} :
    (tensor<1x8x8x6xf32>) -> (tensor<1x8x8x4xf32>, tensor<1x8x8x2xf32>)`
    """

    name = "qti_aisw.Split"
    KEEPS_ENCODING: ClassVar[bool] = True

    inp = operand_def()
    axis = int_def()
    split_index = ints_def()
    outs = var_result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp)
        axis = axis_of(self, self.axis.value.data, data.rank)
        cuts = (0, *ints(self.split_index), data.shape[axis])
        sizes = [after - before for before, after in pairwise(cuts)]
        message = f"param 'split_index' {list(cuts[1:-1])} must rise between 0 and {cuts[-1]}"
        require(min(sizes) > 0, self, message)
        before, after = data.shape[:axis], data.shape[axis + 1 :]
        return tuple(data.with_shape((*before, size, *after)) for size in sizes)


@irdl_op_definition
class StridedSliceOp(Movement):
    """Elements begin, begin + stride, ... before end of every dim; `ranges` is flattened.

    With a negative stride, end -1 means that element 0 is the last one taken.

    Constraints: (C1) ranges holds begin, end and stride of each dim; (C2) each range takes elements
    that are there; (C3) the result has inp's element type and quantisation.

    Example: `%y = qti_aisw.StridedSlice(%x) {ranges = array<i64: 0, 8, 2, 3, -1, -1>} :
    (tensor<8x4xf32>) -> tensor<4x4xf32>`
    """

    name = "qti_aisw.StridedSlice"

    ranges = ints_def()

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp)
        values = ints(self.ranges)
        message = f"param 'ranges' has {len(values)} values, it must have {3 * data.rank}"
        require(len(values) == 3 * data.rank, self, message)
        taken = ranges_of(values)
        for dim, (one, size) in enumerate(zip(taken, data.shape, strict=True)):
            message = f"param 'ranges' takes {one} of dim {dim}, which has extent {size}"
            require(one.fits(size), self, message)
        return (data.with_shape(tuple(one.count for one in taken)),)


@irdl_op_definition
class ReshapeOp(Movement):
    """The same elements in row-major order under another shape.

    Constraints: (C1) shape has as many elements as inp; (C2) the result has inp's element type and
    quantisation.

    Example: `%y = qti_aisw.Reshape(%x) {shape = array<i64: 1, 256>} :
    (tensor<1x8x8x4xf32>) -> tensor<1x256xf32>`
    """

    name = "qti_aisw.Reshape"

    shape = ints_def()

    def infer(self) -> tuple[TensorSpec, ...]:
        data, shape = tensor(self, "inp", self.inp), ints(self.shape)
        same_count(self, data, shape)
        return (data.with_shape(shape),)


@irdl_op_definition
class TransposeOp(Movement):
    """Dim i of the result is dim perm[i] of the data.

    Constraints: (C1) perm holds each of 0 to rank - 1 once; (C2) the result has inp's element type;
    a quantised axis moves with its dim.

    Example: `%y = qti_aisw.Transpose(%x) {perm = array<i64: 0, 3, 1, 2>} :
    (tensor<1x8x6x4xf32>) -> tensor<1x4x8x6xf32>`
    """

    name = "qti_aisw.Transpose"

    perm = ints_def()

    def infer(self) -> tuple[TensorSpec, ...]:
        data, perm = tensor(self, "inp", self.inp), ints(self.perm)
        message = f"param 'perm' {list(perm)} must order the dims 0 to {data.rank - 1}"
        require(sorted(perm) == list(range(data.rank)), self, message)
        return (data.transposed(perm),)


@irdl_op_definition
class PadOp(Movement):
    """Adds `pad_amount` (before, after for every dim) elements of `pad_constant_value`.

    Constraints: (C1) pad_amount holds 2 integers >= 0 for each dim; (C2) the result has inp's
    element type and quantisation.

    Example: `%y = qti_aisw.Pad(%x) {pad_amount = array<i64: 0, 0, 1, 2>} :
    (tensor<4x8xf32>) -> tensor<4x11xf32>`
    """

    name = "qti_aisw.Pad"

    pad_amount = ints_def()
    pad_constant_value = float_def(0.0)

    def infer(self) -> tuple[TensorSpec, ...]:
        data, amounts = tensor(self, "inp", self.inp), ints(self.pad_amount)
        counted(self, "pad_amount", amounts, 2 * data.rank, least=0)
        pairs = zip(amounts[::2], amounts[1::2], data.shape, strict=True)
        return (data.with_shape(tuple(size + low + high for low, high, size in pairs)),)


@irdl_op_definition
class GatherOp(GraphOp):
    """Slices of the data at `indices` along `axis`; a negative index counts from the end.

    Constraints: (C1) indices are i32 or i64; (C2) axis is from -rank to rank - 1; (C3) the result
    has inp's element type and quantisation.

    Example: `%y = qti_aisw.Gather(%x, %i) {axis = 0 : i64} :
    (tensor<100x16xf32>, tensor<2x3xi32>) -> tensor<2x3x16xf32>`
    """

    name = "qti_aisw.Gather"
    KEEPS_ENCODING: ClassVar[bool] = True

    inp = operand_def()
    indices = operand_def()
    axis = int_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp)
        indices = tensor(self, "indices", self.indices, Kind.INDEX)
        axis = axis_of(self, self.axis.value.data, data.rank)
        return (data.with_shape((*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :])),)


@irdl_op_definition
class TileOp(Movement):
    """The data repeated multiples[i] times along dim i.

    Constraints: (C1) multiples holds an integer >= 1 for each dim; (C2) the result has inp's
    element type and quantisation.

    Example: `%y = qti_aisw.Tile(%x) {multiples = array<i64: 2, 1>} :
    (tensor<4x8xf32>) -> tensor<8x8xf32>`
    """

    name = "qti_aisw.Tile"

    multiples = ints_def()

    def infer(self) -> tuple[TensorSpec, ...]:
        data, multiples = tensor(self, "inp", self.inp), ints(self.multiples)
        counted(self, "multiples", multiples, data.rank, least=1)
        pairs = zip(data.shape, multiples, strict=True)
        return (data.with_shape(tuple(size * times for size, times in pairs)),)


def _without(spec: TensorSpec, axis: int) -> tuple[int, ...]:
    return (*spec.shape[:axis], *spec.shape[axis + 1 :])


OPS: tuple[type[GraphOp], ...] = (
    ConcatOp,
    SplitOp,
    StridedSliceOp,
    ReshapeOp,
    TransposeOp,
    PadOp,
    GatherOp,
    TileOp,
    ScatterNdOp,
)
