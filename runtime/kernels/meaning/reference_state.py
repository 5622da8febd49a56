"""Reference kernels of the ops that block ops become: a step of a buffer, ids of sequences."""

from __future__ import annotations

import numpy as np

from ....dialects.diagnostics import fail
from ...functions.buffer import BufferMode, buffer_step
from ...functions.masked_softmax import sequence_ids
from ...kernel.registry import KernelSet
from ...tensors.tensors import ShapeParam, Tensor
from .operands import whole, zero_of

KERNELS = KernelSet()


def _integer(tensor: Tensor) -> int:
    return int(tensor.load().reshape(-1)[0])


@KERNELS.kernel("BufferStep")
def step(
    out: Tensor,
    out_content: Tensor,
    out_counters: Tensor,
    content: Tensor,
    counters: Tensor,
    inp: Tensor,
    dim: Tensor,
    stride: Tensor,
    mode: Tensor,
) -> None:
    """Stored values all through: the unfilled part holds what stands for 0."""
    rows, kept, counted, _ = buffer_step(
        content.stored(),
        counters.stored().reshape(-1).astype(np.int32, copy=False),
        inp.stored(),
        _integer(dim),
        _integer(stride),
        BufferMode(_integer(mode)),
        zero_of(content.spec),
    )
    out.store_raw(rows)
    out_content.store_raw(kept)
    out_counters.store_raw(counted.reshape(out_counters.shape))


@KERNELS.kernel("SequenceIds")
def ids(out: Tensor, lengths: Tensor, size: ShapeParam) -> None:
    """lengths [1, 1, b, M] -> ids [b, 1, 1, c]; a wrong length raises HtpError."""
    batch, _, _, positions = size.dims
    held = whole(lengths.load()).reshape(batch, -1)
    try:
        found = sequence_ids(held, positions)
    except ValueError as error:
        raise fail("htp.SequenceIds", str(error), "no output and no state was changed") from error
    out.store(found.reshape(out.shape))
