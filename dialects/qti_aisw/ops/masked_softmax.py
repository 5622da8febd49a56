"""The block op MaskedSoftmax. Source: QAIRT block op definitions."""

from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require, text
from ...value import Kind, TensorSpec
from ..base import GraphOp
from ..choices import MaskMode, MaskModeAttr
from ..guards import tensor


@irdl_op_definition
class MaskedSoftmaxOp(GraphOp):
    """Softmax over the last dim of data[b, h, w, c], within what mask[b, M] leaves.

    UNCOMPRESSED: the mask is added to the data, the same for all of h and w. COMPRESSED: mask[b]
    holds the lengths of M sequences packed back to back; softmax acts within each of them, and all
    else is 0. A negative length, or lengths that add up to more than c, fail the run.

    Constraints: (C1) data is f32, f16 or quantised u8 or u16 of rank 4; (C2) mask is i32 of rank 2
    with data's batch; (C3) UNCOMPRESSED needs M = c; (C4) COMPRESSED needs w = c. The result has
    data's shape and dtype; its scale and zero point are free.

    Example: `%y = qti_aisw.MaskedSoftmax(%x, %m) {mode = #qti_aisw.mask_mode<COMPRESSED>} :
    (tensor<2x4x8x8xf32>, tensor<2x3xi32>) -> tensor<2x4x8x8xf32>`
    """

    name = "qti_aisw.MaskedSoftmax"

    data = operand_def()
    mask = operand_def()

    mode = prop_def(MaskModeAttr, MaskModeAttr(MaskMode.UNCOMPRESSED))

    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        data = tensor(self, "data", self.data, Kind.BLOCK_DATA, rank=4, rule="(C1) ")
        mask = tensor(self, "mask", self.mask, Kind.LENGTH, rank=2, rule="(C2) ")
        batch, _, width, channels = data.shape
        message = f"(C2) operand 'mask' has batch {mask.shape[0]}, the data {batch}"
        require(mask.shape[0] == batch, self, f"{message}; they must be equal")
        if self.mode.data is MaskMode.UNCOMPRESSED:
            message = (
                f"(C3) operand 'mask' has {mask.shape[1]} columns, the data {channels} channels"
            )
            require(mask.shape[1] == channels, self, f"{message}; they must be equal")
        else:
            message = f"(C4) data {text(data.shape)} has width {width} and {channels} channels"
            require(width == channels, self, f"{message}; they must be equal")
        return (data,)


OPS: tuple[type[GraphOp], ...] = (MaskedSoftmaxOp,)
