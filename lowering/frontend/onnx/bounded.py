"""Bounds of results whose number of rows follows from data, where the graph pads them to the bound.

ONNX infers [?, 3] for the result of a NonMaxSuppression; of 2 classes, 6 boxes and at most 4 boxes
per class, the graph's has 8 rows.
"""

from __future__ import annotations

from onnx import GraphProto, NodeProto, TensorProto, TypeProto, helper

from .nodes import op_of
from .preparation.folding import Constants, Types
from .support.types import shape_of_onnx


def state_bounds(graph: GraphProto, constants: Constants, types: Types) -> bool:
    """Write the types of bounded results into a graph; tell whether there is any news."""
    news = False
    for node in graph.node:
        if op_of(node) != ("", "NonMaxSuppression"):
            continue
        rows = _rows(node, constants, types)
        (name,) = node.output
        # A number of rows that the model states is that of one input.
        if rows is not None and shape_of_onnx(types.get(name, TypeProto())) != (rows, 3):
            values = [v for v in (*graph.value_info, *graph.output) if v.name == name]
            for value in values or [graph.value_info.add(name=name)]:
                value.type.CopyFrom(helper.make_tensor_type_proto(TensorProto.INT64, (rows, 3)))
            news = True
    return news


def _rows(node: NodeProto, constants: Constants, types: Types) -> int | None:
    """Return batch * classes * the most boxes of a class; None where one is not known."""
    scores = types.get(node.input[1], TypeProto())
    shape = shape_of_onnx(scores)
    if node.input[1] in constants:
        shape = constants[node.input[1]].shape
    most = 0
    if len(node.input) > 2 and node.input[2]:
        if node.input[2] not in constants:
            return None
        most = int(constants[node.input[2]].reshape(-1)[0])
    if shape is None or len(shape) != 3:
        return None
    return shape[0] * shape[1] * max(min(shape[2], most), 0)
