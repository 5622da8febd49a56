"""The block op MaskedSoftmax as a module, and its form for data of any rank.

The mask of the latter broadcasts to the data. Source: QAIRT block op definitions.
"""

from enum import Enum
from math import prod

import torch
from torch import Tensor, nn

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw.choices import MaskMode
from .buffer import BLOCKED, is_blocked
from .ops import block, is_traced, masked_shares


class MaskedSoftmax(nn.Module):
    """Softmax over the last dim of data [b, h, w, c], within what a mask of integers leaves.

    UNCOMPRESSED: the mask [b, c] is added to the data; -10000 masks a column. COMPRESSED: the mask
    [b, n] holds the lengths of sequences that are packed back to back; softmax acts within each, w
    is c, and all else is 0.
    """

    def __init__(self, mode: MaskMode | str = MaskMode.UNCOMPRESSED) -> None:
        super().__init__()
        self.mode = MaskMode(mode)

    def forward(self, data: Tensor, mask: Tensor) -> Tensor:
        """Return shares that sum up to 1 over the last dim, where the mask leaves any."""
        if is_blocked(data, mask):
            return BLOCKED
        mask = mask.to(torch.int32)
        if is_traced():
            return block("MaskedSoftmax", (data, mask), {"mode": self.mode.code})[0]
        return masked_shares(data, mask, self.mode.code)

    def extra_repr(self) -> str:
        return f"mode={self.mode}"


MASKED = -10000
"""The number that masks a column; numbers to add count as a mask from here down."""


class Form(Enum):
    """The meaning of a mask: numbers to add or take away, or columns that stay or go."""

    ADDED = "added"
    TAKEN_AWAY = "taken away"
    KEPT = "kept"
    DROPPED = "dropped"

    def numbers(self, mask: Tensor) -> Tensor:
        """Turn a mask of this form into i32 numbers to add, 0 and MASKED."""
        match self:
            case Form.ADDED:
                return mask.clamp(min=MASKED).to(torch.int32)
            case Form.TAKEN_AWAY:
                return Form.ADDED.numbers(-mask)
            case Form.KEPT:
                return Form.DROPPED.numbers(mask.logical_not())
            case Form.DROPPED:
                return mask.to(torch.int32) * MASKED


class MaskedShares(nn.Module):
    """Softmax over the last dim of data of any rank, by one MaskedSoftmax.

    The dims along which the mask varies, and those in front of them, become the batch.
    """

    def __init__(self, form: Form, dtype: torch.dtype | None = None) -> None:
        super().__init__()
        self.form, self.dtype = form, dtype
        self.softmax = MaskedSoftmax()

    def forward(self, data: Tensor, mask: Tensor) -> Tensor:
        """Return shares in the shape of data and mask together."""
        shape = torch.broadcast_shapes(data.shape, mask.shape)
        rank, columns = len(shape), shape[-1]
        mask = self.form.numbers(mask).reshape([1] * (rank - mask.dim()) + list(mask.shape))
        varying = max([dim + 1 for dim in range(rank - 1) if mask.shape[dim] != 1], default=0)
        # The first dim of four is the batch in any case; of fewer the rest are rows.
        lead = max(varying, 1) if rank == 4 else varying
        batch, rows = prod(shape[:lead]), prod(shape[lead:-1])
        folded = shape if rank == 4 and lead == 1 else (batch, 1, rows, columns)
        data = data.expand(shape).reshape(folded)
        ones = [1] * (rank - 1 - lead)
        mask = mask.expand(*shape[:lead], *ones, columns).reshape(batch, columns)
        return self.softmax(data.to(self.dtype or data.dtype), mask).reshape(shape)

    def extra_repr(self) -> str:
        return f"mask={self.form.value}"


def masked_softmax(x: Tensor, mask: Tensor, dim: int = -1) -> Tensor:
    """Compute `softmax(x + mask, dim)` over the last dim, by one MaskedSoftmax.

    x has any rank, and the mask broadcasts to it: numbers to add, whole ones or -10000 and less, or
    truth values that are true where a column takes part, as PyTorch's attention takes them. A row
    that is masked as a whole is that of softmax(x), not NaN. HtpError for another dim, and, outside
    of an exporter, for numbers that the op cannot add.
    """
    if dim not in (-1, x.dim() - 1):
        raise fail("masked_softmax", f"dim is {dim}, not the last of {x.dim()}", "transpose x")
    is_truth = mask.dtype == torch.bool
    if not is_truth and not is_traced():
        odd = mask[(mask > MASKED) & (mask != mask.round())]
        if odd.numel():
            problem = f"the mask holds {odd[0].item():g}, and MaskedSoftmax adds whole numbers"
            raise fail("masked_softmax", problem, "add it to x, and give the mask alone")
    shares: Tensor = MaskedShares(Form.KEPT if is_truth else Form.ADDED)(x, mask)
    return shares
