"""Attention: heads that share keys become a batch entry, which a native op broadcasts within."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from .builder import Builder
from .registry import ConversionSet
from .regular import convert_regular, inputs_first, params_in_order

CONVERSIONS = ConversionSet()


@CONVERSIONS.conversion("Attention")
def convert_attention(op: GraphOp, builder: Builder) -> None:
    """Append the native op; q[b, h, m, e] with k[b, g, n, e] goes as [b*g, h/g, m, e].

    Where all heads share one k, or none do, it goes as it is.
    """
    heads, groups = (spec_of(value).shape[1] for value in op.operands[:2])
    if groups in (1, heads):
        convert_regular(op, builder)
        return
    *tensors, mask = inputs_first(op, "Attention", builder)
    operands = [
        *(_grouped(builder, tensor, groups) for tensor in tensors),
        _grouped_mask(builder, mask, spec_of(op.operands[0]).shape[0], heads, groups),
        *(builder.param(*param) for param in params_in_order(op, "Attention", builder)),
    ]
    result = spec_of(op.results[0])
    _, _, rows, depth = result.shape
    grouped = result.with_shape((result.shape[0] * groups, heads // groups, rows, depth))
    builder.set(op.results[0], builder.op("Attention", operands, grouped))


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
