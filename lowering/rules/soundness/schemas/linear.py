"""Schemas of matrix products, normalisations, softmax and reductions."""

from __future__ import annotations

from fractions import Fraction

from xdsl.ir import Operation

from .....dialects.htp.ops import linear, norm, reduce
from .....dialects.value.dtypes import DType
from .....dialects.value.layout import RANK
from ..sketch import Site, Sketch
from .common import FACTORS, Schema, axes, axis, ints, kind_of, numbers, product, real, row
from .elementwise import bounds

_EPSILON = Fraction(1, 1000)


def fully_connected(sketch: Sketch, site: Site) -> None:
    """Rows of data times rows of weights, plus a bias."""
    data, weights, bias = site.slot("in"), site.slot("weights"), site.slot("bias")
    result = site.results[0]
    for slot in (data, weights, result):
        sketch.dtype_in(slot, *FACTORS)
        sketch.same_dtype(data, slot)
    for dim in range(RANK - 1):
        result.dims[dim].join(data.dims[dim])
    sketch.dims_are(weights, (1, 1, result.dims[3], data.dims[3]))
    row(sketch, bias, result.dims[3])
    kind_of(sketch, bias, data)
    if "min" in site.names:
        bounds(sketch, site)


def matmul(sketch: Sketch, site: Site) -> None:
    """Matrices in the last two dims, each transposed or not; leading dims broadcast."""
    left, right, result = site.slot("in0"), site.slot("in1"), site.results[0]
    for slot in (left, right, result):
        sketch.dtype_in(slot, *FACTORS)
        sketch.same_dtype(left, slot)
    turned = [sketch.choices.chance(50) for _ in range(2)]
    for name, flag in zip(("transpose_in0", "transpose_in1"), turned, strict=True):
        ints(sketch, site.slot(name), int(flag))
    rows, inner = (left.dims[3], left.dims[2]) if turned[0] else (left.dims[2], left.dims[3])
    same, columns = (right.dims[3], right.dims[2]) if turned[1] else (right.dims[2], right.dims[3])
    inner.join(same)
    rows.join(result.dims[2])
    columns.join(result.dims[3])
    for dim in (0, 1):
        single = sketch.choices.below(4)
        for place, slot in enumerate((left, right), start=1):
            if single == place:
                slot.dims[dim].narrow(1, 1)
            else:
                slot.dims[dim].join(result.dims[dim])


def softmax(sketch: Sketch, site: Site) -> None:
    """Along an axis, with a factor."""
    _pointwise(sketch, site)
    axis(sketch, site.slot("axis"))
    real(sketch, site.slot("beta"), sketch.number(1, 8))


def normalisation(sketch: Sketch, site: Site) -> None:
    """Over axes, scaled and shifted by one number for each position within them."""
    _pointwise(sketch, site)
    data = site.slot("in")
    chosen = axes(sketch, site.slot("axes"))
    real(sketch, site.slot("epsilon"), sketch.number(1, 100), _EPSILON)
    for name in ("gamma", "beta"):
        count = sketch.number(1)
        row(sketch, site.slot(name), count)
        kind_of(sketch, site.slot(name), data)
        if len(chosen) == 1:
            count.join(data.dims[chosen[0]])
        else:
            product(sketch, count, *(data.dims[dim] for dim in chosen))


def batch_norm(sketch: Sketch, site: Site) -> None:
    """A factor and an offset for each channel."""
    _pointwise(sketch, site)
    for name in ("weights", "bias"):
        row(sketch, site.slot(name), site.slot("in").dims[3])
        kind_of(sketch, site.slot(name), site.slot("in"))


def reduction(sketch: Sketch, site: Site) -> None:
    """The axes have size 1 in the result."""
    data, result = site.slot("in"), site.results[0]
    numbers(sketch, data, result)
    chosen = axes(sketch, site.slot("axes"))
    for dim in range(RANK):
        if dim in chosen:
            result.dims[dim].narrow(1, 1)
        else:
            result.dims[dim].join(data.dims[dim])


def index_of(sketch: Sketch, site: Site) -> None:
    """The axis has size 1 in the result, which is Int32."""
    data, result = site.slot("in"), site.results[0]
    chosen = axis(sketch, site.slot("axis"))
    sketch.dtype_in(result, DType.Int32)
    sketch.dims_are(result, (1 if dim == chosen else data.dims[dim] for dim in range(RANK)))


def _pointwise(sketch: Sketch, site: Site) -> None:
    data, result = site.slot("in"), site.results[0]
    numbers(sketch, data, result)
    sketch.same_dims(data, result)


SCHEMAS: dict[type[Operation], Schema] = {
    linear.FullyConnectedOp: fully_connected,
    linear.MatMulOp: matmul,
    norm.SoftmaxFamilyOp: softmax,
    norm.NormOp: normalisation,
    norm.BatchnormOp: batch_norm,
    reduce.ReduceOp: reduction,
    reduce.ArgOp: index_of,
}
