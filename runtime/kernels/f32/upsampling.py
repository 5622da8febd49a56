"""Transposed convolutions whose windows do not overlap, for f32 in croutons or flat.

Each pixel times the weights is a block of the result, so a few rows of the input at a time are
one matrix product, whose result is laid out anew on the way to its place.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...kernel.kernel import BoundCall, Call, Cost
from ...tensors.tensor_classes import PlainFloatTensor
from ...tensors.tensors import ShapeParam
from ..support.bands import CACHE
from ..support.calls import Floats, in_order, lasting, scratch, spans
from ..support.classes import F32, Weights
from ..support.families import RealKernels
from ..support.hoisting import hoisted

KERNELS = RealKernels()


@KERNELS.kernel("TransposeConvLayer_valid", cost=Cost.FAST)
def layer(
    out: F32, act: F32, weights: Weights, stride: ShapeParam, bias: PlainFloatTensor
) -> BoundCall:
    tall, wide, depth, filters = weights.shape
    batches, height, width, _ = act.shape
    pixels, result = scratch(*act.shape), scratch(*out.shape)
    matrix: Floats = lasting(depth, tall, wide, filters)
    row: Floats = lasting(wide, filters)
    calls: list[Call] = [
        *hoisted([weights], [partial(np.copyto, matrix, weights.array.transpose(2, 0, 1, 3))]),
        *hoisted([bias], [partial(np.copyto, row, bias.array[0, 0])]),
        act.unpacker(pixels),
    ]
    lines = pixels.reshape(batches * height, width, depth)
    blocks = result.reshape(batches * height, tall, width, wide, filters)
    size = max(1, CACHE // max(1, width * matrix[0].size))
    products = scratch(size, width, tall, wide, filters)
    for part in spans(len(lines), size):
        source, target = lines[part], products[: len(lines[part])]
        flat = target.reshape(-1, matrix[0].size)
        calls += [
            partial(np.matmul, source.reshape(-1, depth), matrix.reshape(depth, -1), out=flat),
            partial(np.add, target.transpose(0, 2, 1, 3, 4), row, out=blocks[part]),
        ]
    return in_order([*calls, out.packer(result)])
