"""Schemas of matrix products, normalisations, softmax and reductions."""

from __future__ import annotations

from fractions import Fraction

from xdsl.ir import Operation

from .....dialects.htp.ops import linear, norm, reduce
from .....dialects.value.dtypes import DType
from .....dialects.value.layout import RANK
from ..template import GraphTemplate, OpTemplate
from .common import FACTORS, Schema, axes, axis, ints, kind_of, numbers, product, real, row
from .elementwise import bounds

_EPSILON = Fraction(1, 1000)


def fully_connected(template: GraphTemplate, op: OpTemplate) -> None:
    """Rows of data times rows of weights, plus a bias."""
    data, weights, bias = op.slot("in"), op.slot("weights"), op.slot("bias")
    result = op.results[0]
    for slot in (data, weights, result):
        template.dtype_in(slot, *FACTORS)
        template.same_dtype(data, slot)
    for dim in range(RANK - 1):
        result.dims[dim].join(data.dims[dim])
    template.dims_are(weights, (1, 1, result.dims[3], data.dims[3]))
    row(template, bias, result.dims[3])
    kind_of(template, bias, data)
    if "min" in op.names:
        bounds(template, op)


def matmul(template: GraphTemplate, op: OpTemplate) -> None:
    """Matrices in the last two dims, each transposed or not; leading dims broadcast."""
    left, right, result = op.slot("in0"), op.slot("in1"), op.results[0]
    for slot in (left, right, result):
        template.dtype_in(slot, *FACTORS)
        template.same_dtype(left, slot)
    turned = [template.choices.chance(50) for _ in range(2)]
    for name, flag in zip(("transpose_in0", "transpose_in1"), turned, strict=True):
        ints(template, op.slot(name), int(flag))
    rows, inner = (left.dims[3], left.dims[2]) if turned[0] else (left.dims[2], left.dims[3])
    same, columns = (right.dims[3], right.dims[2]) if turned[1] else (right.dims[2], right.dims[3])
    inner.join(same)
    rows.join(result.dims[2])
    columns.join(result.dims[3])
    for dim in (0, 1):
        single = template.choices.below(4)
        for place, slot in enumerate((left, right), start=1):
            if single == place:
                slot.dims[dim].narrow(1, 1)
            else:
                slot.dims[dim].join(result.dims[dim])


def softmax(template: GraphTemplate, op: OpTemplate) -> None:
    """Along an axis, with a factor."""
    _pointwise(template, op)
    axis(template, op.slot("axis"))
    real(template, op.slot("beta"), template.number(1, 8))


def normalisation(template: GraphTemplate, op: OpTemplate) -> None:
    """Over axes, scaled and shifted by one number for each position within them."""
    _pointwise(template, op)
    data = op.slot("in")
    chosen = axes(template, op.slot("axes"))
    real(template, op.slot("epsilon"), template.number(1, 100), _EPSILON)
    for name in ("gamma", "beta"):
        count = template.number(1)
        row(template, op.slot(name), count)
        kind_of(template, op.slot(name), data)
        if len(chosen) == 1:
            count.join(data.dims[chosen[0]])
        else:
            product(template, count, *(data.dims[dim] for dim in chosen))


def batch_norm(template: GraphTemplate, op: OpTemplate) -> None:
    """A factor and an offset for each channel."""
    _pointwise(template, op)
    for name in ("weights", "bias"):
        row(template, op.slot(name), op.slot("in").dims[3])
        kind_of(template, op.slot(name), op.slot("in"))


def reduction(template: GraphTemplate, op: OpTemplate) -> None:
    """The axes have size 1 in the result."""
    data, result = op.slot("in"), op.results[0]
    numbers(template, data, result)
    chosen = axes(template, op.slot("axes"))
    for dim in range(RANK):
        if dim in chosen:
            result.dims[dim].narrow(1, 1)
        else:
            result.dims[dim].join(data.dims[dim])


def index_of(template: GraphTemplate, op: OpTemplate) -> None:
    """The axis has size 1 in the result, which is Int32."""
    data, result = op.slot("in"), op.results[0]
    chosen = axis(template, op.slot("axis"))
    template.dtype_in(result, DType.Int32)
    template.dims_are(result, (1 if dim == chosen else data.dims[dim] for dim in range(RANK)))


def _pointwise(template: GraphTemplate, op: OpTemplate) -> None:
    data, result = op.slot("in"), op.results[0]
    numbers(template, data, result)
    template.same_dims(data, result)


SCHEMAS: dict[type[Operation], Schema] = {
    linear.FullyConnectedOp: fully_connected,
    linear.MatMulOp: matmul,
    norm.SoftmaxFamilyOp: softmax,
    norm.NormOp: normalisation,
    norm.BatchnormOp: batch_norm,
    reduce.ReduceOp: reduction,
    reduce.ArgOp: index_of,
}
