"""RoutedExperts has no HTP op: it is decomposed into TopK, Gather, MatMul and a sum."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.experts import ACTIVATIONS, ROUTINGS
from ...dialects.spec_of import spec_of
from ...dialects.value.dtypes import DType
from .builder import Builder
from .registry import ConversionSet

CONVERSIONS = ConversionSet()


@CONVERSIONS.conversion("RoutedExperts")
def convert_routed_experts(op: GraphOp, builder: Builder) -> None:
    """Append the products of the chosen experts alone, and the sum of their results."""
    data, scores, up, down, *gate = builder.get_all(op.operands)
    data, scores = (builder.cast(value, DType.Float32) for value in (data, scores))
    routing = ROUTINGS[op.int_param("routing")]
    weights, experts = _routed(builder, scores, op.int_param("k"), routing)
    spec = spec_of(data)
    _, _, rows, depth = spec.shape
    row = builder.reshape(data, spec.with_shape((rows, 1, 1, depth)))
    first, *rest = (_product(builder, row, stack, experts) for stack in (*gate, up))
    name = ACTIVATIONS[op.int_param("activation")]
    params = [builder.param("alpha", 1.0)] if name == "Swish" else []
    inner = builder.op(name, [first, *params], spec_of(first))
    for factor in rest:
        inner = builder.op("ElementWiseMultiply", [inner, factor], spec_of(inner))
    results = _product(builder, inner, down, experts)
    column = builder.reshape(weights, spec.with_shape((rows, op.int_param("k"), 1, 1)))
    weighted = builder.op("ElementWiseMultiply", [results, column], spec_of(results))
    out = _sum(builder, weighted, 1)
    builder.set(op.results[0], builder.cast(out, spec_of(op.results[0]).dtype))


def _routed(builder: Builder, scores: SSAValue, k: int, routing: str) -> tuple[SSAValue, SSAValue]:
    """Append the weights and the numbers of each row's experts, [1, 1, t, k] both."""
    if routing != "chosen":
        scores = _softmax(builder, scores)
    chosen = spec_of(scores).with_shape((*spec_of(scores).shape[:-1], k))
    operands = [scores, builder.param("k", k), builder.param("largest", True)]
    weights, experts = builder.multi("TopK", operands, chosen, chosen.with_dtype(DType.Int32))
    if routing == "chosen":
        weights = _softmax(builder, weights)
    if routing == "shared":
        shares = [weights, _sum(builder, weights, 3)]
        weights = builder.op("ElementWiseDivide", shares, chosen)
    return weights, experts


def _softmax(builder: Builder, value: SSAValue) -> SSAValue:
    operands = [value, builder.param("axis", 3), builder.param("beta", 1.0)]
    return builder.op("Softmax", operands, spec_of(value))


def _product(builder: Builder, rows: SSAValue, stack: SSAValue, experts: SSAValue) -> SSAValue:
    """Append rows[t, k or 1, 1, d] times stack[1, e, d, f] of the experts[1, 1, t, k]."""
    numbers, spec = spec_of(experts), spec_of(stack)
    _, _, count, k = numbers.shape
    _, _, depth, width = spec.shape
    flat = builder.reshape(experts, numbers.with_shape((1, 1, 1, count * k)))
    taken = spec.with_shape((1, count * k, depth, width))
    gathered = builder.op("Gather", [stack, flat, builder.param("axis", 1)], taken)
    weights = builder.reshape(gathered, spec.with_shape((count, k, depth, width)))
    weights = builder.cast(weights, DType.Float32)
    turned = [builder.param(f"transpose_in{index}", False) for index in (0, 1)]
    return builder.op(
        "MatMul", [rows, weights, *turned], spec_of(weights).with_shape((count, k, 1, width))
    )


def _sum(builder: Builder, value: SSAValue, axis: int) -> SSAValue:
    """Append the sum along one dim."""
    shape = tuple(1 if dim == axis else n for dim, n in enumerate(spec_of(value).shape))
    operands = [value, builder.param("axes", (axis,))]
    return builder.op("ReduceSum", operands, spec_of(value).with_shape(shape))
