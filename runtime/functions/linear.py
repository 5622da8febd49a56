"""Matrix products. Source: QNN op definitions FullyConnected and MatMul.

f16 is accumulated in f32; integers narrower than 32 bits give int32, wider ones wrap.
"""

import numpy as np

from .support.arrays import Array, accumulator, narrow, product_dtype


@np.errstate(all="ignore")
def fully_connected(x: Array, weights: Array, bias: Array | None) -> Array:
    """x[..., m] with weights[1..., n, m] and bias[n] -> [..., n]."""
    kind = accumulator(x.dtype)
    matrix = weights.reshape(weights.shape[-2:]).astype(kind, copy=False)
    total = np.matmul(x.astype(kind, copy=False), matrix.T)
    if bias is not None:
        total = np.add(total, bias.astype(kind, copy=False))
    return narrow(total, product_dtype(x.dtype))


@np.errstate(all="ignore")
def matmul(a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    """a[..., m, k] times b[..., k, n] -> [..., m, n]; the leading axes broadcast."""
    kind = accumulator(a.dtype)
    left = a.swapaxes(-1, -2) if transpose_a else a
    right = b.swapaxes(-1, -2) if transpose_b else b
    total = np.matmul(left.astype(kind, copy=False), right.astype(kind, copy=False))
    return narrow(total, product_dtype(a.dtype))
