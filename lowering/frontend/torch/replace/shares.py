"""MaskedSoftmax over data of any rank, with a mask that broadcasts to it."""

from __future__ import annotations

from enum import Enum
from math import prod

import torch
from torch import Tensor, nn

from ..softmax import MaskedSoftmax

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
