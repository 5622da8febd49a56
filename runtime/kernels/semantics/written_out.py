"""Reference kernels that are written out: slices by shapes, im2col, buffers, sequence ids.

They work on stored values, or on shapes that no param states.
"""

import numpy as np

from ....dialects.diagnostics import fail
from ...functions.buffer import BufferMode, buffer_step
from ...functions.support.arrays import Array
from ...functions.support.windows import windows
from ...functions.transformers import sequence_ids
from ...kernel.declare import KernelSet
from ...tensors.tensors import ShapeParam, Tensor
from ..support.calls import number_in
from ..support.classes import Anywhere
from ..support.regions import everything, filler, overlap
from .graph import zero_of

KERNELS = KernelSet()


@KERNELS.kernel("Reshape")
def reshape(out: Tensor, inp: Tensor) -> None:
    out.store_raw(inp.stored().reshape(out.shape))


@KERNELS.kernel("Slice_shape")
def slice_block(out: Tensor, inp: Tensor, start: ShapeParam, size: ShapeParam) -> None:
    out.store_raw(inp.stored()[everything(size.dims, start.dims)])


@KERNELS.kernel("SlicePad_shape")
def slice_padded(
    out: Tensor,
    inp: Tensor,
    pad_before: ShapeParam,
    start: ShapeParam,
    size: ShapeParam,
    value: Tensor,
) -> None:
    first = [begin - before for begin, before in zip(start.dims, pad_before.dims, strict=True)]
    shared = overlap(inp.shape, first, size.dims)
    taken = np.broadcast_to(filler(number_in(value), out.spec), out.shape).copy()
    if not shared.empty:
        taken[shared.target] = inp.stored()[shared.source]
    out.store_raw(taken)


@KERNELS.kernel("ConvLayer.opt.im2col_stride2")
def im2col(out: Tensor, act: Tensor, weights_shape: ShapeParam) -> None:
    """Taps in the order height, width, channel; the depth past them holds the real number 0."""
    height, width, _, _ = weights_shape.dims
    taps = windows(act.load(), (height, width), (2, 2)).transpose(0, 1, 2, 4, 5, 3)
    out.store(_deepened(taps.reshape(*taps.shape[:3], -1), 3, out.shape[3]))


@KERNELS.kernel("ConvLayer.opt.weights_for_im2col")
def weights_for_im2col(out: Tensor, weights: Tensor) -> None:
    """Weights as a matrix [taps, filters], rows of the real number 0 added."""
    values = weights.load()
    out.store(_deepened(values.reshape(1, 1, -1, values.shape[3]), 2, out.shape[2]))


def _deepened(values: Array, axis: int, depth: int) -> Array:
    """Zeros added at the end of an axis, up to `depth`."""
    amounts = [(0, 0)] * values.ndim
    amounts[axis] = (0, depth - values.shape[axis])
    return np.pad(values, amounts)


@KERNELS.kernel("BufferStep")
def step(
    out: Anywhere,
    out_content: Anywhere,
    out_counters: Anywhere,
    content: Tensor,
    counters: Tensor,
    inp: Tensor,
    dim: Tensor,
    stride: Tensor,
    mode: Tensor,
) -> None:
    """The unfilled part holds the stored value of 0."""
    rows, next_content, next_counters, _ = buffer_step(
        content.stored(),
        counters.stored().reshape(-1).astype(np.int32, copy=False),
        inp.stored(),
        int(number_in(dim)),
        int(number_in(stride)),
        BufferMode(int(number_in(mode))),
        zero_of(content.spec),
    )
    out.store_raw(rows)
    out_content.store_raw(next_content)
    out_counters.store_raw(next_counters.reshape(out_counters.shape))


@KERNELS.kernel("SequenceIds")
def ids(out: Anywhere, lengths: Tensor, size: ShapeParam) -> None:
    """lengths [1, 1, b, M] -> ids [b, 1, 1, c]; a wrong length raises HtpError."""
    batch, _, _, positions = size.dims
    try:
        owners = sequence_ids(lengths.load().astype(np.int64).reshape(batch, -1), positions)
    except ValueError as error:
        raise fail("htp.SequenceIds", str(error), "no output and no state was changed") from error
    out.store(owners.reshape(out.shape))
