"""The block op MaskedSoftmax as a module. Source: QAIRT block op definitions."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ....dialects.qti_aisw.choices import MaskMode
from .blocked import BLOCKED, is_blocked
from .ops import block, is_traced
from .shares import masked_shares


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
