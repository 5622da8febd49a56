"""Slices: with strides, by start and size, and with padding around them."""

from ...spec_of import require
from ...value import RANK, TensorSpec
from ...value.spec import ranges_of
from ..access import access
from ..base import NativeOp
from ..fields import param_def, shape_def, tensor_def
from ..in_place import verify_in_place


class StridedSliceOp(NativeOp):
    """Elements begin, begin + stride, ... before end, of each dim.

    in [b, h, w, d], ranges i32 [1, 1, 4, 3] as (begin, end, stride) of each dim. With a negative
    stride the end -1 means that element 0 is the last one taken.

    Constraints: (C1) no stride is 0; (C2) what is taken lies inside the input.

    Example: `%r = htp.StridedSlice(%x, %ranges) :
    (tensor<1x8x8x32xf32>, tensor<1x1x4x3xi32>) -> tensor<1x4x4x32xf32>`
    """

    name = "htp.StridedSlice"

    in_ = tensor_def()
    ranges = param_def(3 * RANK)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        numbers = self.ints("ranges")
        if numbers is None:
            return (None,)
        taken = ranges_of(numbers)
        for dim, (one, size) in enumerate(zip(taken, self.dims("in"), strict=True)):
            message = f"param 'ranges' takes {one} of dim {dim}, which has extent {size}"
            require(one.fits(size), self, message)
        return (self.like("in").with_shape(tuple(one.count for one in taken)),)


class SliceShapeOp(NativeOp):
    """A block of the input: `size` elements from `start` on, in each dim.

    in [b, h, w, d], start and size !htp.shape. Of scales along an axis it has those of its part.

    Constraints: (C1) start + size is within the input in every dim; (C2) with the attribute
    in_place, which says that it is read where it lies, the block is one run of the input's bytes,
    or any block of one that is flat in main memory, for ops that work line by line.

    Example: `%r = htp.Slice_shape(%x, %start, %size) :
    (tensor<1x16x8x32xf32>, !htp.shape<0x8x0x0>, !htp.shape<1x8x8x32>) -> tensor<1x8x8x32xf32>`
    """

    name = "htp.Slice_shape"
    ACCESS = access(
        "in[b+start.0, h+start.1, w+start.2, d+start.3]",
        moves=True,
        b="size.0",
        h="size.1",
        w="size.2",
        d="size.3",
    )

    in_ = tensor_def()
    start = shape_def()
    size = shape_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        super().infer()
        return (self.like("in").sliced(self.dims("start"), self.dims("size")),)

    def verify_(self) -> None:
        super().verify_()
        verify_in_place(self)


class SlicePadShapeOp(NativeOp):
    """A block of the input that may lie partly outside it: there it holds a value.

    in [b, h, w, d], pad_before, start and size !htp.shape, value [1, 1, 1, 1]:
    out[i] = in[start + i - pad_before] where that exists, else value.

    Example: `%r = htp.SlicePad_shape(%x, %before, %start, %size, %value) :
    (tensor<1x8x8x32xf32>, !htp.shape<0x1x1x0>, !htp.shape<0x0x0x0>, !htp.shape<1x10x10x32>,
    tensor<1x1x1x1xf32>) -> tensor<1x10x10x32xf32>`
    """

    name = "htp.SlicePad_shape"
    ACCESS = access(
        "in[b+start.0-pad_before.0, h+start.1-pad_before.1, w+start.2-pad_before.2,"
        " d+start.3-pad_before.3]",
        moves=True,
        b="size.0",
        h="size.1",
        w="size.2",
        d="size.3",
    )

    in_ = tensor_def()
    pad_before = shape_def()
    start = shape_def()
    size = shape_def()
    value = param_def(1)


OPS: tuple[type[NativeOp], ...] = (StridedSliceOp, SliceShapeOp, SlicePadShapeOp)
