"""Norms, reductions, movements, changes of type: axes from either end, ranks 1 to 4."""

from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.value.dtypes import DType, Quant

from tests.support.graph import BOOL, F16, F32, I32, Element, Graph, Model, u8

DIMS = ((5,), (3, 5), (2, 3, 5), (2, 3, 4, 5))
I64 = DType.Int64


def softmax(name: str) -> Model:
    graph = Graph()
    for dims in DIMS:
        x = graph.input(*dims)
        for axis in {-len(dims), -1, 0, len(dims) - 1}:
            graph.give(f"rank {len(dims)} axis {axis}", graph.op(name, x, axis=axis))
    graph.give("default", graph.op(name, graph.input(2, 5)))
    graph.give("beta", graph.op(name, graph.input(2, 5), beta=0.5, axis=0))
    graph.give("f16", graph.op(name, graph.input(2, 5, of=F16)))
    graph.give("u8", graph.op(name, graph.input(2, 5, of=u8()), out=u8(0.03, 200)))
    return graph.model()


def norm(name: str) -> Model:
    graph = Graph()
    for axes, dims in (((3,), DIMS[3]), ((-1,), DIMS[1]), ((-2, -1), DIMS[2]), ((1, 3), DIMS[3])):
        x = graph.input(*dims)
        taken = [dims[axis] for axis in sorted(axis % len(dims) for axis in axes)]
        gamma, beta = graph.weights(*taken), graph.weights(*taken)
        label = f"rank {len(dims)} axes {axes}"
        graph.give(f"{label}, both", graph.op(name, x, gamma, beta, axes=axes, epsilon=0.01))
        graph.give(f"{label}, gamma", graph.op(name, x, gamma, axes=axes))
    x = graph.input(2, 5)
    if name == "LayerNorm":
        graph.give("neither", graph.op(name, x, axes=(1,)))
        graph.give("beta", graph.op(name, x, None, graph.weights(5), axes=(1,)))
        graph.give("rank 5", graph.op(name, graph.input(1, 2, 3, 4, 5), axes=(3, 4)))
    graph.give("rank 1", graph.op(name, graph.input(5), graph.weights(5), axes=(0,)))
    graph.give(
        "f16", graph.op(name, graph.input(2, 5, of=F16), graph.weights(5, of=F16), axes=(1,))
    )
    quantised = (graph.input(2, 5, of=u8()), graph.weights(5, of=u8(0.01)))
    graph.give("u8", graph.op(name, *quantised, axes=(1,), out=u8(0.03, 120)))
    return graph.model()


def batchnorm() -> Model:
    graph = Graph()
    scale, offset = graph.weights(5), graph.weights(5)
    for dims in DIMS:
        graph.give(f"rank {len(dims)}", graph.op("Batchnorm", graph.input(*dims), scale, offset))
    x, w, bias = graph.input(1, 6, 6, 3), graph.weights(3, 3, 3, 5), graph.weights(5)
    conv = graph.op("Conv2d", x, w, bias)
    graph.give("after a convolution", graph.op("Batchnorm", conv, scale, offset))
    return graph.model()


def reduction(name: str) -> Model:
    graph = Graph()
    for dims in DIMS:
        x = graph.input(*dims, low=0.5)
        for count in range(1, len(dims) + 1):
            for axes in list(combinations(range(len(dims)), count))[:3]:
                label = f"rank {len(dims)} axes {axes}"
                graph.give(label, graph.op(name, x, axes=axes))
                below = tuple(axis - len(dims) for axis in axes)
                graph.give(f"{label} kept", graph.op(name, x, axes=below, keep_dims=True))
    graph.give("i32", graph.op(name, graph.input(3, 4, of=I32, low=-4, high=4), axes=(0,)))
    out = None if GRAPH_OPS[name].KEEPS_ENCODING else u8(0.02, 50)
    graph.give("u8", graph.op(name, graph.input(3, 4, of=u8(0.01, 10)), axes=(1,), out=out))
    return graph.model()


