"""Attention."""

from ...value import Kind
from ..access import access
from ..base import NativeOp
from ..fields import param_def, tensor_def


class AttentionOp(NativeOp):
    """Each query's mean of values, weighted by the Softmax of its scores for the keys.

    q [b, h, m, e], k [b, h, n, e], v [b, h, n, d], mask [b, h, m, n] -> [b, h, m, d]; dims of k and
    v before the last two, and all of the mask, may be 1. scale and softcap are numbers, first and
    last integers: query i attends to the keys i + first to i + last. See qti_aisw.Attention.

    Constraints: (C1) the tensors have the dims above; (C2) they are f32 or f16, all of one dtype.

    Example: `%r = htp.Attention(%q, %k, %v, %mask, %scale, %softcap, %first, %last) :
    (tensor<1x8x32x16xf32>, tensor<1x8x64x16xf32>, tensor<1x8x64x16xf32>, tensor<1x1x32x64xf32>,
    tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>)
    -> tensor<1x8x32x16xf32>`
    """

    name = "htp.Attention"
    ACCESS = access(
        "q[b, h, w, e], k[b?, h?, n, e], v[b?, h?, n, d], mask[b?, h?, w?, n?]",
        counted={"first": "w", "last": "w"},
    )

    q = tensor_def(Kind.FLOAT)
    k = tensor_def(like="q")
    v = tensor_def(like="q")
    mask = tensor_def(like="q")
    scale = param_def(1)
    softcap = param_def(1)
    first = param_def(1, least=-(2**31), most=2**31 - 1)
    last = param_def(1, least=-(2**31), most=2**31 - 1)


OPS: tuple[type[NativeOp], ...] = (AttentionOp,)
