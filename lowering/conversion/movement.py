"""Conversions of ops whose native form is not their name and their params in order."""

from math import prod

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.value import RANK
from .builder import Builder, ConversionFault, ConversionSet, rank4
from .regular import native_result, params_in_order

CONVERSIONS = ConversionSet()


@CONVERSIONS.conversion("Reshape")
def convert_reshape(op: GraphOp, builder: Builder) -> None:
    """Reshape has no param: its result type says it all."""
    builder.set(op.results[0], builder.get(op.operands[0]))


@CONVERSIONS.conversion("Concat")
def convert_concat(op: GraphOp, builder: Builder) -> None:
    """Native Concat takes the axis first, then the parts."""
    ((name, axis),) = params_in_order(op, "Concat", builder)
    parts = builder.get_all(op.operands)
    joined = builder.op(
        "Concat", [builder.param(name, axis), *parts], rank4(spec_of(op.results[0]))
    )
    builder.set(op.results[0], joined)


@CONVERSIONS.conversion("Gather")
def convert_gather(op: GraphOp, builder: Builder) -> None:
    """Native Gather takes its indices in a row."""
    data, indices = builder.get_all(op.operands)
    ((name, axis),) = params_in_order(op, "Gather", builder)
    flat = spec_of(indices).with_shape((1, 1, 1, spec_of(indices).elements))
    operands = [data, builder.reshape(indices, flat), builder.param(name, axis)]
    builder.set(op.results[0], builder.op("Gather", operands, native_result(op, "Gather")))


@CONVERSIONS.conversion("ScatterNd")
def convert_scatter(op: GraphOp, builder: Builder) -> None:
    """Native ScatterNd takes tuples and rows as matrices, and the dim that the tuples begin at."""
    data, indices, updates = builder.get_all(op.operands)
    width, rank = spec_of(op.operands[1]).shape[-1], spec_of(op.operands[0]).rank
    if rank > RANK:
        problem = f"the data has rank {rank}, native tensors have rank {RANK}"
        raise ConversionFault(problem, "reshape to rank 4 in the model")
    count = spec_of(indices).elements // width
    row = prod(spec_of(op.operands[0]).shape[width:])
    operands = [
        data,
        builder.reshape(indices, spec_of(indices).with_shape((1, 1, count, width))),
        builder.reshape(updates, spec_of(updates).with_shape((1, 1, count, row))),
        builder.param("axis", RANK - rank),
        builder.param("reduction", op.int_param("reduction")),
    ]
    builder.set(op.results[0], builder.op("ScatterNd", operands, rank4(spec_of(op.results[0]))))


@CONVERSIONS.conversion("Split")
def convert_split(op: GraphOp, builder: Builder) -> None:
    """One Slice_shape per output: native ops of one output are what rules can match."""
    value, spec = builder.get(op.operands[0]), spec_of(op.operands[0])
    axis = op.int_param("axis") % spec.rank + RANK - spec.rank
    start = [0] * RANK
    for result in op.results:
        part = rank4(spec_of(result))
        operands = [value, builder.shape(start), builder.shape(part.shape)]
        builder.set(result, builder.op("Slice_shape", operands, part))
        start[axis] += part.shape[axis]


@CONVERSIONS.conversion("TopK", "NonMaxSuppression")
def convert_search(op: GraphOp, builder: Builder) -> None:
    """TopK, NonMaxSuppression: two results."""
    name = op.name.rpartition(".")[2]
    params = [builder.param(key, value) for key, value in params_in_order(op, name, builder)]
    specs = [rank4(spec_of(result)) for result in op.results]
    values = builder.multi(name, [*builder.get_all(op.operands), *params], *specs)
    for result, value in zip(op.results, values, strict=True):
        builder.set(result, value)


@CONVERSIONS.conversion("Cast", "BitCast", "Quantize", "Dequantize")
def convert_typed(op: GraphOp, builder: Builder) -> None:
    """Cast, BitCast, Quantize, Dequantize: the result's dtype is the whole param."""
    name = op.name.rpartition(".")[2]
    result = rank4(spec_of(op.results[0]))
    builder.set(op.results[0], builder.op(name, [builder.get(op.operands[0])], result))
