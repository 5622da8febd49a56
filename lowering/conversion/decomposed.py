"""Graph ops that have no HTP op: Adam, SoftmaxCrossEntropy and RoutedExperts.

Element-wise ops compute the first; a LogSoftmax, a choice and sums the second; TopK, Gather, MatMul
and a sum the third.
"""

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.experts import ACTIVATIONS, ROUTINGS
from ...dialects.qti_aisw.ops.losses import REDUCTIONS
from ...dialects.spec_of import spec_of
from ...dialects.value import RANK, DType, Shape, TensorSpec
from ...runtime.functions.training import rest
from ..rules.graph.param_order import shifted_axis
from .builder import Builder, ConversionSet

CONVERSIONS = ConversionSet()

_ONE = (1,) * RANK


class _ElementWise:
    """Appends element-wise ops in f32; a float represents a constant."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def op(self, name: str, *operands: SSAValue | float) -> SSAValue:
        """Append ElementWise`name` of operands that broadcast."""
        values = [
            self._builder.full(_ONE, each) if isinstance(each, float) else each for each in operands
        ]
        specs = [spec_of(value) for value in values]
        dims = np.broadcast_shapes(*(spec.shape for spec in specs))
        return self._builder.op(f"ElementWise{name}", values, specs[0].with_shape(dims))

    def mixed(self, old: SSAValue, new: SSAValue, share: float) -> SSAValue:
        """Append (1 - share) * old + share * new."""
        kept = self.op("Multiply", old, 1 - share)
        return self.op("Add", kept, self.op("Multiply", new, share))

    def correction(self, step: SSAValue, share: float) -> SSAValue:
        """Append 1 - (1 - share)^step, or 1 before the first step."""
        gone = self.op("Subtract", 1.0, self.op("Power", 1 - share, step))
        truth = TensorSpec(_ONE, DType.Bool8)
        zero, one = (self._builder.full(_ONE, number) for number in (0, 1))
        started = self._builder.op("ElementWiseGreater", [step, zero], truth)
        return self._builder.op("ElementWiseSelect", [started, gone, one], spec_of(gone))


@CONVERSIONS.conversion("Adam")
def convert_adam(op: GraphOp, builder: Builder) -> None:
    """Append the moments, and what they take away from the weights."""
    x, g, m, v, rate, step, *largest = (
        builder.cast(each, DType.Float32) for each in builder.get_all(op.operands)
    )
    do, params = _ElementWise(builder), op.params()
    reals = {name: value for name, value in params.items() if isinstance(value, float)}
    shares = [rest(reals[name]) for name in ("beta1", "beta2")]
    decay, epsilon = reals["weight_decay"], reals["epsilon"]
    if decay and params["decoupled"]:
        x = do.op("Multiply", x, do.op("Subtract", 1.0, do.op("Multiply", rate, decay)))
    elif decay:
        g = do.op("Add", g, do.op("Multiply", x, decay))
    m = do.mixed(m, g, shares[0])
    v = do.mixed(v, do.op("Multiply", g, g), shares[1])
    tops = [do.op("Maximum", each, v) for each in largest]
    first, second = (do.correction(step, share) for share in shares)
    root = do.op("SquareRoot", second)
    added = epsilon if params["epsilon_hat"] else do.op("Multiply", root, epsilon)
    below = do.op("Add", do.op("SquareRoot", *(tops or [v])), added)
    rate = do.op("Divide", do.op("Multiply", rate, root), first)
    x = do.op("Subtract", x, do.op("Multiply", rate, do.op("Divide", m, below)))
    for result, value in zip(op.results, (x, m, v, *tops), strict=True):
        builder.set(result, builder.cast(value, spec_of(result).dtype))


@CONVERSIONS.conversion("SoftmaxCrossEntropy")
def convert_softmax_cross_entropy(op: GraphOp, builder: Builder) -> None:
    """Append the losses as a sum over the axis, in which all but the target's terms are 0."""
    data, targets = builder.get_all(op.operands)
    axis = shifted_axis(op.int_param("axis"), spec_of(op.operands[0]).rank)
    stored = spec_of(data)
    data = builder.cast(data, DType.Float32)
    spec = spec_of(data)
    params = builder.param("axis", axis), builder.param("beta", 1.0)
    logs = builder.op("LogSoftmax", [data, *params], spec)
    rows = spec_of(targets).with_shape((*stored.shape[:axis], 1, *stored.shape[axis + 1 :]))
    targets = builder.reshape(targets, rows)
    number = builder.full(_ONE, op.int_param("ignored"), rows.dtype)
    counted = builder.op("ElementWiseNotEqual", [targets, number], rows.with_dtype(DType.Bool8))
    hot = _hot(builder, targets, counted, axis, stored.shape)
    terms = builder.op("ElementWiseSelect", [hot, logs, builder.zeros(_ONE)], spec)
    total = _sum(builder, terms, (axis,))
    losses = builder.op("ElementWiseNeg", [total], spec_of(total))
    out = _reduced(builder, losses, counted, REDUCTIONS[op.int_param("reduction")])
    builder.set(op.results[0], builder.cast(out, stored.dtype))


def _hot(
    builder: Builder, targets: SSAValue, counted: SSAValue, axis: int, shape: Shape
) -> SSAValue:
    """Append a truth value for each place of the data: it is the place of its row's target."""
    rows, truth = spec_of(targets), spec_of(counted)
    zero, count = (builder.full(_ONE, n, rows.dtype) for n in (0, shape[axis]))
    below = builder.op("ElementWiseLess", [targets, zero], truth)
    turned = builder.op("ElementWiseAdd", [targets, count], rows)
    places = builder.op("ElementWiseSelect", [below, turned, targets], rows)
    along = tuple(n if dim == axis else 1 for dim, n in enumerate(shape))
    counting = np.arange(shape[axis], dtype=rows.dtype.storage).reshape(along)
    numbers = builder.const(counting, rows.with_shape(along))
    hot = builder.op("ElementWiseEqual", [numbers, places], truth.with_shape(shape))
    return builder.op("ElementWiseAnd", [hot, counted], truth.with_shape(shape))


def _reduced(builder: Builder, losses: SSAValue, counted: SSAValue, reduction: str) -> SSAValue:
    """Append the sum of all losses, over the number of losses that count for a mean."""
    if reduction == "none":
        return losses
    total = _sum(builder, losses, range(RANK))
    if reduction == "sum":
        return total
    counts = builder.cast(counted, spec_of(losses).dtype)
    return builder.op(
        "ElementWiseDivide", [total, _sum(builder, counts, range(RANK))], spec_of(total)
    )


def _sum(builder: Builder, value: SSAValue, axes: tuple[int, ...] | range) -> SSAValue:
    """Append the sum along some dims, which stay with extent 1."""
    shape = tuple(1 if dim in axes else n for dim, n in enumerate(spec_of(value).shape))
    operands = [value, builder.param("axes", tuple(axes))]
    return builder.op("ReduceSum", operands, spec_of(value).with_shape(shape))


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
    out = _sum(builder, weighted, (1,))
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
        shares = [weights, _sum(builder, weights, (3,))]
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
