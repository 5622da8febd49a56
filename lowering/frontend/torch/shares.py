"""The numbers of MaskedSoftmax."""

from __future__ import annotations

import torch
from torch import Tensor

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw.choices import MaskMode


def masked_shares(data: Tensor, mask: Tensor, mode: int) -> Tensor:
    """Compute MaskedSoftmax over data [b, h, w, c]; HtpError for lengths that do not fit."""
    if mode == MaskMode.UNCOMPRESSED.code:
        return torch.softmax(data + mask.to(data.dtype)[:, None, None, :], -1)
    seen = _seen(mask, data.shape[-1])[:, None]
    shares = torch.softmax(data.masked_fill(~seen, -torch.inf), -1)
    return shares.masked_fill(~seen, 0)


def _seen(lengths: Tensor, columns: int) -> Tensor:
    """Tell which columns a row sees, [b, columns, columns]: those of its own sequence."""
    ends = lengths.cumsum(1)
    if bool((lengths < 0).any() | (ends[:, -1:] > columns).any()):
        problem = f"lengths {lengths.tolist()} do not lie within {columns} columns"
        raise fail("MaskedSoftmax", problem, "each is 0 or more, their sum the columns at most")
    places = torch.arange(columns, device=lengths.device)
    # The sequence of a place is the number of sequences that end at it or before.
    sequence = (ends[:, None, :] <= places[None, :, None]).sum(2)
    inside = sequence < lengths.shape[1]
    return (sequence[:, :, None] == sequence[:, None, :]) & inside[:, :, None]