def search(name: str) -> Model:
    graph = Graph()
    for dims in DIMS:
        x = graph.input(*dims)
        for axis in (-1, 0):
            label = f"rank {len(dims)} axis {axis}"
            graph.give(label, graph.op(name, x, axis=axis))
            graph.give(f"{label} kept", graph.op(name, x, axis=axis, keep_dims=True))
    graph.give("several", graph.op(name, graph.input(3, 9, of=I32, low=0, high=3), axis=1))
    graph.give("u8", graph.op(name, graph.input(3, 9, of=u8()), axis=1))
    return graph.model()


ELEMENTS: dict[str, Element] = {"f32": F32, "f16": F16, "i32": I32, "i1": BOOL, "u8": u8()}
"""What movement must carry unchanged."""


def concat() -> Model:
    graph = Graph()
    for axis in (0, 1, -1):
        parts = [[4, 3, 2] for _ in range(3)]
        parts[1][axis], parts[2][axis] = 1, 5
        graph.give(f"axis {axis}", graph.op("Concat", [graph.input(*p) for p in parts], axis=axis))
    for name, element in ELEMENTS.items():
        values = [graph.input(2, 3, of=element), graph.input(1, 3, of=element)]
        graph.give(name, graph.op("Concat", values, axis=0))
    graph.give("one part", graph.op("Concat", [graph.input(3)], axis=0))
    x = graph.input(2, 3)
    graph.give(
        "itself", graph.op("Concat", [x, graph.const(np.ones((2, 3), np.float32)), x], axis=1)
    )
    return graph.model()


def split() -> Model:
    graph = Graph()
    for axis, cuts in ((1, (2, 5)), (-1, (1,)), (0, (1, 2, 3))):
        parts = graph.ops("Split", graph.input(4, 6, 3), axis=axis, split_index=cuts)
        for index, part in enumerate(parts):
            graph.give(f"axis {axis}, {index}", part)
    for name, element in ELEMENTS.items():
        parts = graph.ops("Split", graph.input(4, 3, of=element), axis=0, split_index=(1,))
        graph.give(name, parts[1])
    (whole,) = graph.ops("Split", graph.input(4), axis=0, split_index=())
    graph.give("no cut", whole)
    return graph.model()


def strided_slice() -> Model:
    graph = Graph()
    for name, dims, ranges in (
        ("rank 1", (7,), (2, 6, 1)),
        ("stride 2", (7, 5), (0, 7, 2, 1, 4, 1)),
        ("backwards", (7, 5), (6, -1, -1, 4, 0, -2)),
        ("one element", (2, 3, 4), (1, 2, 1, 0, 3, 2, 3, 4, 1)),
        ("rank 4", (2, 3, 4, 5), (0, 2, 1, 1, 3, 1, 0, 4, 1, 2, 5, 1)),
        ("everything", (2, 3), (0, 2, 1, 0, 3, 1)),
    ):
        graph.give(name, graph.op("StridedSlice", graph.input(*dims), ranges=ranges))
    for name, element in ELEMENTS.items():
        x = graph.input(4, 6, of=element)
        graph.give(name, graph.op("StridedSlice", x, ranges=(1, 3, 1, 5, 0, -2)))
    return graph.model()


def reshape() -> Model:
    graph = Graph()
    x = graph.input(2, 3, 4)
    for shape in ((24,), (4, 6), (2, 3, 4), (1, 2, 3, 4), (1, 1, 24, 1), (4, 3, 2)):
        graph.give("x".join(map(str, shape)), graph.op("Reshape", x, shape=shape))
    graph.give("twice", graph.op("Reshape", graph.op("Reshape", x, shape=(6, 4)), shape=(8, 3)))
    graph.give("scalar", graph.op("Reshape", graph.input(1, 1), shape=()))
    for name, element in ELEMENTS.items():
        graph.give(name, graph.op("Reshape", graph.input(4, 3, of=element), shape=(6, 2)))
    return graph.model()


def transpose() -> Model:
    graph = Graph()
    for perm in ((0,), (1, 0), (2, 0, 1), (0, 2, 1), (0, 3, 1, 2), (3, 2, 1, 0)):
        x = graph.input(*range(2, 2 + len(perm)))
        graph.give(str(perm), graph.op("Transpose", x, perm=perm))
    for name, element in ELEMENTS.items():
        graph.give(name, graph.op("Transpose", graph.input(4, 3, of=element), perm=(1, 0)))
    per_axis = (DType.QInt8, Quant((0.1, 0.2, 0.3), (0, 0, 0), axis=1))
    graph.give("per axis", graph.op("Transpose", graph.input(2, 3, of=per_axis), perm=(1, 0)))
    return graph.model()


