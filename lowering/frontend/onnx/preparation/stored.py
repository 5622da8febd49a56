"""Constants that stay as they are stored: their DequantizeLinear is not a constant to fold.

Those are the weights of products and layers, and what an op reads beside a dequantised tensor.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from onnx import GraphProto, NodeProto

from .....dialects.dense import Array
from ....importers.support.attributes import nodes_inside
from ....importers.support.codes import codes_of, in_bytes, is_encoding
from .nodes import op_of

_READERS = (("", "MatMul"), ("", "Gemm"), ("", "Conv"), ("", "ConvTranspose"))
_BESIDE = tuple(
    ("", name)
    for name in (
        *("Add", "Sub", "Mul", "Div", "Min", "Max", "Concat", "Where", "MatMul", "PRelu"),
        *("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "LayerNormalization"),
    )
)
_BETWEEN = (("", "Transpose"), ("", "Identity"))
_DEQUANTIZES = ("", "DequantizeLinear")
_CONSTANT = ("", "Constant")

Readers = Mapping[str, list[tuple[NodeProto | None, int]]]
"""The nodes that read a value and the place among their inputs; None for the graph itself."""


def stored_weights(graph: GraphProto) -> set[str]:
    """Return the dequantised values that only ops read which take stored integers."""
    readers: dict[str, list[tuple[NodeProto | None, int]]] = defaultdict(list)
    for node in nodes_inside(graph.node):
        for place, name in enumerate(node.input):
            readers[name].append((node, place))
    for output in graph.output:
        readers[output.name].append((None, 0))
    constants = {tensor.name for tensor in graph.initializer}
    constants |= {node.output[0] for node in graph.node if op_of(node) == _CONSTANT}
    dequantized = {
        node.output[0]: node.input[0] not in constants
        for node in graph.node
        if op_of(node) == _DEQUANTIZES
    }
    return {name for name in dequantized if _as_stored(name, readers, dequantized)}


def _as_stored(name: str, readers: Readers, dequantized: Mapping[str, bool]) -> bool:
    """Tell whether all that read a value take it as it is stored, maybe turned or by another name.

    `dequantized` says of each dequantised value whether it is computed.
    """
    return bool(readers[name]) and all(
        node is not None
        and (
            (place == 1 and op_of(node) in _READERS)
            or (op_of(node) in _BESIDE and any(dequantized.get(each) for each in node.input))
            or (op_of(node) in _BETWEEN and _as_stored(node.output[0], readers, dequantized))
        )
        for node, place in readers[name]
    )


def is_stored(node: NodeProto, weights: set[str], known: Mapping[str, Array]) -> bool:
    """Tell whether a node dequantises numbers that the graph ops can take as they are stored."""
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
    """Tell whether these are numbers of a filter, with a scale for each channel at most."""
    return is_encoding(in_bytes(stored), scale) and (scale.size == 1 or axis in (0, 1))
