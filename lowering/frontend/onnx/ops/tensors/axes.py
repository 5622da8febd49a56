"""Steps along one axis: the data as [before, axis, behind], which any rank can be."""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ...support.context import NodeContext


def product(ctx: NodeContext, x: SSAValue, axis: int, matrix: NDArray[np.floating]) -> SSAValue:
    """Return the data with one axis multiplied by a constant matrix [after, before]."""
    shape = ctx.shape(x)
    before, behind = prod(shape[:axis]), prod(shape[axis + 1 :])
    constant = ctx.const(np.asarray(matrix, ctx.dtype(x).storage))
    if behind == 1:
        rows = ctx.reshape(x, (before, shape[axis]))
        result = ctx.emit("MatMul", rows, constant, transpose_in1=True)
    else:
        result = ctx.emit("MatMul", constant, ctx.reshape(x, (before, shape[axis], behind)))
    return ctx.reshape(result, (*shape[:axis], len(matrix), *shape[axis + 1 :]))


def largest(ctx: NodeContext, x: SSAValue, axis: int, taps: NDArray[np.int32]) -> SSAValue:
    """Return the data with each element of one axis the largest of `taps`, which is [after, n]."""
    shape = ctx.shape(x)
    rows = ctx.reshape(x, (prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])))
    gathered = ctx.emit("Gather", rows, ctx.const(taps), axis=1)
    result = ctx.emit("ReduceMax", gathered, axes=(2,), keep_dims=False)
    return ctx.reshape(result, (*shape[:axis], len(taps), *shape[axis + 1 :]))
