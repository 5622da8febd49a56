"""Matrix products."""

from __future__ import annotations

from ...checks import require, text
from ...spec_of import spec_of
from ...value.spec import TensorSpec
from ..access import access
from ..base import NativeOp
from ..fields import param_def, tensor_def
from ..guards import (
    has_depth,
    has_shape,
    integer,
    is_number,
    is_scalar,
    product_of,
    same_kind,
    same_type,
)


class FullyConnectedOp(NativeOp):
    """out = in times the transposed weights, plus a bias.

    in [b, h, w, m], weights [1, 1, n, m], bias [1, 1, 1, n] -> [b, h, w, n].

    Constraints: (C1) in and weights have the same last dim; (C2) the bias has depth n; (C3) in
    and weights have one dtype, or both are quantised.

    Example: `%r = htp.FullyConnected(%x, %w, %b) :
    (tensor<1x1x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>) -> tensor<1x1x8x10xf32>`
    """

    name = "htp.FullyConnected"
    ACCESS = access("in[b, h, w, k] * weights[0, 0, d, k] + bias[0, 0, 0, d]")

    in_ = tensor_def()
    weights = tensor_def()
    bias = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_number(self, "in")
        same_type(self, "in", "weights")
        same_kind(self, "in", "bias")
        (*front, depth), (_, _, count, _) = spec_of(self.in_).shape, self.dims("weights")
        has_shape(self, "weights", (1, 1, count, depth))
        has_depth(self, "bias", count, "the weights make")
        return (self.computed(product_of(self.like("in")).with_shape((*front, count))),)


class FullyConnectedClampOp(FullyConnectedOp):
    """FullyConnected, bounded by min and max.

    As FullyConnected, with min and max [1, 1, 1, 1].

    Example: `%r = htp.FullyConnected.clamp(%x, %w, %b, %min, %max) :
    (tensor<1x1x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>, tensor<1x1x1x1xf32>,
    tensor<1x1x1x1xf32>) -> tensor<1x1x8x10xf32>`
    """

    name = "htp.FullyConnected.clamp"

    min = param_def()
    max = param_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_scalar(self, "min", "max")
        return super().infer()


class FullyConnectedGeluOp(FullyConnectedOp):
    """FullyConnected, then Gelu.

    As FullyConnected.

    Example: `%r = htp.FullyConnected.gelu(%x, %w, %b) :
    (tensor<1x1x8x32xf32>, tensor<1x1x10x32xf32>, tensor<1x1x1x10xf32>) -> tensor<1x1x8x10xf32>`
    """

    name = "htp.FullyConnected.gelu"


class MatMulOp(NativeOp):
    """out = in0 times in1, matrices in the last two dims; the two leading dims broadcast.

    in0 [b, h, m, k] (or [b, h, k, m] with transpose_in0), in1 [b, h, k, n] (or [b, h, n, k] with
    transpose_in1), the two params 0 or 1 -> [b, h, m, n].

    Constraints: (C1) the inner dims are equal; (C2) the leading dims broadcast; (C3) both have
    one dtype, or both are quantised.

    Example: `%r = htp.MatMul(%a, %b, %ta, %tb) :
    (tensor<1x4x8x16xf32>, tensor<1x4x16x32xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
    -> tensor<1x4x8x32xf32>`
    """

    name = "htp.MatMul"
    ACCESS = access(
        "in0[b?, h?, w, k] * in1[b?, h?, k, d]",
        turned={"in0": "transpose_in0", "in1": "transpose_in1"},
    )

    in0 = tensor_def()
    in1 = tensor_def()
    transpose_in0 = param_def()
    transpose_in1 = param_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        is_number(self, "in0")
        same_type(self, "in0", "in1")
        left, right = self.matrix("in0"), self.matrix("in1")
        if left is None or right is None:
            return (None,)
        shapes = f"{text(left)} and {text(right)}"
        require(left[3] == right[2], self, f"the inner dims of {shapes} differ")
        pairs = list(zip(left[:2], right[:2], strict=True))
        fits = all(a == b or 1 in (a, b) for a, b in pairs)
        require(fits, self, f"the leading dims of {shapes} do not broadcast")
        front = [b if a == 1 else a for a, b in pairs]
        shape = (*front, left[2], right[3])
        return (self.computed(product_of(self.like("in0")).with_shape(shape)),)

    def matrix(self, name: str) -> tuple[int, ...] | None:
        """The dims of an operand once transposed; None if that is no constant."""
        transposed = integer(self, f"transpose_{name}")
        if transposed is None:
            return None
        batch, head, rows, columns = self.spec(name).shape
        return (batch, head, columns, rows) if transposed else (batch, head, rows, columns)


OPS: tuple[type[NativeOp], ...] = (
    FullyConnectedOp,
    FullyConnectedClampOp,
    FullyConnectedGeluOp,
    MatMulOp,
)
