"""Small graphs that spell out an op in simpler ones, one or more for every rule that raises."""

from collections.abc import Callable
from functools import partial
from math import pi, sqrt

from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.dtypes import DType, Quant
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.graph import BOOL, F16, F32, I32, Graph

Spelling = Callable[[Graph, SSAValue], SSAValue]
_LAST = {"axes": (-1,), "keep_dims": True}


def spelt(spelling: Spelling, dims: tuple[int, ...] = (2, 3, 8)) -> ModuleOp:
    """The module of one spelling of an input."""
    graph = Graph()
    graph.give("y", spelling(graph, graph.input(*dims)))
    return graph.model().module


def times(graph: Graph, a: SSAValue, b: SSAValue | float) -> SSAValue:
    """a * b."""
    return graph.op("ElementWiseMultiply", a, graph.const(b, F32) if isinstance(b, float) else b)


def plus(graph: Graph, a: SSAValue, b: SSAValue | float) -> SSAValue:
    """a + b."""
    return graph.op("ElementWiseAdd", a, graph.const(b, F32) if isinstance(b, float) else b)


def over(graph: Graph, a: SSAValue, b: SSAValue | float) -> SSAValue:
    """a / b."""
    return graph.op("ElementWiseDivide", a, graph.const(b, F32) if isinstance(b, float) else b)


def square(graph: Graph, x: SSAValue) -> SSAValue:
    """x to the power of 2."""
    return graph.op("ElementWisePower", x, graph.const(2.0, F32))


def inverse_root(graph: Graph, x: SSAValue, divides: bool = False) -> SSAValue:
    """1 / sqrt(|x|)."""
    root = graph.op("ElementWiseSquareRoot", graph.op("ElementWiseAbs", x))
    if divides:
        return graph.op("ElementWiseDivide", graph.const(1.0, F32), root)
    return graph.op("ElementWiseReciprocal", root)


def softmax(graph: Graph, x: SSAValue, shifted: bool = True) -> SSAValue:
    """e to the power of x over its sum."""
    if shifted:
        x = graph.op("ElementWiseSubtract", x, graph.op("ReduceMax", x, **_LAST))
    powers = graph.op("ElementWiseExp", x)
    return over(graph, powers, graph.op("ReduceSum", powers, **_LAST))


def log_softmax(graph: Graph, x: SSAValue) -> SSAValue:
    """x below its maximum, minus the logarithm of the sum of powers."""
    x = graph.op("ElementWiseSubtract", x, graph.op("ReduceMax", x, **_LAST))
    total = graph.op("ReduceSum", graph.op("ElementWiseExp", x), **_LAST)
    return graph.op("ElementWiseSubtract", x, graph.op("ElementWiseLog", total))


def log_of_softmax(graph: Graph, x: SSAValue) -> SSAValue:
    """The logarithm of a Softmax."""
    return graph.op("ElementWiseLog", graph.op("Softmax", x))


def softmax_between_casts(graph: Graph, x: SSAValue) -> SSAValue:
    """A Softmax in f32 of f16 data."""
    wide = graph.op("Cast", graph.op("Cast", x, to=F16), to=F32)
    return graph.op("Cast", graph.op("Softmax", wide), to=F16)


def wide_and_back(graph: Graph, x: SSAValue) -> SSAValue:
    """f16 as f32 as f16."""
    narrow = graph.op("Cast", x, to=F16)
    return graph.op("Cast", graph.op("Cast", narrow, to=F32), to=F16)


def dims_put_back(graph: Graph, x: SSAValue, name: str) -> SSAValue:
    """A reduction that drops its axis, and a Reshape that has it again."""
    reduced = graph.op(name, x, axes=(1,), keep_dims=False)
    return graph.op("Reshape", reduced, shape=(2, 1, 8))


def dims_taken_out(graph: Graph, x: SSAValue, name: str) -> SSAValue:
    """A reduction that keeps its axis, and a Reshape that has it no longer."""
    return graph.op("Reshape", graph.op(name, x, axes=(1,), keep_dims=True), shape=(2, 8))


def own_shape(graph: Graph, x: SSAValue) -> SSAValue:
    """A Reshape that changes nothing."""
    return plus(graph, graph.op("Reshape", x, shape=(2, 3, 8)), 1.0)


