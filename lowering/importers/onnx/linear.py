"""Gemm and MatMul."""

from __future__ import annotations

import numpy as np

from ..graph.emitter import stored_constant
from ..graph.value import Value
from ..support.context import NodeContext
from ..support.faults import require
from ..support.registry import ImporterSet
from .tensors.casts import real_of

ONNX = ImporterSet(keeps_stored=False)


@ONNX.importer("Gemm")
def gemm(
    a: Value,
    b: Value,
    c: Value | None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: bool = False,
    transB: bool = False,
) -> Value:
    """Gemm: FullyConnected where B is constant, else MatMul; alpha and beta go into constants.

    Of integers it is a MatMul, whose fractions by alpha and beta are cut off at the end.
    """
    stored = stored_constant(b.ssa) if alpha == 1.0 else None
    if (b.array is None and stored is None) or a.dtype.is_integer:
        product = a.op("MatMul", b, transpose_in0=transA, transpose_in1=transB)
        if not (alpha.is_integer() and beta.is_integer()):
            product = product.cast(real_of(a.dtype))
        return _plus(_scaled(product, alpha), c, beta).cast(a.dtype)
    rows = b if transB else b.transpose(1, 0)
    return _fully_connected(a.transpose(1, 0) if transA else a, rows, c, alpha, beta)


def _fully_connected(x: Value, weights: Value, c: Value | None, alpha: float, beta: float) -> Value:
    if weights.array is not None and alpha != 1.0:
        weights = weights.like(weights.array * alpha)
    bias, count = None if c is None else c.array, weights.shape[0]
    if bias is not None and bias.size in (1, count) and bias.shape[:-1] in ((), (1,)):
        vector = np.broadcast_to(bias.reshape(-1) * beta, (count,)).astype(bias.dtype)
        return x.op("FullyConnected", weights, x.const(vector))
    return _plus(x.op("FullyConnected", weights, None), c, beta)


def _scaled(value: Value, factor: float) -> Value:
    return value if factor == 1.0 else value * factor


def _plus(product: Value, c: Value | None, beta: float) -> Value:
    """product + beta * C, where there is a C."""
    if c is None or beta == 0.0:
        return product
    return product + _scaled(c.cast(product.dtype), beta)


@ONNX.importer("MatMul", folds=True)
def matmul(ctx: NodeContext, a: Value, b: Value) -> Value:
    """MatMul; an operand of rank 1 gets a dim, which the result loses again."""
    require(bool(a.rank and b.rank), "an operand has rank 0", "use Mul")
    a = a.reshape(1, *a.shape) if a.rank == 1 else a
    b = b.reshape(*b.shape, 1) if b.rank == 1 else b
    return (a @ b).reshape(*ctx.out().shape)
