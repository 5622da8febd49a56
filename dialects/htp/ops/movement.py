"""Ops that move elements or write to places; the dtype and quantisation stay."""

from dataclasses import replace
from math import prod

from ...qti_aisw.ops.movement import REDUCTIONS
from ...spec_of import require, spec_of, text
from ...value import RANK, Kind, TensorSpec
from ..access import access
from ..base import NativeOp, replaced
from ..fields import param_def, tensor_def, tensors_def
from ..in_place import verify_in_place


class ScatterNdOp(NativeOp):
    """The input with rows put, or joined by a reduction, at tuples of coordinates.

    in [b, h, w, d], indices i32 or i64 [1, 1, n, k] for the k dims from the axis on (a negative
    one counts from the end), updates [1, 1, n, m] with the m elements behind these dims, axis and
    reduction i32 [1, 1, 1, 1]. The reduction is 0 for none, 1 add, 2 multiply, 3 maximum, 4
    minimum. An index outside its dim fails the run.

    Constraints: (C1) the dims before the axis are 1; (C2) axis + k is 4 at most; (C3) the updates
    have a row for each tuple, and the input's dtype.

    Example: `%r = htp.ScatterNd(%x, %indices, %updates, %axis, %reduction) :
    (tensor<1x1x8x32xf32>, tensor<1x1x3x1xi32>, tensor<1x1x3x32xf32>, tensor<1x1x1x1xi32>,
    tensor<1x1x1x1xi32>) -> tensor<1x1x8x32xf32>`
    """

    name = "htp.ScatterNd"

    in_ = tensor_def()
    indices = tensor_def(Kind.INDEX)
    updates = tensor_def(like="in")
    axis = param_def(1, least=0, most=RANK - 1)
    reduction = param_def(1, least=0, most=len(REDUCTIONS) - 1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        shape, updates = spec_of(self.in_).shape, spec_of(self.updates).shape
        one, other, count, width = indices = spec_of(self.indices).shape
        message = f"operand 'indices' is {text(indices)}, it must be 1x1xnxk"
        require(one == other == 1 and width > 0, self, message)
        axis = self.integer("axis")
        if axis is not None:
            message = f"the axis is {axis}, the input {text(shape)} has other dims than 1 before it"
            require(set(shape[:axis]) <= {1}, self, message)
            message = f"tuples of {width} from axis {axis} on name more than {RANK} dims"
            require(axis + width <= RANK, self, message)
            rows = (1, 1, count, prod(shape[axis + width :]))
            message = f"operand 'updates' is {text(updates)}, the others give {text(rows)}"
            require(updates == rows, self, message)
        return (self.like("in"),)


class ConcatOp(NativeOp):
    """out = the parts one after another along the axis.

    axis i32 [1, 1, 1, 1], then one or more parts [b, h, w, d].

    Constraints: (C1) the axis is 0 to 3; (C2) there is a part; (C3) the parts are equal in every
    other dim, and in dtype and quantisation; (C4) with the attribute in_place, which says that
    the parts were written into their places, each is one run of the result's bytes.

    Example: `%r = htp.Concat(%axis, %a, %b) :
    (tensor<1x1x1x1xi32>, tensor<1x8x8x32xf32>, tensor<1x8x8x64xf32>) -> tensor<1x8x8x96xf32>`
    """

    name = "htp.Concat"
    ACCESS = access("parts[b, h, w, d]", joined="axis", moves=True)

    axis = param_def(1, least=0, most=RANK - 1)
    parts = tensors_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        parts = [spec_of(part).with_place(None) for part in self.parts]
        require(bool(parts), self, "has no parts")
        first = parts[0]
        alike = all(part.same_encoding(first) for part in parts)
        require(alike, self, "the parts differ in dtype or quantisation")
        axis = self.integer("axis")
        if axis is None:
            return (None,)
        shape = replaced(first.shape, axis, sum(part.shape[axis] for part in parts))
        for index, part in enumerate(parts):
            rest = replaced(part.shape, axis, shape[axis])
            problem = f"part {index} is {text(part.shape)}, part 0 is {text(first.shape)}"
            require(rest == shape, self, f"{problem}; they may differ on axis {axis} only")
        return (first.with_shape(shape),)

    def verify_(self) -> None:
        super().verify_()
        verify_in_place(self)


class ReshapeOp(NativeOp):
    """The same elements in row-major order under another shape.

    in and the result may have any rank: this op stands between `@main`'s signature and the
    native tensors.

    Constraints: (C1) both have as many elements; (C2) they have one dtype and quantisation; the
    axis of a per-axis one goes with its dim.

    Example: `%r = htp.Reshape(%x) : (tensor<8x32xf32>) -> tensor<1x1x8x32xf32>`
    """

    name = "htp.Reshape"
    ACCESS = access("in[]", moves=True)

    in_ = tensor_def()

    def verify_rank(self, what: str, spec: TensorSpec) -> None:
        """Any rank will do."""

    def infer(self) -> tuple[TensorSpec | None, ...]:
        if not self.results:
            return (None,)
        source, result = self.like("in"), spec_of(self.out)
        problem = f"the input {text(source.shape)} has {source.elements} elements"
        wanted = f"the result {text(result.shape)} has {result.elements}"
        require(source.elements == result.elements, self, f"{problem}, {wanted}")
        return (_with_axis_of(source, result).with_shape(result.shape),)


def _with_axis_of(source: TensorSpec, result: TensorSpec) -> TensorSpec:
    """The source quantised along the result's axis, where that is the same dim of both."""
    if source.quant is None or result.quant is None:
        return source
    here, there = source.quant.axis, result.quant.axis
    if here is None or there is None:
        return source
    before = prod(source.shape[:here]) == prod(result.shape[:there])
    if not before or source.shape[here] != result.shape[there]:
        return source
    return replace(source, quant=replace(source.quant, axis=there))


class TransposeOp(NativeOp):
    """Axis i of the result is axis perm[i] of the input.

    in [b, h, w, d], perm i32 [1, 1, 1, 4].

    Constraints: (C1) perm names each of 0 to 3 once.

    Example: `%r = htp.Transpose(%x, %perm) :
    (tensor<1x8x16x32xf32>, tensor<1x1x1x4xi32>) -> tensor<1x32x8x16xf32>`
    """

    name = "htp.Transpose"

    in_ = tensor_def()
    perm = param_def(RANK, least=0, most=RANK - 1, once=True)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        perm = self.ints("perm")
        return (None if perm is None else self.like("in").transposed(perm),)


class PadOp(NativeOp):
    """The input with elements of one value around it.

    in [b, h, w, d], pad_amount i32 [1, 1, 4, 2] as (before, after) of each dim,
    pad_constant_value [1, 1, 1, 1].

    Constraints: (C1) the amounts are >= 0.

    Example: `%r = htp.Pad(%x, %amount, %value) :
    (tensor<1x8x8x32xf32>, tensor<1x1x4x2xi32>, tensor<1x1x1x1xf32>) -> tensor<1x10x10x32xf32>`
    """

    name = "htp.Pad"

    in_ = tensor_def()
    pad_amount = param_def(2 * RANK, least=0)
    pad_constant_value = param_def(1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        amounts = self.ints("pad_amount")
        if amounts is None:
            return (None,)
        added = zip(spec_of(self.in_).shape, amounts[::2], amounts[1::2], strict=True)
        return (self.like("in").with_shape(tuple(map(sum, added))),)


class GatherOp(NativeOp):
    """Slices of the input at the indices along an axis.

    in [b, h, w, d], indices i32 or i64 [1, 1, 1, n] (a negative one counts from the end), axis
    [1, 1, 1, 1]; the result has n on that axis. An index outside the axis fails the run.

    Constraints: (C1) the axis is 0 to 3; (C2) indices are 1x1x1xn, Int32 or Int64.

    Example: `%r = htp.Gather(%x, %indices, %axis) :
    (tensor<1x1x100x32xf32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x5x32xf32>`
    """

    name = "htp.Gather"

    ACCESS = access("in[b, h, w, c]", along="axis", moves=True)

    in_ = tensor_def()
    indices = tensor_def(Kind.INDEX)
    axis = param_def(1, least=0, most=RANK - 1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        *front, count = indices = spec_of(self.indices).shape
        message = f"operand 'indices' is {text(indices)}, it must be 1x1x1xn"
        require(front == [1] * (RANK - 1), self, message)
        axis = self.integer("axis")
        if axis is None:
            return (None,)
        return (self.like("in").with_shape(replaced(spec_of(self.in_).shape, axis, count)),)


class TileOp(NativeOp):
    """The input repeated multiples[i] times along axis i.

    in [b, h, w, d], multiples i32 [1, 1, 1, 4].

    Constraints: (C1) the multiples are >= 1.

    Example: `%r = htp.Tile(%x, %multiples) :
    (tensor<1x1x8x32xf32>, tensor<1x1x1x4xi32>) -> tensor<1x4x8x32xf32>`
    """

    name = "htp.Tile"

    in_ = tensor_def()
    multiples = param_def(RANK, least=1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        multiples = self.ints("multiples")
        if multiples is None:
            return (None,)
        pairs = zip(spec_of(self.in_).shape, multiples, strict=True)
        return (self.like("in").with_shape(tuple(n * times for n, times in pairs)),)


OPS: tuple[type[NativeOp], ...] = (
    ConcatOp,
    ReshapeOp,
    TransposeOp,
    PadOp,
    GatherOp,
    TileOp,
    ScatterNdOp,
)