def norm(graph: Graph, x: SSAValue, divides: bool, centre: str, factor: bool = False) -> SSAValue:
    """A norm: `centre` is the way to the squares, of an RmsNorm those of x itself.

    With a factor, that multiplies what is divided.
    """
    data, mean = x, x
    if centre != "none":
        mean = graph.op("ReduceMean", x, **_LAST)
        data = graph.op("ElementWiseSubtract", x, mean)
    squares = (
        graph.op("ElementWiseSquaredDifference", x, mean)
        if centre == "difference"
        else times(graph, data, data)
    )
    stable = plus(graph, graph.op("ReduceMean", squares, **_LAST), 1e-3)
    if factor:
        data = times(graph, graph.weights(8), data)
    if divides:
        return over(graph, data, graph.op("ElementWiseSquareRoot", stable))
    return times(graph, graph.op("ElementWiseRsqrt", stable), data)


def norm_between_casts(graph: Graph, x: SSAValue, name: str) -> SSAValue:
    """A norm in f32 of f16 data."""
    narrow = graph.op("Cast", x, to=F16)
    ones, zeros = graph.const([1.0] * 8, F32), graph.const([0.0] * 8, F32)
    normed = graph.op(name, graph.op("Cast", narrow, to=F32), ones, zeros, axes=(-1,))
    return graph.op("Cast", normed, to=F16)


def affine(graph: Graph, x: SSAValue, name: str, factor: bool) -> SSAValue:
    """A norm with factor 1 and summand 0, then a factor or a summand."""
    ones, zeros = graph.const([1.0] * 8), graph.const([0.0] * 8)
    normed = graph.op(name, x, ones, zeros, axes=(-1,))
    weights = graph.weights(8)
    return times(graph, normed, weights) if factor else plus(graph, weights, normed)


def gelu(graph: Graph, x: SSAValue, divides: bool, order: int) -> SSAValue:
    """x * 0.5 * (1 + erf(x / sqrt(2))), the factors in one of three orders."""
    inner = over(graph, x, sqrt(2)) if divides else times(graph, x, sqrt(0.5))
    return product(graph, x, 0.5, plus(graph, graph.op("ElementWiseErf", inner), 1.0), order)


def hard_swish(graph: Graph, x: SSAValue, order: int) -> SSAValue:
    """x * min(max(x + 3, 0), 6) / 6, the factors in one of three orders."""
    bounded = graph.op("ReluMinMax", plus(graph, x, 3.0), min_value=0.0, max_value=6.0)
    return product(graph, x, 1 / 6, bounded, order)


def hard_swish_over(graph: Graph, x: SSAValue, last: bool) -> SSAValue:
    """The same with a division, behind the product or in front of it."""
    bounded = graph.op("ReluMinMax", plus(graph, x, 3.0), min_value=0.0, max_value=6.0)
    if last:
        return over(graph, times(graph, bounded, x), 6.0)
    return times(graph, over(graph, bounded, 6.0), x)


def hard_swish_of_sixths(graph: Graph, x: SSAValue) -> SSAValue:
    """x times its HardSigmoid, as ONNX writes it before opset 14."""
    line = plus(graph, times(graph, x, 1 / 6), 0.5)
    return times(graph, x, graph.op("ReluMinMax", line, min_value=0.0, max_value=1.0))


def product(graph: Graph, x: SSAValue, number: float, last: SSAValue, order: int) -> SSAValue:
    """x * number * last in one of three orders."""
    if order == 0:
        return times(graph, last, times(graph, x, number))
    if order == 1:
        return times(graph, times(graph, x, last), number)
    return times(graph, times(graph, last, number), x)


def all_of_an_axis(graph: Graph, x: SSAValue) -> SSAValue:
    """A Gather of all rows in order."""
    return graph.op("Gather", x, graph.const([0, 1, 2], I32), axis=1)


def gelu_tanh(graph: Graph, x: SSAValue, order: int) -> SSAValue:
    """x * 0.5 * (1 + tanh(a polynomial)), the factors in one of three orders."""
    square = times(graph, x, x)
    inner = plus(graph, times(graph, times(graph, square, 0.044715), x), x)
    bend = graph.op("Tanh", times(graph, inner, sqrt(2 / pi)))
    return product(graph, x, 0.5, plus(graph, bend, 1.0), order)


