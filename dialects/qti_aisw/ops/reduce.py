"""Reductions and searches. Source: QNN op definitions Reduce*, Argmax, Argmin and TopK."""

from collections.abc import Collection
from typing import ClassVar

from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import DType, Kind, Shape, TensorSpec
from ..base import GraphOp, bool_def, int_def, ints, ints_def
from ..guards import axes_of, axis_of, nonempty, tensor


def reduced(shape: Shape, axes: Collection[int], keep_dims: bool) -> Shape:
    """The shape with `axes` taken out, or left with extent 1."""
    if keep_dims:
        return tuple(1 if axis in axes else n for axis, n in enumerate(shape))
    return tuple(n for axis, n in enumerate(shape) if axis not in axes)


class Reduce(GraphOp):
    """Takes the dims in `axes` together.

    Constraints: (C1) inp is a number; (C2) axes are from -rank to rank - 1, at least one, and none
    occurs twice; (C3) the result has inp's element type.
    """

    inp = operand_def()
    axes = ints_def()
    keep_dims = bool_def(False)
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.NUMBER)
        axes = axes_of(self, ints(self.axes), data.rank)
        return (data.with_shape(reduced(data.shape, axes, bool(self.keep_dims))),)


class Arg(GraphOp):
    """The place of an extreme along one axis, as i32; the first one where there are several.

    Constraints: (C1) inp is a number; (C2) axis is from -rank to rank - 1; (C3) the axis has not
    extent 0; (C4) the result is i32.
    """

    inp = operand_def()
    axis = int_def()
    keep_dims = bool_def(False)
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.NUMBER)
        axis = axis_of(self, self.axis.value.data, data.rank)
        nonempty(self, data, axis)
        shape = reduced(data.shape, (axis,), bool(self.keep_dims))
        return (data.with_shape(shape).with_dtype(DType.Int32),)


@irdl_op_definition
class ReduceSumOp(Reduce):
    """The sum over `axes`.

    Example: `%y = qti_aisw.ReduceSum(%x) {axes = array<i64: 1, 2>} :
    (tensor<1x8x8x4xf32>) -> tensor<1x4xf32>`
    """

    name = "qti_aisw.ReduceSum"


@irdl_op_definition
class ReduceMeanOp(Reduce):
    """The mean over `axes`.

    Example: `%y = qti_aisw.ReduceMean(%x) {axes = array<i64: 1, 2>, keep_dims = true} :
    (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>`
    """

    name = "qti_aisw.ReduceMean"


@irdl_op_definition
class ReduceProdOp(Reduce):
    """The product over `axes`.

    Example: `%y = qti_aisw.ReduceProd(%x) {axes = array<i64: -1>} :
    (tensor<1x8x8x4xf32>) -> tensor<1x8x8xf32>`
    """

    name = "qti_aisw.ReduceProd"


class ReduceExtreme(Reduce):
    """A reduction that picks one of the elements.

    Constraints: (C1) inp is a number; (C2) axes are from -rank to rank - 1, at least one, and none
    occurs twice; (C3) no axis has extent 0; (C4) the result has inp's element type and
    quantisation.
    """

    KEEPS_ENCODING: ClassVar[bool] = True

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "inp", self.inp, Kind.NUMBER)
        for axis in axes_of(self, ints(self.axes), data.rank):
            nonempty(self, data, axis)
        return super().infer()


@irdl_op_definition
class ReduceMaxOp(ReduceExtreme):
    """The largest element over `axes`.

    Example: `%y = qti_aisw.ReduceMax(%x) {axes = array<i64: 3>} :
    (tensor<1x8x8x4xf32>) -> tensor<1x8x8xf32>`
    """

    name = "qti_aisw.ReduceMax"


@irdl_op_definition
class ReduceMinOp(ReduceExtreme):
    """The smallest element over `axes`.

    Example: `%y = qti_aisw.ReduceMin(%x) {axes = array<i64: 3>} :
    (tensor<1x8x8x4xf32>) -> tensor<1x8x8xf32>`
    """

    name = "qti_aisw.ReduceMin"


@irdl_op_definition
class ArgmaxOp(Arg):
    """The index of the largest element along `axis`.

    Example: `%y = qti_aisw.Argmax(%x) {axis = 3 : i64} :
    (tensor<1x8x8x4xf32>) -> tensor<1x8x8xi32>`
    """

    name = "qti_aisw.Argmax"


@irdl_op_definition
class ArgminOp(Arg):
    """The index of the smallest element along `axis`.

    Example: `%y = qti_aisw.Argmin(%x) {axis = -1 : i64, keep_dims = true} :
    (tensor<1x8x8x4xf32>) -> tensor<1x8x8x1xi32>`
    """

    name = "qti_aisw.Argmin"


@irdl_op_definition
class TopKOp(GraphOp):
    """The `k` largest or smallest elements along the last dim, best first, and their places.

    The places are i32; of equal elements the first one comes first.

    Constraints: (C1) inp is a number of rank 1 or more; (C2) k is from 0 to the extent of the last
    dim; (C3) out has inp's element type and quantisation, indices are i32.

    Example: `%y, %i = qti_aisw.TopK(%x) {k = 3 : i64, largest = false} :
    (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)`
    """

    name = "qti_aisw.TopK"
    KEEPS_ENCODING: ClassVar[bool] = True

    inp = operand_def()
    k = int_def()
    largest = bool_def(True)
    out = result_def()
    indices = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data, count = tensor(self, "inp", self.inp, Kind.NUMBER), self.k.value.data
        require(data.rank >= 1, self, "operand 'inp' is a scalar, it needs at least one dim")
        size = data.shape[-1]
        require(0 <= count <= size, self, f"param 'k' is {count}, the last dim has extent {size}")
        result = data.with_shape((*data.shape[:-1], count))
        return result, TensorSpec(result.shape, DType.Int32)


OPS: tuple[type[GraphOp], ...] = (
    *(ReduceSumOp, ReduceMeanOp, ReduceProdOp, ReduceMaxOp, ReduceMinOp, ArgmaxOp, ArgminOp),
    TopKOp,
)
