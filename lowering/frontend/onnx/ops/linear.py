"""Gemm and MatMul."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.dense import Array
from .....dialects.qti_aisw.ops.const import ConstOp
from ...graph.emitter import stored_constant
from ..support.context import NodeContext
from ..support.registry import ImporterSet
from .tensors.casts import plain, real_of

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Gemm")
def gemm(ctx: NodeContext) -> list[SSAValue]:
    """Gemm: FullyConnected where B is constant, else MatMul; alpha and beta go into constants.

    Of integers it is a MatMul, whose fractions by alpha and beta are cut off at the end.
    """
    a, b = ctx.value(0), ctx.value(1)
    alpha, beta = ctx.real("alpha", 1.0), ctx.real("beta", 1.0)
    flip_a, flip_b = bool(ctx.integer("transA")), bool(ctx.integer("transB"))
    dtype, stored = ctx.dtype(a), stored_constant(b) if alpha == 1.0 else None
    if (_array(b) is None and stored is None) or dtype.is_integer:
        product = ctx.emit("MatMul", a, b, transpose_in0=flip_a, transpose_in1=flip_b)
        if not (alpha.is_integer() and beta.is_integer()):
            product = plain(ctx, product, real_of(dtype))
        return [plain(ctx, _plus(ctx, _scaled(ctx, product, alpha), beta), dtype)]
    rows = b if flip_b else ctx.transpose(b, (1, 0))
    return [_fully_connected(ctx, ctx.transpose(a, (1, 0)) if flip_a else a, rows, alpha, beta)]


def _fully_connected(
    ctx: NodeContext, x: SSAValue, weights: SSAValue, alpha: float, beta: float
) -> SSAValue:
    rows, (count, _) = _array(weights), ctx.shape(weights)
    if rows is not None and alpha != 1.0:
        weights = ctx.const((rows * alpha).astype(rows.dtype))
    c = ctx.optional(2)
    bias = None if c is None else _array(c)
    if bias is not None and bias.size in (1, count) and bias.shape[:-1] in ((), (1,)):
        vector = np.broadcast_to(bias.reshape(-1) * beta, (count,)).astype(bias.dtype)
        return ctx.emit("FullyConnected", x, weights, ctx.const(vector))
    return _plus(ctx, ctx.emit("FullyConnected", x, weights, None), beta)


def _array(value: SSAValue) -> Array | None:
    return value.owner.array if isinstance(value.owner, ConstOp) else None


def _scaled(ctx: NodeContext, value: SSAValue, factor: float) -> SSAValue:
    if factor == 1.0:
        return value
    return ctx.emit("ElementWiseMultiply", value, ctx.scalar(factor, value))


def _plus(ctx: NodeContext, product: SSAValue, beta: float) -> SSAValue:
    """product + beta * C, where there is a C."""
    c = ctx.optional(2)
    if c is None or beta == 0.0:
        return product
    summand = plain(ctx, c, ctx.dtype(product))
    return ctx.emit("ElementWiseAdd", product, _scaled(ctx, summand, beta))


@ONNX.importer("MatMul", folds=True)
def matmul(ctx: NodeContext) -> list[SSAValue]:
    """MatMul; an operand of rank 1 gets a dim, which the result loses again."""
    a, b = ctx.value(0), ctx.value(1)
    left, right = ctx.shape(a), ctx.shape(b)
    ctx.require(bool(left and right), "an operand has rank 0", "use Mul")
    if len(left) == 1:
        a = ctx.reshape(a, (1, *left))
    if len(right) == 1:
        b = ctx.reshape(b, (*right, 1))
    return [ctx.reshape(ctx.emit("MatMul", a, b), ctx.out().shape)]
