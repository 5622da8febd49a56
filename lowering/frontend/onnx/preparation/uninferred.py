"""Types of what ONNX's own ops make whose schemas say nothing of shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from onnx import NodeProto, TensorProto, TypeProto, helper

from .....dialects.value.spec import Shape
from ..nodes import op_of
from ..support.registry import OpKey
from ..support.types import shape_of_onnx

_Shaped = Callable[[NodeProto, Shape], Shape]
"""Gives the shape of a node's result from that of its first input."""


def is_uninferred(node: NodeProto) -> bool:
    """Tell whether ONNX infers no shape for a node's op."""
    return op_of(node) in _SHAPED


def result_of(node: NodeProto, types: Mapping[str, TypeProto]) -> TypeProto | None:
    """Return the type of a node's result; None where its data has no shape yet."""
    data = types.get(node.input[0], TypeProto())
    shape = shape_of_onnx(data)
    if not shape:
        return None
    element = data.tensor_type.elem_type if op_of(node) in _OF_ANY_TYPE else TensorProto.FLOAT
    return helper.make_tensor_type_proto(element, _SHAPED[op_of(node)](node, shape))


def _same(_: NodeProto, shape: Shape) -> Shape:
    return shape


def _scores(node: NodeProto, shape: Shape) -> Shape:
    """Return one row for each of the data, with a number for each target."""
    targets = next((a.i for a in node.attribute if a.name == "targets"), 1)
    return (shape[0] if len(shape) > 1 else 1, targets)


def _side_by_side(node: NodeProto, shape: Shape) -> Shape:
    widths = (sum(a.ints) for a in node.attribute if a.name == "inputdimensions")
    return (shape[0], next(widths, 0))


_ML = "ai.onnx.ml"
_SHAPED: Mapping[OpKey, _Shaped] = {
    ("", "GroupNormalization"): _same,
    (_ML, "Scaler"): _same,
    (_ML, "Normalizer"): _same,
    (_ML, "Imputer"): _same,
    (_ML, "LinearRegressor"): _scores,
    (_ML, "FeatureVectorizer"): _side_by_side,
}
_OF_ANY_TYPE = {("", "GroupNormalization"), (_ML, "Imputer")}
"""Ops whose result has the type of their data; that of the others is f32."""
