"""Reductions, whose dims stay with size 1, and searches."""

from ...spec_of import require
from ...value import RANK, DType, Kind, TensorSpec
from ..access import access
from ..base import NativeOp
from ..fields import out_def, param_def, tensor_def


class ReduceOp(NativeOp):
    """A reduction of in [b, h, w, d] over the axes of an i32 param [1, 1, 1, n]."""

    ACCESS = access("in[b, h, w, d]", over="axes")

    ABOUT = """in [b, h, w, d], axes i32 [1, 1, 1, n]; each axis is 0 to 3 and named once.

    Example: `%r = {}(%x, %axes) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x32xf32>`"""

    in_ = tensor_def(Kind.NUMBER)
    axes = param_def(least=0, most=RANK - 1, once=True)


class ArgOp(NativeOp):
    """The index of one element along an axis of in [b, h, w, d]: Int32."""

    ACCESS = access("in[b, h, w, d]", over="axis")

    ABOUT = """in [b, h, w, d], axis i32 [1, 1, 1, 1], 0 to 3. The result is Int32.

    Example: `%r = {}(%x, %axis) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x1xi32>) -> tensor<1x8x8x1xi32>`"""

    in_ = tensor_def()
    axis = param_def(1, least=0, most=RANK - 1)
    out = out_def(Kind.LENGTH)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        for axis in self.ints("axis") or ():
            require(self.dims("in")[axis] >= 1, self, f"axis {axis} of the input is empty")
        return super().infer()


class ReduceSumOp(ReduceOp):
    """out = the sum over the axes."""

    name = "htp.ReduceSum"


class ReduceMeanOp(ReduceOp):
    """out = the mean over the axes; of integers truncated towards zero."""

    name = "htp.ReduceMean"


class ReduceMaxOp(ReduceOp):
    """out = the largest element over the axes."""

    name = "htp.ReduceMax"


class ReduceMinOp(ReduceOp):
    """out = the smallest element over the axes."""

    name = "htp.ReduceMin"


class ReduceProdOp(ReduceOp):
    """out = the product over the axes."""

    name = "htp.ReduceProd"


class ArgmaxOp(ArgOp):
    """out = the index of the first largest element along the axis."""

    name = "htp.Argmax"


class ArgminOp(ArgOp):
    """out = the index of the first smallest element along the axis."""

    name = "htp.Argmin"


class TopKOp(NativeOp):
    """The k largest or smallest elements along the last dim, best first, and their places.

    in [b, h, w, d], k and largest i32 [1, 1, 1, 1]; the results are [b, h, w, k], the second one
    Int32. Of equal elements the first one comes first.

    Constraints: (C1) k is d at most.

    Example: `%v, %i = htp.TopK(%x, %k, %largest) :
    (tensor<1x1x4x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
    -> (tensor<1x1x4x3xf32>, tensor<1x1x4x3xi32>)`
    """

    name = "htp.TopK"

    in_ = tensor_def(Kind.NUMBER)
    k = param_def(1, least=0)
    largest = param_def(1, least=0, most=1)
    places = out_def(Kind.LENGTH)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        count, (*front, size) = self.integer("k"), self.dims("in")
        if count is None:
            return (None, None)
        require(count <= size, self, f"param 'k' is {count}, the last dim has extent {size}")
        shape = (*front, count)
        return (self.like("in").with_shape(shape), TensorSpec(shape, DType.Int32))


OPS: tuple[type[NativeOp], ...] = (
    *(ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp, ReduceProdOp, ArgmaxOp, ArgminOp),
    TopKOp,
)