def swish(graph: Graph, x: SSAValue, scaled: bool) -> SSAValue:
    """x times its sigmoid, or that of a multiple."""
    inner = times(graph, x, 1.702) if scaled else x
    return times(graph, graph.op("Sigmoid", inner), x)


def behind_transpose(graph: Graph, x: SSAValue, weights: SSAValue, flip: bool) -> SSAValue:
    """A product of x and weights behind a Transpose."""
    turned = graph.op("Transpose", weights, perm=(1, 0))
    return graph.op("MatMul", x, turned, transpose_in1=flip)


def biased_product(graph: Graph, x: SSAValue) -> SSAValue:
    """A product of stored weights and the sum with a bias behind it."""
    weights = graph.weights(6, spec_of(x).shape[-1], of=(DType.QInt8, Quant((0.01,), (0,))))
    product = graph.op("FullyConnected", x, weights)
    return graph.op("ElementWiseAdd", product, graph.weights(6))


def stored_behind_transpose(graph: Graph, x: SSAValue, flip: bool) -> SSAValue:
    """A product of x and dequantised weights behind a Transpose."""
    encoding = DType.QInt8, Quant((0.02,), (0,))
    dims = (8, 5) if flip else (5, 8)
    weights = graph.op("Dequantize", graph.weights(*dims, of=encoding))
    return behind_transpose(graph, x, weights, flip)


