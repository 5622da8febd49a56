"""Attention: heads that share keys become a batch entry, which a native op broadcasts within."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from .builder import Builder
from .registry import ConversionSet
from .regular import inputs_first, params_in_order

CONVERSIONS = ConversionSet()


@CONVERSIONS.conversion("Attention")
def convert_attention(op: GraphOp, builder: Builder) -> None:
    """Append the native op."""
    q, k, v, mask = inputs_first(op, "Attention", builder)
    _attend(op, builder, (q, k, v), mask)


@CONVERSIONS.conversion("PagedAttention")
def convert_paged_attention(op: GraphOp, builder: Builder) -> None:
    """Append a Gather of the pages, and the native op Attention."""
    q, keys, values, table, mask = inputs_first(op, "PagedAttention", builder)
    k, v = (_sequences(builder, pages, table) for pages in (keys, values))
    _attend(op, builder, (q, k, v), mask)


def _sequences(builder: Builder, pages: SSAValue, table: SSAValue) -> SSAValue:
    """Append pages[p, s, g, e] in the order of table[1, 1, b, t] as [b, g, t*s, e]."""
    numbers, spec = spec_of(table), spec_of(pages)
    _, size, heads, depth = spec.shape
    _, _, batch, count = numbers.shape
    flat = builder.reshape(table, numbers.with_shape((1, 1, 1, numbers.elements)))
    taken = spec.with_shape((numbers.elements, size, heads, depth))
    gathered = builder.op("Gather", [pages, flat, builder.param("axis", 0)], taken)
    rows = builder.reshape(gathered, spec.with_shape((batch, count * size, heads, depth)))
    turned = spec.with_shape((batch, heads, count * size, depth))
    return builder.op("Transpose", [rows, builder.param("perm", (0, 2, 1, 3))], turned)


def _attend(op: GraphOp, builder: Builder, qkv: Sequence[SSAValue], mask: SSAValue) -> None:
    """Append the native op; q[b, h, m, e] with k[b, g, n, e] goes as [b*g, h/g, m, e].

    Where all heads share one k, or none do, it goes unchanged.
    """
    (batch, heads, rows, _), (_, groups, *_) = (spec_of(value).shape for value in qkv[:2])
    result = spec_of(op.results[0])
    if groups not in (1, heads):
        qkv = [_grouped(builder, tensor, groups) for tensor in qkv]
        mask = _grouped_mask(builder, mask, batch, heads, groups)
        shape = batch * groups, heads // groups, rows, result.shape[-1]
        result = result.with_shape(shape)
    params = [builder.param(*param) for param in params_in_order(op, "Attention", builder)]
    builder.set(op.results[0], builder.op("Attention", [*qkv, mask, *params], result))


def _grouped(builder: Builder, value: SSAValue, groups: int) -> SSAValue:
    """Take the groups of heads, dim 1, to the batch."""
    spec = spec_of(value)
    batch, heads, rows, depth = spec.shape
    shape = (batch * groups, heads // groups, rows, depth)
    return builder.reshape(value, spec.with_shape(shape))


def _grouped_mask(
    builder: Builder, mask: SSAValue, batches: int, heads: int, groups: int
) -> SSAValue:
    """Do the same with a mask, which is repeated where it broadcasts along one of the two dims."""
    batch, own, *_ = spec_of(mask).shape
    if batch == own == 1:
        return mask
    times = (batches // batch, groups if own == 1 else 1, 1, 1)
    spec = spec_of(mask)
    repeated = spec.with_shape(tuple(n * m for n, m in zip(spec.shape, times, strict=True)))
    if repeated != spec:
        mask = builder.op("Tile", [mask, builder.param("multiples", times)], repeated)
    return _grouped(builder, mask, groups)
