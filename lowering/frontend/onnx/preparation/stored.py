"""Quantised weights of products and layers: their DequantizeLinear is no constant to fold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from onnx import GraphProto, NodeProto

from .....dialects.dense import Array
from ..nodes import op_of
from ..subgraphs import nodes_inside
from ..support.codes import codes_of, is_encoding

_READERS = (("", "MatMul"), ("", "Gemm"), ("", "Conv"))
_TRANSPOSE = ("", "Transpose")
_DEQUANTIZES = ("", "DequantizeLinear")

Readers = Mapping[str, list[tuple[NodeProto | None, int]]]
"""The nodes that read a value and the place among their inputs; None for the graph itself."""


def stored_weights(graph: GraphProto) -> set[str]:
    """Return the dequantised values that are but second operands of products and layers."""
    readers: dict[str, list[tuple[NodeProto | None, int]]] = defaultdict(list)
    for node in nodes_inside(graph.node):
        for place, name in enumerate(node.input):
            readers[name].append((node, place))
    for output in graph.output:
        readers[output.name].append((None, 0))
    outputs = (node.output[0] for node in graph.node if op_of(node) == _DEQUANTIZES)
    return {name for name in outputs if _only_products(name, readers)}


def _only_products(name: str, readers: Readers) -> bool:
    """Tell whether all that read a value are products and layers, maybe behind a Transpose."""
    return bool(readers[name]) and all(
        node is not None
        and (
            (place == 1 and op_of(node) in _READERS)
            or (op_of(node) == _TRANSPOSE and _only_products(node.output[0], readers))
        )
        for node, place in readers[name]
    )


def is_stored(node: NodeProto, weights: set[str], known: Mapping[str, Array]) -> bool:
    """Tell whether a node dequantises weights that the graph ops can take as they are stored."""
    if not weights.intersection(node.output) or op_of(node) != _DEQUANTIZES:
        return False
    attributes = {attribute.name: attribute.i for attribute in node.attribute}
    axis = attributes.get("axis", 1)
    stored, scale, *zeros = (known[name] for name in node.input if name)
    zero = zeros[0] if zeros else None
    if scale.dtype != np.float32:
        return False
    if stored.ndim > len(("rows", "columns")):
        return is_filter(stored, scale, axis)
    axis += stored.ndim if axis < 0 else 0
    return is_encoding(stored, scale) or codes_of(stored, scale, zero, axis) is not None


def is_filter(stored: Array, scale: Array, axis: int) -> bool:
    """Tell whether these are numbers of a filter, with a scale for each output channel at most."""
    return is_encoding(stored, scale) and (scale.size == 1 or axis == 0)