def pad() -> Model:
    graph = Graph()
    for dims in DIMS:
        amounts = [1, 2, 0, 3, 2, 0, 1, 1][: 2 * len(dims)]
        x = graph.input(*dims)
        graph.give(f"rank {len(dims)}", graph.op("Pad", x, pad_amount=amounts))
        value = graph.op("Pad", x, pad_amount=amounts, pad_constant_value=1.5)
        graph.give(f"rank {len(dims)} of 1.5", value)
    graph.give("nothing", graph.op("Pad", graph.input(3), pad_amount=(0, 0)))
    graph.give("f16", graph.op("Pad", graph.input(3, of=F16), pad_amount=(1, 0)))
    graph.give(
        "i32", graph.op("Pad", graph.input(3, of=I32), pad_amount=(1, 0), pad_constant_value=7.0)
    )
    graph.give(
        "u8", graph.op("Pad", graph.input(3, of=u8()), pad_amount=(1, 2), pad_constant_value=0.5)
    )
    return graph.model()


def gather() -> Model:
    graph = Graph()
    for dims in DIMS:
        for axis in {0, -1}:
            wanted = spec = dims[axis]
            ints = graph.input(2, of=I32, low=-wanted, high=spec)
            x = graph.input(*dims)
            graph.give(f"rank {len(dims)} axis {axis}", graph.op("Gather", x, ints, axis=axis))
    x = graph.input(4, 5)
    graph.give("scalar", graph.op("Gather", x, graph.input(of=I32, low=0, high=4), axis=0))
    square = graph.input(2, 3, of=I64, low=-5, high=5)
    graph.give("indices of rank 2", graph.op("Gather", x, square, axis=1))
    graph.give("constant", graph.op("Gather", x, graph.const(np.array([[3, -1]])), axis=0))
    for name, element in ELEMENTS.items():
        indices = graph.input(3, of=I32, low=0, high=4)
        graph.give(name, graph.op("Gather", graph.input(4, 3, of=element), indices, axis=0))
    return graph.model()


def best() -> Model:
    graph = Graph()
    for dims in DIMS:
        values, places = graph.ops("TopK", graph.input(*dims), k=2)
        graph.give(f"rank {len(dims)}", values)
        graph.give(f"places of rank {len(dims)}", places)
    for name, element in (("f16", F16), ("i32", I32), ("u8", u8())):
        values, places = graph.ops("TopK", graph.input(3, 9, of=element), k=4, largest=False)
        graph.give(name, values)
        graph.give(f"places of {name}", places)
    return graph.model()


def suppression() -> Model:
    graph = Graph()
    for name, element in (("f32", F32), ("f16", F16)):
        boxes, scores = graph.input(2, 9, 4, of=element), graph.input(2, 3, 9, of=element)
        params = {"iou_threshold": 0.25, "score_threshold": -0.5, "max_boxes_selected": 4}
        rows, count = graph.ops("NonMaxSuppression", boxes, scores, **params)
        graph.give(f"rows of {name}", rows)
        graph.give(f"number of {name}", count)
    return graph.model()


def scatter() -> Model:
    graph = Graph()
    for dims in DIMS:
        for width in {1, len(dims)}:
            tuples = graph.input(4, width, of=I32, low=-2, high=2)
            updates = graph.input(4, *dims[width:])
            y = graph.op("ScatterNd", graph.input(*dims), tuples, updates)
            graph.give(f"rank {len(dims)} tuples of {width}", y)
    x, places = graph.input(4, 5), graph.input(3, 2, 1, of=I64, low=-4, high=4)
    for code in range(5):
        y = graph.op("ScatterNd", x, places, graph.input(3, 2, 5), reduction=code)
        graph.give(f"reduction {code}", y)
    for name, element in ELEMENTS.items():
        data, rows = graph.input(4, 3, of=element), graph.input(6, 3, of=element)
        tuples = graph.input(6, 1, of=I32, low=0, high=4)
        graph.give(name, graph.op("ScatterNd", data, tuples, rows))
    return graph.model()


