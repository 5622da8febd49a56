"""Attention: heads that share keys become a batch entry, which a native op broadcasts within.

MaskedSoftmax and RotaryEmbedding have no HTP op: element-wise ops and a Softmax compute the one;
slices, products and a sum the other.
"""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.value import DType, TensorSpec
from .builder import Builder, ConversionSet
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
        mask = _grouped_mask(builder, mask, batch, groups)
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


def _grouped_mask(builder: Builder, mask: SSAValue, batches: int, groups: int) -> SSAValue:
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


@CONVERSIONS.conversion("RotaryEmbedding")
def convert_rotary_embedding(op: GraphOp, builder: Builder) -> None:
    """Append x * cos + turned * sin."""
    x, cos, sin = builder.get_all(op.operands)
    spec = spec_of(x)
    turned = _turned(builder, x, bool(op.params()["interleaved"]))
    left = builder.op("ElementWiseMultiply", [x, cos], spec)
    right = builder.op("ElementWiseMultiply", [turned, sin], spec)
    builder.set(op.results[0], builder.op("ElementWiseAdd", [left, right], spec))


def _turned(builder: Builder, x: SSAValue, interleaved: bool) -> SSAValue:
    """Append the two parts of the last dim exchanged, the one that comes first times -1."""
    spec = spec_of(x)
    *front, width, depth = spec.shape
    half = depth // 2
    part = spec.with_shape((*front, width, half))
    bounds = ((0, depth, 2), (1, depth, 2)) if interleaved else ((0, half, 1), (half, depth, 1))
    whole = tuple(number for extent in (*front, width) for number in (0, extent, 1))
    first, second = (
        builder.op("StridedSlice", [x, builder.param("ranges", (*whole, *ends))], part)
        for ends in bounds
    )
    parts = [builder.op("ElementWiseNeg", [second], part), first]
    joined = spec
    if interleaved:
        column = spec.with_shape((*front, width * half, 1))
        parts = [builder.reshape(each, column) for each in parts]
        joined = spec.with_shape((*front, width * half, 2))
    out = builder.op("Concat", [builder.param("axis", 3), *parts], joined)
    return builder.reshape(out, spec) if interleaved else out


_LOWEST = -3.0e38


@CONVERSIONS.conversion("MaskedSoftmax")
def convert_masked_softmax(op: GraphOp, builder: Builder) -> None:
    """Append the decomposition; it computes in f32, as the op does for all of its dtypes."""
    stored = spec_of(op.results[0])
    data, mask = builder.get_all(op.operands)
    spec = stored.with_dtype(DType.Float32)
    widen, narrow = _CONVERSIONS.get(stored.dtype, ("Dequantize", "Quantize"))
    if widen:
        data = builder.op(widen, [data], spec)
    decompose = _DECOMPOSITIONS[str(op.params()["mode"])]
    out = decompose(builder, data, mask, spec)
    builder.set(op.results[0], builder.op(narrow, [out], stored) if narrow else out)


_CONVERSIONS = {DType.Float32: ("", ""), DType.Float16: ("Cast", "Cast")}
"""The ops that bring data to f32 and back, for the dtypes that are not quantised."""


def _uncompressed(builder: Builder, data: SSAValue, mask: SSAValue, spec: TensorSpec) -> SSAValue:
    batches, _, _, depth = spec.shape
    added = spec.with_shape((batches, 1, 1, depth))
    cast = builder.op("Cast", [mask], spec.with_shape((1, 1, batches, depth)))
    masked = builder.op("ElementWiseAdd", [data, builder.reshape(cast, added)], spec)
    return _softmax(builder, masked, spec)


def _compressed(builder: Builder, data: SSAValue, mask: SSAValue, spec: TensorSpec) -> SSAValue:
    """Position (w, c) counts where w and c belong to the same sequence."""
    batches, _, width, depth = spec.shape
    sequences = spec_of(mask).shape[-1]
    ids = TensorSpec((batches, 1, 1, depth), DType.Int32)
    keep = TensorSpec((batches, 1, width, depth), DType.Bool8)
    columns = builder.op("SequenceIds", [mask, builder.shape(ids.shape)], ids)
    rows = builder.reshape(columns, ids.with_shape((batches, 1, width, 1)))
    same = builder.op("ElementWiseEqual", [rows, columns], keep)
    past = builder.full((1, 1, 1, 1), sequences, DType.Int32)
    valid = builder.op("ElementWiseLess", [columns, past], keep.with_shape(ids.shape))
    kept = builder.op("ElementWiseAnd", [same, valid], keep)
    lowest = builder.full((1, 1, 1, 1), _LOWEST)
    masked = builder.op("ElementWiseSelect", [kept, data, lowest], spec)
    zero = builder.full((1, 1, 1, 1), 0)
    weights = _softmax(builder, masked, spec)
    return builder.op("ElementWiseSelect", [kept, weights, zero], spec)


def _softmax(builder: Builder, value: SSAValue, spec: TensorSpec) -> SSAValue:
    operands = [value, builder.param("axis", 3), builder.param("beta", 1.0)]
    return builder.op("Softmax", operands, spec)


_DECOMPOSITIONS = {"UNCOMPRESSED": _uncompressed, "COMPRESSED": _compressed}
