"""Quantised weights of products: their DequantizeLinear is no constant to fold."""

from __future__ import annotations

from collections import defaultdict

from onnx import GraphProto, NodeProto

from ....dialects.dense import Array
from .nodes import op_of
from .subgraphs import nodes_inside

_PRODUCTS = (("", "MatMul"), ("", "Gemm"))
_DEQUANTIZES = ("", "DequantizeLinear")
_TYPES = ("int8", "uint8", "int4", "uint4")
"""Types of a quarter of the bytes of f32, or less."""


def stored_weights(graph: GraphProto) -> set[str]:
    """Return the dequantised values that only products read, as their second factors."""
    readers: dict[str, list[tuple[NodeProto | None, int]]] = defaultdict(list)
    for node in nodes_inside(graph.node):
        for place, name in enumerate(node.input):
            readers[name].append((node, place))
    for output in graph.output:
        readers[output.name].append((None, 0))
    outputs = (node.output[0] for node in graph.node if op_of(node) == _DEQUANTIZES)
    return {
        name
        for name in outputs
        if readers[name]
        and all(node and op_of(node) in _PRODUCTS and place == 1 for node, place in readers[name])
    }


def is_stored(node: NodeProto, weights: set[str], known: dict[str, Array]) -> bool:
    """Tell whether a node dequantises a matrix, with one scale or one for each row or column."""
    if not weights.intersection(node.output) or op_of(node) != _DEQUANTIZES:
        return False
    stored, *encoding = (known[name] for name in node.input if name)
    plain = all(array.ndim <= 1 for array in encoding) and encoding[0].dtype == "float32"
    return stored.ndim == len(("rows", "columns")) and stored.dtype.name in _TYPES and plain
