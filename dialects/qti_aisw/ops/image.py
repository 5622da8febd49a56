"""Ops that give images another extent, data NHWC. Source: QNN op definitions."""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require
from ...value import Kind, TensorSpec
from ..base import GraphOp, bool_def, float_def, int_def, ints, ints_def
from ..guards import counted, tensor

INTERPOLATIONS = ("nearest", "linear", "cubic")
"""The values between pixels, by `interpolation_mode`."""

TRANSFORMATIONS = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
"""The places of the result's pixels among those of the data, by `transformation_mode`."""

ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
"""The nearest pixel to a place, by `nearest_mode`."""


class Image(GraphOp):
    """An image [n, h, w, c] that becomes one of another extent."""

    inp = operand_def()
    out = result_def()

    traits = traits_def(Pure())


@irdl_op_definition
class ResizeOp(Image):
    """Interpolates an image to height and width `size`; its result follows from both extents.

    The modes are numbers: `interpolation_mode` nearest, linear, cubic; `transformation_mode`
    half_pixel, pytorch_half_pixel, align_corners, asymmetric; `nearest_mode` round_prefer_floor,
    round_prefer_ceil, floor, ceil. QNN reads `size` off the result.

    Constraints: (C1) inp is a float or quantised, of rank 4, and its image is not empty; (C2) size
    holds 2 integers >= 1; (C3) interpolation_mode is from 0 to 2, transformation_mode and
    nearest_mode are from 0 to 3; (C4) the result has inp's element type, of the nearest pixels its
    quantisation, too.

    Example: `%y = qti_aisw.Resize(%x) {size = array<i64: 16, 16>} :
    (tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32>`
    """

    name = "qti_aisw.Resize"

    size = ints_def()
    interpolation_mode = int_def(0)
    transformation_mode = int_def(0)
    nearest_mode = int_def(0)
    exclude_outside = bool_def(False)
    cubic_coeff = float_def(-0.75)

    @property
    def keeps_encoding(self) -> bool:
        return INTERPOLATIONS[self.int_param("interpolation_mode")] == "nearest"

    def infer(self) -> tuple[TensorSpec, ...]:
        data, size = tensor(self, "inp", self.inp, Kind.REAL, rank=4), ints(self.size)
        counted(self, "size", size, 2, least=1)
        for name, names in (
            ("interpolation_mode", INTERPOLATIONS),
            ("transformation_mode", TRANSFORMATIONS),
            ("nearest_mode", ROUNDINGS),
        ):
            mode = self.int_param(name)
            message = f"param '{name}' is {mode}, it must be 0 to {len(names) - 1}"
            require(0 <= mode < len(names), self, message)
        n, height, width, channels = data.shape
        require(height > 0 and width > 0, self, f"operand 'inp' has an image {height}x{width}")
        return (data.with_shape((n, *size, channels)),)


class Shuffle(Image):
    """Pixels that become channels or come from them, in blocks of `block_size` rows and columns.

    `mode` says which part of the depth is the block: 0 (DCR) the first, 1 (CRD) the last.
    """

    KEEPS_ENCODING: ClassVar[bool] = True

    block_size = ints_def()
    mode = int_def(0)

    def checked(self) -> tuple[TensorSpec, tuple[int, ...]]:
        """The data and the block, whose params are what they may be."""
        data, block = tensor(self, "inp", self.inp, rank=4), ints(self.block_size)
        counted(self, "block_size", block, 2, least=1)
        mode = self.mode.value.data
        require(mode in (0, 1), self, f"param 'mode' is {mode}, it must be 0 or 1")
        return data, block


@irdl_op_definition
class DepthToSpaceOp(Shuffle):
    """Spreads the depth over blocks of pixels: [n, h, w, c * y * x] becomes [n, h * y, w * x, c].

    Constraints: (C1) inp has rank 4; (C2) block_size holds 2 integers >= 1; (C3) mode is 0 or 1;
    (C4) the elements of a block divide the depth; (C5) the result has inp's element type and
    quantisation.

    Example: `%y = qti_aisw.DepthToSpace(%x) {block_size = array<i64: 2, 2>} :
    (tensor<1x4x4x8xf32>) -> tensor<1x8x8x2xf32>`
    """

    name = "qti_aisw.DepthToSpace"

    def infer(self) -> tuple[TensorSpec, ...]:
        data, (down, across) = self.checked()
        n, height, width, depth = data.shape
        message = f"operand 'inp' has depth {depth}, blocks of {down}x{across} do not divide it"
        require(depth % (down * across) == 0, self, message)
        return (data.with_shape((n, height * down, width * across, depth // (down * across))),)


@irdl_op_definition
class SpaceToDepthOp(Shuffle):
    """Stacks blocks of pixels in the depth: [n, h * y, w * x, c] becomes [n, h, w, c * y * x].

    Constraints: (C1) inp has rank 4; (C2) block_size holds 2 integers >= 1; (C3) mode is 0 or 1;
    (C4) the block divides height and width; (C5) the result has inp's element type and
    quantisation.

    Example: `%y = qti_aisw.SpaceToDepth(%x) {block_size = array<i64: 2, 2>} :
    (tensor<1x8x8x2xf32>) -> tensor<1x4x4x8xf32>`
    """

    name = "qti_aisw.SpaceToDepth"

    def infer(self) -> tuple[TensorSpec, ...]:
        data, (down, across) = self.checked()
        n, height, width, depth = data.shape
        message = f"operand 'inp' has an image {height}x{width}, no multiple of {down}x{across}"
        require(height % down == width % across == 0, self, message)
        return (data.with_shape((n, height // down, width // across, depth * down * across)),)


OPS: tuple[type[GraphOp], ...] = (ResizeOp, DepthToSpaceOp, SpaceToDepthOp)