def coded_weights(graph: Graph, x: SSAValue, behind: bool, flip: bool) -> SSAValue:
    """A product of x and decoded weights."""
    straight = behind != flip
    rows, columns = (6, 8) if straight else (8, 6)
    stored = DType.UInt8
    codes, zeros = (graph.weights(*d, of=stored) for d in ((rows, columns // 2), (1, 1)))
    scales = graph.weights(*((rows, 2) if straight else (2, columns)))
    weights = graph.op("DecodeWeights", codes, graph.weights(16), scales, zeros)
    if behind:
        return behind_transpose(graph, x, weights, flip)
    return graph.op("MatMul", x, weights, transpose_in1=flip)


def stored_filter(graph: Graph, x: SSAValue, name: str, biased: bool) -> SSAValue:
    """A convolution of dequantised filters."""
    encoding = DType.QInt8, Quant((0.02,), (0,))
    image = graph.op("Reshape", x, shape=(1, 2, 3, 8))
    dims = (1, 1, 8, 5) if name == "Conv2d" else (1, 1, 1, 8)
    weights = graph.op("Dequantize", graph.weights(*dims, of=encoding))
    return graph.op(name, image, weights, *[graph.weights(dims[3])] * biased)


def known_choice(graph: Graph, x: SSAValue, first: bool) -> SSAValue:
    """A choice by a constant, of two things that differ."""
    known = graph.const(first, BOOL)
    return plus(graph, graph.op("ElementWiseSelect", known, x, times(graph, x, 2.0)), 1.0)


SPELT: dict[str, Spelling] = {
    "bias of a product": biased_product,
    **{
        f"stored weights behind a Transpose, {flip}": partial(stored_behind_transpose, flip=flip)
        for flip in (False, True)
    },
    **{
        f"coded weights, {behind}, {flip}": partial(coded_weights, behind=behind, flip=flip)
        for behind in (False, True)
        for flip in (False, True)
    },
    **{
        f"stored filter, {name}, {biased}": partial(stored_filter, name=name, biased=biased)
        for name in ("Conv2d", "DepthWiseConv2d")
        for biased in (False, True)
    },
    "all of an axis": all_of_an_axis,
    "square": square,
    "reciprocal of a root": inverse_root,
    "one over a root": partial(inverse_root, divides=True),
    "softmax": softmax,
    "softmax of x": partial(softmax, shifted=False),
    "log softmax": log_softmax,
    "log of softmax": log_of_softmax,
    "softmax between casts": softmax_between_casts,
    "wide and back": wide_and_back,
    **{
        f"dims put back behind {name}": partial(dims_put_back, name=name)
        for name in ("ReduceMean", "ReduceSum", "ReduceMax")
    },
    **{
        f"dims taken out behind {name}": partial(dims_taken_out, name=name)
        for name in ("ReduceMean", "ReduceSum", "ReduceMax")
    },
    "own shape": own_shape,
    **{
        f"norm, {centre}, divides {divides}": partial(norm, divides=divides, centre=centre)
        for centre in ("none", "product", "difference")
        for divides in (True, False)
    },
    **{
        f"norm, {centre}, factor inside": partial(norm, divides=True, centre=centre, factor=True)
        for centre in ("none", "product", "difference")
    },
    **{
        f"{name} between casts": partial(norm_between_casts, name=name)
        for name in ("LayerNorm", "RmsNorm")
    },
    **{
        f"{name}, factor {factor}": partial(affine, name=name, factor=factor)
        for name in ("LayerNorm", "RmsNorm")
        for factor in (True, False)
    },
    **{
        f"gelu {order}, divides {divides}": partial(gelu, divides=divides, order=order)
        for order in range(3)
        for divides in (True, False)
    },
    **{f"gelu of tanh {order}": partial(gelu_tanh, order=order) for order in range(3)},
    **{f"swish, scaled {word}": partial(swish, scaled=word) for word in (True, False)},
    **{f"hard swish {order}": partial(hard_swish, order=order) for order in range(3)},
    "hard swish, divided last": partial(hard_swish_over, last=True),
    "hard swish, divided first": partial(hard_swish_over, last=False),
    "hard swish of sixths": hard_swish_of_sixths,
    "choice of the first": partial(known_choice, first=True),
    "choice of the second": partial(known_choice, first=False),
}
"""The spellings by name."""


def softmax_of_integers(graph: Graph, x: SSAValue) -> SSAValue:
    """A softmax of scores and a mask of integers."""
    mask = graph.op("Cast", graph.input(2, 1, 1, 5, of=I32, low=-9, high=0), to=F32)
    return graph.op("Softmax", plus(graph, x, mask))


def softmax_of_flat_integers(graph: Graph, x: SSAValue) -> SSAValue:
    """A softmax of scores and a flat mask of integers, cast before it gets the scores' rank."""
    mask = graph.op("Cast", graph.input(2, 5, of=I32, low=-9, high=0), to=F32)
    return graph.op("Softmax", plus(graph, x, graph.op("Reshape", mask, shape=(2, 1, 1, 5))))


def softmax_of_kept(graph: Graph, x: SSAValue) -> SSAValue:
    """A softmax of scores, and -10000 where a column is not kept."""
    kept = graph.op("Cast", keep(graph), to=F32)
    mask = times(graph, graph.op("ElementWiseSubtract", graph.const(1.0, F32), kept), -1e4)
    return graph.op("Softmax", plus(graph, mask, x))


def softmax_of_difference(graph: Graph, x: SSAValue) -> SSAValue:
    """A softmax of scores from which 10000 is taken away where a column is kept."""
    taken = times(graph, graph.op("Cast", keep(graph), to=F32), 1e4)
    return graph.op("Softmax", graph.op("ElementWiseSubtract", x, taken))


def softmax_of_choice(graph: Graph, x: SSAValue, drops: bool) -> SSAValue:
    """A softmax of scores with a number in the place of some."""
    far = graph.const(-1e9, F32)
    scores = (far, x) if drops else (x, far)
    return graph.op("Softmax", graph.op("ElementWiseSelect", keep(graph), *scores), axis=3)


def keep(graph: Graph) -> SSAValue:
    """Truth values, one row for each of two batches."""
    return graph.op("Cast", graph.input(2, 1, 1, 5, of=I32, low=0, high=2), to=BOOL)


MASKS: dict[str, Spelling] = {
    "softmax of integers": softmax_of_integers,
    "softmax of flat integers": softmax_of_flat_integers,
    "softmax of kept columns": softmax_of_kept,
    "softmax of a difference": softmax_of_difference,
    "softmax of a choice": partial(softmax_of_choice, drops=False),
    "softmax of a choice, drops": partial(softmax_of_choice, drops=True),
}
"""Softmax behind a mask, of scores of four dims."""

RAISED: dict[str, Callable[[], ModuleOp]] = {
    **{name: partial(spelt, spelling) for name, spelling in SPELT.items()},
    **{name: partial(spelt, spelling, (2, 3, 4, 5)) for name, spelling in MASKS.items()},
}
"""The module of each spelling."""