def tile() -> Model:
    graph = Graph()
    for dims, multiples in zip(DIMS, ((3,), (1, 2), (2, 1, 3), (2, 1, 2, 1)), strict=True):
        graph.give(f"rank {len(dims)}", graph.op("Tile", graph.input(*dims), multiples=multiples))
    for name, element in ELEMENTS.items():
        graph.give(name, graph.op("Tile", graph.input(2, 3, of=element), multiples=(2, 2)))
    return graph.model()


def bit_cast() -> Model:
    graph = Graph()
    pairs = ((F32, I32), (I32, F32), (F16, DType.Int16), (BOOL, DType.UInt8), (I32, DType.UInt32))
    for number, (element, to) in enumerate(pairs):
        x = graph.input(2, 3, of=element, low=0, high=9)
        graph.give(f"pair {number}", graph.op("BitCast", x, to=to))
    for rank, dims in enumerate(DIMS):
        graph.give(f"rank {rank}", graph.op("BitCast", graph.input(*dims), to=I32))
    return graph.model()


def cast() -> Model:
    graph = Graph()
    plain = {"f32": F32, "f16": F16, "i32": I32, "i8": DType.Int8, "i1": BOOL, "ui8": DType.UInt8}
    for name, element in plain.items():
        low = 0 if name == "ui8" else -9
        x = graph.input(2, 3, of=element, low=low, high=9)
        for other, to in plain.items():
            graph.give(f"{name} to {other}", graph.op("Cast", x, to=to))
    for rank, dims in enumerate(DIMS):
        graph.give(f"rank {rank}", graph.op("Cast", graph.input(*dims), to=I32))
    return graph.model()


QUANTISED: dict[str, Element] = {
    "u8": u8(),
    "i8": (DType.QInt8, Quant((0.1,), (-3,))),
    "u16": (DType.QUInt16, Quant((0.0005,), (30000,))),
    "per axis": (DType.QInt8, Quant((0.1, 0.02, 0.05), (0, 0, 0), axis=1)),
}


def quantize() -> Model:
    graph = Graph()
    x = graph.input(2, 3, low=-12, high=12)
    for name, to in QUANTISED.items():
        graph.give(name, graph.op("Quantize", x, to=to))
    for rank, dims in enumerate(DIMS):
        graph.give(f"rank {rank}", graph.op("Quantize", graph.input(*dims), to=u8()))
    return graph.model()


def dequantize() -> Model:
    graph = Graph()
    for name, element in QUANTISED.items():
        graph.give(name, graph.op("Dequantize", graph.input(2, 3, of=element)))
    for rank, dims in enumerate(DIMS):
        graph.give(f"rank {rank}", graph.op("Dequantize", graph.input(*dims, of=u8())))
    return graph.model()


def constants() -> Model:
    graph = Graph()
    for dims in ((), *DIMS):
        graph.give(f"rank {len(dims)}", graph.weights(*dims))
    for name, element in {**ELEMENTS, **QUANTISED}.items():
        graph.give(f"as {name}", graph.weights(2, 3, of=element))
    x = graph.input(2, 3)
    graph.give("argument", x)
    return graph.model()


_REDUCE = ("Sum", "Mean", "Max", "Min", "Prod")

CASES: dict[str, Callable[[], Model]] = {
    "Softmax": partial(softmax, "Softmax"),
    "LogSoftmax": partial(softmax, "LogSoftmax"),
    "LayerNorm": partial(norm, "LayerNorm"),
    "RmsNorm": partial(norm, "RmsNorm"),
    "Batchnorm": batchnorm,
    **{f"Reduce{kind}": partial(reduction, f"Reduce{kind}") for kind in _REDUCE},
    "Argmax": partial(search, "Argmax"),
    "Argmin": partial(search, "Argmin"),
    "Concat": concat,
    "Split": split,
    "StridedSlice": strided_slice,
    "Reshape": reshape,
    "Transpose": transpose,
    "Pad": pad,
    "Gather": gather,
    "ScatterNd": scatter,
    "TopK": best,
    "NonMaxSuppression": suppression,
    "Tile": tile,
    "Cast": cast,
    "BitCast": bit_cast,
    "Quantize": quantize,
    "Dequantize": dequantize,
    "Const": constants,
}
"""What makes each model; the op is the first word of the key."""
