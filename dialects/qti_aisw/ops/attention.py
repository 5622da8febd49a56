"""Attention. QNN has no op that covers it all: this one is the project's own.

Source of its meaning: ONNX operator Attention, opsets 23 to 25.
"""

from math import inf

from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...spec_of import require, text
from ...value import Kind, TensorSpec
from ...value.limits import ANY_KEY
from ..base import GraphOp, float_def, int_def
from ..guards import broadcast_shapes, has_shape, same_dtype, tensor


class Attending(GraphOp):
    """The params of an attention, and the checks of what takes part in it."""

    scale = float_def(1.0)
    softcap = float_def(0.0)
    first = int_def(-ANY_KEY)
    last = int_def(ANY_KEY)

    def _check_heads(self, name: str, groups: int, heads: int) -> None:
        message = f"(C2) operand '{name}' has {groups} heads, 'q' has {heads}; the first must"
        require(groups > 0 and heads % groups == 0, self, f"{message} divide the second")

    def _check_mask(self, value: SSAValue | None, q: TensorSpec, keys: int) -> None:
        if value is None:
            return
        mask = tensor(self, "mask", value, Kind.FLOAT, rule="(C1) ")
        same_dtype(self, "mask", mask, "q", q, rule="(C1) ")
        scores = (*q.shape[:3], keys)
        message = f"(C4) operand 'mask' {text(mask.shape)} does not broadcast to the scores"
        fits = broadcast_shapes(self, mask.shape, scores) == scores
        require(fits, self, f"{message} {text(scores)}")

    def _check_params(self) -> None:
        softcap, scale = self.softcap.value.data, self.scale.value.data
        require(0 <= softcap < inf, self, f"(C5) param 'softcap' is {softcap:g}, it must be >= 0")
        require(-inf < scale < inf, self, f"(C5) param 'scale' is {scale:g}, it must be finite")
        for name, param in (("first", self.first), ("last", self.last)):
            shown = f"(C5) param '{name}' is {param.value.data}"
            require(abs(param.value.data) <= ANY_KEY, self, f"{shown}, at most 2^30 is taken")


@irdl_op_definition
class AttentionOp(Attending):
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
        self._check_heads("k", groups, heads)
        has_shape(self, "v", v, (batch, groups, keys, v.shape[3]), rule="(C3) ")
        self._check_mask(self.mask, q, keys)
        self._check_params()
        return (q.with_shape((batch, heads, rows, v.shape[3])),)


@irdl_op_definition
class PagedAttentionOp(Attending):
    """Attention to keys and values that are kept in pages, which a table names in order.

    q[b, h, m, e], keys[p, s, g, e], values[p, s, g, d] and table[b, t] -> [b, h, m, d]. The
    sequence of batch entry b is the pages table[b, 0] to table[b, t - 1], of s keys each; a
    negative number counts from the last page, and one that is not there fails the run. The rest is
    as in Attention, whose k and v have t * s keys: a mask of -infinity leaves out those behind a
    sequence that does not fill its pages. The op is the project's own: QNN has none.

    Constraints: (C1) q, keys, values and mask are f32 or f16, all of one dtype, q, keys and values
    of rank 4; (C2) keys have q's depth, and a number of heads that divides q's; (C3) values have
    the pages, the page size and the heads of keys; (C4) the mask broadcasts to the scores
    [b, h, m, t * s]; (C5) `softcap` is >= 0, `scale` finite, `first` and `last` are from -2^30 to
    2^30; (C6) the table is i32 or i64, of rank 2 with q's batch.

    Example: `%y = qti_aisw.PagedAttention(%q, %k, %v, %t) {scale = 0.25 : f32} :
    (tensor<2x8x1x16xf32>, tensor<32x4x2x16xf32>, tensor<32x4x2x16xf32>, tensor<2x3xi32>)
    -> tensor<2x8x1x16xf32>`
    """

    name = "qti_aisw.PagedAttention"

    q = operand_def()
    keys = operand_def()
    values = operand_def()
    table = operand_def()
    mask = opt_operand_def()
    out = result_def()

    traits = traits_def(Pure())

    def infer(self) -> tuple[TensorSpec, ...]:
        q, keys, values = (
            tensor(self, name, value, Kind.FLOAT, rank=4, rule="(C1) ")
            for name, value in (("q", self.q), ("keys", self.keys), ("values", self.values))
        )
        for name, spec in (("keys", keys), ("values", values)):
            same_dtype(self, name, spec, "q", q, rule="(C1) ")
        pages, size, groups, _ = keys.shape
        has_shape(self, "keys", keys, (pages, size, groups, q.shape[3]), rule="(C2) ")
        self._check_heads("keys", groups, q.shape[1])
        depth = values.shape[3]
        has_shape(self, "values", values, (pages, size, groups, depth), rule="(C3) ")
        table = tensor(self, "table", self.table, Kind.INDEX, rank=2, rule="(C6) ")
        has_shape(self, "table", table, (q.shape[0], table.shape[1]), rule="(C6) ")
        self._check_mask(self.mask, q, table.shape[1] * size)
        self._check_params()
        return (q.with_shape((*q.shape[:3], depth)),)


OPS: tuple[type[GraphOp], ...] = (AttentionOp, PagedAttentionOp)
