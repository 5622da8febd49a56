"""Attention. QNN has no op that covers it all: this one is the project's own.

Source of its meaning: ONNX operator Attention, opsets 23 to 25.
"""

from __future__ import annotations

from math import inf

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...checks import require, text
from ...value.kinds import Kind
from ...value.limits import ANY_KEY
from ...value.spec import TensorSpec
from ..base import GraphOp
from ..guards import broadcast_shapes, has_shape, same_dtype, tensor
from ..params import float_def, int_def


@irdl_op_definition
class AttentionOp(GraphOp):
    """Each query's mean of values, weighted by the Softmax of its scores for the keys.

    q[b, h, m, e], k[b, g, n, e] and v[b, g, n, d] -> [b, h, m, d]; h is a multiple of g, and h/g
    heads in a row share one of k and v. A score is the product of query and key times `scale`; if
    `softcap` is not 0 it becomes softcap * tanh(score / softcap); then the mask is added, which
    broadcasts to [b, h, m, n]. Query i attends to the keys i + `first` to i + `last`, all by
    default: `last` = 0 is causal attention, and with p keys of the past in front it is `last` = p.
    Keys whose mask is -infinity take no part; a query without keys gives 0. f16 is computed in f32
    and rounded once. The op is the project's own: QNN has none that covers it.

    Constraints: (C1) q, k, v and mask are f32 or f16, all of one dtype, q, k and v of rank 4;
    (C2) k has q's batch and depth, and a number of heads that divides q's; (C3) v has k's batch,
    heads and keys; (C4) the mask broadcasts to the scores; (C5) `softcap` is >= 0, `scale` finite,
    `first` and `last` are from -2^30 to 2^30, which leave the keys unbounded.

    Example: `%y = qti_aisw.Attention(%q, %k, %v, mask = %m) {scale = 0.25 : f32, last = 0 : i64} :
    (tensor<1x8x32x16xf32>, tensor<1x2x32x16xf32>, tensor<1x2x32x16xf32>, tensor<32x32xf32>)
    -> tensor<1x8x32x16xf32>`
    """

    name = "qti_aisw.Attention"

    q = operand_def()
    k = operand_def()
    v = operand_def()
    mask = opt_operand_def()
    scale = float_def(1.0)
    softcap = float_def(0.0)
    first = int_def(-ANY_KEY)
    last = int_def(ANY_KEY)
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        q, k, v = (
            tensor(self, name, value, Kind.FLOAT, rank=4, rule="(C1) ")
            for name, value in (("q", self.q), ("k", self.k), ("v", self.v))
        )
        batch, heads, rows, depth = q.shape
        _, groups, keys, _ = k.shape
        for name, spec in (("k", k), ("v", v)):
            same_dtype(self, name, spec, "q", q, rule="(C1) ")
        has_shape(self, "k", k, (batch, groups, keys, depth), rule="(C2) ")
        message = f"(C2) operand 'k' has {groups} heads, 'q' has {heads}; the first must divide"
        require(groups > 0 and heads % groups == 0, self, f"{message} the second")
        has_shape(self, "v", v, (batch, groups, keys, v.shape[3]), rule="(C3) ")
        if self.mask is not None:
            mask = tensor(self, "mask", self.mask, Kind.FLOAT, rule="(C1) ")
            same_dtype(self, "mask", mask, "q", q, rule="(C1) ")
            scores = (batch, heads, rows, keys)
            message = f"(C4) operand 'mask' {text(mask.shape)} does not broadcast to the scores"
            fits = broadcast_shapes(self, mask.shape, scores) == scores
            require(fits, self, f"{message} {text(scores)}")
        self._check_params()
        return (q.with_shape((batch, heads, rows, v.shape[3])),)

    def _check_params(self) -> None:
        softcap, scale = self.softcap.value.data, self.scale.value.data
        require(0 <= softcap < inf, self, f"(C5) param 'softcap' is {softcap:g}, it must be >= 0")
        require(-inf < scale < inf, self, f"(C5) param 'scale' is {scale:g}, it must be finite")
        for name, param in (("first", self.first), ("last", self.last)):
            shown = f"(C5) param '{name}' is {param.value.data}"
            require(abs(param.value.data) <= ANY_KEY, self, f"{shown}, at most 2^30 is taken")


OPS: tuple[type[GraphOp], ...] = (AttentionOp,)
