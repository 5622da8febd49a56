"""Small graphs that spell out what models have beside attention: stored weights, rotations."""

from collections.abc import Callable
from functools import partial

import numpy as np
from htp_mlir.dialects.value.dtypes import DType, Quant
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tests.support.graph import F32, Graph

from .spellings import Spelling, plus, spelt, times


def stored_weights(graph: Graph, x: SSAValue, way: str) -> SSAValue:
    """A product of x and dequantised weights."""
    scales = tuple(0.01 * n for n in range(1, 6))
    dims, axis = ((8, 5), 1) if way == "rows" else ((5, 8), 0)
    encoding = DType.QInt8, Quant(scales, (0,) * 5, axis)
    weights = graph.op("Dequantize", graph.weights(*dims, of=encoding))
    if way in ("rows", "turned"):
        return graph.op("MatMul", x, weights, transpose_in1=way == "turned")
    return graph.op("FullyConnected", x, weights, *[graph.weights(5)] * (way == "biased"))


def normed_layer(graph: Graph, x: SSAValue, layer: str, biased: bool) -> SSAValue:
    """A layer of stored filters, and a Batchnorm."""
    image = graph.op("Reshape", x, shape=(1, 2, 3, 8))
    encoding = DType.QInt8, Quant((0.01,), (0,))
    filters = graph.weights(1, 1, 8 if layer == "Conv2d" else 1, 8, of=encoding)
    y = graph.op(layer, image, filters, *[graph.weights(8)] * biased)
    return graph.op("Batchnorm", y, graph.const(np.linspace(0.5, 2, 8), F32), graph.weights(8))


def biased_product(graph: Graph, x: SSAValue, turned: bool) -> SSAValue:
    """Rows times a constant matrix, and a bias."""
    rows = graph.op("Reshape", x, shape=(6, 8))
    weights = graph.weights(*((5, 8) if turned else (8, 5)))
    product = graph.op("MatMul", rows, weights, transpose_in1=turned)
    return plus(graph, graph.weights(5), product)


def angles(graph: Graph, depth: int) -> tuple[SSAValue, SSAValue]:
    """The cosines and sines of three rows of angles."""
    numbers = np.outer(np.arange(3), np.arange(1, depth + 1))
    return graph.const(np.cos(numbers), F32), graph.const(np.sin(numbers), F32)


def rotary(graph: Graph, x: SSAValue, slices: bool, views: bool) -> SSAValue:
    """Data times cosines, and its halves exchanged times sines, both as views or not."""
    cos, sin = angles(graph, 8)
    y = graph.op("Reshape", x, shape=(3, 2, 8)) if views else x
    if slices:
        dims = [n for extent in ((3, 2) if views else (2, 3)) for n in (0, extent, 1)]
        low, high = (graph.op("StridedSlice", y, ranges=(*dims, at, at + 4, 1)) for at in (0, 4))
    else:
        low, high = graph.ops("Split", y, axis=2, split_index=(4,))
    turned = graph.op("Concat", [graph.op("ElementWiseNeg", high), low], axis=-1)
    if views:
        x, turned = (graph.op("Reshape", each, shape=(2, 3, 8)) for each in (x, turned))
    return plus(graph, times(graph, x, cos), times(graph, turned, sin))


def rotary_of_neighbours(graph: Graph, x: SSAValue) -> SSAValue:
    """Each number and its neighbour turned by an angle."""
    cos, sin = angles(graph, 4)
    even, odd = (graph.op("StridedSlice", x, ranges=(0, 2, 1, 0, 3, 1, at, 8, 2)) for at in (0, 1))
    real = graph.op("ElementWiseSubtract", times(graph, even, cos), times(graph, odd, sin))
    turned = plus(graph, times(graph, even, sin), times(graph, odd, cos))
    parts = [graph.op("Reshape", each, shape=(2, 3, 4, 1)) for each in (real, turned)]
    return graph.op("Reshape", graph.op("Concat", parts, axis=-1), shape=(2, 3, 8))


SPELT: dict[str, Spelling] = {
    **{
        f"stored weights, {way}": partial(stored_weights, way=way)
        for way in ("rows", "turned", "plain", "biased")
    },
    **{
        f"normed {layer}, biased {biased}": partial(normed_layer, layer=layer, biased=biased)
        for layer in ("Conv2d", "DepthWiseConv2d")
        for biased in (True, False)
    },
    **{
        f"biased product, turned {turned}": partial(biased_product, turned=turned)
        for turned in (True, False)
    },
    **{
        f"rotary, slices {slices}, views {views}": partial(rotary, slices=slices, views=views)
        for slices in (True, False)
        for views in (True, False)
    },
    "rotary of neighbours": rotary_of_neighbours,
}
"""The spellings by name."""

DECODERS: dict[str, Callable[[], ModuleOp]] = {
    name: partial(spelt, spelling) for name, spelling in SPELT.items()
}
"""The module of each spelling."""
