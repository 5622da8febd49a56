"""Ops that give images another extent."""

from ...qti_aisw.ops.image import INTERPOLATIONS
from ...spec_of import require
from ...value import Kind, TensorSpec
from ..access import access
from ..base import NativeOp
from ..fields import param_def, shape_def, tensor_def


class ResizeOp(NativeOp):
    """The image interpolated to another height and width.

    in [b, h, w, d], size i32 [1, 1, 1, 2]; interpolation_mode (0 nearest, 1 linear, 2 cubic),
    transformation_mode (0 half_pixel, 1 pytorch_half_pixel, 2 align_corners, 3 asymmetric),
    nearest_mode (0 round_prefer_floor, 1 round_prefer_ceil, 2 floor, 3 ceil), exclude_outside and
    cubic_coeff are scalars.

    Constraints: (C1) size is >= 1; (C2) the modes are numbers of theirs.

    Example: `%r = htp.Resize(%x, %size, %linear, %place, %nearest, %outside, %cubic) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>,
    tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x32xf32>`
    """

    name = "htp.Resize"

    in_ = tensor_def(Kind.REAL)
    size = param_def(2, least=1)
    interpolation_mode = param_def(1, least=0, most=2)
    transformation_mode = param_def(1, least=0, most=3)
    nearest_mode = param_def(1, least=0, most=3)
    exclude_outside = param_def(1, least=0, most=1)
    cubic_coeff = param_def(1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        size, (batch, height, width, depth) = self.ints("size"), self.dims("in")
        require(height > 0 and width > 0, self, f"operand 'in' has an image {height}x{width}")
        data = self.like("in")
        return (self.computed(data.with_shape((batch, *size, depth))) if size else None,)


class ResizePlacesOp(NativeOp):
    """The image interpolated at places that are stated, so that it may be a part of a larger one.

    in [b, h, w, d]; rows and columns i32 [1, 1, 1, 5] are extent, step, start, unit and reach: row
    n of the result is at (n * step + start) / unit among those of `in` and mixes the rows up to
    `reach` from there; what lies beyond an end counts as the last one there. interpolation_mode,
    nearest_mode, exclude_outside and cubic_coeff as in Resize.

    Constraints: (C1) the extents and units are >= 1; (C2) the modes are numbers of theirs; (C3) the
    reach is >= 1, and >= 2 of cubic interpolation.

    Example: `%r = htp.Resize_places(%x, %rows, %columns, %linear, %nearest, %outside, %cubic) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x5xi32>, tensor<1x1x1x5xi32>, tensor<1x1x1x1xi32>,
    tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x32xf32>`
    """

    name = "htp.Resize_places"

    ACCESS = access("in[b, h~rows.0, w~columns.0, d]")

    in_ = tensor_def(Kind.REAL)
    rows = param_def(5)
    columns = param_def(5)
    interpolation_mode = param_def(1, least=0, most=2)
    nearest_mode = param_def(1, least=0, most=3)
    exclude_outside = param_def(1, least=0, most=1)
    cubic_coeff = param_def(1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        least = 2 if self.integer("interpolation_mode") == INTERPOLATIONS.index("cubic") else 1
        for name in ("rows", "columns"):
            extent, _, _, unit, reach = self.ints(name) or (1, 0, 0, 1, least)
            message = f"param '{name}' has extent {extent} and unit {unit}, both must be >= 1"
            require(min(extent, unit) >= 1, self, message)
            message = f"param '{name}' has reach {reach}, it must be >= {least}"
            require(reach >= least, self, message)
        _, height, width, _ = self.dims("in")
        require(height > 0 and width > 0, self, f"operand 'in' has an image {height}x{width}")
        return super().infer()


class ShuffleOp(NativeOp):
    """Blocks of pixels of in [b, h, w, d] that come from the depth or go there."""

    in_ = tensor_def()
    block_size = param_def(2, least=1)
    mode = param_def(1, least=0, most=1)


class DepthToSpaceOp(ShuffleOp):
    """The depth spread over blocks of pixels.

    in [b, h, w, d], block_size i32 [1, 1, 1, 2], mode i32 [1, 1, 1, 1]: the block is the first
    part of the depth (0, DCR) or the last (1, CRD).

    Constraints: (C1) block_size is >= 1, and the block divides the depth; (C2) mode is 0 or 1.

    Example: `%r = htp.DepthToSpace(%x, %block, %mode) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x16x16x8xf32>`
    """

    name = "htp.DepthToSpace"

    def infer(self) -> tuple[TensorSpec | None, ...]:
        block = self.ints("block_size")
        return (_spread(self, block) if block else None,)


class SpaceToDepthOp(ShuffleOp):
    """Blocks of pixels stacked in the depth.

    in [b, h, w, d], block_size i32 [1, 1, 1, 2], mode i32 [1, 1, 1, 1]: the block is the first
    part of the depth (0, DCR) or the last (1, CRD).

    Constraints: (C1) block_size is >= 1 and divides height and width; (C2) mode is 0 or 1.

    Example: `%r = htp.SpaceToDepth(%x, %block, %mode) :
    (tensor<1x8x8x32xf32>, tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x128xf32>`
    """

    name = "htp.SpaceToDepth"

    def infer(self) -> tuple[TensorSpec | None, ...]:
        block = self.ints("block_size")
        return (_stacked(self, block) if block else None,)


class NearestShapeOp(NativeOp):
    """Each pixel repeated in blocks of as many rows and columns as a shape says.

    in [b, h, w, d], factor !htp.shape<1xHxWx1>.

    Example: `%r = htp.ResizeNearestNeighbor_shape(%x, %factor) :
    (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>) -> tensor<1x16x16x32xf32>`
    """

    name = "htp.ResizeNearestNeighbor_shape"

    ACCESS = access("in[b, h/factor.1, w/factor.2, d]", moves=True)

    in_ = tensor_def()
    factor = shape_def(plane=True)


class DepthToSpaceShapeOp(NativeOp):
    """The depth spread over blocks of pixels, whose extent a shape says.

    in [b, h, w, d], block !htp.shape<1xHxWx1>, mode as in DepthToSpace.

    Constraints: (C1) the block divides the depth; (C2) mode is 0 or 1.

    Example: `%r = htp.DepthToSpace_shape(%x, %block, %mode) :
    (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<1x16x16x8xf32>`
    """

    name = "htp.DepthToSpace_shape"

    ACCESS = access("in[b, h/block.1, w/block.2, c]", moves=True)

    in_ = tensor_def()
    block = shape_def(plane=True)
    mode = param_def(1, least=0, most=1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        _, down, across, _ = self.dims("block")
        return (_spread(self, (down, across)),)


class SpaceToDepthShapeOp(NativeOp):
    """Blocks of pixels, whose extent a shape says, stacked in the depth.

    in [b, h, w, d], block !htp.shape<1xHxWx1>, mode as in SpaceToDepth.

    Constraints: (C1) the block divides height and width; (C2) mode is 0 or 1.

    Example: `%r = htp.SpaceToDepth_shape(%x, %block, %mode) :
    (tensor<1x8x8x32xf32>, !htp.shape<1x2x2x1>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x128xf32>`
    """

    name = "htp.SpaceToDepth_shape"

    ACCESS = access("in[b, h*block.1+i, w*block.2+j, c]", i="block.1", j="block.2", moves=True)

    in_ = tensor_def()
    block = shape_def(plane=True)
    mode = param_def(1, least=0, most=1)

    def infer(self) -> tuple[TensorSpec | None, ...]:
        _, down, across, _ = self.dims("block")
        return (_stacked(self, (down, across)),)


def _spread(op: NativeOp, block: tuple[int, ...]) -> TensorSpec:
    """Return the image whose depth became blocks of pixels."""
    (batch, height, width, depth), (down, across) = op.dims("in"), block
    message = f"operand 'in' has extent {depth} in dim 3, a block holds {down * across}"
    require(depth % (down * across) == 0, op, f"{message}, which must divide it")
    shape = (batch, height * down, width * across, depth // (down * across))
    return op.like("in").with_shape(shape)


def _stacked(op: NativeOp, block: tuple[int, ...]) -> TensorSpec:
    """Return the image whose blocks of pixels became depth."""
    (batch, height, width, depth), (down, across) = op.dims("in"), block
    message = f"operand 'in' has an image {height}x{width}, no multiple of {down}x{across}"
    require(height % down == width % across == 0, op, message)
    shape = (batch, height // down, width // across, depth * down * across)
    return op.like("in").with_shape(shape)


OPS: tuple[type[NativeOp], ...] = (
    *(ResizeOp, ResizePlacesOp, DepthToSpaceOp, SpaceToDepthOp),
    *(NearestShapeOp, DepthToSpaceShapeOp, SpaceToDepthShapeOp),
)
