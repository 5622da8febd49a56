"""Ops that give images another extent."""

from __future__ import annotations

from ...checks import require
from ...value.kinds import Kind
from ...value.spec import TensorSpec
from ..base import NativeOp
from ..fields import param_def, tensor_def


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
        return (size and self.like("in").with_shape((batch, *size, depth)),)


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
        block, (batch, height, width, depth) = self.ints("block_size"), self.dims("in")
        if block is None:
            return (None,)
        down, across = block
        message = f"operand 'in' has extent {depth} in dim 3, a block holds {down * across}"
        require(depth % (down * across) == 0, self, f"{message}, which must divide it")
        shape = (batch, height * down, width * across, depth // (down * across))
        return (self.like("in").with_shape(shape),)


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
        block, (batch, height, width, depth) = self.ints("block_size"), self.dims("in")
        if block is None:
            return (None,)
        down, across = block
        message = f"operand 'in' has an image {height}x{width}, no multiple of {down}x{across}"
        require(height % down == width % across == 0, self, message)
        shape = (batch, height // down, width // across, depth * down * across)
        return (self.like("in").with_shape(shape),)


OPS: tuple[type[NativeOp], ...] = (ResizeOp, DepthToSpaceOp, SpaceToDepthOp)
